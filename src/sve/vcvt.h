/* SPDX-License-Identifier: MIT */
/*
 * PTO's conversions of one vector: what differs from PTX's is NaNs, overflow, which comes after rounding with an unbounded
 * exponent, integers that wrap, and two roundings: ties away from zero, and to odd. FPCR has the form's rounding; TO_ODD it
 * rounds towards zero.
 */
#ifndef PTO_SVE_VCVT_H
#define PTO_SVE_VCVT_H

#include "loops/vcvt_bounds.h"
#include "sve/convert_integer.h"
#include "sve/convert_small.h"

/* ---- to f16 ---- */

/* FPCR's roundings bring some of what overflows to the largest number: so all of it is made infinite first. */
static ALWAYS_INLINE svfloat32_t overflown_f32(const struct form *f, svfloat32_t x) {
    if (f->bounded || cvt_is_integer(f->src)) return bounded_f32(f, x);
    return svmul_m(svacge(svptrue_b32(), x, (float)f->hi), x, __builtin_inff());
}

/* In the low halves of words. */
static ALWAYS_INLINE svuint16_t f16_words_at(const struct form *f, const struct part *p, size_t k) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t x = overflown_f32(f, f32_at(f->src, p, k));
    const svfloat16_t y = svcvt_f16_x(all, f->cut == AWAY ? past_ties(x) : x);
    const svuint32_t r = svreinterpret_u32(y);
    if (f->cut != TO_ODD) return svreinterpret_u16(r);
    return svreinterpret_u16(svorr_m(svcmpne(all, svcvt_f32_x(all, y), x), r, 1));
}

static ALWAYS_INLINE svuint16_t vcvt_to_f16(const struct form *f, const struct part *p, size_t b) {
    const svuint16_t r = svuzp1(f16_words_at(f, p, 2 * b), f16_words_at(f, p, 2 * b + 1));
    return cvt_is_integer(f->src) ? r : mended_16(f, r);
}

/* ---- to small formats ---- */

static ALWAYS_INLINE svuint8_t vcvt_to_small(const struct form *f, const struct part *p) {
    const svuint8_t r = small_of(f, p);
    if (f->dst != PTO_E4M3) return r;
    return svdup_n_u8_m(r, svcmpeq(svptrue_b8(), r, E4M3_OVERFLOW), E4M3_NAN);
}

/* ---- to f32 ---- */

static ALWAYS_INLINE svuint32_t vcvt_to_f32(const struct form *f, svuint32_t code) {
    const svfloat32_t x = f->src == PTO_E4M3 ? f32_from_small(f->src, code) : f32_of_code(f->src, code);
    if (f->src != PTO_E4M3) return mended_32(f, x, svreinterpret_u32(x));
    return svsel(svacge(svptrue_b32(), x, small_beyond(f->src)), svdup_n_u32((u32)f->nan),
                 svreinterpret_u32(x));
}

static ALWAYS_INLINE svuint32_t odd_at(const struct form *f, const struct part *p, size_t k) {
    return svreinterpret_u32(f32_to_odd_at(f->src, p, k));
}

/* Ties away from zero, of integers of 32 and 64 bits: half of the last digit that an f32 has is added to an f64, and what it
 * has more is cut, FPCR rounding towards zero. */
static ALWAYS_INLINE svuint64_t away_of_integer(const struct form *f, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    const u64 half = (u64)1 << (cvt_format_of(PTO_F64).fraction_bits - F32_FRACTION - 1);
    const svfloat64_t y =
        cvt_is_signed(f->src) ? svcvt_f64_x(all, svreinterpret_s64(x)) : svcvt_f64_x(all, x);
    const svfloat64_t up = svreinterpret_f64(svadd_x(all, svreinterpret_u64(y), half));
    return svreinterpret_u64(svcvt_f32_x(all, up));
}

/* ---- to integers: NaNs are zero, as the instructions have it ---- */

/* An integral number, or TOWARDS_ZERO one that the conversion to an integer cuts. TO_ODD it is the one below, whose last
 * digit is to become one where x was more: of two's complement that is the odd one of x's neighbours. */
static ALWAYS_INLINE svfloat32_t whole_f32(const struct form *f, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    switch (f->cut) {
    case AWAY: return svrinta_x(all, x);
    case TO_ODD: return svrintm_x(all, x);
    case TOWARDS_ZERO: return x;
    default: return svrinti_x(all, x);
    }
}

static ALWAYS_INLINE svuint32_t odd_word(const struct form *f, svuint32_t r, svfloat32_t x,
                                         svfloat32_t whole) {
    return f->cut == TO_ODD ? svorr_m(svcmpgt(svptrue_b32(), x, whole), r, 1) : r;
}

static ALWAYS_INLINE svuint64_t odd_long(const struct form *f, svuint64_t r, svfloat32_t x,
                                         svfloat32_t whole) {
    return f->cut == TO_ODD ? svorr_m(svcmpgt(svptrue_b64(), x, whole), r, 1) : r;
}

/* What is narrower than a word is clamped, or, with bounds beyond all numbers of f16, the lowest digits of a word. */
static ALWAYS_INLINE svuint32_t vcvt_to_word(const struct form *f, svuint32_t code) {
    const struct form of_word = {.dst = f->dst, .src = PTO_S32, .bounded = true};
    const svfloat32_t x = bounded_f32(f, f32_from(f->src, code)), whole = whole_f32(f, x);
    const svuint32_t r = odd_word(f, svreinterpret_u32(svcvt_s32_x(svptrue_b32(), whole)), x, whole);
    return f->bounded || f->dst == PTO_S32 ? r : clamped_32(&of_word, r);
}

static ALWAYS_INLINE svuint64_t vcvt_to_long(const struct form *f, svuint64_t code) {
    const svfloat32_t x = svreinterpret_f32(code), whole = whole_f32(f, x);
    return odd_long(f, svreinterpret_u64(svcvt_s64_x(svptrue_b64(), whole)), x, whole);
}

/* ---- to integers that wrap: of an integral magnitude what is left by a power of two; infinities are the limits ---- */

/* The remainder has no more digits than x has, so nothing is rounded; of an infinity it is a NaN. */
static ALWAYS_INLINE svfloat32_t remainder_f32(svfloat32_t x, float modulus) {
    const svbool_t all = svptrue_b32();
    return svmls_x(all, x, svrintz_x(all, svmul_x(all, x, 1 / modulus)), modulus);
}

static ALWAYS_INLINE svuint32_t wrapped_word(const struct form *f, svuint32_t code) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t x = f32_from(f->src, code), whole = whole_f32(f, x);
    const svbool_t is_infinite = svacge(all, x, __builtin_inff());
    const svuint32_t m = svcvt_u32_x(all, remainder_f32(svabs_x(all, whole), 0x1p32F));
    const svint32_t s = svreinterpret_s32(m), r = svneg_m(s, svcmplt(all, whole, 0), s);
    const svuint32_t limited = svreinterpret_u32(svcvt_s32_m(r, is_infinite, x));
    return odd_word(f, f->dst == PTO_S16 ? sveor_m(is_infinite, limited, 0x8000) : limited, x, whole);
}

static ALWAYS_INLINE svuint64_t wrapped_long(const struct form *f, svuint64_t code) {
    const svbool_t all = svptrue_b64();
    const svfloat32_t x = svreinterpret_f32(code), whole = whole_f32(f, x);
    const svuint64_t m = svcvt_u64_x(all, remainder_f32(svabs_x(all, whole), 0x1p64F));
    const svint64_t s = svreinterpret_s64(m), r = svneg_m(s, svcmplt(all, whole, 0), s);
    return odd_long(f, svreinterpret_u64(svcvt_s64_m(r, svacge(all, x, __builtin_inff()), x)), x, whole);
}

/* ---- vtrc: the instructions make NaNs quiet, and leave the rest of them ---- */

static ALWAYS_INLINE svuint32_t vtrc_word(const struct form *f, svuint32_t x) {
    return svreinterpret_u32(whole_f32(f, svreinterpret_f32(x)));
}

static ALWAYS_INLINE svuint16_t vtrc_half(const struct form *f, svuint16_t x) {
    const svbool_t all = svptrue_b16();
    const svfloat16_t y = svreinterpret_f16(x);
    return svreinterpret_u16(f->cut == AWAY ? svrinta_x(all, y) : svrinti_x(all, y));
}

static ALWAYS_INLINE svuint16_t vtrc_bf16(const struct form *f, const struct part *p, size_t b) {
    const svfloat32_t x0 = whole_f32(f, f32_at(PTO_BF16, p, 2 * b)),
                      x1 = whole_f32(f, f32_at(PTO_BF16, p, 2 * b + 1));
    return svuzp2(svreinterpret_u16(x0), svreinterpret_u16(x1));
}

#endif
