/* SPDX-License-Identifier: MIT */
/* The subcommands that only the page has. Each writes one line of JSON for each result. */
#ifndef PTO_WEB_EXPLORER_H
#define PTO_WEB_EXPLORER_H

#include "command.h"

#include <pto/program.h>

#include <stdint.h>

extern const struct command command_operands, command_names, command_legal, command_groups, command_blocks,
    command_trace, command_kernel;

/* Reads stdin to its end. The caller frees the bytes, after which there is a 0 that *size does not count. */
unsigned char *read_input(size_t *size);

/* Copies the next value of a list to `word`, which has room for the whole text: a number, bits or {1, 2}. Blanks,
 * commas and semicolons separate values. Returns the place after the value; NULL if no value is left. */
const char *next_value(const char *text, char *word);

/* Stores an element in an array. Elements of less than 8 bits share a byte, which must be 0 before its first element is
 * stored. */
void store_element(pto_dtype type, void *array, size_t i, const unsigned char element[8]);

/* Writes `"name":["0x3c00","0x4000"]`, the bits of n elements from index `first` on. put_values() writes their values
 * as text instead. */
void put_bits(const char *name, pto_dtype type, const void *array, size_t first, size_t n);
void put_values(const char *name, pto_dtype type, const void *array, size_t first, size_t n);

/* Writes the number of a register's lanes, and the bits and values of the first ones. */
void put_lanes(const char *kind, size_t line, const char *name, pto_dtype type, bool predicate,
               const void *data, size_t n);

/* Writes why a program does not run. */
void put_error(const pto_program_error *error);

enum {
    SHOWN_LANES = 64,
    SHOWN_STEPS = 2000, /* later results are not printed; the program runs to its end */
    KERNEL_STEPS = 1 << 22,
};

/* Reads a list of values, and sets *count to their number. Returns an array that the caller frees. Returns NULL if a
 * word is not a value of the type; then the error is reported. `name` is what the values are for, or NULL. */
void *read_values(const struct command *command, const char *name, const char *text, pto_dtype type,
                  bool predicate, size_t *count);

#endif
