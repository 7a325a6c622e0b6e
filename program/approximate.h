/* SPDX-License-Identifier: MIT */
/* PTX's approximate instructions. Results are correctly rounded, except those of ARITHMETIC_RCP_HIGH and
 * ARITHMETIC_RSQRT_HIGH, which are truncated. */
#ifndef PTO_PROGRAM_APPROXIMATE_H
#define PTO_PROGRAM_APPROXIMATE_H

#include "arithmetic.h"

/* Computes an operation from ARITHMETIC_EX2 to ARITHMETIC_RSQRT_HIGH on n elements of the type t->type. */
pto_status pto_approximate(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                           size_t n);

#endif
