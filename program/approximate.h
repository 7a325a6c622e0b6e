/* SPDX-License-Identifier: MIT */
/* PTX's approximate instructions. Results are correctly rounded, except those of the _HIGH operations. */
#ifndef PTO_PROGRAM_APPROXIMATE_H
#define PTO_PROGRAM_APPROXIMATE_H

#include "arithmetic.h"

/* Computes ARITHMETIC_EX2 or one of the operations that follow it on n elements of the type t->type. */
pto_status pto_approximate(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                           size_t n);

#endif
