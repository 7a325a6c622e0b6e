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

/* The classes of testp. Zeros are normal values. */
enum float_class {
    CLASS_OF_FINITE,
    CLASS_OF_INFINITE,
    CLASS_OF_NUMBER,
    CLASS_OF_NAN,
    CLASS_OF_NORMAL,
    CLASS_OF_SUBNORMAL
};

/* Sets bit i of the packed mask `to` to whether element i belongs to the class. `type` is PTO_F32 or
 * PTO_F64. */
void pto_test_floats(enum float_class class, pto_dtype type, const void *from, void *to, size_t n);

#endif
