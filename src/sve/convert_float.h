/* SPDX-License-Identifier: MIT */
/*
 * Conversions of one vector between floats, each source in a lane of 32 or 64 bits. FPCR is in the state that the
 * kernels of convert.c ask for, its rounding that of the form. NaNs are made what PTX makes of them after all else.
 */
#ifndef PTO_SVE_CONVERT_FLOAT_H
#define PTO_SVE_CONVERT_FLOAT_H

#include "core/formats.h"
#include "sve/lanes.h"

/* ---- sources ---- */

/* The f32 that holds a code of f32, f16 or bf16, or an integer of up to 16 bits. */
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

/* ---- bounds, which leave NaNs alone ---- */

static ALWAYS_INLINE svfloat32_t bounded_f32(const struct form *f, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    return f->bounded ? svmin_x(all, svmax_x(all, x, (float)f->lo), (float)f->hi) : x;
}

static ALWAYS_INLINE svfloat64_t bounded_f64(const struct form *f, svfloat64_t x) {
    const svbool_t all = svptrue_b64();
    return f->bounded ? svmin_x(all, svmax_x(all, x, f->lo), f->hi) : x;
}

/* ---- NaNs: y, or what the form makes of one where x is that ---- */

static ALWAYS_INLINE svuint32_t mended_32(const struct form *f, svfloat32_t x, svuint32_t y) {
    return svsel(svcmpuo(svptrue_b32(), x, x), svdup_n_u32((u32)f->nan), y);
}

static ALWAYS_INLINE svuint64_t mended_64(const struct form *f, svfloat64_t x, svuint64_t y) {
    return svsel(svcmpuo(svptrue_b64(), x, x), svdup_n_u64(f->nan), y);
}

static ALWAYS_INLINE svuint16_t mended_16(const struct form *f, svuint16_t y) {
    const svfloat16_t x = svreinterpret_f16(y);
    return svsel(svcmpuo(svptrue_b16(), x, x), svdup_n_u16((u16)f->nan), y);
}

/* ---- to f32 ---- */

static ALWAYS_INLINE svuint32_t f32_of_f16(const struct form *f, svuint32_t x) {
    const svfloat32_t y = f32_from(PTO_F16, x);
    return mended_32(f, y, svreinterpret_u32(bounded_f32(f, y)));
}

/* The payload stays, and a signalling NaN, too. */
static ALWAYS_INLINE svuint32_t f32_of_bf16(const struct form *f, svuint32_t x) {
    (void)f;
    return svlsl_x(svptrue_b32(), x, 16);
}

/* A NaN that keeps what it can of its payload is the instruction's own. */
static ALWAYS_INLINE svuint64_t f32_of_f64(const struct form *f, svuint64_t x) {
    (void)f;
    return svreinterpret_u64(svcvt_f32_x(svptrue_b64(), svreinterpret_f64(x)));
}

/* ---- to f16 ---- */

static ALWAYS_INLINE svuint16_t f16_of_words(const struct form *f, svuint32_t x0, svuint32_t x1) {
    const svbool_t all = svptrue_b32();
    const svfloat16_t y0 = svcvt_f16_x(all, bounded_f32(f, f32_from(f->src, x0))),
                      y1 = svcvt_f16_x(all, bounded_f32(f, f32_from(f->src, x1)));
    return mended_16(f, svuzp1(svreinterpret_u16(y0), svreinterpret_u16(y1)));
}

static ALWAYS_INLINE svuint64_t f16_of_f64(const struct form *f, svuint64_t x) {
    const svfloat64_t y = svreinterpret_f64(x);
    return mended_64(f, y, svreinterpret_u64(svcvt_f16_x(svptrue_b64(), bounded_f64(f, y))));
}

/* ---- to bf16, in integers but for the NaNs: SVE alone has no instruction ---- */

/* What is cut off, and the last digit that is not, are together above a half where it must go up. */
static ALWAYS_INLINE svuint16_t bf16_nearest(svuint16_t high, svuint16_t low) {
    const svbool_t all = svptrue_b16();
    const svuint16_t rest = svqadd(low, svand_x(all, high, 1));
    return svadd_m(svcmpgt(all, rest, 0x8000), high, 1);
}

/* High halves of f32 that are what remains to be said; a NaN may have become anything. */
static ALWAYS_INLINE svuint16_t bf16_of_words(const struct form *f, svuint32_t x0, svuint32_t x1) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t y0 = f32_from(f->src, x0), y1 = f32_from(f->src, x1);
    const svuint16_t z0 = svreinterpret_u16(y0), z1 = svreinterpret_u16(y1), high = svuzp2(z0, z1);
    const svuint16_t rounded = f->round == PTO_RZ ? high : bf16_nearest(high, svuzp1(z0, z1));
    const svbool_t is_nan = svuzp1_b16(svcmpuo(all, y0, y0), svcmpuo(all, y1, y1));
    return cvt_is_integer(f->src) ? rounded : svsel(is_nan, svdup_n_u16((u16)f->nan), rounded);
}

/* ---- to f64 ---- */

/* Of f32 the instruction keeps what it can of a payload. */
static ALWAYS_INLINE svuint64_t f64_of_words(const struct form *f, svuint64_t x) {
    const svfloat64_t y = f64_from(f->src, x);
    const svuint64_t r = svreinterpret_u64(bounded_f64(f, y));
    return f->src == PTO_F32 && !f->bounded ? r : mended_64(f, y, r);
}

/* ---- to an integral value of the same type, in FPCR's rounding ---- */

/* A half's integral value has no more digits than the half, so nothing is rounded on the way back. */
static ALWAYS_INLINE svuint32_t integral_word(const struct form *f, svuint32_t x) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t y = svrinti_x(all, f32_from(f->src, x));
    if (f->src == PTO_F16) return mended_32(f, y, svreinterpret_u32(svcvt_f16_x(all, y)));
    if (f->src == PTO_BF16) return mended_32(f, y, svlsr_x(all, svreinterpret_u32(y), 16));
    return mended_32(f, y, svreinterpret_u32(y));
}

/* A NaN is made quiet and keeps its payload. */
static ALWAYS_INLINE svuint64_t integral_long(const struct form *f, svuint64_t x) {
    (void)f;
    return svreinterpret_u64(svrinti_x(svptrue_b64(), svreinterpret_f64(x)));
}

#endif
