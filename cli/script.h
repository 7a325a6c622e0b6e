/* SPDX-License-Identifier: MIT */
/* Reads program text from files, prints its errors with their places, and prints registers. */
#ifndef PTO_CLI_SCRIPT_H
#define PTO_CLI_SCRIPT_H

#include "command.h"

#include <pto/program.h>

/* Returns the content of a file with a terminating 0, which the caller frees. Returns NULL after an error. */
char *script_read(const struct command *command, const char *path);

/* Returns whether the text has the word with which kernels of PTX begin. */
bool script_has_ptx_kernel(const char *text);

/* Returns whether the text is PTO: it has an operation of PTO, and no kernel of PTX. */
bool script_is_pto(const char *text);

/* Parses a program. Returns NULL after an error, which is printed as script_problem() does. */
pto_program *script_parse(const char *name, const char *text, pto_program_options options);

/* Prints an error with its place and line of the text. `name` precedes the place. */
void script_problem(const char *name, const char *text, const pto_program_error *error);

/* Writes the names of the program's inputs, or of the registers that it writes: "x, y". A long list is cut off. */
enum { SCRIPT_NAMES = 200 };
void script_names(const pto_program *program, bool inputs, char names[SCRIPT_NAMES]);

/* Prints n elements of a register in one line, and dots if there are more. Predicates are bytes. */
void script_lanes(const char *name, pto_dtype type, bool predicate, const void *data, size_t n, bool more);

/* Writes an element as "0x3fc00000  1.5", and a word of several elements as "0x40003c00  {1, 2}". */
enum { SCRIPT_ELEMENT = 160 };
void script_element(pto_dtype type, const void *element, char text[SCRIPT_ELEMENT]);

#endif
