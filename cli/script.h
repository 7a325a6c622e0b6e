/* SPDX-License-Identifier: MIT */
/* Programs as subcommands use them: from a file, with complaints that show the place, and their results as text. */
#ifndef PTO_CLI_SCRIPT_H
#define PTO_CLI_SCRIPT_H

#include "command.h"

#include <pto/program.h>

/* The whole of a file with a terminating 0, to be freed; NULL after a complaint. */
char *script_read(const struct command *command, const char *path);

/* The program; NULL after a complaint that shows the line. `name` stands before the place. */
pto_program *script_parse(const char *name, const char *text, pto_program_options options);

/* What a run did not like, shown the same way. */
void script_problem(const char *name, const char *text, const pto_program_error *error);

/* The names of the registers that the program reads before it writes them, or of those that it writes: "x, y". Long lists
 * are cut off. */
enum { SCRIPT_NAMES = 200 };
void script_names(const pto_program *program, bool inputs, char names[SCRIPT_NAMES]);

/* Prints n elements of a register in a line, and dots if there are more. Predicates are bytes. */
void script_lanes(const char *name, pto_dtype type, bool predicate, const void *data, size_t n, bool more);

/* An element as "0x3fc00000  1.5", of several "0x40003c00  {1, 2}". */
enum { SCRIPT_ELEMENT = 160 };
void script_element(pto_dtype type, const void *element, char text[SCRIPT_ELEMENT]);

#endif
