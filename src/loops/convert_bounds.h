/* SPDX-License-Identifier: MIT */
/* What a form's modifiers make bounds of, in f32, for backends that round by the instructions' own rounding. */
#ifndef PTO_LOOPS_CONVERT_BOUNDS_H
#define PTO_LOOPS_CONVERT_BOUNDS_H

#include "loops/adder.h"

enum { F32_FRACTION = 23, F32_BIAS = 127, F16_FRACTION = 10, F16_BIAS = 15 };
enum { F16_SPECIAL = 0x7c00, F32_SPECIAL = 0x7f800000, F32_NAN = 0x7fffffff, HALF_NAN = 0x7fff };
enum { F32_LEAST_POWER = 0x00400000 /* 2^-127, the least that ue8m0 has */ };

/* A float from the bits of its magnitude, with a sign. */
static ALWAYS_INLINE float signed_float(u32 magnitude, bool is_negative) {
    const u32 bits = magnitude | (u32)is_negative << 31;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Formats of fewer exponents than f32's overflow by rounding what is brought to just below the first number that they
 * lack. */
static ALWAYS_INLINE u32 just_below_overflow(struct adder a) {
    return (u32)a.largest | (u32)low_bits(a.cut);
}

/* The magnitude that results are held to; otherwise: where no modifier says it. */
static ALWAYS_INLINE u32 bound_of(const pto_cvt_op *op, struct adder a, u32 otherwise) {
    if (op->sat) return (u32)F32_BIAS << F32_FRACTION;
    return op->satfinite ? (u32)a.largest : otherwise;
}

static ALWAYS_INLINE float lower_bound_of(const pto_cvt_op *op, u32 bound) {
    const bool has_negative = !op->relu && !op->sat;
    return signed_float(has_negative ? bound : 0, has_negative);
}

/*
 * f32 from f64 .ftz: the magnitudes, by sign, below which a result is zero. Rounded to f32's digits, just below its least
 * normal number is what is less than it by half of the last digit, to nearest, or by all of it and something.
 */
struct tiny_bounds {
    double positive, negative;
};

static ALWAYS_INLINE struct tiny_bounds tiny_bounds_of(const pto_cvt_op *op) {
    const double least = 0x1p-126, nearest = 0x1p-126 - 0x1p-151, up = 0x1p-126 - 0x1p-150 + 0x1p-179;
    const struct tiny_bounds none = {0, 0}, t = {op->round == PTO_RN   ? nearest
                                                 : op->round == PTO_RP ? up
                                                                       : least,
                                                 op->round == PTO_RN   ? nearest
                                                 : op->round == PTO_RM ? up
                                                                       : least};
    return op->ftz ? t : none;
}

/* Which scales there are on the way to a type: small floats take one for two, the others one for each. */
static ALWAYS_INLINE pto_cvt_scale scale_to(pto_dtype dst) {
    return dst == PTO_BF16 || dst == PTO_S2F6 ? PTO_SCALE_N2 : PTO_SCALE_N1;
}

/* Of random bits, the largest code: of what overflows that of an infinity, or that of the largest number. */
static ALWAYS_INLINE u32 random_limit_of(const pto_cvt_op *op) {
    return (u32)cvt_max_code(cvt_format_of(op->dst)) + (op->satfinite ? 0 : 1);
}

#endif
