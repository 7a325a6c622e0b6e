/* SPDX-License-Identifier: MIT */
/* Bounds in f32 that implement the modifiers of cvt, and the overflow of PTO's vcvt, for backends that round with the
 * rounding modes of their instructions. */
#ifndef PTO_LOOPS_CONVERT_BOUNDS_H
#define PTO_LOOPS_CONVERT_BOUNDS_H

#include "core/vcvt.h"
#include "loops/round_by_add.h"

enum { F32_FRACTION = 23, F32_BIAS = 127, F16_FRACTION = 10, F16_BIAS = 15 };
enum { F16_SPECIAL = 0x7c00, F32_SPECIAL = 0x7f800000, F32_NAN = 0x7fffffff, HALF_NAN = 0x7fff };
enum { F32_LEAST_POWER = 0x00400000 /* 2^-127, the smallest value of ue8m0 */ };

/* Returns the float with the bits `magnitude` and the given sign. */
static ALWAYS_INLINE float signed_float(u32 magnitude, bool is_negative) {
    const u32 bits = magnitude | (u32)is_negative << 31;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns, as f32 bits, the largest magnitude below the value that would follow the format's largest finite value.
 * Sources are clamped to it. Whether a source then overflows depends on the rounding of the instruction. */
static ALWAYS_INLINE u32 just_below_overflow(struct round_by_add a) {
    return (u32)a.largest_finite | (u32)low_bits(a.dropped_bits);
}

/* Returns the magnitude, as f32 bits, that results are clamped to: 1 for .sat, the largest finite value for
 * .satfinite, otherwise `unbounded`. */
static ALWAYS_INLINE u32 bound_of(const pto_cvt_op *op, struct round_by_add a, u32 unbounded) {
    if (op->sat) return (u32)F32_BIAS << F32_FRACTION;
    return op->satfinite ? (u32)a.largest_finite : unbounded;
}

static ALWAYS_INLINE float lower_bound_of(const pto_cvt_op *op, u32 bound) {
    const bool has_negative = !op->relu && !op->sat;
    return signed_float(has_negative ? bound : 0, has_negative);
}

/*
 * Bounds for f32 from f64 with .ftz: a source whose magnitude is below the bound of its sign gives zero. That
 * is the case if it is below 2^-126 after rounding to 24 significand bits. Below 2^-126 the last of these bits
 * is worth 2^-150. So to nearest the bound is 2^-126 - 2^-151. When rounding away from zero it is the first
 * double above 2^-126 - 2^-150.
 */
struct flush_bounds {
    double positive, negative;
};

static ALWAYS_INLINE struct flush_bounds flush_bounds_of(const pto_cvt_op *op) {
    const double least = 0x1p-126, nearest = 0x1p-126 - 0x1p-151, up = 0x1p-126 - 0x1p-150 + 0x1p-179;
    const struct flush_bounds none = {0, 0}, t = {op->round == PTO_RN   ? nearest
                                                  : op->round == PTO_RP ? up
                                                                        : least,
                                                  op->round == PTO_RN   ? nearest
                                                  : op->round == PTO_RM ? up
                                                                        : least};
    return op->ftz ? t : none;
}

/* Returns which scales conversions to dst take: one for two elements (small floats), or one for each (bf16,
 * s2f6). */
static ALWAYS_INLINE pto_cvt_scale scale_to(pto_dtype dst) {
    return dst == PTO_BF16 || dst == PTO_S2F6 ? PTO_SCALE_N2 : PTO_SCALE_N1;
}

/* Returns the largest code of a conversion with .rs: that of the largest finite value with .satfinite, else
 * that of infinity. */
static ALWAYS_INLINE u32 random_limit_of(const pto_cvt_op *op) {
    return (u32)cvt_max_code(cvt_format_of(op->dst)) + (op->satfinite ? 0 : 1);
}

/* ---- vcvt ---- */

static ALWAYS_INLINE bool vcvt_stays_finite(pto_dtype dst, bool sat) {
    return sat || cvt_format_of(dst).specials == SPECIALS_NONE;
}

/* Returns the magnitude, as f32 bits, that sources are clamped to. PTO overflows after rounding with an
 * unbounded exponent. So sources that overflow are clamped to the first value that the format lacks, whose code
 * is that of infinity. In e4m3 that code is a NaN, which has no sign here. */
static ALWAYS_INLINE u32 vcvt_bound_of(pto_dtype dst, bool sat) {
    const struct round_by_add a = round_by_add_of(cvt_format_of(dst));
    return (u32)a.largest_finite + (vcvt_stays_finite(dst, sat) ? 0 : (u32)1 << a.dropped_bits);
}

static ALWAYS_INLINE u64 vcvt_nan_of(pto_dtype dst, bool sat) {
    return vcvt_stays_finite(dst, sat) ? 0 : vcvt_nan(dst);
}

enum { E4M3_OVERFLOW = 0xff, E4M3_NAN = 0x7f };

#endif
