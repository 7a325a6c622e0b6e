/* SPDX-License-Identifier: MIT */
/*
 * Conversions of one vector to floats of 16, 32 and 64 bits. FPCR must be in the state that the kernels of convert.c
 * require, with the rounding of the conversion. NaNs are replaced by PTX's results last.
 */
#ifndef PTO_SVE_CONVERT_FLOAT_H
#define PTO_SVE_CONVERT_FLOAT_H

#include "sve/convert_source.h"

/* ---- clamping to lo and hi; NaNs stay NaNs ---- */

static ALWAYS_INLINE svfloat32_t clamp_f32(const struct cvt_params *f, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    return f->bounded ? svmin_x(all, svmax_x(all, x, (float)f->lo), (float)f->hi) : x;
}

static ALWAYS_INLINE svfloat64_t clamp_f64(const struct cvt_params *f, svfloat64_t x) {
    const svbool_t all = svptrue_b64();
    return f->bounded ? svmin_x(all, svmax_x(all, x, f->lo), f->hi) : x;
}

/* ---- ties away from zero, with FPCR rounding to nearest ---- */

/* Sets the last bit, so that a tie is rounded away from zero. Other results do not change if they have at least two
 * significand bits fewer. */
static ALWAYS_INLINE svfloat32_t break_ties_away(svfloat32_t x) {
    return svreinterpret_f32(svorr_x(svptrue_b32(), svreinterpret_u32(x), 1));
}

/* ---- NaNs: these return y, or f->nan where x is a NaN; for 16 bits, x is y itself ---- */

static ALWAYS_INLINE svuint32_t replace_nans_32(const struct cvt_params *f, svfloat32_t x, svuint32_t y) {
    return svsel(svcmpuo(svptrue_b32(), x, x), svdup_n_u32((u32)f->nan), y);
}

static ALWAYS_INLINE svuint64_t replace_nans_64(const struct cvt_params *f, svfloat64_t x, svuint64_t y) {
    return svsel(svcmpuo(svptrue_b64(), x, x), svdup_n_u64(f->nan), y);
}

static ALWAYS_INLINE svuint16_t replace_nans_16(const struct cvt_params *f, svuint16_t y) {
    const svfloat16_t x = svreinterpret_f16(y);
    return svsel(svcmpuo(svptrue_b16(), x, x), svdup_n_u16((u16)f->nan), y);
}

/* ---- .pzo: -0 becomes +0 ---- */

static ALWAYS_INLINE svuint16_t clear_negative_zero_16(const struct cvt_params *f, svuint16_t x) {
    return f->clears_negative ? svdup_n_u16_m(x, svcmpeq(svptrue_b16(), x, 0x8000), 0) : x;
}

static ALWAYS_INLINE svuint32_t clear_negative_zero_32(const struct cvt_params *f, svuint32_t x) {
    return f->clears_negative ? svdup_n_u32_m(x, svcmpeq(svptrue_b32(), x, (u32)INT32_MIN), 0) : x;
}

/* ---- to f32 ---- */

static ALWAYS_INLINE svuint32_t f32_of_f16(const struct cvt_params *f, svuint32_t x) {
    const svfloat32_t y = f32_from(PTO_F16, x);
    return replace_nans_32(f, y, svreinterpret_u32(clamp_f32(f, y)));
}

/* NaNs keep their payload, and signalling NaNs stay signalling. */
static ALWAYS_INLINE svuint32_t f32_of_bf16(const struct cvt_params *f, svuint32_t x) {
    (void)f;
    return svlsl_x(svptrue_b32(), x, 16);
}

/* Converts exactly, without special treatment of NaNs. */
static ALWAYS_INLINE svuint32_t f32_unchanged(const struct cvt_params *f, const struct source *p, size_t k) {
    return svreinterpret_u32(load_f32_at(f->src, p, k));
}

/* Replaces values that are subnormal in f32 by zeros of their sign. FPCR does not flush them if the source is not
 * f32. */
static ALWAYS_INLINE svfloat32_t flushed_f32(svfloat32_t x) {
    const svbool_t is_tiny = svaclt(svptrue_b32(), x, 0x1p-126F);
    return svreinterpret_f32(svand_m(is_tiny, svreinterpret_u32(x), (u32)INT32_MIN));
}

static ALWAYS_INLINE svuint32_t f32_clamped(const struct cvt_params *f, const struct source *p, size_t k) {
    const svfloat32_t x = load_f32_at(f->src, p, k);
    return replace_nans_32(f, x, svreinterpret_u32(clamp_f32(f, x)));
}

static ALWAYS_INLINE svuint32_t f32_flushed(const struct cvt_params *f, const struct source *p, size_t k) {
    const svfloat32_t x = load_f32_at(f->src, p, k);
    return replace_nans_32(f, x, svreinterpret_u32(flushed_f32(x)));
}

/* FCVT's NaN is the result, which keeps the leading bits of the payload. */
static ALWAYS_INLINE svuint64_t f32_of_f64(const struct cvt_params *f, svuint64_t x) {
    (void)f;
    return svreinterpret_u64(svcvt_f32_x(svptrue_b64(), svreinterpret_f64(x)));
}

/* Converts with .ftz or .sat. .ftz flushes a result that is below the least normal f32 after rounding with an
 * unbounded exponent. The result itself does not show that, because its subnormals have fewer bits, so the source
 * decides. */
static ALWAYS_INLINE svuint64_t any_f32_of_f64(const struct cvt_params *f, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    const svfloat64_t y = svreinterpret_f64(x);
    const svbool_t is_tiny = svcmpgt(svcmplt(all, y, f->flush_below), y, -f->flush_below_negative);
    const svuint64_t r = svreinterpret_u64(svcvt_f32_x(all, clamp_f64(f, y))),
                     z = svand_m(is_tiny, r, (u64)1 << 31);
    return f->bounded ? replace_nans_64(f, y, z) : z;
}

/* ---- to tf32, an f32 with fewer fraction bits ---- */

/* Rounds by integer operations. For ties to even, ROUND_TO_NEAREST adds half of the last remaining place minus 1, plus
 * the last remaining bit. Then the bits below are cleared. */
static ALWAYS_INLINE svuint32_t any_tf32(const struct cvt_params *f, const struct source *p, size_t k) {
    const svbool_t all = svptrue_b32();
    const u32 dropped_bits = round_by_add_of(cvt_format_of(PTO_TF32)).dropped_bits,
              ones = (u32)low_bits(dropped_bits);
    const svfloat32_t x = load_f32_at(f->src, p, k);
    svuint32_t r = svreinterpret_u32(clamp_f32(f, x));
    if (f->rounding == ROUND_TO_NEAREST)
        r = svadd_x(all, svadd_x(all, r, ones >> 1), svand_x(all, svlsr_x(all, r, dropped_bits), 1));
    return replace_nans_32(f, x, clear_negative_zero_32(f, svand_x(all, r, ~ones)));
}

static ALWAYS_INLINE svbool_t finite_words(svuint32_t x) {
    const svbool_t all = svptrue_b32();
    return svcmplt(all, svand_x(all, x, INT32_MAX), F32_SPECIAL);
}

/* Rounds to nearest, ties away from zero, by integer operations. f->round_up_by (.satfinite) is subtracted from a
 * result that is not finite, which makes infinity the largest finite value. */
static ALWAYS_INLINE svuint32_t away_tf32(const struct cvt_params *f, const struct source *p, size_t k) {
    const u32 step = (u32)1 << round_by_add_of(cvt_format_of(PTO_TF32)).dropped_bits;
    const svuint32_t x = load_words_at(p, k, 4, false), up = svadd_m(finite_words(x), x, step / 2);
    const svuint32_t r = svand_x(svptrue_b32(), up, ~(step - 1));
    return svsub_m(svnot_z(svptrue_b32(), finite_words(r)), r, f->round_up_by);
}

/* ---- to f16 ---- */

static ALWAYS_INLINE svuint16_t f16_of(const struct cvt_params *f, const struct source *p, size_t b) {
    const svbool_t all = svptrue_b32();
    const svfloat16_t y0 = svcvt_f16_x(all, clamp_f32(f, load_f32_at(f->src, p, 2 * b))),
                      y1 = svcvt_f16_x(all, clamp_f32(f, load_f32_at(f->src, p, 2 * b + 1)));
    return replace_nans_16(f,
                           clear_negative_zero_16(f, svuzp1(svreinterpret_u16(y0), svreinterpret_u16(y1))));
}

/* Without bounds, FCVT's NaN is the result, which keeps the sign and the leading bits of the payload. */
static ALWAYS_INLINE svuint64_t f16_of_f64(const struct cvt_params *f, svuint64_t x) {
    const svfloat64_t y = svreinterpret_f64(x);
    const svuint64_t r = svreinterpret_u64(svcvt_f16_x(svptrue_b64(), clamp_f64(f, y)));
    return f->bounded ? replace_nans_64(f, y, r) : r;
}

/* ---- f16 and bf16 to the same type: only NaNs change, and f16 values that exceed the bounds ---- */

/* Compares as integers, so that no exception flag is raised. */
static ALWAYS_INLINE svuint16_t canonicalize_half(const struct cvt_params *f, svuint16_t x) {
    const svbool_t all = svptrue_b16();
    const u16 infinity = (u16)cvt_inf_code(cvt_format_of(f->dst));
    const svbool_t is_nan = svcmpgt(all, svand_x(all, x, INT16_MAX), infinity);
    return svsel(is_nan, svdup_n_u16((u16)f->nan), x);
}

static ALWAYS_INLINE svuint16_t f16_clamped(const struct cvt_params *f, svuint16_t x) {
    const svbool_t all = svptrue_b16();
    const svfloat16_t y = svreinterpret_f16(x);
    return replace_nans_16(
        f, svreinterpret_u16(svmin_x(all, svmax_x(all, y, (float16_t)f->lo), (float16_t)f->hi)));
}

/* ---- to bf16, rounded by integer operations, because SVE without BF16 has no instruction for it ---- */

/* Rounds up if the low half plus the last bit of the high half is above one half of the last place. */
static ALWAYS_INLINE svuint16_t bf16_nearest(svuint16_t high, svuint16_t low) {
    const svbool_t all = svptrue_b16();
    const svuint16_t rest = svqadd(low, svand_x(all, high, 1));
    return svadd_m(svcmpgt(all, rest, 0x8000), high, 1);
}

static ALWAYS_INLINE svuint16_t bf16_by_sign(const struct cvt_params *f, svuint16_t high, svuint16_t low) {
    const svbool_t all = svptrue_b16();
    const svint16_t flipped = svreinterpret_s16(sveor_x(all, high, (u16)f->sign_flip));
    return svadd_m(svcmplt(svcmpne(all, low, 0), flipped, 0), high, (u16)f->round_up_by);
}

static ALWAYS_INLINE svuint16_t bf16_to_odd(svuint16_t high, svuint16_t low) {
    return svorr_m(svcmpne(svptrue_b16(), low, 0), high, 1);
}

static ALWAYS_INLINE svuint16_t bf16_rounded(const struct cvt_params *f, svuint16_t high, svuint16_t low) {
    switch (f->rounding) {
    case ROUND_TO_NEAREST: return bf16_nearest(high, low);
    case ROUND_BY_SIGN: return bf16_by_sign(f, high, low);
    case ROUND_TO_ODD: return bf16_to_odd(high, low);
    default: return high;
    }
}

/* Returns the bits of x after clamping, before they are cut to 16. For ties away from zero, half of the remaining last
 * place is added. */
static ALWAYS_INLINE svuint16_t bits_for_bf16(const struct cvt_params *f, svfloat32_t x) {
    const svuint32_t bits = svreinterpret_u32(clamp_f32(f, x));
    return svreinterpret_u16(f->rounding == ROUND_AWAY ? svadd_x(svptrue_b32(), bits, 0x8000) : bits);
}

/* Returns the results for lanes that are NaNs. NaNs from f64 keep their sign and the leading bits of their payload,
 * which x0 and x1, converted from them, have too. */
static ALWAYS_INLINE svuint16_t bf16_nans(const struct cvt_params *f, svfloat32_t x0, svfloat32_t x1) {
    const svuint16_t nan = svdup_n_u16((u16)f->nan);
    if (f->src != PTO_F64) return nan;
    return svorr_x(svptrue_b16(), nan, svuzp2(svreinterpret_u16(x0), svreinterpret_u16(x1)));
}

/* Rounds two vectors of f32 to one of bf16. Rounding may turn a NaN into any value, so NaNs are replaced last. */
static ALWAYS_INLINE svuint16_t bf16_of_words(const struct cvt_params *f, svfloat32_t x0, svfloat32_t x1) {
    const svbool_t all = svptrue_b32();
    const svuint16_t z0 = bits_for_bf16(f, x0), z1 = bits_for_bf16(f, x1);
    const svuint16_t r = clear_negative_zero_16(f, bf16_rounded(f, svuzp2(z0, z1), svuzp1(z0, z1)));
    const svbool_t is_nan = svuzp1_b16(svcmpuo(all, x0, x0), svcmpuo(all, x1, x1));
    return cvt_is_integer(f->src) ? r : svsel(is_nan, bf16_nans(f, x0, x1), r);
}

static ALWAYS_INLINE svuint16_t bf16_of(const struct cvt_params *f, const struct source *p, size_t b) {
    return bf16_of_words(f, load_f32_at(f->src, p, 2 * b), load_f32_at(f->src, p, 2 * b + 1));
}

/* Rounds to nearest values that f32 does not hold exactly, through an f32 that is rounded to odd. */
static ALWAYS_INLINE svuint16_t bf16_via_odd(const struct cvt_params *f, const struct source *p, size_t b) {
    return bf16_of_words(f, f32_to_odd_at(f->src, p, 2 * b), f32_to_odd_at(f->src, p, 2 * b + 1));
}

/* Converts values that bf16 holds exactly, without special treatment of NaNs. */
static ALWAYS_INLINE svuint16_t bf16_exactly(const struct cvt_params *f, const struct source *p, size_t b) {
    return svuzp2(svreinterpret_u16(load_f32_at(f->src, p, 2 * b)),
                  svreinterpret_u16(load_f32_at(f->src, p, 2 * b + 1)));
}

/* ---- to f64 ---- */

/* Without bounds, FCVT's NaN is the result, which is quiet and keeps the sign and the payload. */
static ALWAYS_INLINE svuint64_t f64_of_words(const struct cvt_params *f, svuint64_t x) {
    const svfloat64_t y = f64_from(f->src, x);
    const svuint64_t r = svreinterpret_u64(clamp_f64(f, y));
    return f->bounded ? replace_nans_64(f, y, r) : r;
}

/* ---- to an integral value of the same type, rounded as FPCR is set ---- */

/* An integral value needs no more significand bits than its source, so the conversion back to f16 or bf16 is exact. */
static ALWAYS_INLINE svuint32_t integral_word(const struct cvt_params *f, svuint32_t x) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t y = clamp_f32(f, svrinti_x(all, f32_from(f->src, x)));
    if (f->src == PTO_F16) return replace_nans_32(f, y, svreinterpret_u32(svcvt_f16_x(all, y)));
    if (f->src == PTO_BF16) return replace_nans_32(f, y, svlsr_x(all, svreinterpret_u32(y), 16));
    return replace_nans_32(f, y, svreinterpret_u32(y));
}

/* NaNs become quiet and keep their payload, except under .sat. */
static ALWAYS_INLINE svuint64_t integral_long(const struct cvt_params *f, svuint64_t x) {
    const svfloat64_t y = clamp_f64(f, svrinti_x(svptrue_b64(), svreinterpret_f64(x)));
    return f->bounded ? replace_nans_64(f, y, svreinterpret_u64(y)) : svreinterpret_u64(y);
}

#endif
