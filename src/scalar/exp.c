/* SPDX-License-Identifier: MIT */
/* Scalar reference implementation of exp: SLEEF's scalar functions, except where core/exp.h specifies a better
 * method. */
#include "core/exp.h"

#include <sleef.h>

static inline u32 bits_of_f32(float x) {
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float f32_of_bits(u32 bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline u64 bits_of_f64(double x) {
    return load64(&x);
}

static inline double f64_of_bits(u64 bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* These two functions return exp(x) where the result is subnormal or 0. core/exp.h explains the method. */
static u32 exp_f32_low(float x) {
    const float bounded = x > EXP_F32_ZERO_UP_TO ? x : EXP_F32_ZERO_UP_TO;
    const float sum = bounded * EXP_F32_PER_LN2 + EXP_F32_ROUND, q = sum - EXP_F32_ROUND;
    const u32 grid = EXP_F32_MIN_NORMAL - (bits_of_f32(sum) << EXP_F32_EXPONENT_AT);
    const float y = Sleef_cinz_expf1_u10purec(bounded - q * EXP_F32_LN2 - q * EXP_F32_LN2_REST);
    return bits_of_f32(y + f32_of_bits(grid)) - grid;
}

static u64 exp_f64_low(double x) {
    const double bounded = x > EXP_F64_ZERO_UP_TO ? x : EXP_F64_ZERO_UP_TO;
    const double sum = bounded * EXP_F64_PER_LN2 + EXP_F64_ROUND, q = sum - EXP_F64_ROUND;
    const u64 grid = EXP_F64_MIN_NORMAL - (bits_of_f64(sum) << EXP_F64_EXPONENT_AT);
    const double y = Sleef_cinz_expd1_u10purec(bounded - q * EXP_F64_LN2 - q * EXP_F64_LN2_REST);
    return bits_of_f64(y + f64_of_bits(grid)) - grid;
}

static NOINLINE u32 exp_f32_rare(u32 bits) {
    const float x = f32_of_bits(bits);
    if ((bits & EXP_F32_NOT_TINY) == 0) return EXP_F32_ONE;
    if (2 * bits > 2 * (EXP_F32_LARGEST + 1)) return EXP_F32_NAN;
    return x < EXP_F32_SUBNORMAL_BELOW ? exp_f32_low(x) : bits_of_f32(Sleef_cinz_expf1_u10purec(x));
}

static NOINLINE u64 exp_f64_rare(u64 bits) {
    const double x = f64_of_bits(bits);
    if ((bits & EXP_F64_NOT_TINY) == 0) return EXP_F64_ONE;
    if (2 * bits > 2 * (EXP_F64_LARGEST + 1)) return EXP_F64_NAN;
    if (x < EXP_F64_SUBNORMAL_BELOW) return exp_f64_low(x);
    return bits_of_f64(exp_f64_is_near_overflow(bits) ? exp_f64_near_overflow(x)
                                                      : Sleef_cinz_expd1_u10purec(x));
}

/* Returns the bits of exp(x), where x has these bits. One unsigned comparison finds all rare cases: |x| is tiny
 * or above |EXP_F32_SUBNORMAL_BELOW|, or x is infinite or a NaN. It compares magnitudes, because 2 * bits shifts
 * the sign out. */
static u32 exp_f32(u32 bits) {
    const u32 tiny_end = 2 * EXP_F32_TINY_END, low = 2 * bits_of_f32(EXP_F32_SUBNORMAL_BELOW);
    if (unlikely(2 * bits - tiny_end > low - tiny_end)) return exp_f32_rare(bits);
    return bits_of_f32(Sleef_cinz_expf1_u10purec(f32_of_bits(bits)));
}

static u64 exp_f64(u64 bits) {
    const u64 tiny_end = 2 * EXP_F64_TINY_END, low = 2 * bits_of_f64(EXP_F64_SUBNORMAL_BELOW);
    if (unlikely(2 * bits - tiny_end > low - tiny_end)) return exp_f64_rare(bits);
    return bits_of_f64(Sleef_cinz_expd1_u10purec(f64_of_bits(bits)));
}

void pto_exp_f32_scalar(const void *src, void *dst, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        u32 x;
        memcpy(&x, (const u8 *)src + 4 * i, sizeof x);
        x = exp_f32(x);
        memcpy((u8 *)dst + 4 * i, &x, sizeof x);
    }
}

void pto_exp_f64_scalar(const void *src, void *dst, size_t n) {
    for (size_t i = 0; i < n; ++i) store64((u8 *)dst + 8 * i, exp_f64(load64((const u8 *)src + 8 * i)));
}

const struct exp_kernels pto_exp_scalar = {pto_exp_f32_scalar, pto_exp_f64_scalar};
