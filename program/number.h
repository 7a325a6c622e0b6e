/* SPDX-License-Identifier: MIT */
/* Parses and prints numbers in the spelling of PTX. */
#ifndef PTO_PROGRAM_NUMBER_H
#define PTO_PROGRAM_NUMBER_H

#include "text.h"

/* Sets *bits to the constant `number` as an element of `type`; `minus` negates it. Returns NULL, or a message that
 * says what was expected. The FP state must be the default one. */
const char *pto_number_bits(const struct token *number, bool minus, pto_dtype type, uint64_t *bits);

/* Writes `number` in decimal to `to`, without a terminating 0. Returns the count of characters. */
size_t pto_number_print(char *to, uint64_t number);

#endif
