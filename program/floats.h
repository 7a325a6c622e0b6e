/* SPDX-License-Identifier: MIT */
/* Bit-exact PTX arithmetic on arrays of floats. All instruction sets give the same bits. */
#ifndef PTO_PROGRAM_FLOATS_H
#define PTO_PROGRAM_FLOATS_H

#include "arithmetic.h"

/* Computes `op` on n elements of the type t->type, in the rounding mode t->round. The result may be one of the
 * sources. The FP state must be the default one. Returns PTO_ERR_ISA if this machine has no such rounding mode. */
pto_status pto_floats(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                      size_t n);

/* The loops of each instruction set, for the operations up to ARITHMETIC_SQRT. They compute in the current rounding
 * mode. */
typedef void float_loops(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                         size_t n);
float_loops pto_floats_base, pto_floats_avx2, pto_floats_avx512;

#endif
