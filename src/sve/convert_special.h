/* SPDX-License-Identifier: MIT */
/* Conversions with a scale for each element or for two elements, with random bits, and to ue8m0 and s2f6, which are
 * not floating-point formats. */
#ifndef PTO_SVE_CONVERT_SPECIAL_H
#define PTO_SVE_CONVERT_SPECIAL_H

#include "sve/convert_small.h"

/* ---- widening of bytes and halves to words: vector k of the results of one vector ---- */

static ALWAYS_INLINE svint32_t words_of_halves(svint16_t x, size_t k) {
    return k == 0 ? svunpklo(x) : svunpkhi(x);
}

static ALWAYS_INLINE svint32_t words_of_bytes(svint8_t x, size_t k) {
    return words_of_halves(k < 2 ? svunpklo(x) : svunpkhi(x), k % 2);
}

/* ---- ue8m0 scales ---- */

/* Returns vector k of the sources times 2^exponents. FPCR rounds products that f32 does not hold; they are far below
 * the values of a narrow format. If two elements share a scale, subnormal sources count as zero: FPCR flushes those of
 * f32 and bf16, this function those of f16. */
static ALWAYS_INLINE svfloat32_t scaled_at(const struct cvt_params *f, const struct source *p, size_t k,
                                           svint32_t exponents) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t x = load_f32_at(f->src, p, k);
    svbool_t is_small;
    if (scale_to(f->dst) != PTO_SCALE_N1 || f->src != PTO_F16) return svscale_x(all, x, exponents);
    is_small = svaclt(all, x, 0x1p-14F);
    return svscale_x(all, svreinterpret_f32(svand_m(is_small, svreinterpret_u32(x), (u32)INT32_MIN)),
                     exponents);
}

/* Returns a scale for each of as many elements as a vector has bytes. */
static ALWAYS_INLINE svuint8_t scales_of_bytes(const struct cvt_params *f, const struct source *p) {
    svuint8_t x;
    if (scale_to(f->dst) == PTO_SCALE_N2) return load_extra(p, p->n);
    x = svld1_u8(svwhilelt_b8_u64(0, (p->n + 1) / 2), p->extra);
    return svzip1(x, x);
}

/* Returns the exponents of the reciprocals of the scales. The scale 127 is 2^0. */
static ALWAYS_INLINE svint8_t reciprocal_exponents(svuint8_t scales) {
    return svreinterpret_s8(svsubr_x(svptrue_b8(), scales, UE8M0_BIAS));
}

static ALWAYS_INLINE svuint8_t scaled_small(const struct cvt_params *f, const struct source *p) {
    const svuint8_t scales = scales_of_bytes(f, p);
    const svint8_t e = reciprocal_exponents(scales);
    const svfloat32_t x0 = scaled_at(f, p, 0, words_of_bytes(e, 0)),
                      x1 = scaled_at(f, p, 1, words_of_bytes(e, 1)),
                      x2 = scaled_at(f, p, 2, words_of_bytes(e, 2)),
                      x3 = scaled_at(f, p, 3, words_of_bytes(e, 3));
    const svbool_t all = svptrue_b8(), is_special = special_bytes(f, x0, x1, x2, x3);
    return small_of_words(f, x0, x1, x2, x3, svorr_z(all, is_special, svcmpeq(all, scales, UE8M0_NAN)));
}

/* Multiplies by the scales. */
static ALWAYS_INLINE svuint16_t scaled_bf16(const struct cvt_params *f, const struct source *p, size_t b) {
    const svbool_t all = svptrue_b16();
    const svbool_t pg = p->whole ? all : svwhilelt_b16_u64(0, p->n);
    const svuint16_t scales = svld1ub_vnum_u16(pg, p->extra, (int64_t)b);
    const svint16_t e = svreinterpret_s16(svsub_x(all, scales, UE8M0_BIAS));
    const svuint16_t r = bf16_of_words(f, scaled_at(f, p, 2 * b, words_of_halves(e, 0)),
                                       scaled_at(f, p, 2 * b + 1, words_of_halves(e, 1)));
    return svsel(svcmpeq(all, scales, UE8M0_NAN), svdup_n_u16((u16)f->nan), r);
}

/* ---- to s2f6: integers in units of 1/64, clamped ---- */

static ALWAYS_INLINE svuint32_t s2f6_units(const struct cvt_params *f, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    const svint32_t r = svcvt_s32_x(all, svrinti_x(all, x));
    return svreinterpret_u32(svmin_x(all, svmax_x(all, r, (s32)f->lo), INT8_MAX));
}

static ALWAYS_INLINE svuint8_t s2f6_of_words(const struct cvt_params *f, svfloat32_t x0, svfloat32_t x1,
                                             svfloat32_t x2, svfloat32_t x3, svbool_t is_nan) {
    const svuint8_t r = low_bytes(s2f6_units(f, x0), s2f6_units(f, x1), s2f6_units(f, x2), s2f6_units(f, x3));
    return svsel(is_nan, svdup_n_u8((u8)f->nan), r);
}

static ALWAYS_INLINE svfloat32_t times_64_at(const struct cvt_params *f, const struct source *p, size_t k) {
    return svmul_x(svptrue_b32(), load_f32_at(f->src, p, k), 64);
}

static ALWAYS_INLINE svuint8_t s2f6_of(const struct cvt_params *f, const struct source *p) {
    const svfloat32_t x0 = times_64_at(f, p, 0), x1 = times_64_at(f, p, 1), x2 = times_64_at(f, p, 2),
                      x3 = times_64_at(f, p, 3);
    return s2f6_of_words(f, x0, x1, x2, x3, nans_of_bytes(x0, x1, x2, x3));
}

static ALWAYS_INLINE svfloat32_t scaled_64_at(const struct cvt_params *f, const struct source *p, size_t k,
                                              svint8_t exponents) {
    return scaled_at(f, p, k, svadd_x(svptrue_b32(), words_of_bytes(exponents, k), 6));
}

static ALWAYS_INLINE svuint8_t scaled_s2f6(const struct cvt_params *f, const struct source *p) {
    const svuint8_t scales = scales_of_bytes(f, p);
    const svint8_t e = reciprocal_exponents(scales);
    const svfloat32_t x0 = scaled_64_at(f, p, 0, e), x1 = scaled_64_at(f, p, 1, e),
                      x2 = scaled_64_at(f, p, 2, e), x3 = scaled_64_at(f, p, 3, e);
    const svbool_t all = svptrue_b8(), is_nan = nans_of_bytes(x0, x1, x2, x3);
    return s2f6_of_words(f, x0, x1, x2, x3, svorr_z(all, is_nan, svcmpeq(all, scales, UE8M0_NAN)));
}

/* ---- to ue8m0: only the exponent ---- */

/* Returns the lanes of up to half of the smallest normal f32. They become code 0, also under .rp. */
static ALWAYS_INLINE svbool_t below_ue8m0(svfloat32_t x) {
    return svcmple(svptrue_b32(), svreinterpret_u32(svabs_x(svptrue_b32(), x)), F32_LEAST_POWER);
}

static ALWAYS_INLINE svuint16_t exponents_of(const struct cvt_params *f, svfloat32_t x0, svfloat32_t x1) {
    const svbool_t all = svptrue_b32(), halves = svptrue_b16();
    const svuint32_t m0 = svadd_x(all, svreinterpret_u32(svabs_x(all, x0)), f->round_up_by),
                     m1 = svadd_x(all, svreinterpret_u32(svabs_x(all, x1)), f->round_up_by);
    const svuint16_t high = svuzp2(svreinterpret_u16(m0), svreinterpret_u16(m1));
    return svmin_x(halves, svlsr_x(halves, high, F32_FRACTION - 16), (u16)f->largest_code);
}

static ALWAYS_INLINE svuint8_t ue8m0_of(const struct cvt_params *f, const struct source *p) {
    const svfloat32_t x0 = load_f32_at(f->src, p, 0), x1 = load_f32_at(f->src, p, 1),
                      x2 = load_f32_at(f->src, p, 2), x3 = load_f32_at(f->src, p, 3);
    svuint8_t r =
        svuzp1(svreinterpret_u8(exponents_of(f, x0, x1)), svreinterpret_u8(exponents_of(f, x2, x3)));
    if (f->round_up_by != 0)
        r = svdup_n_u8_m(
            r, truth_of_bytes(below_ue8m0(x0), below_ue8m0(x1), below_ue8m0(x2), below_ue8m0(x3)), 0);
    return svsel(nans_of_bytes(x0, x1, x2, x3), svdup_n_u8(UE8M0_NAN), r);
}

/* ---- stochastic rounding (.rs), with FPCR rounding towards zero ---- */

/* Returns the halves of random words. Four elements share a word. The first takes the low half, the second the low half
 * with its bits reversed, the third the high half, and the fourth the high half with its bits reversed. For e2m1, the
 * two bytes in the middle of each word are exchanged first. */
static ALWAYS_INLINE svuint16_t random_halves(pto_dtype dst, svuint8_t x) {
    const svbool_t all = svptrue_b32();
    const svuint32_t w = svreinterpret_u32(x);
    svuint32_t middle;
    if (dst != PTO_E2M1) return svreinterpret_u16(x);
    middle = svand_x(all, sveor_x(all, w, svlsr_x(all, w, 8)), 0xff00);
    return svreinterpret_u16(sveor_x(all, w, sveor_x(all, middle, svlsl_x(all, middle, 8))));
}

/*
 * random_sum() cuts the magnitude to the fraction bits of the code plus k bits, where k is the number of random bits,
 * and adds the random bits. The caller then shifts the k bits out. The exponent field still has the bias of f32. To
 * subnormals of the destination, the smallest normal value is added first. That makes their exponent field one too
 * large, which the caller corrects.
 */
static ALWAYS_INLINE svbool_t is_subnormal(struct cvt_format to, svfloat32_t magnitude) {
    return svcmplt(svptrue_b32(), magnitude, signed_float((u32)round_by_add_of(to).smallest_normal, false));
}

static ALWAYS_INLINE svuint32_t random_sum(pto_dtype dst, svfloat32_t magnitude, svuint32_t random) {
    const svbool_t all = svptrue_b32();
    const struct cvt_format to = cvt_format_of(dst);
    const u32 dropped_bits = F32_FRACTION - to.fraction_bits - cvt_random_bits(dst);
    const float least = signed_float((u32)round_by_add_of(to).smallest_normal, false);
    const svfloat32_t y =
        to.bias == F32_BIAS ? magnitude : svadd_m(is_subnormal(to, magnitude), magnitude, least);
    const svuint32_t significand = svreinterpret_u32(y);
    return svadd_x(all, dropped_bits == 0 ? significand : svlsr_x(all, significand, dropped_bits), random);
}

/* Limits magnitudes for f16 to 65536, the first value above its range, because larger codes would not fit into 16
 * bits. */
static ALWAYS_INLINE svfloat32_t random_magnitude(pto_dtype dst, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t m = svabs_x(all, x);
    return dst == PTO_F16 ? svmin_x(all, m, 65536) : m;
}

/* Returns the codes of two vectors, without signs. */
static ALWAYS_INLINE svuint16_t random_codes(const struct cvt_params *f, svfloat32_t x0, svfloat32_t x1,
                                             svuint32_t r0, svuint32_t r1) {
    const svbool_t all = svptrue_b32(), halves = svptrue_b16();
    const struct cvt_format to = cvt_format_of(f->dst);
    const u32 k = cvt_random_bits(f->dst);
    const u16 one = (u16)(1 << to.fraction_bits), bias = (u16)((F32_BIAS - to.bias) * one);
    const svfloat32_t m0 = random_magnitude(f->dst, x0), m1 = random_magnitude(f->dst, x1);
    const svuint32_t s0 = random_sum(f->dst, m0, r0), s1 = random_sum(f->dst, m1, r1);
    svuint16_t r =
        k == 16 ? svuzp2(svreinterpret_u16(s0), svreinterpret_u16(s1))
                : svuzp1(svreinterpret_u16(svlsr_x(all, s0, k)), svreinterpret_u16(svlsr_x(all, s1, k)));
    if (to.bias != F32_BIAS) {
        const svbool_t is_low = svuzp1_b16(is_subnormal(to, m0), is_subnormal(to, m1));
        r = svsub_m(is_low, svsub_x(halves, r, bias), one);
    }
    return svmin_x(halves, r, (u16)f->largest_code);
}

static ALWAYS_INLINE svuint8_t random_small(const struct cvt_params *f, const struct source *p) {
    const svuint16_t half = random_halves(f->dst, load_extra(p, p->n)), back = svrbit_x(svptrue_b16(), half);
    const svuint16_t r = svzip1(half, back), s = svzip2(half, back);
    const svfloat32_t x0 = load_f32_at(f->src, p, 0), x1 = load_f32_at(f->src, p, 1),
                      x2 = load_f32_at(f->src, p, 2), x3 = load_f32_at(f->src, p, 3);
    const svuint16_t low = random_codes(f, x0, x1, svunpklo(r), svunpkhi(r)),
                     high = random_codes(f, x2, x3, svunpklo(s), svunpkhi(s));
    const svuint8_t code = svuzp1(svreinterpret_u8(low), svreinterpret_u8(high));
    return svsel(nans_of_bytes(x0, x1, x2, x3), svdup_n_u8((u8)f->nan),
                 small_signed(f, code, high_bytes(x0, x1, x2, x3)));
}

/* Returns the random bits of vector k: 16 for each element, of which f16 uses 13. */
static ALWAYS_INLINE svuint32_t random_words(const struct cvt_params *f, const struct source *p, size_t k) {
    const struct source bits = {p->extra, NULL, p->n, p->whole};
    const unsigned count = cvt_random_bits(f->dst);
    const svuint32_t x = load_words_at(&bits, k, 2, false);
    return count == 16 ? x : svand_x(svptrue_b32(), x, (u32)low_bits(count));
}

static ALWAYS_INLINE svuint16_t random_pair(const struct cvt_params *f, const struct source *p, size_t b) {
    const svbool_t all = svptrue_b32(), halves = svptrue_b16();
    const svfloat32_t x0 = svmax_x(all, load_f32_at(f->src, p, 2 * b), (float)f->lo),
                      x1 = svmax_x(all, load_f32_at(f->src, p, 2 * b + 1), (float)f->lo);
    const svuint16_t high = svuzp2(svreinterpret_u16(x0), svreinterpret_u16(x1));
    const svuint16_t code = random_codes(f, x0, x1, random_words(f, p, 2 * b), random_words(f, p, 2 * b + 1));
    const svbool_t is_nan = svuzp1_b16(svcmpuo(all, x0, x0), svcmpuo(all, x1, x1));
    return svsel(is_nan, svdup_n_u16((u16)f->nan), svorr_x(halves, code, svand_x(halves, high, 0x8000)));
}

#endif
