/* SPDX-License-Identifier: MIT */
/* Constant expressions of PTX, such as (1 + 2) * 4 or WARP_SZ - 1. */
#ifndef PTO_PROGRAM_CONSTANT_H
#define PTO_PROGRAM_CONSTANT_H

#include "number.h"

/* Returns whether an operand that starts at the current token is a constant expression. */
bool pto_constant_starts(const struct text *t);

/* Reads a constant expression and sets *value. Returns false after an error. The FP state must be the default one. */
bool pto_constant_parse(struct text *t, struct constant *value);

#endif
