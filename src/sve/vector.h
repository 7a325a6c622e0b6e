/* SPDX-License-Identifier: MIT */
/*
 * SVE helpers for the loops of this folder. Vectors are byte vectors (svuint8_t), whatever the lane type is.
 *
 * A predicate has one bit for each byte of a vector; a lane is true if the bit of its lowest byte is set. So a
 * predicate of W-bit lanes, stored to memory, is the W-bit image of a mask, and a predicate of 8-bit lanes is
 * packed bits.
 *
 * The code works for every vector length: a vector has svcntb() bytes, and a predicate has svcntd() bytes. It uses
 * SVE instructions only, no SVE2.
 */
#ifndef PTO_SVE_VECTOR_H
#define PTO_SVE_VECTOR_H

#include <arm_sve.h>

#include "core/kernels.h"

/* The sizes of the longest vector and predicate that the architecture allows. */
enum { VECTOR_BYTES_MAX = 256, PREDICATE_BYTES_MAX = VECTOR_BYTES_MAX / 8 };

/* ---- loads and stores ---- */

static ALWAYS_INLINE svbool_t load_predicate(const u8 *p) {
    return *(const svbool_t *)p; /* the ACLE has no intrinsic for this, but allows pointers to svbool_t */
}

static ALWAYS_INLINE void store_predicate(u8 *p, svbool_t truth) {
    *(svbool_t *)p = truth;
}

/* Predicates of bytes. first_bytes() has the first `bytes` bytes of a vector. bytes_of_vector() has the bytes of
 * vector k of an array that is `bytes` bytes long. */
static ALWAYS_INLINE svbool_t first_bytes(size_t bytes) {
    return svwhilelt_b8_u64(0, bytes);
}

static ALWAYS_INLINE svbool_t bytes_of_vector(size_t k, size_t bytes) {
    return svwhilelt_b8_u64(k * svcntb(), bytes);
}

/* Loads or stores only the first `bytes` bytes of a predicate, at most svcntd(). SVE has no instruction for a part
 * of a predicate, so the bytes go through a buffer. */
static ALWAYS_INLINE svbool_t load_predicate_some(const u8 *p, size_t bytes) {
    _Alignas(16) u8 copy[PREDICATE_BYTES_MAX];
    svst1_u8(first_bytes(sizeof copy), copy, svld1_u8(first_bytes(bytes), p));
    return load_predicate(copy);
}

static ALWAYS_INLINE void store_predicate_some(u8 *p, svbool_t truth, size_t bytes) {
    _Alignas(16) u8 copy[PREDICATE_BYTES_MAX];
    const svbool_t some = first_bytes(bytes);
    store_predicate(copy, truth);
    svst1_u8(some, p, svld1_u8(some, copy));
}

/* Returns the element at p in every lane. */
static ALWAYS_INLINE svuint8_t broadcast_element(const u8 *p, size_t element_bytes) {
    const u64 x = load_bytes(p, element_bytes);
    switch (element_bytes) {
    case 1: return svdup_n_u8((u8)x);
    case 2: return svreinterpret_u8_u16(svdup_n_u16((u16)x));
    case 4: return svreinterpret_u8_u32(svdup_n_u32((u32)x));
    default: return svreinterpret_u8_u64(svdup_n_u64(x));
    }
}

/* Returns the lanes of pg whose mask byte at p is not 0. The mask has one byte for each lane. */
static ALWAYS_INLINE svbool_t load_truth_bytes(svbool_t pg, const u8 *p, size_t element_bytes) {
    switch (element_bytes) {
    case 1: return svcmpne_n_u8(pg, svld1_u8(pg, p), 0);
    case 2: return svcmpne_n_u16(pg, svld1ub_u16(pg, p), 0);
    case 4: return svcmpne_n_u32(pg, svld1ub_u32(pg, p), 0);
    default: return svcmpne_n_u64(pg, svld1ub_u64(pg, p), 0);
    }
}

/* ---- predicates ---- */

/* Returns a predicate that is `on` in every lane. */
static ALWAYS_INLINE svbool_t predicate_all(bool on, size_t element_bytes) {
    switch (element_bytes) {
    case 1: return svdup_n_b8(on);
    case 2: return svdup_n_b16(on);
    case 4: return svdup_n_b32(on);
    default: return svdup_n_b64(on);
    }
}

/* Returns the predicate of vector k of a block of `vectors` vectors, whose lanes have `vectors` bytes. truth has
 * one bit for each lane of the block. */
static ALWAYS_INLINE svbool_t expand_predicate(svbool_t truth, size_t vectors, size_t k) {
    if (vectors == 8) truth = (k & 4) != 0 ? svunpkhi_b(truth) : svunpklo_b(truth);
    if (vectors >= 4) truth = (k & 2) != 0 ? svunpkhi_b(truth) : svunpklo_b(truth);
    if (vectors >= 2) truth = (k & 1) != 0 ? svunpkhi_b(truth) : svunpklo_b(truth);
    return truth;
}

/* ---- comparisons of the lanes in pg; other lanes are false ---- */

#define INTEGER_RELATION(type)                                                                               \
    static ALWAYS_INLINE svbool_t related_##type(enum relation r, svbool_t pg, svuint8_t x, svuint8_t y) {   \
        const sv##type##_lanes a = svreinterpret_##type##_u8(x), b = svreinterpret_##type##_u8(y);           \
        return r == RELATION_EQ   ? svcmpeq_##type(pg, a, b)                                                 \
               : r == RELATION_LT ? svcmplt_##type(pg, a, b)                                                 \
                                  : svcmpgt_##type(pg, a, b);                                                \
    }
typedef svuint8_t svu8_lanes;
typedef svuint16_t svu16_lanes;
typedef svuint32_t svu32_lanes;
typedef svuint64_t svu64_lanes;
typedef svint8_t svs8_lanes;
typedef svint16_t svs16_lanes;
typedef svint32_t svs32_lanes;
typedef svint64_t svs64_lanes;
INTEGER_RELATION(u8)
INTEGER_RELATION(u16)
INTEGER_RELATION(u32)
INTEGER_RELATION(u64)
INTEGER_RELATION(s8)
INTEGER_RELATION(s16)
INTEGER_RELATION(s32)
INTEGER_RELATION(s64)
#undef INTEGER_RELATION

/* LG (less or greater) takes two comparisons, because "not equal" is true for NaNs. ORD (ordered) takes two as
 * well: the result of the first is the predicate of the second. */
#define FLOAT_RELATION(type)                                                                                 \
    static ALWAYS_INLINE svbool_t related_##type(enum relation r, svbool_t pg, svuint8_t x, svuint8_t y) {   \
        const sv##type##_lanes a = svreinterpret_##type##_u8(x), b = svreinterpret_##type##_u8(y);           \
        switch (r) {                                                                                         \
        case RELATION_EQ: return svcmpeq_##type(pg, a, b);                                                   \
        case RELATION_LT: return svcmplt_##type(pg, a, b);                                                   \
        case RELATION_LE: return svcmple_##type(pg, a, b);                                                   \
        case RELATION_GT: return svcmpgt_##type(pg, a, b);                                                   \
        case RELATION_GE: return svcmpge_##type(pg, a, b);                                                   \
        case RELATION_LG: return svorr_b_z(pg, svcmplt_##type(pg, a, b), svcmpgt_##type(pg, a, b));          \
        case RELATION_ORD: return svcmpeq_##type(svcmpeq_##type(pg, a, a), b, b);                            \
        }                                                                                                    \
        return svpfalse_b();                                                                                 \
    }
typedef svfloat16_t svf16_lanes;
typedef svfloat32_t svf32_lanes;
typedef svfloat64_t svf64_lanes;
FLOAT_RELATION(f16)
FLOAT_RELATION(f32)
FLOAT_RELATION(f64)
#undef FLOAT_RELATION

/* Replaces subnormals and zeros by the code `zero`, because FPCR.FZ does not flush f16. */
static ALWAYS_INLINE svuint8_t flushed_f16(svbool_t pg, svuint8_t x, u16 zero) {
    const svbool_t tiny = svaclt_n_f16(pg, svreinterpret_f16_u8(x), (float16_t)0x1p-14f);
    return svreinterpret_u8_u16(svsel_u16(tiny, svdup_n_u16(zero), svreinterpret_u16_u8(x)));
}

/* Relations of f16 with subnormals flushed. For <, <=, > and >= it is enough to change the right-hand side. If that is
 * a scalar, it is changed before the loop. See half_flushed() in loops/half.h. */
static ALWAYS_INLINE svbool_t related_f16z(enum relation r, svbool_t pg, svuint8_t x, svuint8_t y) {
    const u16 greatest = 0x03ff;
    switch (r) {
    case RELATION_ORD: return related_f16(r, pg, x, y);
    case RELATION_LT:
    case RELATION_GE: return related_f16(r, pg, x, flushed_f16(pg, y, 0x8000 | greatest));
    case RELATION_LE:
    case RELATION_GT: return related_f16(r, pg, x, flushed_f16(pg, y, greatest));
    default: return related_f16(r, pg, flushed_f16(pg, x, 0), flushed_f16(pg, y, 0));
    }
}

/* Maps sign and magnitude to two's complement: both zeros map to 0, order is preserved, NaNs lie outside the
 * infinities. */
static ALWAYS_INLINE svint16_t to_twos_complement_16(svbool_t pg, svint16_t x) {
    return svsubr_n_s16_m(svcmplt_n_s16(pg, x, 0), x, INT16_MIN);
}

static ALWAYS_INLINE svint16_t magnitude_16(svint16_t x) {
    return svand_n_s16_x(svptrue_b8(), x, INT16_MAX);
}

enum { BF16_INFINITY = 0x7f80 };

static ALWAYS_INLINE svbool_t bf16_is_not_nan(svbool_t pg, svint16_t magnitude) {
    return svcmple_n_s16(pg, magnitude, BF16_INFINITY);
}

/* Each comparison is limited to the lanes for which the previous one is true. The right-hand side is checked first, so
 * a scalar is checked before the loop. For a < b it is enough to exclude positive NaNs in b and negative NaNs in a:
 * with other NaNs, the comparison is false anyway. */
static ALWAYS_INLINE svbool_t bf16_less(bool or_equal, svbool_t pg, svint16_t a, svint16_t b) {
    pg = svcmple_n_s16(pg, b, BF16_INFINITY);
    pg = svcmpge_n_s16(pg, a, -BF16_INFINITY);
    return or_equal ? svcmple_s16(pg, a, b) : svcmplt_s16(pg, a, b);
}

static ALWAYS_INLINE svbool_t bf16_greater(bool or_equal, svbool_t pg, svint16_t a, svint16_t b) {
    pg = svcmpge_n_s16(pg, b, -BF16_INFINITY);
    pg = svcmple_n_s16(pg, a, BF16_INFINITY);
    return or_equal ? svcmpge_s16(pg, a, b) : svcmpgt_s16(pg, a, b);
}

/* Compares as integers, because SVE has no comparison of bf16. */
static ALWAYS_INLINE svbool_t related_bf16(enum relation r, svbool_t pg, svuint8_t x, svuint8_t y) {
    const svint16_t a = svreinterpret_s16_u8(x), b = svreinterpret_s16_u8(y);
    const svint16_t am = magnitude_16(a), bm = magnitude_16(b);
    switch (r) {
    case RELATION_EQ:
        return svcmpeq_s16(bf16_is_not_nan(pg, bm), to_twos_complement_16(pg, a),
                           to_twos_complement_16(pg, b));
    case RELATION_LT: return bf16_less(false, pg, to_twos_complement_16(pg, a), to_twos_complement_16(pg, b));
    case RELATION_LE: return bf16_less(true, pg, to_twos_complement_16(pg, a), to_twos_complement_16(pg, b));
    case RELATION_GT:
        return bf16_greater(false, pg, to_twos_complement_16(pg, a), to_twos_complement_16(pg, b));
    case RELATION_GE:
        return bf16_greater(true, pg, to_twos_complement_16(pg, a), to_twos_complement_16(pg, b));
    case RELATION_ORD: return bf16_is_not_nan(bf16_is_not_nan(pg, bm), am);
    case RELATION_LG: /* different bits, and not both zero */
        pg = bf16_is_not_nan(bf16_is_not_nan(pg, bm), am);
        return svcmpne_n_s16(svcmpne_s16(pg, a, b), svorr_s16_x(svptrue_b8(), am, bm), 0);
    }
    return svpfalse_b();
}

#endif
