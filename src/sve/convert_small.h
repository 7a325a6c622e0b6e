/* SPDX-License-Identifier: MIT */
/*
 * Conversions between floats and the formats of 8 and 6 bits, by additions and products that round as the format does.
 * FPCR is in its default state.
 */
#ifndef PTO_SVE_CONVERT_SMALL_H
#define PTO_SVE_CONVERT_SMALL_H

#include "sve/convert_float.h"

enum { F32_FRACTION = 23, F32_BIAS = 127, F16_FRACTION = 10, F16_BIAS = 15 };

/* ---- to small formats, to nearest even ---- */

static ALWAYS_INLINE u32 f32_power_of_2(int exponent) {
    return (u32)(F32_BIAS + exponent) << F32_FRACTION;
}

/*
 * The code, in its lowest 8 bits, of a magnitude that the format's largest number bounds. Added to a power of two so
 * large that its last digit is the format's last at this exponent, the magnitude is rounded there, and the sum's last
 * bits count the steps. The power's own exponent is the code's, but for a constant, which the power has in its last bits
 * from the start: an even one, so that ties stay what they are.
 */
static ALWAYS_INLINE svuint32_t small_code(struct cvt_format to, svfloat32_t magnitude) {
    const svbool_t all = svptrue_b32();
    const u32 cut = F32_FRACTION - to.fraction_bits;
    const int least = 1 - to.bias;
    const u32 bias = (cut + F32_BIAS + (u32)least) << to.fraction_bits;
    const svuint32_t own = svand_x(all, svreinterpret_u32(magnitude), (u32)0xff << F32_FRACTION);
    const svuint32_t exponent = svmax_x(all, own, f32_power_of_2(least));
    const svuint32_t power = svadd_x(all, exponent, (cut << F32_FRACTION) + (-bias & 0xff));
    const svuint32_t sum = svreinterpret_u32(svadd_x(all, magnitude, svreinterpret_f32(power)));
    return svadd_x(all, sum, svlsr_x(all, power, cut));
}

/* The format's largest number. */
static ALWAYS_INLINE float small_most(struct cvt_format to) {
    const u32 cut = F32_FRACTION - to.fraction_bits;
    const u32 bits = ((u32)cvt_max_code(to) << cut) + ((u32)(F32_BIAS - to.bias) << F32_FRACTION);
    float most;
    memcpy(&most, &bits, sizeof most);
    return most;
}

static ALWAYS_INLINE svfloat32_t small_source(const struct form *f, svuint32_t x) {
    const svfloat32_t y = f32_from(f->src, x);
    return f->bounded ? svmax_x(svptrue_b32(), y, 0) : y;
}

static ALWAYS_INLINE svuint32_t small_lane(const struct form *f, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    const struct cvt_format to = cvt_format_of(f->dst);
    return small_code(to, svmin_x(all, svabs_x(all, x), small_most(to)));
}

/* The lowest byte of each word of four vectors, and the highest. */
static ALWAYS_INLINE svuint8_t low_bytes(svuint32_t x0, svuint32_t x1, svuint32_t x2, svuint32_t x3) {
    const svuint16_t a = svuzp1(svreinterpret_u16(x0), svreinterpret_u16(x1)),
                     b = svuzp1(svreinterpret_u16(x2), svreinterpret_u16(x3));
    return svuzp1(svreinterpret_u8(a), svreinterpret_u8(b));
}

static ALWAYS_INLINE svuint8_t high_bytes(svfloat32_t x0, svfloat32_t x1, svfloat32_t x2, svfloat32_t x3) {
    const svuint16_t a = svuzp2(svreinterpret_u16(x0), svreinterpret_u16(x1)),
                     b = svuzp2(svreinterpret_u16(x2), svreinterpret_u16(x3));
    return svuzp2(svreinterpret_u8(a), svreinterpret_u8(b));
}

static ALWAYS_INLINE svbool_t nans_of_bytes(svfloat32_t x0, svfloat32_t x1, svfloat32_t x2, svfloat32_t x3) {
    const svbool_t all = svptrue_b32();
    const svbool_t a = svuzp1_b16(svcmpuo(all, x0, x0), svcmpuo(all, x1, x1)),
                   b = svuzp1_b16(svcmpuo(all, x2, x2), svcmpuo(all, x3, x3));
    return svuzp1_b8(a, b);
}

/* Signs and NaNs are seen to when all is bytes. */
static ALWAYS_INLINE svuint8_t small_of_words(const struct form *f, svuint32_t w0, svuint32_t w1,
                                              svuint32_t w2, svuint32_t w3) {
    const svbool_t all = svptrue_b8();
    const struct cvt_format to = cvt_format_of(f->dst);
    const svfloat32_t x0 = small_source(f, w0), x1 = small_source(f, w1), x2 = small_source(f, w2),
                      x3 = small_source(f, w3);
    const svuint8_t code =
        low_bytes(small_lane(f, x0), small_lane(f, x1), small_lane(f, x2), small_lane(f, x3));
    svuint8_t sign = svand_x(all, high_bytes(x0, x1, x2, x3), 0x80);
    if (to.exponent_bits + to.fraction_bits == 5) sign = svlsr_x(all, sign, 2);
    return svsel(nans_of_bytes(x0, x1, x2, x3), svdup_n_u8((u8)f->nan), svorr_x(all, code, sign));
}

/* ---- from small formats, which is exact ---- */

/* Whether to load with the sign extended: that of 6 bits has others above it, which mean nothing. */
static ALWAYS_INLINE bool small_is_byte(pto_dtype src) {
    return src == PTO_E4M3 || src == PTO_E5M2;
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

static ALWAYS_INLINE svuint32_t word_of_small(const struct form *f, svuint32_t x) {
    const svfloat32_t y = f32_from_small(f->src, x);
    const svuint32_t r = svreinterpret_u32(y);
    if (f->src == PTO_E5M2) return mended_32(f, y, r);
    if (f->src != PTO_E4M3) return r;
    return svsel(svacge(svptrue_b32(), y, 480), svdup_n_u32((u32)f->nan), r);
}

/* The upper half of f32, NaNs and all. */
static ALWAYS_INLINE svuint16_t bf16_of_small(const struct form *f, svuint32_t x0, svuint32_t x1) {
    return svuzp2(svreinterpret_u16(word_of_small(f, x0)), svreinterpret_u16(word_of_small(f, x1)));
}

static ALWAYS_INLINE svuint16_t f16_of_small(const struct form *f, svuint16_t x) {
    const svbool_t all = svptrue_b16();
    const struct cvt_format from = cvt_format_of(f->src);
    const u32 digits = (u32)from.exponent_bits + from.fraction_bits, up = F16_FRACTION - from.fraction_bits;
    const u16 kept = (u16)(0x8000 | low_bits(digits) << up);
    const u16 scale = (u16)((2 * F16_BIAS - from.bias) << F16_FRACTION);
    const svint16_t code =
        svreinterpret_s16(svlsl_x(all, x, (u16)(small_is_byte(f->src) ? up : 15 - digits)));
    const svint16_t laid = small_is_byte(f->src) ? code : svasr_x(all, code, (u16)(15 - digits - up));
    svfloat16_t y;
    if (f->src == PTO_E5M2) return mended_16(f, svlsl_x(all, x, 8));
    y = svmul_x(all, svreinterpret_f16(svand_x(all, svreinterpret_u16(laid), kept)),
                svreinterpret_f16(svdup_n_u16(scale)));
    if (f->src != PTO_E4M3) return svreinterpret_u16(y);
    return svsel(svacge(all, y, (float16_t)480), svdup_n_u16((u16)f->nan), svreinterpret_u16(y));
}

#endif
