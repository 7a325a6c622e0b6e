/* SPDX-License-Identifier: MIT */
/*
 * The sources of conversions as f32 or f64, which hold all that is narrower. FPCR is in the state that the kernels of
 * convert.c ask for, its rounding that of the form.
 */
#ifndef PTO_SVE_CONVERT_SOURCE_H
#define PTO_SVE_CONVERT_SOURCE_H

#include "loops/convert_bounds.h"
#include "sve/lanes.h"

/* ---- floats and integers ---- */

/* The f32 that holds a code of f32, f16 or bf16, or an integer of up to 16 bits; one of 32 bits rounded. */
static ALWAYS_INLINE svfloat32_t f32_from(pto_dtype src, svuint32_t x) {
    const svbool_t all = svptrue_b32();
    switch (src) {
    case PTO_F16: return svcvt_f32_x(all, svreinterpret_f16(x));
    case PTO_BF16: return svreinterpret_f32(svlsl_x(all, x, 16));
    case PTO_F32: return svreinterpret_f32(x);
    default: return cvt_is_signed(src) ? svcvt_f32_x(all, svreinterpret_s32(x)) : svcvt_f32_x(all, x);
    }
}

/* The same as f64, of which f32 and its relatives take the low half of a lane. */
static ALWAYS_INLINE svfloat64_t f64_from(pto_dtype src, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    switch (src) {
    case PTO_F16: return svcvt_f64_x(all, svreinterpret_f16(x));
    case PTO_BF16: return svcvt_f64_x(all, svreinterpret_f32(svlsl_x(all, x, 16)));
    case PTO_F32: return svcvt_f64_x(all, svreinterpret_f32(x));
    default: return svreinterpret_f64(x);
    }
}

/* f64 or an integer of 64 bits, rounded; in the low half of a lane. */
static ALWAYS_INLINE svfloat32_t f32_of_long(pto_dtype src, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    if (src == PTO_F64) return svcvt_f32_x(all, svreinterpret_f64(x));
    return cvt_is_signed(src) ? svcvt_f32_x(all, svreinterpret_s64(x)) : svcvt_f32_x(all, x);
}

/* ---- small formats, which is exact ---- */

/* Whether to load with the sign extended: that of 6 bits has others above it, which mean nothing. */
static ALWAYS_INLINE bool small_is_byte(pto_dtype src) {
    return src == PTO_E4M3 || src == PTO_E5M2;
}

static ALWAYS_INLINE bool extends_sign(pto_dtype src) {
    return cvt_is_signed(src) || small_is_byte(src) || src == PTO_S2F6;
}

static ALWAYS_INLINE u32 f32_power_of_2(int exponent) {
    return (u32)(F32_BIAS + exponent) << F32_FRACTION;
}

/* Digits put where those of a wider format lie make a number that is too small by a power of two, subnormals too. */
static ALWAYS_INLINE svfloat32_t f32_from_small(pto_dtype src, svuint32_t x) {
    const svbool_t all = svptrue_b32();
    const struct cvt_format from = cvt_format_of(src);
    const u32 digits = (u32)from.exponent_bits + from.fraction_bits, up = F32_FRACTION - from.fraction_bits;
    const u32 kept = (u32)1 << 31 | (u32)low_bits(digits) << up;
    const svint32_t code = svreinterpret_s32(svlsl_x(all, x, small_is_byte(src) ? up : 31 - digits));
    const svint32_t laid = small_is_byte(src) ? code : svasr_x(all, code, 31 - digits - up);
    const u32 scale = f32_power_of_2(F32_BIAS - from.bias);
    if (src == PTO_E5M2) return f32_from(PTO_F16, svlsl_x(all, x, 8));
    return svmul_x(all, svreinterpret_f32(svand_x(all, svreinterpret_u32(laid), kept)),
                   svreinterpret_f32(svdup_n_u32(scale)));
}

/* What e4m3's and ue5m3's codes of all ones, which are NaNs, would be as numbers; or none. */
static ALWAYS_INLINE float small_beyond(pto_dtype src) {
    const struct cvt_format from = cvt_format_of(src);
    const struct adder a = adder_of(from);
    return signed_float((u32)a.largest + ((u32)1 << a.cut), false);
}

/* A NaN is one. */
static ALWAYS_INLINE svfloat32_t f32_of_small(pto_dtype src, svuint32_t x) {
    const svfloat32_t y = f32_from_small(src, x);
    if (cvt_format_of(src).specials != SPECIALS_NAN) return y;
    return svsel(svacge(svptrue_b32(), y, small_beyond(src)), svreinterpret_f32(svdup_n_u32(F32_NAN)), y);
}

/* 2^-127, a subnormal, for 0; bf16's NaN; a power of two. */
static ALWAYS_INLINE svfloat32_t f32_of_ue8m0(svuint32_t x) {
    const svbool_t all = svptrue_b32();
    const svuint32_t power = svmax_x(all, svlsl_x(all, x, F32_FRACTION), F32_LEAST_POWER);
    return svreinterpret_f32(svsel(svcmpeq(all, x, UE8M0_NAN), svdup_n_u32((u32)HALF_NAN << 16), power));
}

/* An integer of sixty-fourths. */
static ALWAYS_INLINE svfloat32_t f32_of_s2f6(svuint32_t x) {
    const svbool_t all = svptrue_b32();
    return svmul_x(all, svcvt_f32_x(all, svreinterpret_s32(x)), 0x1p-6F);
}

/* ---- vector k of words ---- */

static ALWAYS_INLINE svfloat32_t f32_of_code(pto_dtype src, svuint32_t x) {
    switch (src) {
    case PTO_UE8M0: return f32_of_ue8m0(x);
    case PTO_S2F6: return f32_of_s2f6(x);
    case PTO_UE5M3:
    case PTO_E1M2: return f32_of_small(src, x);
    default: return cvt_is_small(src) ? f32_of_small(src, x) : f32_from(src, x);
    }
}

static ALWAYS_INLINE svfloat32_t f32_at(pto_dtype src, const struct part *p, size_t k) {
    if (element_bytes(src) == 8)
        return svuzp1(f32_of_long(src, longs_at(p, 2 * k)), f32_of_long(src, longs_at(p, 2 * k + 1)));
    return f32_of_code(src, vcvt_is_nibble(src) ? nibbles_at(p, k)
                                                : words_at(p, k, element_bytes(src), extends_sign(src)));
}

/* ---- rounded to odd, FPCR rounding towards zero: the last digit tells whether any was cut off ---- */

/* The same number from the f32 that was made of it, if nothing was cut off. */
static ALWAYS_INLINE svuint64_t long_again(pto_dtype src, svfloat32_t x) {
    const svbool_t all = svptrue_b64();
    if (src == PTO_F64) return svreinterpret_u64(svcvt_f64_x(all, x));
    return cvt_is_signed(src) ? svreinterpret_u64(svcvt_s64_x(all, x)) : svcvt_u64_x(all, x);
}

static ALWAYS_INLINE svuint32_t long_to_odd(pto_dtype src, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    const svfloat32_t y = f32_of_long(src, x);
    const svuint64_t r = svreinterpret_u64(y);
    return svreinterpret_u32(svorr_m(svcmpne(all, long_again(src, y), x), r, 1));
}

static ALWAYS_INLINE svuint32_t word_to_odd(pto_dtype src, svuint32_t x) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t y = f32_from(src, x);
    const svuint32_t again =
        cvt_is_signed(src) ? svreinterpret_u32(svcvt_s32_x(all, y)) : svcvt_u32_x(all, y);
    return svorr_m(svcmpne(all, again, x), svreinterpret_u32(y), 1);
}

static ALWAYS_INLINE svfloat32_t f32_to_odd_at(pto_dtype src, const struct part *p, size_t k) {
    if (element_bytes(src) == 8)
        return svreinterpret_f32(
            svuzp1(long_to_odd(src, longs_at(p, 2 * k)), long_to_odd(src, longs_at(p, 2 * k + 1))));
    return svreinterpret_f32(word_to_odd(src, words_at(p, k, 4, false)));
}

#endif
