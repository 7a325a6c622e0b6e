/* SPDX-License-Identifier: MIT */
/*
 * Elements of 1 to 8 bytes in lanes of at least as many, and the way through an array of them: what conversions are
 * written in. Loads extend, by zeros or by the sign; stores cut. The last lanes are taken by predicates, so there is
 * nothing to do after these loops, and they touch no byte beyond the arrays.
 */
#ifndef PTO_SVE_LANES_H
#define PTO_SVE_LANES_H

#include "core/vcvt.h"
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

/* How digits are cut off where FPCR does not say it; AWAY: to nearest, ties away from zero. */
enum cut_as { TO_NEAREST, TOWARDS_ZERO, BY_SIGN, AWAY, TO_ODD, BY_FPCR };

/* What a conversion is told. All is constant wherever there is a loop, but in those for any rounding or modifiers what
 * stands below the line. */
struct form {
    pto_dtype dst, src;
    pto_round round;
    enum cut_as cut;
    unsigned extra_bits; /* what there is of a third operand for each element */
    bool bounded;        /* results are held between lo and hi */
    /* ---- */
    double lo, hi; /* in the source's values; of small formats hi is their largest magnitude */
    u64 nan;       /* what becomes of a NaN, where that is one thing */
    u32 numbers;   /* the bits of the greatest magnitude of f32 that is none */
    bool drops;    /* negative results become +0, those up to ... */
    u32 dropped;   /* ... this code */
    u32 up,
        flipped; /* BY_SIGN: how much is added where anything is cut off from a number that is negative, flipped */
    u32 code;                   /* the largest that there may be */
    double tiny, tiny_negative; /* magnitudes of f64, by sign, below which an f32 is zero */
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

/* ---- vectors of elements of any size, which become one of words, halves or bytes ---- */

/* Where the elements are, and how many: as many as the vectors take, or fewer. */
struct part {
    const u8 *src, *extra;
    size_t n;
    bool whole;
};

/* Vector k of words, of longs, and of the pairs of nibbles that as many words take. */
static ALWAYS_INLINE svuint32_t words_at(const struct part *p, size_t k, size_t bytes, bool is_signed) {
    const size_t at = k * svcntw();
    if (p->whole) return load_32(svptrue_b8(), svptrue_b8(), p->src, (int64_t)k, bytes, is_signed);
    return load_32(svwhilelt_b32_u64(at, p->n), svwhilelt_b8_u64(4 * at, 4 * p->n), p->src, (int64_t)k, bytes,
                   is_signed);
}

static ALWAYS_INLINE svuint64_t longs_at(const struct part *p, size_t k) {
    const size_t at = k * svcntb();
    return svreinterpret_u64(
        svld1_vnum_u8(p->whole ? svptrue_b8() : svwhilelt_b8_u64(at, 8 * p->n), p->src, (int64_t)k));
}

/* A nibble is the lowest of its lane, where what lies above it means nothing. */
static ALWAYS_INLINE svuint32_t nibbles_apart(svuint64_t pairs) {
    return svreinterpret_u32(svorr_x(svptrue_b64(), pairs, svlsl_x(svptrue_b64(), pairs, 28)));
}

static ALWAYS_INLINE svuint32_t nibbles_at(const struct part *p, size_t k) {
    const svbool_t pg = p->whole ? svptrue_b64() : svwhilelt_b64_u64(k * svcntd(), (p->n + 1) / 2);
    return nibbles_apart(svld1ub_vnum_u64(pg, p->src, (int64_t)k));
}

/* A vector of the third operand in lanes of 8 or 16 bits, of which `lanes` count if the part is not whole. */
static ALWAYS_INLINE svuint8_t extra_bytes(const struct part *p, size_t lanes) {
    return svld1_u8(p->whole ? svptrue_b8() : svwhilelt_b8_u64(0, lanes), p->extra);
}

static ALWAYS_INLINE size_t array_bytes(pto_dtype type, size_t n) {
    return vcvt_is_nibble(type) ? n / 2 : n * element_bytes(type);
}

/* What becomes of vector k, words; of the words of which vector b of halves is made; of four vectors. */
typedef svuint32_t word_fn(const struct form *f, const struct part *p, size_t k);
typedef svuint16_t pair_fn(const struct form *f, const struct part *p, size_t b);
typedef svuint8_t four_fn(const struct form *f, const struct part *p);

static ALWAYS_INLINE void each_word(word_fn *compute, struct form f, const u8 *src, u8 *dst, size_t n) {
    const size_t lanes = svcntw();
    for (; n >= LANES_VECTORS * lanes; n -= LANES_VECTORS * lanes) {
        const struct part p = {src, NULL, 0, true};
        UNROLL
        for (int64_t k = 0; k < LANES_VECTORS; ++k)
            svst1_vnum_u8(svptrue_b8(), dst, k, svreinterpret_u8(compute(&f, &p, (size_t)k)));
        src += array_bytes(f.src, LANES_VECTORS * lanes);
        dst += 4 * LANES_VECTORS * lanes;
    }
    for (size_t i = 0; i < n; i += lanes) {
        const struct part p = {src + array_bytes(f.src, i), NULL, n - i, false};
        svst1_u8(svwhilelt_b8_u64(4 * i, 4 * n), dst + 4 * i, svreinterpret_u8(compute(&f, &p, 0)));
    }
}

static ALWAYS_INLINE size_t bytes_of_extra(const struct form *f, size_t n) {
    return n * f->extra_bits / 8;
}

static ALWAYS_INLINE void each_pair(pair_fn *compute, struct form f, const u8 *src, const u8 *extra, u8 *dst,
                                    size_t n) {
    const size_t lanes = svcnth();
    for (; n >= 2 * lanes; n -= 2 * lanes) {
        const struct part p = {src, extra, 0, true};
        svst1_vnum_u8(svptrue_b8(), dst, 0, svreinterpret_u8(compute(&f, &p, 0)));
        svst1_vnum_u8(svptrue_b8(), dst, 1, svreinterpret_u8(compute(&f, &p, 1)));
        src += array_bytes(f.src, 2 * lanes);
        extra += bytes_of_extra(&f, 2 * lanes);
        dst += 4 * lanes;
    }
    for (size_t i = 0; i < n; i += lanes) {
        const struct part p = {src + array_bytes(f.src, i), extra + bytes_of_extra(&f, i), n - i, false};
        svst1_u8(svwhilelt_b8_u64(2 * i, 2 * n), dst + 2 * i, svreinterpret_u8(compute(&f, &p, 0)));
    }
}

/* Of nibbles the lower one of a byte comes first; beyond the last one there is a zero. */
static ALWAYS_INLINE void store_four(const struct form *f, const struct part *p, u8 *dst, svuint8_t x) {
    const svbool_t pg = p->whole ? svptrue_b8() : svwhilelt_b8_u64(0, p->n);
    svuint16_t two;
    if (!vcvt_is_nibble(f->dst)) {
        svst1_u8(pg, dst, x);
        return;
    }
    two = svreinterpret_u16(p->whole ? x : svsel(pg, x, svdup_n_u8(0)));
    two = svorr_x(svptrue_b16(), two, svlsr_x(svptrue_b16(), two, 4));
    svst1b_u16(p->whole ? svptrue_b16() : svwhilelt_b16_u64(0, (p->n + 1) / 2), dst, two);
}

static ALWAYS_INLINE void each_four(four_fn *compute, struct form f, const u8 *src, const u8 *extra, u8 *dst,
                                    size_t n) {
    const size_t lanes = svcntb();
    for (; n >= lanes; n -= lanes) {
        const struct part p = {src, extra, lanes, true};
        store_four(&f, &p, dst, compute(&f, &p));
        src += array_bytes(f.src, lanes);
        extra += bytes_of_extra(&f, lanes);
        dst += array_bytes(f.dst, lanes);
    }
    if (n != 0) {
        const struct part p = {src, extra, n, false};
        store_four(&f, &p, dst, compute(&f, &p));
    }
}

#endif
