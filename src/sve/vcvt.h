/* SPDX-License-Identifier: MIT */
/*
 * PTO's conversions (vcvt and vtrc) of one vector. They differ from PTX's in:
 *   - results for NaNs
 *   - overflow, which is detected after rounding with an unbounded exponent
 *   - integers that wrap
 *   - two more roundings: to nearest with ties away from zero, and to odd
 *
 * FPCR must have the rounding of the conversion. For ROUND_TO_ODD it must round towards zero.
 */
#ifndef PTO_SVE_VCVT_H
#define PTO_SVE_VCVT_H

#include "loops/convert_bounds.h"
#include "sve/convert_integer.h"
#include "sve/convert_small.h"

/* ---- to f16 ---- */

/* Clamps x if f->bounded is set. Otherwise makes floats that overflow infinite, because in some rounding modes the
 * conversion would return the largest finite value. Integers never overflow here. */
static ALWAYS_INLINE svfloat32_t overflown_f32(const struct cvt_params *f, svfloat32_t x) {
    if (f->bounded || cvt_is_integer(f->src)) return clamp_f32(f, x);
    return svmul_m(svacge(svptrue_b32(), x, (float)f->hi), x, __builtin_inff());
}

/* Converts vector k to f16, in the low halves of words. */
static ALWAYS_INLINE svuint16_t f16_words_at(const struct cvt_params *f, const struct source *p, size_t k) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t x = overflown_f32(f, load_f32_at(f->src, p, k));
    const svfloat16_t y = svcvt_f16_x(all, f->rounding == ROUND_AWAY ? break_ties_away(x) : x);
    const svuint32_t r = svreinterpret_u32(y);
    if (f->rounding != ROUND_TO_ODD) return svreinterpret_u16(r);
    return svreinterpret_u16(svorr_m(svcmpne(all, svcvt_f32_x(all, y), x), r, 1));
}

static ALWAYS_INLINE svuint16_t vcvt_to_f16(const struct cvt_params *f, const struct source *p, size_t b) {
    const svuint16_t r = svuzp1(f16_words_at(f, p, 2 * b), f16_words_at(f, p, 2 * b + 1));
    return cvt_is_integer(f->src) ? r : replace_nans_16(f, r);
}

/* ---- to small formats ---- */

static ALWAYS_INLINE svuint8_t vcvt_to_small(const struct cvt_params *f, const struct source *p) {
    const svuint8_t r = small_of(f, p);
    if (f->dst != PTO_E4M3) return r;
    return svdup_n_u8_m(r, svcmpeq(svptrue_b8(), r, E4M3_OVERFLOW), E4M3_NAN);
}

/* ---- to f32 ---- */

static ALWAYS_INLINE svuint32_t vcvt_to_f32(const struct cvt_params *f, svuint32_t code) {
    const svfloat32_t x = f->src == PTO_E4M3 ? f32_from_small(f->src, code) : f32_of_code(f->src, code);
    if (f->src != PTO_E4M3) return replace_nans_32(f, x, svreinterpret_u32(x));
    return svsel(svacge(svptrue_b32(), x, small_nan_as_value(f->src)), svdup_n_u32((u32)f->nan),
                 svreinterpret_u32(x));
}

static ALWAYS_INLINE svuint32_t odd_at(const struct cvt_params *f, const struct source *p, size_t k) {
    return svreinterpret_u32(f32_to_odd_at(f->src, p, k));
}

/* Converts integers of 32 and 64 bits to f32, to nearest with ties away from zero. Half of the last place of an f32 is
 * added to an f64. The f64 is then truncated to f32; FPCR must round towards zero. */
static ALWAYS_INLINE svuint64_t away_of_integer(const struct cvt_params *f, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    const u64 half = (u64)1 << (cvt_format_of(PTO_F64).fraction_bits - F32_FRACTION - 1);
    const svfloat64_t y =
        cvt_is_signed(f->src) ? svcvt_f64_x(all, svreinterpret_s64(x)) : svcvt_f64_x(all, x);
    const svfloat64_t up = svreinterpret_f64(svadd_x(all, svreinterpret_u64(y), half));
    return svreinterpret_u64(svcvt_f32_x(all, up));
}

/* ---- to integers: the instructions convert a NaN to 0, as PTO does ---- */

/* Rounds x to an integral value. With ROUND_TOWARDS_ZERO it returns x, because the conversion to an integer truncates.
 * With ROUND_TO_ODD it rounds down; odd_word() and odd_long() then set the last bit of the integer if x was larger. In
 * two's complement the result is the odd one of the two integers next to x. */
static ALWAYS_INLINE svfloat32_t whole_f32(const struct cvt_params *f, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    switch (f->rounding) {
    case ROUND_AWAY: return svrinta_x(all, x);
    case ROUND_TO_ODD: return svrintm_x(all, x);
    case ROUND_TOWARDS_ZERO: return x;
    default: return svrinti_x(all, x);
    }
}

static ALWAYS_INLINE svuint32_t odd_word(const struct cvt_params *f, svuint32_t r, svfloat32_t x,
                                         svfloat32_t whole) {
    return f->rounding == ROUND_TO_ODD ? svorr_m(svcmpgt(svptrue_b32(), x, whole), r, 1) : r;
}

static ALWAYS_INLINE svuint64_t odd_long(const struct cvt_params *f, svuint64_t r, svfloat32_t x,
                                         svfloat32_t whole) {
    return f->rounding == ROUND_TO_ODD ? svorr_m(svcmpgt(svptrue_b64(), x, whole), r, 1) : r;
}

/* Converts to integers of up to 32 bits. If f->bounded is false, results are clamped to the destination type. If it is
 * true (wrapped_f16_params()), the source is clamped to lo and hi instead. Then results wrap, because only the low bits
 * of the word are stored. */
static ALWAYS_INLINE svuint32_t vcvt_to_word(const struct cvt_params *f, svuint32_t code) {
    const struct cvt_params of_word = {.dst = f->dst, .src = PTO_S32, .bounded = true};
    const svfloat32_t x = clamp_f32(f, f32_from(f->src, code)), whole = whole_f32(f, x);
    const svuint32_t r = odd_word(f, svreinterpret_u32(svcvt_s32_x(svptrue_b32(), whole)), x, whole);
    return f->bounded || f->dst == PTO_S32 ? r : clamped_32(&of_word, r);
}

static ALWAYS_INLINE svuint64_t vcvt_to_long(const struct cvt_params *f, svuint64_t code) {
    const svfloat32_t x = svreinterpret_f32(code), whole = whole_f32(f, x);
    return odd_long(f, svreinterpret_u64(svcvt_s64_x(svptrue_b64(), whole)), x, whole);
}

/* ---- to integers that wrap; infinities become the limits of the type ---- */

/* Returns x, which is integral, modulo `modulus`, a power of two. The remainder has no more significand bits than x,
 * so it is exact. For an infinity it is a NaN. */
static ALWAYS_INLINE svfloat32_t remainder_f32(svfloat32_t x, float modulus) {
    const svbool_t all = svptrue_b32();
    return svmls_x(all, x, svrintz_x(all, svmul_x(all, x, 1 / modulus)), modulus);
}

static ALWAYS_INLINE svuint32_t wrapped_word(const struct cvt_params *f, svuint32_t code) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t x = f32_from(f->src, code), whole = whole_f32(f, x);
    const svbool_t is_infinite = svacge(all, x, __builtin_inff());
    const svuint32_t m = svcvt_u32_x(all, remainder_f32(svabs_x(all, whole), 0x1p32F));
    const svint32_t s = svreinterpret_s32(m), r = svneg_m(s, svcmplt(all, whole, 0), s);
    const svuint32_t limited = svreinterpret_u32(svcvt_s32_m(r, is_infinite, x));
    return odd_word(f, f->dst == PTO_S16 ? sveor_m(is_infinite, limited, 0x8000) : limited, x, whole);
}

static ALWAYS_INLINE svuint64_t wrapped_long(const struct cvt_params *f, svuint64_t code) {
    const svbool_t all = svptrue_b64();
    const svfloat32_t x = svreinterpret_f32(code), whole = whole_f32(f, x);
    const svuint64_t m = svcvt_u64_x(all, remainder_f32(svabs_x(all, whole), 0x1p64F));
    const svint64_t s = svreinterpret_s64(m), r = svneg_m(s, svcmplt(all, whole, 0), s);
    return odd_long(f, svreinterpret_u64(svcvt_s64_m(r, svacge(all, x, __builtin_inff()), x)), x, whole);
}

/* ---- vtrc: the instructions make NaNs quiet, and keep their sign and payload ---- */

static ALWAYS_INLINE svuint32_t vtrc_word(const struct cvt_params *f, svuint32_t x) {
    return svreinterpret_u32(whole_f32(f, svreinterpret_f32(x)));
}

static ALWAYS_INLINE svuint16_t vtrc_half(const struct cvt_params *f, svuint16_t x) {
    const svbool_t all = svptrue_b16();
    const svfloat16_t y = svreinterpret_f16(x);
    return svreinterpret_u16(f->rounding == ROUND_AWAY ? svrinta_x(all, y) : svrinti_x(all, y));
}

static ALWAYS_INLINE svuint16_t vtrc_bf16(const struct cvt_params *f, const struct source *p, size_t b) {
    const svfloat32_t x0 = whole_f32(f, load_f32_at(PTO_BF16, p, 2 * b)),
                      x1 = whole_f32(f, load_f32_at(PTO_BF16, p, 2 * b + 1));
    return svuzp2(svreinterpret_u16(x0), svreinterpret_u16(x1));
}

#endif
