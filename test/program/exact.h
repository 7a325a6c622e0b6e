/* SPDX-License-Identifier: MIT */
/**
 * @file exact.h
 * A second model of PTX arithmetic, which shares no code with program/. Exact results are integers of thousands of
 * bits, in units below the smallest possible product. They are rounded at the end.
 */
#ifndef PTO_TEST_EXACT_H
#define PTO_TEST_EXACT_H

#include <pto/pto.h>

enum exact_op {
    EXACT_ADD,
    EXACT_SUB,
    EXACT_MUL,
    EXACT_FMA,
    EXACT_NEG,
    EXACT_ABS,
    EXACT_SHL,
    EXACT_SHR,
    EXACT_DIV,
    EXACT_RCP,
    EXACT_SQRT,
    EXACT_OPS
};

/** The modifiers of an instruction on floats. `round` is PTO_RN, PTO_RZ, PTO_RM or PTO_RP. */
struct exact_modifiers {
    pto_round round;
    bool ftz, sat, relu;
};

/** Returns the name of the PTX instruction, such as "add"; the number of its sources. */
const char *exact_name(enum exact_op op);
size_t exact_sources(enum exact_op op);

/**
 * Returns the bits of one result of f16, bf16, f32 or f64. A NaN result is 7fff for the 16-bit types and 7fffffff for
 * f32. For f64 it is the first NaN among the operands in the order b, c, a, for division in the order a, b, made quiet;
 * or fff8000000000000 if no operand is a NaN.
 */
uint64_t exact_modified(enum exact_op op, pto_dtype type, struct exact_modifiers m, uint64_t a, uint64_t b,
                        uint64_t c);

/** Returns the same as exact_modified() with rounding to nearest even and without .sat and .relu. */
uint64_t exact_float(enum exact_op op, pto_dtype type, bool ftz, uint64_t a, uint64_t b, uint64_t c);

/** Returns the bits of one result of an integer type of 16, 32 or 64 bits, computed bit by bit. */
uint64_t exact_integer(enum exact_op op, pto_dtype type, uint64_t a, uint64_t b);

#endif
