/* SPDX-License-Identifier: MIT */
/*
 * Converts the sources of conversions to f32 or f64, which hold all narrower types exactly. FPCR must be in the state
 * that the kernels of convert.c require, with the rounding of the conversion.
 */
#ifndef PTO_SVE_CONVERT_SOURCE_H
#define PTO_SVE_CONVERT_SOURCE_H

#include "loops/convert_bounds.h"
#include "sve/lanes.h"

/* ---- floats and integers ---- */

/* Converts f32, f16, bf16 or an integer of up to 32 bits to f32. Only 32-bit integers are rounded. */
static ALWAYS_INLINE svfloat32_t f32_from(pto_dtype src, svuint32_t x) {
    const svbool_t all = svptrue_b32();
    switch (src) {
    case PTO_F16: return svcvt_f32_x(all, svreinterpret_f16(x));
    case PTO_BF16: return svreinterpret_f32(svlsl_x(all, x, 16));
    case PTO_F32: return svreinterpret_f32(x);
    default: return cvt_is_signed(src) ? svcvt_f32_x(all, svreinterpret_s32(x)) : svcvt_f32_x(all, x);
    }
}

/* Converts f64, f32, f16 or bf16 to f64. The narrower types are in the low bits of their lanes. */
static ALWAYS_INLINE svfloat64_t f64_from(pto_dtype src, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    switch (src) {
    case PTO_F16: return svcvt_f64_x(all, svreinterpret_f16(x));
    case PTO_BF16: return svcvt_f64_x(all, svreinterpret_f32(svlsl_x(all, x, 16)));
    case PTO_F32: return svcvt_f64_x(all, svreinterpret_f32(x));
    default: return svreinterpret_f64(x);
    }
}

/* Converts f64 or a 64-bit integer to f32, rounded, in the low half of each lane. */
static ALWAYS_INLINE svfloat32_t f32_of_long(pto_dtype src, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    if (src == PTO_F64) return svcvt_f32_x(all, svreinterpret_f64(x));
    return cvt_is_signed(src) ? svcvt_f32_x(all, svreinterpret_s64(x)) : svcvt_f32_x(all, x);
}

/* ---- from small formats, exactly ---- */

/* Returns whether `src` is a signed format of 8 bits, so that loads can extend its sign. Codes of 6 and 4 bits have
 * unused bits above the sign. */
static ALWAYS_INLINE bool small_is_byte(pto_dtype src) {
    return src == PTO_E4M3 || src == PTO_E5M2;
}

static ALWAYS_INLINE bool extends_sign(pto_dtype src) {
    return cvt_is_signed(src) || small_is_byte(src) || src == PTO_S2F6;
}

static ALWAYS_INLINE u32 f32_power_of_2(int exponent) {
    return (u32)(F32_BIAS + exponent) << F32_FRACTION;
}

/* Converts a code to f32. Its exponent and fraction are moved to their places in an f32. The result is too small by a
 * power of two, also for subnormals, so a multiplication corrects it. */
static ALWAYS_INLINE svfloat32_t f32_from_small(pto_dtype src, svuint32_t x) {
    const svbool_t all = svptrue_b32();
    const struct cvt_format from = cvt_format_of(src);
    const u32 magnitude_bits = (u32)from.exponent_bits + from.fraction_bits,
              up = F32_FRACTION - from.fraction_bits;
    const u32 kept = (u32)1 << 31 | (u32)low_bits(magnitude_bits) << up;
    const svint32_t code = svreinterpret_s32(svlsl_x(all, x, small_is_byte(src) ? up : 31 - magnitude_bits));
    const svint32_t laid = small_is_byte(src) ? code : svasr_x(all, code, 31 - magnitude_bits - up);
    const u32 scale = f32_power_of_2(F32_BIAS - from.bias);
    if (src == PTO_E5M2) return f32_from(PTO_F16, svlsl_x(all, x, 8));
    return svmul_x(all, svreinterpret_f32(svand_x(all, svreinterpret_u32(laid), kept)),
                   svreinterpret_f32(svdup_n_u32(scale)));
}

/* Returns the value that the NaN code of e4m3 or ue5m3 (all ones) would have as a finite value. */
static ALWAYS_INLINE float small_nan_as_value(pto_dtype src) {
    const struct cvt_format from = cvt_format_of(src);
    const struct round_by_add a = round_by_add_of(from);
    return signed_float((u32)a.largest_finite + ((u32)1 << a.dropped_bits), false);
}

/* Converts a code to f32, and the NaN code to a NaN. */
static ALWAYS_INLINE svfloat32_t f32_of_small(pto_dtype src, svuint32_t x) {
    const svfloat32_t y = f32_from_small(src, x);
    if (cvt_format_of(src).specials != SPECIALS_NAN) return y;
    return svsel(svacge(svptrue_b32(), y, small_nan_as_value(src)), svreinterpret_f32(svdup_n_u32(F32_NAN)),
                 y);
}

/* Converts ue8m0 to f32: code 0 to 2^-127, a subnormal; UE8M0_NAN to the NaN of bf16; other codes to powers of two. */
static ALWAYS_INLINE svfloat32_t f32_of_ue8m0(svuint32_t x) {
    const svbool_t all = svptrue_b32();
    const svuint32_t power = svmax_x(all, svlsl_x(all, x, F32_FRACTION), F32_LEAST_POWER);
    return svreinterpret_f32(svsel(svcmpeq(all, x, UE8M0_NAN), svdup_n_u32((u32)HALF_NAN << 16), power));
}

/* An s2f6 is a signed integer in units of 1/64. */
static ALWAYS_INLINE svfloat32_t f32_of_s2f6(svuint32_t x) {
    const svbool_t all = svptrue_b32();
    return svmul_x(all, svcvt_f32_x(all, svreinterpret_s32(x)), 0x1p-6F);
}

/* ---- vector k of the elements, as f32 ---- */

static ALWAYS_INLINE svfloat32_t f32_of_code(pto_dtype src, svuint32_t x) {
    switch (src) {
    case PTO_UE8M0: return f32_of_ue8m0(x);
    case PTO_S2F6: return f32_of_s2f6(x);
    case PTO_UE5M3:
    case PTO_E1M2: return f32_of_small(src, x);
    default: return cvt_is_small(src) ? f32_of_small(src, x) : f32_from(src, x);
    }
}

static ALWAYS_INLINE svfloat32_t load_f32_at(pto_dtype src, const struct source *p, size_t k) {
    if (element_bytes(src) == 8)
        return svuzp1(f32_of_long(src, load_longs_at(p, 2 * k)),
                      f32_of_long(src, load_longs_at(p, 2 * k + 1)));
    return f32_of_code(src, vcvt_is_4_bit(src) ? load_nibbles_at(p, k)
                                               : load_words_at(p, k, element_bytes(src), extends_sign(src)));
}

/* ---- rounding to odd: FPCR rounds towards zero, then the last bit is set if the result is inexact ---- */

/* Converts x back to `src`. That returns the source value if its conversion to f32 was exact. */
static ALWAYS_INLINE svuint64_t convert_back(pto_dtype src, svfloat32_t x) {
    const svbool_t all = svptrue_b64();
    if (src == PTO_F64) return svreinterpret_u64(svcvt_f64_x(all, x));
    return cvt_is_signed(src) ? svreinterpret_u64(svcvt_s64_x(all, x)) : svcvt_u64_x(all, x);
}

static ALWAYS_INLINE svuint32_t long_to_odd(pto_dtype src, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    const svfloat32_t y = f32_of_long(src, x);
    const svuint64_t r = svreinterpret_u64(y);
    return svreinterpret_u32(svorr_m(svcmpne(all, convert_back(src, y), x), r, 1));
}

static ALWAYS_INLINE svuint32_t word_to_odd(pto_dtype src, svuint32_t x) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t y = f32_from(src, x);
    const svuint32_t again =
        cvt_is_signed(src) ? svreinterpret_u32(svcvt_s32_x(all, y)) : svcvt_u32_x(all, y);
    return svorr_m(svcmpne(all, again, x), svreinterpret_u32(y), 1);
}

static ALWAYS_INLINE svfloat32_t f32_to_odd_at(pto_dtype src, const struct source *p, size_t k) {
    if (element_bytes(src) == 8)
        return svreinterpret_f32(
            svuzp1(long_to_odd(src, load_longs_at(p, 2 * k)), long_to_odd(src, load_longs_at(p, 2 * k + 1))));
    return svreinterpret_f32(word_to_odd(src, load_words_at(p, k, 4, false)));
}

#endif
