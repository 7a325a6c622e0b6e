/* SPDX-License-Identifier: MIT */
/**
 * @file exact.h
 * A second reading of PTX's arithmetic, which shares nothing with program/: numbers are integers of thousands of bits,
 * in units of the smallest product there is, and are rounded from those.
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
    EXACT_OPS
};

const char *exact_name(enum exact_op op);
size_t exact_sources(enum exact_op op);

/**
 * Returns one element of f16, bf16, f32 or f64, as bits. NaNs are 7fff and 7fffffff; for f64 the first NaN among the
 * operands in the order b, c, a, made quiet, and fff8000000000000 if none is a NaN.
 */
uint64_t exact_float(enum exact_op op, pto_dtype type, bool ftz, uint64_t a, uint64_t b, uint64_t c);

/** One element of u16 to s64: bit by bit. */
uint64_t exact_integer(enum exact_op op, pto_dtype type, uint64_t a, uint64_t b);

#endif
