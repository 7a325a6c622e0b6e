/* SPDX-License-Identifier: MIT */
/*
 * SVE as the loops of this folder use it: vectors of bytes, whatever the lanes are, and predicates. A predicate has a
 * bit for each byte of a vector, and the truth of a lane is the bit of its lowest byte. So the predicate of lanes of
 * W bits, laid into memory, is their image; that of bytes is packed bits. Nothing here knows how long a vector is:
 * svcntb() bytes, which is svcntd() bytes of predicate.
 *
 * Of SVE itself alone, without SVE2.
 */
#ifndef PTO_SVE_VECTOR_H
#define PTO_SVE_VECTOR_H

#include <arm_sve.h>

#include "core/kernels.h"

/* As long as the architecture lets a vector become, and a predicate. */
enum { VECTOR_BYTES_MAX = 256, PREDICATE_BYTES_MAX = VECTOR_BYTES_MAX / 8 };

/* ---- loads and stores ---- */

static ALWAYS_INLINE svbool_t load_predicate(const u8 *p) {
    return *(const svbool_t *)p; /* which is how the ACLE has it */
}

static ALWAYS_INLINE void store_predicate(u8 *p, svbool_t truth) {
    *(svbool_t *)p = truth;
}

/* The first bytes of a vector; or, of the vectors that begin with number k, those before `bytes`. */
static ALWAYS_INLINE svbool_t first_bytes(size_t bytes) {
    return svwhilelt_b8_u64(0, bytes);
}

static ALWAYS_INLINE svbool_t bytes_of_vector(size_t k, size_t bytes) {
    return svwhilelt_b8_u64(k * svcntb(), bytes);
}

/* A predicate of which memory has up to svcntd() bytes: there is no instruction for less than all. */
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

/* Every lane the element at p. */
static ALWAYS_INLINE svuint8_t spread_element(const u8 *p, size_t element_bytes) {
    const u64 x = load_bytes(p, element_bytes);
    switch (element_bytes) {
    case 1: return svdup_n_u8((u8)x);
    case 2: return svreinterpret_u8_u16(svdup_n_u16((u16)x));
    case 4: return svreinterpret_u8_u32(svdup_n_u32((u32)x));
    default: return svreinterpret_u8_u64(svdup_n_u64(x));
    }
}

/* The lanes whose byte of those at p is not 0, with as many bytes as a vector has lanes. */
static ALWAYS_INLINE svbool_t load_truth_bytes(svbool_t pg, const u8 *p, size_t element_bytes) {
    switch (element_bytes) {
    case 1: return svcmpne_n_u8(pg, svld1_u8(pg, p), 0);
    case 2: return svcmpne_n_u16(pg, svld1ub_u16(pg, p), 0);
    case 4: return svcmpne_n_u32(pg, svld1ub_u32(pg, p), 0);
    default: return svcmpne_n_u64(pg, svld1ub_u64(pg, p), 0);
    }
}

/* ---- predicates ---- */

/* For every lane the same. */
static ALWAYS_INLINE svbool_t all_lanes(bool on, size_t element_bytes) {
    switch (element_bytes) {
    case 1: return svdup_n_b8(on);
    case 2: return svdup_n_b16(on);
    case 4: return svdup_n_b32(on);
    default: return svdup_n_b64(on);
    }
}

/* Of truth for bytes, the part that is for vector k of the `vectors` whose lanes these are. */
static ALWAYS_INLINE svbool_t widened(svbool_t truth, size_t vectors, size_t k) {
    if (vectors == 8) truth = (k & 4) != 0 ? svunpkhi_b(truth) : svunpklo_b(truth);
    if (vectors >= 4) truth = (k & 2) != 0 ? svunpkhi_b(truth) : svunpklo_b(truth);
    if (vectors >= 2) truth = (k & 1) != 0 ? svunpkhi_b(truth) : svunpklo_b(truth);
    return truth;
}

/* ---- relations of lanes, of those in pg ---- */

#define INTEGER_RELATION(type)                                                                               \
    static ALWAYS_INLINE svbool_t related_##type(enum basis r, svbool_t pg, svuint8_t x, svuint8_t y) {      \
        const sv##type##_lanes a = svreinterpret_##type##_u8(x), b = svreinterpret_##type##_u8(y);           \
        return r == BASIS_EQ   ? svcmpeq_##type(pg, a, b)                                                    \
               : r == BASIS_LT ? svcmplt_##type(pg, a, b)                                                    \
                               : svcmpgt_##type(pg, a, b);                                                   \
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

/* "Not equal" is true of NaNs, so "less or greater" is two comparisons; and "ordered" is two, of which the second asks
 * the lanes alone for which the first is true. */
#define FLOAT_RELATION(type)                                                                                 \
    static ALWAYS_INLINE svbool_t related_##type(enum basis r, svbool_t pg, svuint8_t x, svuint8_t y) {      \
        const sv##type##_lanes a = svreinterpret_##type##_u8(x), b = svreinterpret_##type##_u8(y);           \
        switch (r) {                                                                                         \
        case BASIS_EQ: return svcmpeq_##type(pg, a, b);                                                      \
        case BASIS_LT: return svcmplt_##type(pg, a, b);                                                      \
        case BASIS_LE: return svcmple_##type(pg, a, b);                                                      \
        case BASIS_GT: return svcmpgt_##type(pg, a, b);                                                      \
        case BASIS_GE: return svcmpge_##type(pg, a, b);                                                      \
        case BASIS_LG: return svorr_b_z(pg, svcmplt_##type(pg, a, b), svcmpgt_##type(pg, a, b));             \
        case BASIS_ORD: return svcmpeq_##type(svcmpeq_##type(pg, a, a), b, b);                               \
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

/* FPCR.FZ leaves f16 alone, so what is below the least normal number becomes another by hand. */
static ALWAYS_INLINE svuint8_t flushed_f16(svbool_t pg, svuint8_t x, u16 zero) {
    const svbool_t tiny = svaclt_n_f16(pg, svreinterpret_f16_u8(x), (float16_t)0x1p-14f);
    return svreinterpret_u8_u16(svsel_u16(tiny, svdup_n_u16(zero), svreinterpret_u16_u8(x)));
}

/* For an order it is enough to change the right-hand side, a scalar before the loop: see half_flushed of loops/half.h. */
static ALWAYS_INLINE svbool_t related_f16z(enum basis r, svbool_t pg, svuint8_t x, svuint8_t y) {
    const u16 greatest = 0x03ff;
    switch (r) {
    case BASIS_ORD: return related_f16(r, pg, x, y);
    case BASIS_LT:
    case BASIS_GE: return related_f16(r, pg, x, flushed_f16(pg, y, 0x8000 | greatest));
    case BASIS_LE:
    case BASIS_GT: return related_f16(r, pg, x, flushed_f16(pg, y, greatest));
    default: return related_f16(r, pg, flushed_f16(pg, x, 0), flushed_f16(pg, y, 0));
    }
}

/* Sign and magnitude to two's complement: both zeros give 0, order is kept, NaNs are beyond the infinities. */
static ALWAYS_INLINE svint16_t order_16(svbool_t pg, svint16_t x) {
    return svsubr_n_s16_m(svcmplt_n_s16(pg, x, 0), x, INT16_MIN);
}

static ALWAYS_INLINE svint16_t magnitude_16(svint16_t x) {
    return svand_n_s16_x(svptrue_b8(), x, INT16_MAX);
}

enum { BF16_INFINITY = 0x7f80 };

static ALWAYS_INLINE svbool_t bf16_number(svbool_t pg, svint16_t magnitude) {
    return svcmple_n_s16(pg, magnitude, BF16_INFINITY);
}

/* Each comparison is of the lanes alone for which the one before it is true, that of the right-hand side is the first:
 * a scalar is asked before the loop. Of a < b and a <= b it is enough to look at the outer bounds. */
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

/* In integers: SVE has no comparison of bf16. */
static ALWAYS_INLINE svbool_t related_bf16(enum basis r, svbool_t pg, svuint8_t x, svuint8_t y) {
    const svint16_t a = svreinterpret_s16_u8(x), b = svreinterpret_s16_u8(y);
    const svint16_t am = magnitude_16(a), bm = magnitude_16(b);
    switch (r) {
    case BASIS_EQ: return svcmpeq_s16(bf16_number(pg, bm), order_16(pg, a), order_16(pg, b));
    case BASIS_LT: return bf16_less(false, pg, order_16(pg, a), order_16(pg, b));
    case BASIS_LE: return bf16_less(true, pg, order_16(pg, a), order_16(pg, b));
    case BASIS_GT: return bf16_greater(false, pg, order_16(pg, a), order_16(pg, b));
    case BASIS_GE: return bf16_greater(true, pg, order_16(pg, a), order_16(pg, b));
    case BASIS_ORD: return bf16_number(bf16_number(pg, bm), am);
    case BASIS_LG: /* of other bits, and not two zeros */
        pg = bf16_number(bf16_number(pg, bm), am);
        return svcmpne_n_s16(svcmpne_s16(pg, a, b), svorr_s16_x(svptrue_b8(), am, bm), 0);
    }
    return svpfalse_b();
}

#endif
