/* SPDX-License-Identifier: MIT */
/* Values and codes of hif8, for the scalar reference implementations of conversions. The widths of the exponent and the
 * fraction depend on the exponent's magnitude. */
#ifndef PTO_SCALAR_HIF8_H
#define PTO_SCALAR_HIF8_H

#include "scalar/exact_value.h"

enum { HIF8_MIN_EXPONENT = -22, HIF8_MAX_EXPONENT = 15 };

/* Returns the number of fraction bits of a value with this exponent. Below -15 there are only powers of two. */
static inline int hif8_fraction_bits(int exponent) {
    const int magnitude = exponent < 0 ? -exponent : exponent;
    if (exponent < -HIF8_MAX_EXPONENT) return 0;
    return magnitude <= 3 ? 3 : magnitude <= 7 ? 2 : 1;
}

/* Returns the first code, without sign, of the values whose exponent's magnitude has k bits; k is 0 for the
 * exponent 0. */
static inline unsigned hif8_first_code(int k) {
    return k == 0 ? 8U : k == 1 ? 16U : 32U * (unsigned)(k - 1);
}

/* Decodes `code`, which has no sign bit and must be at least 8. */
static inline struct exact_value from_hif8_normal(unsigned code, bool negative) {
    struct exact_value x = {FINITE, negative, 0, 0};
    const int k = code < 16 ? 0 : code < 32 ? 1 : (int)(code / 32) + 1;
    const int fraction_bits = k == 4 ? 1 : k == 3 ? 2 : 3;
    const unsigned field = code - hif8_first_code(k), above = field >> fraction_bits;
    int exponent = 0;
    if (k != 0) {
        const unsigned top = 1U << (k - 1);
        exponent = (int)(top | (above & (top - 1)));
        if ((above & top) != 0) exponent = -exponent;
    }
    x.m = (field & low_bits((size_t)fraction_bits)) | (u64)1 << fraction_bits;
    x.e = exponent - fraction_bits;
    return x;
}

static inline struct exact_value from_hif8(u64 bits) {
    const unsigned code = (unsigned)bits & 0x7f;
    struct exact_value x = {FINITE, bits >> 7 != 0, code != 0, (int)code - 23};
    if (bits == HIF8_NAN)
        x.kind = NOT_A_NUMBER;
    else if (code == HIF8_INFINITY)
        x.kind = INFINITE;
    else if (code >= 8)
        x = from_hif8_normal(code, bits >> 7 != 0);
    return x;
}

/* Returns the code, without sign, of a value with this exponent. The low bits of c are the fraction; its
 * leading 1 is ignored. */
static inline u64 hif8_code(u64 c, int exponent) {
    const int fraction_bits = hif8_fraction_bits(exponent), magnitude = exponent < 0 ? -exponent : exponent;
    const u64 fraction = c & low_bits((size_t)fraction_bits);
    u64 field;
    int k;
    if (exponent < -HIF8_MAX_EXPONENT) return (u64)exponent - HIF8_MIN_EXPONENT + 1;
    if (exponent == 0) return hif8_first_code(0) | fraction;
    k = floor_log2((u64)magnitude) + 1;
    field = (u64)(exponent < 0) << (k - 1) | ((u64)magnitude & low_bits((size_t)k - 1));
    return hif8_first_code(k) + (field << fraction_bits) + fraction;
}

/* Returns the code, without sign, of |x|, or that of infinity if it is too large. 1.5 * 2^15 has no code: the code that
 * it would have is that of infinity. r and k are the random bits of .rs, as for rounds_up(). */
static inline u64 hif8_magnitude(const struct exact_value *x, pto_round round, u64 r, int k) {
    int exponent, fraction_bits;
    u64 c, flip;
    if (x->kind == INFINITE) return HIF8_INFINITY;
    if (x->m == 0) return 0;
    exponent = floor_log2(x->m) + x->e;
    if (exponent < HIF8_MIN_EXPONENT) exponent = HIF8_MIN_EXPONENT;
    if (exponent > HIF8_MAX_EXPONENT) return HIF8_INFINITY;
    fraction_bits = hif8_fraction_bits(exponent);
    /* Codes of powers of two without fraction bits count up from 1, so every other one is even. */
    flip = fraction_bits == 0 ? ((u64)exponent - HIF8_MIN_EXPONENT) & 1 : 0;
    c = round_by_code(x, exponent - fraction_bits, flip, round, r, k);
    if (c == 0) return 0;
    if (c >> fraction_bits == 2) { /* rounded up to a power of two: the fraction is 0, whatever its width */
        c = 0;
        exponent += 1;
    }
    return exponent > HIF8_MAX_EXPONENT ? HIF8_INFINITY : hif8_code(c, exponent);
}

#endif
