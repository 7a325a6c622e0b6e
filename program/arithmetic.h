/* SPDX-License-Identifier: MIT */
/*
 * Bit-exact PTX arithmetic for which libpto has no call. Integers wrap modulo 2^bits. Results of floats are
 * rounded once, in the rounding mode of struct typed_parameters. The FP state must be the default one.
 */
#ifndef PTO_PROGRAM_ARITHMETIC_H
#define PTO_PROGRAM_ARITHMETIC_H

#include "ir.h"

enum arithmetic {
    ARITHMETIC_ADD,
    ARITHMETIC_SUB,
    ARITHMETIC_MUL, /* integers: the low half of the product */
    ARITHMETIC_NEG,
    ARITHMETIC_ABS,
    /* floats only */
    ARITHMETIC_COPYSIGN, /* the second operand with the sign of the first */
    ARITHMETIC_FMA,
    ARITHMETIC_DIV,
    ARITHMETIC_DIV_APPROX, /* a divisor whose magnitude is above 2^126 counts as infinite */
    ARITHMETIC_RCP,
    ARITHMETIC_SQRT,
    /* floats only; pto_approximate() computes these */
    ARITHMETIC_EX2,
    ARITHMETIC_LG2,
    ARITHMETIC_SIN,
    ARITHMETIC_COS,
    ARITHMETIC_TANH,
    ARITHMETIC_RSQRT,
    ARITHMETIC_RCP_HIGH,   /* f64: rcp.approx.ftz */
    ARITHMETIC_RSQRT_HIGH, /* f64: rsqrt.approx.ftz */
    /* integers only */
    ARITHMETIC_SHL, /* the count is a u32; a count that is not below the width of the type gives 0 */
    ARITHMETIC_SHR  /* as ARITHMETIC_SHL, except that signed types shift in copies of the sign bit */
};

/* Computes `op` on n lanes of `typed->elements_per_lane` elements each, from at->src to at->dst[0]. The result may be
 * one of the sources; otherwise they must not overlap. */
pto_status pto_arithmetic(enum arithmetic op, const struct typed_parameters *typed,
                          const struct addresses *at, size_t n);

/* Sets the members of *ready that `loops` need for this operation. Returns false if no loop of one instruction set does
 * it. */
bool pto_arithmetic_prepare(enum arithmetic op, const struct typed_parameters *typed, struct prepared *ready);

#endif
