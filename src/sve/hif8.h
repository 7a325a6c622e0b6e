/* SPDX-License-Identifier: MIT */
/*
 * Conversions from and to PTO's hif8 (HiFloat8), whose exponent and fraction share 7 bits: the closer the exponent is
 * to 0, the more fraction bits a code has.
 *
 * Properties that depend on the magnitude of the exponent, or on the upper four bits of a code, have 16 values. They
 * are looked up in the first 16 bytes of a vector.
 *
 * Values are upper halves of f32, which have enough bits: ties are rounded away from zero, so bits below half of the
 * last place do not matter.
 */
#ifndef PTO_SVE_HIF8_H
#define PTO_SVE_HIF8_H

#include "core/vcvt.h"
#include "sve/convert_small.h"

enum {
    HALF_FRACTION = 7,              /* fraction bits of the upper half of an f32 */
    HIF8_DIGITS = 3,                /* the most fraction bits of a code */
    HIF8_MAX_EXPONENT = 15,         /* the largest exponent; below its negative, codes have no fraction */
    HIF8_NEGATED_MIN_EXPONENT = 22, /* the smallest exponent, negated */
    HIF8_TABLE = 16,
};

static ALWAYS_INLINE svuint8_t hif8_look_up(const u8 table[HIF8_TABLE], svuint8_t at) {
    return svtbl(svld1_u8(svwhilelt_b8_u64(0, HIF8_TABLE), table), at);
}

/* ---- from floats ---- */

/* Three tables that are indexed by the magnitude of the exponent. hif8_large has the codes with fraction 0 for
 * exponents of 0 and above, hif8_little those for exponents below 0. hif8_cut has the number of fraction bits that an
 * upper half has more than the code. */
static const u8 hif8_large[HIF8_TABLE] = {8,  16, 32,  40,  64,  68,  72,  76,
                                          96, 98, 100, 102, 104, 106, 108, 110},
                hif8_little[HIF8_TABLE] = {8,   24,  48,  56,  80,  84,  88,  92,
                                           112, 114, 116, 118, 120, 122, 124, 126},
                hif8_cut[HIF8_TABLE] = {4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6};

static ALWAYS_INLINE svuint16_t hif8_exponent_size(svuint16_t magnitude) {
    const svbool_t all = svptrue_b16();
    return svabd_x(all, svlsr_x(all, magnitude, HALF_FRACTION), F32_BIAS);
}

/* Adds half of the last place to the magnitude, and limits the sum to f->largest_code. Half of the last place is the
 * 4th fraction bit. From exponent magnitudes of 4, 8 and 16 on, it is one bit higher each. */
static ALWAYS_INLINE svuint16_t hif8_rounded(const struct cvt_params *f, svuint16_t magnitude) {
    const svbool_t all = svptrue_b16();
    const svuint16_t size = svorr_x(all, hif8_exponent_size(magnitude), 3);
    const svuint16_t fewer = svmin_x(all, svsubr_x(all, svclz_x(all, size), 14), HIF8_DIGITS);
    const svuint16_t half = svlsl_x(all, svdup_n_u16(1 << (HALF_FRACTION - 1 - HIF8_DIGITS)), fewer);
    return svmin_x(all, svadd_x(all, magnitude, half), (u16)f->largest_code);
}

/* Returns the codes of two vectors, without signs. */
static ALWAYS_INLINE svuint8_t hif8_code(svuint16_t r0, svuint16_t r1) {
    const svbool_t all = svptrue_b8(), halves = svptrue_b16();
    const u16 one = F32_BIAS << HALF_FRACTION;
    const svuint8_t size =
        svuzp1(svreinterpret_u8(hif8_exponent_size(r0)), svreinterpret_u8(hif8_exponent_size(r1)));
    const svuint8_t low = svuzp1(svreinterpret_u8(r0), svreinterpret_u8(r1));
    const svuint8_t digits =
        svlsr_x(all, svand_x(all, low, (1 << HALF_FRACTION) - 1), hif8_look_up(hif8_cut, size));
    const svbool_t is_little = svuzp1_b8(svcmplt(halves, r0, one), svcmplt(halves, r1, one));
    const svuint8_t first = svsel(is_little, hif8_look_up(hif8_little, size), hif8_look_up(hif8_large, size));
    const svuint8_t power =
        svsubr_x(all, svmin_x(all, size, HIF8_NEGATED_MIN_EXPONENT), HIF8_NEGATED_MIN_EXPONENT + 1);
    return svsel(svcmpgt(all, size, HIF8_MAX_EXPONENT), power, svadd_x(all, first, digits));
}

/* Returns the lanes below half of the smallest value. They become zero, which has no sign. */
static ALWAYS_INLINE svbool_t hif8_zeros(svuint16_t magnitude) {
    return svcmplt(svptrue_b16(), magnitude, (F32_BIAS - HIF8_NEGATED_MIN_EXPONENT - 1) << HALF_FRACTION);
}

static ALWAYS_INLINE svuint8_t hif8_of(const struct cvt_params *f, const struct source *p) {
    const svbool_t all = svptrue_b8(), halves = svptrue_b16();
    const svfloat32_t x0 = load_f32_at(f->src, p, 0), x1 = load_f32_at(f->src, p, 1),
                      x2 = load_f32_at(f->src, p, 2), x3 = load_f32_at(f->src, p, 3);
    const svuint16_t h0 = svuzp2(svreinterpret_u16(x0), svreinterpret_u16(x1)),
                     h1 = svuzp2(svreinterpret_u16(x2), svreinterpret_u16(x3)),
                     m0 = svand_x(halves, h0, INT16_MAX), m1 = svand_x(halves, h1, INT16_MAX);
    const svuint8_t sign = svand_x(all, svuzp2(svreinterpret_u8(h0), svreinterpret_u8(h1)), 0x80);
    const svuint8_t code = svorr_x(all, hif8_code(hif8_rounded(f, m0), hif8_rounded(f, m1)), sign);
    const svuint8_t r = svdup_n_u8_m(code, svuzp1_b8(hif8_zeros(m0), hif8_zeros(m1)), 0);
    return svsel(nans_of_bytes(x0, x1, x2, x3), svdup_n_u8((u8)f->nan), r);
}

/* ---- to floats ---- */

/* Three tables that are indexed by the upper four bits of a code. hif8_first has the exponent of the f32 if the lower
 * three bits are 0. hif8_down has a mask of the lower bits that are inverted first, because they count down. hif8_moved
 * has the number of bits by which the lower bits are then shifted left, so that those above three bits are added to the
 * exponent. */
static const u8 hif8_first[HIF8_TABLE] = {104, 127, 128, 126, 129, 130, 125, 124,
                                          131, 133, 122, 120, 135, 139, 116, 112},
                hif8_moved[HIF8_TABLE] = {3, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2},
                hif8_down[HIF8_TABLE] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 6, 6};

/* Converts the first half of the codes, or the last half if `last`, to upper halves of f32. */
static ALWAYS_INLINE svuint16_t f32_halves_of_hif8(svuint8_t code, bool last) {
    const svbool_t all = svptrue_b8();
    const svuint8_t magnitude = svand_x(all, code, INT8_MAX), which = svlsr_x(all, magnitude, HIF8_DIGITS);
    const svuint8_t down =
        sveor_x(all, svand_x(all, code, (1 << HIF8_DIGITS) - 1), hif8_look_up(hif8_down, which));
    const svuint8_t moved = svlsl_x(all, down, hif8_look_up(hif8_moved, which));
    const svbool_t is_zero = svcmpeq(all, magnitude, 0), is_infinite = svcmpeq(all, magnitude, HIF8_INFINITY),
                   is_nan = svcmpeq(all, code, HIF8_NAN);
    const svuint8_t number = svadd_x(all, hif8_look_up(hif8_first, which), svlsr_x(all, moved, HIF8_DIGITS));
    const svuint8_t exponent = svdup_n_u8_m(svdup_n_u8_m(number, is_zero, 0), is_infinite, UINT8_MAX);
    const svuint8_t fraction = svlsr_x(all, svlsl_x(all, svdup_n_u8_m(moved, is_infinite, 0), 5), 1);
    const svuint8_t low = svorr_x(all, svlsl_x(all, exponent, HALF_FRACTION), fraction);
    const svuint8_t high = svorr_x(all, svlsr_x(all, exponent, 1), svand_x(all, code, 0x80));
    const svuint8_t l = svdup_n_u8_m(low, is_nan, (u8)vcvt_nan(PTO_BF16)),
                    h = svdup_n_u8_m(high, is_nan, (u8)(vcvt_nan(PTO_BF16) >> 8));
    return svreinterpret_u16(last ? svzip2(l, h) : svzip1(l, h));
}

/* These return vector k of the results of a vector of codes, as f32 or f16. */
static ALWAYS_INLINE svuint32_t f32_of_hif8(svuint8_t code, size_t k) {
    const svuint16_t half = f32_halves_of_hif8(code, k >= 2), zero = svdup_n_u16(0);
    return svreinterpret_u32(k % 2 != 0 ? svzip2(zero, half) : svzip1(zero, half));
}

static ALWAYS_INLINE svuint16_t f16_of_hif8(svuint8_t code, size_t k) {
    const svbool_t all = svptrue_b32();
    const svfloat16_t x = svcvt_f16_x(all, svreinterpret_f32(f32_of_hif8(code, 2 * k))),
                      y = svcvt_f16_x(all, svreinterpret_f32(f32_of_hif8(code, 2 * k + 1)));
    return svuzp1(svreinterpret_u16(x), svreinterpret_u16(y));
}

static ALWAYS_INLINE svuint8_t wide_of_hif8(pto_dtype dst, svuint8_t code, size_t k) {
    return dst == PTO_F32 ? svreinterpret_u8(f32_of_hif8(code, k)) : svreinterpret_u8(f16_of_hif8(code, k));
}

static ALWAYS_INLINE void each_hif8(pto_dtype dst, const u8 *src, u8 *to, size_t n) {
    const size_t lanes = svcntb(), vectors = element_bytes(dst);
    for (; n >= lanes; n -= lanes) {
        const svuint8_t code = svld1_u8(svptrue_b8(), src);
        UNROLL
        for (size_t k = 0; k < vectors; ++k)
            svst1_vnum_u8(svptrue_b8(), to, (int64_t)k, wide_of_hif8(dst, code, k));
        src += lanes;
        to += vectors * lanes;
    }
    if (n != 0) {
        const svuint8_t code = svld1_u8(svwhilelt_b8_u64(0, n), src);
        UNROLL
        for (size_t k = 0; k < vectors; ++k)
            svst1_vnum_u8(svwhilelt_b8_u64(k * lanes, vectors * n), to, (int64_t)k,
                          wide_of_hif8(dst, code, k));
    }
}

#endif
