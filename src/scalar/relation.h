/* SPDX-License-Identifier: MIT */
/*
 * Functions that compare two operands by their bits (PTX ISA 9.3.1, "Comparisons"). They return an enum
 * outcome: less, equal or greater, or for floats also unordered.
 */
#ifndef PTO_SCALAR_RELATION_H
#define PTO_SCALAR_RELATION_H

#include "core/kernels.h"

/* The constants of an IEEE 754 binary interchange format that comparisons need. */
struct float_format {
    u64 sign;       /* the sign bit */
    u64 infinity;   /* exponent all ones, fraction 0; a magnitude above it is a NaN */
    u64 min_normal; /* magnitudes below it are zero or subnormal */
};

static inline struct float_format format_of(unsigned bits, unsigned fraction_bits) {
    struct float_format f;
    f.sign = (u64)1 << (bits - 1);
    f.min_normal = (u64)1 << fraction_bits;
    f.infinity = f.sign - f.min_normal;
    return f;
}

static inline enum outcome relate_unsigned(u64 a, u64 b) {
    return a < b ? OUTCOME_LESS : a > b ? OUTCOME_GREATER : OUTCOME_EQUAL;
}

static inline enum outcome relate_signed(s64 a, s64 b) {
    return a < b ? OUTCOME_LESS : a > b ? OUTCOME_GREATER : OUTCOME_EQUAL;
}

/* Returns x as .ftz reads it: a subnormal becomes zero of the same sign. */
static inline u64 flush_subnormal(u64 x, struct float_format f) {
    u64 magnitude = x & ~f.sign;
    return magnitude < f.min_normal ? x & f.sign : x;
}

/* Returns the sign and magnitude of a float as a signed integer. Both zeros become 0, and the order stays the
 * same. */
static inline s64 float_order(u64 x, struct float_format f) {
    s64 magnitude = (s64)(x & ~f.sign);
    return (x & f.sign) != 0 ? -magnitude : magnitude;
}

static inline enum outcome relate_float(u64 a, u64 b, struct float_format f) {
    if ((a & ~f.sign) > f.infinity || (b & ~f.sign) > f.infinity) return OUTCOME_UNORDERED;
    return relate_signed(float_order(a, f), float_order(b, f));
}

#endif
