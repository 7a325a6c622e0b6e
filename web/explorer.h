/* SPDX-License-Identifier: MIT */
/* The subcommands that only the page has. Each writes one line of JSON for each result. */
#ifndef PTO_WEB_EXPLORER_H
#define PTO_WEB_EXPLORER_H

#include "command.h"

#include <stdint.h>

extern const struct command command_operands, command_names, command_legal, command_groups, command_blocks,
    command_trace;

/* Reads stdin to its end. The caller frees the bytes, after which there is a 0 that *size does not count. */
unsigned char *read_input(size_t *size);

/* Copies the next value of a list to `word`: a number, bits or {1, 2}. Blanks, commas and semicolons separate values.
 * Returns the place after the value; NULL if no value is left, or if it is too long. */
enum { LIST_WORD = 128 };
const char *next_value(const char *text, char word[LIST_WORD]);

/* Stores an element in an array. Elements of less than 8 bits share a byte, which must be 0 before its first element is
 * stored. */
void store_element(pto_dtype type, void *array, size_t i, const unsigned char element[8]);

/* Writes `"name":["0x3c00","0x4000"]`, the bits of n elements from index `first` on. put_values() writes their values
 * as text instead. */
void put_bits(const char *name, pto_dtype type, const void *array, size_t first, size_t n);
void put_values(const char *name, pto_dtype type, const void *array, size_t first, size_t n);

#endif
