/* SPDX-License-Identifier: MIT */
/* Numbers as PTX spells them. */
#ifndef PTO_PROGRAM_NUMBER_H
#define PTO_PROGRAM_NUMBER_H

#include "text.h"

/* The bits of a constant operand of this type. NULL, or what was expected. The FP state must be the default one. */
const char *pto_number_bits(const struct token *number, bool minus, pto_dtype type, uint64_t *bits);

/* Decimal digits of a small number; how many there are. No terminating 0. */
size_t pto_number_print(char *to, uint64_t number);

#endif
