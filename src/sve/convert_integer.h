/* SPDX-License-Identifier: MIT */
/* Conversions of one vector from and to integers. convert_float.h has those between floats. */
#ifndef PTO_SVE_CONVERT_INTEGER_H
#define PTO_SVE_CONVERT_INTEGER_H

#include "sve/convert_float.h"

/* ---- from floats, truncated or rounded by FPCR ---- */

/* Converts floats to integers of up to 32 bits. The instructions clamp to 32 bits and convert a NaN to 0. */
static ALWAYS_INLINE svuint32_t integer_of_word(const struct cvt_params *f, svuint32_t x) {
    const svbool_t all = svptrue_b32();
    const unsigned bits = 8 * (unsigned)element_bytes(f->dst);
    svfloat32_t y = f32_from(f->src, x);
    if (f->round != PTO_RZI) y = svrinti_x(all, y);
    if (cvt_is_signed(f->dst)) {
        const svint32_t r = svcvt_s32_x(all, y);
        const s32 most = (s32)low_bits(bits - 1);
        return svreinterpret_u32(bits == 32 ? r : svmin_x(all, svmax_x(all, r, -most - 1), most));
    }
    return bits == 32 ? svcvt_u32_x(all, y) : svmin_x(all, svcvt_u32_x(all, y), (u32)low_bits(bits));
}

/* Converts floats to 64-bit integers, and f64 to all integers. In these conversions a NaN becomes the integer in which
 * only the top bit is set, even if the type is unsigned. */
static ALWAYS_INLINE svuint64_t integer_of_long(const struct cvt_params *f, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    const unsigned bits = 8 * (unsigned)element_bytes(f->dst);
    const svfloat64_t y = f64_from(f->src, x), whole = f->round == PTO_RZI ? y : svrinti_x(all, y);
    svuint64_t r;
    if (cvt_is_signed(f->dst)) {
        const s64 most = (s64)low_bits(bits - 1);
        const svint64_t c = svcvt_s64_x(all, whole);
        r = svreinterpret_u64(bits == 64 ? c : svmin_x(all, svmax_x(all, c, -most - 1), most));
    } else {
        r = svcvt_u64_x(all, whole);
        if (bits != 64) r = svmin_x(all, r, low_bits(bits));
    }
    return replace_nans_64(f, y, r);
}

/* ---- to floats, rounded once by FPCR; .sat clamps the integer to 0 and 1 ---- */

static ALWAYS_INLINE svuint32_t sat_32(const struct cvt_params *f, svuint32_t x) {
    const svbool_t all = svptrue_b32();
    if (!f->bounded) return x;
    return svmin_x(all, cvt_is_signed(f->src) ? svreinterpret_u32(svmax_x(all, svreinterpret_s32(x), 0)) : x,
                   1);
}

static ALWAYS_INLINE svuint64_t sat_64(const struct cvt_params *f, svuint64_t x) {
    const svbool_t all = svptrue_b64();
    if (!f->bounded) return x;
    return svmin_x(all, cvt_is_signed(f->src) ? svreinterpret_u64(svmax_x(all, svreinterpret_s64(x), 0)) : x,
                   1);
}

static ALWAYS_INLINE svuint32_t word_of_integer(const struct cvt_params *f, svuint32_t code) {
    const svbool_t all = svptrue_b32();
    const svuint32_t x = sat_32(f, code);
    if (f->dst == PTO_F32) return svreinterpret_u32(f32_from(f->src, x));
    return cvt_is_signed(f->src) ? svreinterpret_u32(svcvt_f16_x(all, svreinterpret_s32(x)))
                                 : svreinterpret_u32(svcvt_f16_x(all, x));
}

static ALWAYS_INLINE svuint64_t long_of_integer(const struct cvt_params *f, svuint64_t code) {
    const svbool_t all = svptrue_b64();
    const svuint64_t x = sat_64(f, code);
    const svint64_t s = svreinterpret_s64(x);
    const bool is_signed = cvt_is_signed(f->src);
    switch (f->dst) {
    case PTO_F16: return svreinterpret_u64(is_signed ? svcvt_f16_x(all, s) : svcvt_f16_x(all, x));
    case PTO_F32: return svreinterpret_u64(is_signed ? svcvt_f32_x(all, s) : svcvt_f32_x(all, x));
    default: return svreinterpret_u64(is_signed ? svcvt_f64_x(all, s) : svcvt_f64_x(all, x));
    }
}

/* ---- between integers: clamped to the values that both types hold if f->bounded, then truncated ---- */

#define CLAMPED(width)                                                                                       \
    static ALWAYS_INLINE svuint##width##_t clamped_##width(const struct cvt_params *f,                       \
                                                           svuint##width##_t x) {                            \
        const svbool_t all = svptrue_b##width();                                                             \
        const unsigned bits = 8 * (unsigned)element_bytes(f->dst);                                           \
        const unsigned value_bits = bits - (cvt_is_signed(f->dst) ? 1 : 0);                                  \
        const svint##width##_t s = svreinterpret_s##width(x);                                                \
        const s##width least = cvt_is_signed(f->dst) ? (s##width) ~low_bits(value_bits) : 0;                 \
        if (!f->bounded) return x;                                                                           \
        if (!cvt_is_signed(f->src))                                                                          \
            return value_bits < (width) ? svmin_x(all, x, (u##width)low_bits(value_bits)) : x;               \
        if (value_bits >= (width)-1) return svreinterpret_u##width(svmax_x(all, s, least));                  \
        return svreinterpret_u##width(svmin_x(all, svmax_x(all, s, least), (s##width)low_bits(value_bits))); \
    }
CLAMPED(16)
CLAMPED(32)
CLAMPED(64)
#undef CLAMPED

#endif
