/* SPDX-License-Identifier: MIT */
/*
 * Elements of 1 to 8 bytes in lanes of at least as many, and the way through an array of them: what conversions are
 * written in. Loads extend, by zeros or by the sign; stores cut. The last lanes are taken by predicates, so there is
 * nothing to do after these loops, and they touch no byte beyond the arrays.
 */
#ifndef PTO_SVE_LANES_H
#define PTO_SVE_LANES_H

#include "sve/vector.h"

/* A step of the loops: where a vector lies is part of its load, up to the eighth. */
enum { LANES_VECTORS = 4 };

/* Vector k of those that begin at p; pg: lanes, pb: the same as bytes. */
static ALWAYS_INLINE svuint16_t load_16(svbool_t pg, svbool_t pb, const u8 *p, int64_t k, size_t bytes,
                                        bool is_signed) {
    if (bytes == 1 && is_signed) return svreinterpret_u16(svld1sb_vnum_s16(pg, (const s8 *)p, k));
    if (bytes == 1) return svld1ub_vnum_u16(pg, p, k);
    return svreinterpret_u16(svld1_vnum_u8(pb, p, k));
}

static ALWAYS_INLINE void store_16(svbool_t pg, svbool_t pb, u8 *p, int64_t k, svuint16_t x, size_t bytes) {
    if (bytes == 1)
        svst1b_vnum_u16(pg, p, k, x);
    else
        svst1_vnum_u8(pb, p, k, svreinterpret_u8(x));
}

/* Vector k of those that begin at p; pg: lanes, pb: the same as bytes. */
static ALWAYS_INLINE svuint32_t load_32(svbool_t pg, svbool_t pb, const u8 *p, int64_t k, size_t bytes,
                                        bool is_signed) {
    if (bytes == 1 && is_signed) return svreinterpret_u32(svld1sb_vnum_s32(pg, (const s8 *)p, k));
    if (bytes == 1) return svld1ub_vnum_u32(pg, p, k);
    if (bytes == 2 && is_signed) return svreinterpret_u32(svld1sh_vnum_s32(pg, (const s16 *)p, k));
    if (bytes == 2) return svld1uh_vnum_u32(pg, (const u16 *)p, k);
    return svreinterpret_u32(svld1_vnum_u8(pb, p, k));
}

static ALWAYS_INLINE void store_32(svbool_t pg, svbool_t pb, u8 *p, int64_t k, svuint32_t x, size_t bytes) {
    if (bytes == 1)
        svst1b_vnum_u32(pg, p, k, x);
    else if (bytes == 2)
        svst1h_vnum_u32(pg, (u16 *)p, k, x);
    else
        svst1_vnum_u8(pb, p, k, svreinterpret_u8(x));
}

/* Vector k of those that begin at p; pg: lanes, pb: the same as bytes. */
static ALWAYS_INLINE svuint64_t load_64(svbool_t pg, svbool_t pb, const u8 *p, int64_t k, size_t bytes,
                                        bool is_signed) {
    if (bytes == 1 && is_signed) return svreinterpret_u64(svld1sb_vnum_s64(pg, (const s8 *)p, k));
    if (bytes == 1) return svld1ub_vnum_u64(pg, p, k);
    if (bytes == 2 && is_signed) return svreinterpret_u64(svld1sh_vnum_s64(pg, (const s16 *)p, k));
    if (bytes == 2) return svld1uh_vnum_u64(pg, (const u16 *)p, k);
    if (bytes == 4 && is_signed) return svreinterpret_u64(svld1sw_vnum_s64(pg, (const s32 *)p, k));
    if (bytes == 4) return svld1uw_vnum_u64(pg, (const u32 *)p, k);
    return svreinterpret_u64(svld1_vnum_u8(pb, p, k));
}

static ALWAYS_INLINE void store_64(svbool_t pg, svbool_t pb, u8 *p, int64_t k, svuint64_t x, size_t bytes) {
    if (bytes == 1)
        svst1b_vnum_u64(pg, p, k, x);
    else if (bytes == 2)
        svst1h_vnum_u64(pg, (u16 *)p, k, x);
    else if (bytes == 4)
        svst1w_vnum_u64(pg, (u32 *)p, k, x);
    else
        svst1_vnum_u8(pb, p, k, svreinterpret_u8(x));
}

/* ---- lane by lane ---- */

/* What a conversion is told; constants wherever there is a loop. */
struct form {
    pto_dtype dst, src;
    pto_round round;
    bool bounded;  /* results are held between these */
    double lo, hi; /* in the source's values */
    u64 nan;       /* what becomes of a NaN, where that is one thing */
};

typedef svuint16_t lane_fn_16(const struct form *f, svuint16_t x);

/* compute of each element of `in` bytes, to one of `out`. */
static ALWAYS_INLINE void each_16(lane_fn_16 *compute, const struct form *f, const u8 *src, size_t in,
                                  bool is_signed, u8 *dst, size_t out, size_t n) {
    const svbool_t all = svptrue_b8();
    const size_t lanes = svcnth();
    for (; n >= LANES_VECTORS * lanes; n -= LANES_VECTORS * lanes) {
        UNROLL
        for (int64_t k = 0; k < LANES_VECTORS; ++k)
            store_16(all, all, dst, k, compute(f, load_16(all, all, src, k, in, is_signed)), out);
        src += LANES_VECTORS * lanes * in;
        dst += LANES_VECTORS * lanes * out;
    }
    for (size_t i = 0; i < n; i += lanes) {
        const svbool_t pg = svwhilelt_b16_u64(i, n), pb = svwhilelt_b8_u64(2 * i, 2 * n);
        const svuint16_t x = load_16(pg, pb, src + i * in, 0, in, is_signed);
        store_16(pg, pb, dst + i * out, 0, compute(f, x), out);
    }
}

typedef svuint32_t lane_fn_32(const struct form *f, svuint32_t x);

/* compute of each element of `in` bytes, to one of `out`. */
static ALWAYS_INLINE void each_32(lane_fn_32 *compute, const struct form *f, const u8 *src, size_t in,
                                  bool is_signed, u8 *dst, size_t out, size_t n) {
    const svbool_t all = svptrue_b8();
    const size_t lanes = svcntw();
    for (; n >= LANES_VECTORS * lanes; n -= LANES_VECTORS * lanes) {
        UNROLL
        for (int64_t k = 0; k < LANES_VECTORS; ++k)
            store_32(all, all, dst, k, compute(f, load_32(all, all, src, k, in, is_signed)), out);
        src += LANES_VECTORS * lanes * in;
        dst += LANES_VECTORS * lanes * out;
    }
    for (size_t i = 0; i < n; i += lanes) {
        const svbool_t pg = svwhilelt_b32_u64(i, n), pb = svwhilelt_b8_u64(4 * i, 4 * n);
        const svuint32_t x = load_32(pg, pb, src + i * in, 0, in, is_signed);
        store_32(pg, pb, dst + i * out, 0, compute(f, x), out);
    }
}

typedef svuint64_t lane_fn_64(const struct form *f, svuint64_t x);

/* compute of each element of `in` bytes, to one of `out`. */
static ALWAYS_INLINE void each_64(lane_fn_64 *compute, const struct form *f, const u8 *src, size_t in,
                                  bool is_signed, u8 *dst, size_t out, size_t n) {
    const svbool_t all = svptrue_b8();
    const size_t lanes = svcntd();
    for (; n >= LANES_VECTORS * lanes; n -= LANES_VECTORS * lanes) {
        UNROLL
        for (int64_t k = 0; k < LANES_VECTORS; ++k)
            store_64(all, all, dst, k, compute(f, load_64(all, all, src, k, in, is_signed)), out);
        src += LANES_VECTORS * lanes * in;
        dst += LANES_VECTORS * lanes * out;
    }
    for (size_t i = 0; i < n; i += lanes) {
        const svbool_t pg = svwhilelt_b64_u64(i, n), pb = svwhilelt_b8_u64(8 * i, 8 * n);
        const svuint64_t x = load_64(pg, pb, src + i * in, 0, in, is_signed);
        store_64(pg, pb, dst + i * out, 0, compute(f, x), out);
    }
}

/* ---- two or four vectors of words to one, which are packed before the last steps are taken ---- */

typedef svuint16_t pair_fn(const struct form *f, svuint32_t x0, svuint32_t x1);
typedef svuint8_t four_fn(const struct form *f, svuint32_t x0, svuint32_t x1, svuint32_t x2, svuint32_t x3);

/* Vector k of words, before element n. */
static ALWAYS_INLINE svuint32_t words_of(bool whole, const u8 *src, size_t k, size_t in, bool is_signed,
                                         size_t n) {
    const size_t at = k * svcntw();
    if (whole) return load_32(svptrue_b8(), svptrue_b8(), src, (int64_t)k, in, is_signed);
    return load_32(svwhilelt_b32_u64(at, n), svwhilelt_b8_u64(4 * at, 4 * n), src, (int64_t)k, in, is_signed);
}

/* Block b of those that begin at src and dst: as many lanes as a vector has halves, or before element n. */
static ALWAYS_INLINE void pair_block(pair_fn *compute, const struct form *f, bool whole, const u8 *src,
                                     size_t in, bool is_signed, u8 *dst, size_t b, size_t n) {
    const svbool_t pg = whole ? svptrue_b8() : svwhilelt_b8_u64(0, 2 * n);
    const svuint32_t x0 = words_of(whole, src, 2 * b, in, is_signed, n),
                     x1 = words_of(whole, src, 2 * b + 1, in, is_signed, n);
    svst1_vnum_u8(pg, dst, (int64_t)b, svreinterpret_u8(compute(f, x0, x1)));
}

/* As many lanes as a vector has bytes, or before element n. */
static ALWAYS_INLINE void four_block(four_fn *compute, const struct form *f, bool whole, const u8 *src,
                                     size_t in, bool is_signed, u8 *dst, size_t n) {
    const svbool_t pg = whole ? svptrue_b8() : svwhilelt_b8_u64(0, n);
    svst1_u8(pg, dst,
             compute(f, words_of(whole, src, 0, in, is_signed, n), words_of(whole, src, 1, in, is_signed, n),
                     words_of(whole, src, 2, in, is_signed, n), words_of(whole, src, 3, in, is_signed, n)));
}

static ALWAYS_INLINE void each_pair(pair_fn *compute, const struct form *f, const u8 *src, size_t in,
                                    bool is_signed, u8 *dst, size_t n) {
    const size_t lanes = svcnth();
    for (; n >= 2 * lanes; n -= 2 * lanes) {
        pair_block(compute, f, true, src, in, is_signed, dst, 0, lanes);
        pair_block(compute, f, true, src, in, is_signed, dst, 1, lanes);
        src += 2 * lanes * in;
        dst += 4 * lanes;
    }
    for (size_t i = 0; i < n; i += lanes)
        pair_block(compute, f, false, src + i * in, in, is_signed, dst + 2 * i, 0, n - i);
}

static ALWAYS_INLINE void each_four(four_fn *compute, const struct form *f, const u8 *src, size_t in,
                                    bool is_signed, u8 *dst, size_t n) {
    const size_t lanes = svcntb();
    for (; n >= lanes; n -= lanes) {
        four_block(compute, f, true, src, in, is_signed, dst, lanes);
        src += lanes * in;
        dst += lanes;
    }
    if (n != 0) four_block(compute, f, false, src, in, is_signed, dst, n);
}

#endif
