/* SPDX-License-Identifier: MIT */
/*
 * Conversions between floats and the formats of 8, 6 and 4 bits. Additions and multiplications do the rounding, as
 * FPCR is set: to nearest or, for magnitudes, towards zero or up.
 */
#ifndef PTO_SVE_CONVERT_SMALL_H
#define PTO_SVE_CONVERT_SMALL_H

#include "sve/convert_float.h"

/* ---- to small formats, rounded by an addition (see loops/round_by_add.h) ---- */

/* Returns the code of x in the lowest 8 bits. The magnitude of x must not be above the largest value of the format. If
 * has_sign is false, x is a magnitude. Otherwise x has its sign, so that FPCR can round by it; the code has no sign. */
static ALWAYS_INLINE svuint32_t small_code(struct cvt_format to, svfloat32_t x, bool has_sign) {
    const svbool_t all = svptrue_b32();
    const struct round_by_add a = round_by_add_of(to);
    const svuint32_t bits = svreinterpret_u32(x), own = svand_x(all, bits, F32_SPECIAL);
    const svuint32_t exponent = svmax_x(all, own, (u32)a.smallest_normal);
    const svuint32_t added = svadd_x(all, exponent, (u32)a.added);
    const svuint32_t power = has_sign ? svorr_x(all, added, svand_x(all, bits, (u32)INT32_MIN)) : added;
    const svuint32_t sum = svreinterpret_u32(svadd_x(all, x, svreinterpret_f32(power)));
    return svadd_x(all, sum, svlsr_x(all, exponent, a.dropped_bits));
}

/* Returns the largest value of the format. */
static ALWAYS_INLINE float small_max(struct cvt_format to) {
    return signed_float((u32)round_by_add_of(to).largest_finite, false);
}

static ALWAYS_INLINE svuint32_t small_lane(const struct cvt_params *f, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    const struct cvt_format to = cvt_format_of(f->dst);
    svfloat32_t magnitude;
    if (f->rounding == ROUND_BY_SIGN) return small_code(to, clamp_f32(f, x), true);
    magnitude = svmin_x(all, svabs_x(all, x), (float)f->hi);
    return small_code(to, f->rounding == ROUND_AWAY ? break_ties_away(magnitude) : magnitude, false);
}

/* low_bytes() and high_bytes() return the lowest and the highest byte, respectively, of each word of four vectors. */
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

/* Joins the predicates of four vectors of words to one predicate of bytes. */
static ALWAYS_INLINE svbool_t truth_of_bytes(svbool_t t0, svbool_t t1, svbool_t t2, svbool_t t3) {
    return svuzp1_b8(svuzp1_b16(t0, t1), svuzp1_b16(t2, t3));
}

static ALWAYS_INLINE svbool_t nans_of_bytes(svfloat32_t x0, svfloat32_t x1, svfloat32_t x2, svfloat32_t x3) {
    const svbool_t all = svptrue_b32();
    return truth_of_bytes(svcmpuo(all, x0, x0), svcmpuo(all, x1, x1), svcmpuo(all, x2, x2),
                          svcmpuo(all, x3, x3));
}

/* ue5m3 has no infinity, only a NaN. So infinities may become NaN, too: f->largest_non_nan_bits is the largest
 * magnitude that does not. */
static ALWAYS_INLINE svbool_t is_special_value(const struct cvt_params *f, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    return svcmpgt(all, svand_x(all, svreinterpret_u32(x), INT32_MAX), f->largest_non_nan_bits);
}

static ALWAYS_INLINE svbool_t special_bytes(const struct cvt_params *f, svfloat32_t x0, svfloat32_t x1,
                                            svfloat32_t x2, svfloat32_t x3) {
    if (f->dst != PTO_UE5M3) return nans_of_bytes(x0, x1, x2, x3);
    return truth_of_bytes(is_special_value(f, x0), is_special_value(f, x1), is_special_value(f, x2),
                          is_special_value(f, x3));
}

/* Adds the sign to codes. `high` has the highest byte of each source. If f->clears_negative is set, negative results up
 * to f->largest_cleared_code become +0. */
static ALWAYS_INLINE svuint8_t small_signed(const struct cvt_params *f, svuint8_t code, svuint8_t high) {
    const svbool_t all = svptrue_b8();
    const struct cvt_format to = cvt_format_of(f->dst);
    const unsigned magnitude_bits = (unsigned)to.exponent_bits + to.fraction_bits;
    const svuint8_t sign = svand_x(all, high, 0x80);
    const svuint8_t r =
        svorr_x(all, code, magnitude_bits == 7 ? sign : svlsr_x(all, sign, (u8)(7 - magnitude_bits)));
    if (!f->clears_negative) return r;
    return svdup_n_u8_m(
        r, svcmple(svcmplt(all, svreinterpret_s8(high), 0), code, (u8)f->largest_cleared_code), 0);
}

/* Signs and special values are handled last, because bytes need fewer vectors. */
static ALWAYS_INLINE svuint8_t small_of_words(const struct cvt_params *f, svfloat32_t x0, svfloat32_t x1,
                                              svfloat32_t x2, svfloat32_t x3, svbool_t is_special) {
    const svuint8_t code =
        low_bytes(small_lane(f, x0), small_lane(f, x1), small_lane(f, x2), small_lane(f, x3));
    const svuint8_t r = f->dst == PTO_UE5M3 ? code : small_signed(f, code, high_bytes(x0, x1, x2, x3));
    return svsel(is_special, svdup_n_u8((u8)f->nan), r);
}

static ALWAYS_INLINE svuint8_t small_of(const struct cvt_params *f, const struct source *p) {
    const svfloat32_t x0 = load_f32_at(f->src, p, 0), x1 = load_f32_at(f->src, p, 1),
                      x2 = load_f32_at(f->src, p, 2), x3 = load_f32_at(f->src, p, 3);
    return small_of_words(f, x0, x1, x2, x3, special_bytes(f, x0, x1, x2, x3));
}

/* ---- from small formats, exactly ---- */

static ALWAYS_INLINE svuint32_t word_of_small(const struct cvt_params *f, svuint32_t x) {
    const svfloat32_t y = f32_of_small(f->src, x);
    return f->src == PTO_E5M2 ? replace_nans_32(f, y, svreinterpret_u32(y)) : svreinterpret_u32(y);
}

/* Returns the upper halves of f32 results, also for NaNs. */
static ALWAYS_INLINE svuint16_t bf16_of_small(const struct cvt_params *f, const struct source *p, size_t b) {
    const svuint32_t x0 = load_words_at(p, 2 * b, 1, small_is_byte(f->src)),
                     x1 = load_words_at(p, 2 * b + 1, 1, small_is_byte(f->src));
    return svuzp2(svreinterpret_u16(word_of_small(f, x0)), svreinterpret_u16(word_of_small(f, x1)));
}

/* Applies the lower bound only. */
static ALWAYS_INLINE svuint16_t f16_at_least(const struct cvt_params *f, svfloat16_t x) {
    return svreinterpret_u16(f->bounded ? svmax_x(svptrue_b16(), x, (float16_t)f->lo) : x);
}

static ALWAYS_INLINE svuint16_t f16_of_small(const struct cvt_params *f, svuint16_t x) {
    const svbool_t all = svptrue_b16();
    const struct cvt_format from = cvt_format_of(f->src);
    const u32 magnitude_bits = (u32)from.exponent_bits + from.fraction_bits,
              up = F16_FRACTION - from.fraction_bits;
    const u16 kept = (u16)(0x8000 | low_bits(magnitude_bits) << up);
    const u16 scale = (u16)((2 * F16_BIAS - from.bias) << F16_FRACTION);
    const svint16_t code =
        svreinterpret_s16(svlsl_x(all, x, (u16)(small_is_byte(f->src) ? up : 15 - magnitude_bits)));
    const svint16_t laid = small_is_byte(f->src) ? code : svasr_x(all, code, (u16)(15 - magnitude_bits - up));
    svfloat16_t y;
    if (f->src == PTO_E5M2) return replace_nans_16(f, f16_at_least(f, svreinterpret_f16(svlsl_x(all, x, 8))));
    y = svmul_x(all, svreinterpret_f16(svand_x(all, svreinterpret_u16(laid), kept)),
                svreinterpret_f16(svdup_n_u16(scale)));
    if (f->src != PTO_E4M3) return f16_at_least(f, y);
    return svsel(svacge(all, y, (float16_t)480), svdup_n_u16((u16)f->nan), f16_at_least(f, y));
}

/* Converts n nibbles, two in each byte. */
static ALWAYS_INLINE void f16_of_nibbles(const struct cvt_params *f, const u8 *src, u8 *dst, size_t n) {
    for (size_t i = 0; i < n; i += svcnth()) {
        const svuint32_t two = svld1ub_u32(svwhilelt_b32_u64(i / 2, (n + 1) / 2), src + i / 2);
        const svuint16_t x = svreinterpret_u16(svorr_x(svptrue_b32(), two, svlsl_x(svptrue_b32(), two, 12)));
        svst1_u8(svwhilelt_b8_u64(2 * i, 2 * n), dst + 2 * i, svreinterpret_u8(f16_of_small(f, x)));
    }
}

/* ue5m3 has the exponent field of f16. Its values with the largest exponent are finite, except the NaN. They become
 * infinity in f16. */
static ALWAYS_INLINE svuint16_t f16_of_ue5m3(const struct cvt_params *f, svuint16_t x) {
    const svbool_t all = svptrue_b16();
    const u16 up = (u16)(F16_FRACTION - cvt_format_of(PTO_UE5M3).fraction_bits);
    const svuint16_t r = svmin_x(all, svlsl_x(all, x, up), F16_SPECIAL);
    return svsel(svcmpeq(all, x, 0xff), svdup_n_u16((u16)f->nan), r);
}

#endif
