/* SPDX-License-Identifier: MIT */
/* Bit-exact PTX arithmetic on arrays of floats. All instruction sets give the same bits. */
#ifndef PTO_PROGRAM_FLOATS_H
#define PTO_PROGRAM_FLOATS_H

#include "arithmetic.h"

/* Computes `op` on n elements of the type t->type, in the rounding mode t->round. The result array may be one
 * of the source arrays. The FP state must be the default one. Returns PTO_ERR_ISA if this machine lacks the
 * rounding mode. */
pto_status pto_floats(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                      size_t n);

static inline bool pto_is_directed(pto_round round) {
    return round == PTO_RZ || round == PTO_RM || round == PTO_RP;
}

#endif
