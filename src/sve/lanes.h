/* SPDX-License-Identifier: MIT */
/*
 * Loads, stores and loops for conversions: elements of 1 to 8 bytes in lanes of at least their size.
 *
 * Loads extend with zeros or with the sign, and stores truncate. Predicates limit the last vector. So the loops
 * take any length, need no scalar loop for the rest, and touch no byte outside the arrays.
 */
#ifndef PTO_SVE_LANES_H
#define PTO_SVE_LANES_H

#include "core/vcvt.h"
#include "sve/vector.h"

/* Vectors per iteration. Loads and stores take the number of the vector, up to 7, as an immediate offset. */
enum { LANES_VECTORS = 4 };

/* Load and store vector k of an array. pg is the predicate of the lanes; pb is the same for their bytes. */
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

/* Load and store vector k of an array. pg is the predicate of the lanes; pb is the same for their bytes. */
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

/* Load and store vector k of an array. pg is the predicate of the lanes; pb is the same for their bytes. */
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

/* ---- parameters of a conversion, and loops over lanes ---- */

/* How a conversion rounds: ROUND_BY_FPCR as the instructions do, ROUND_TO_NEAREST with ties to even, ROUND_AWAY to
 * nearest with ties away from zero, ROUND_BY_SIGN up or down depending on the sign. */
enum rounding {
    ROUND_TO_NEAREST,
    ROUND_TOWARDS_ZERO,
    ROUND_BY_SIGN,
    ROUND_AWAY,
    ROUND_TO_ODD,
    ROUND_BY_FPCR
};

/* The parameters of a conversion. In each loop the fields above the line are compile-time constants. Those below
 * the line vary at run time in the loops for any rounding or modifiers. */
struct cvt_params {
    pto_dtype dst, src;
    pto_round round;
    enum rounding rounding;
    unsigned extra_bits; /* bits of scales or random bits for each element */
    bool bounded;        /* values are clamped to lo and hi */
    /* ---- */
    double lo, hi;            /* in the source type; for small formats hi bounds the magnitude */
    u64 nan;                  /* result for a NaN, where the instruction's is not used */
    u32 largest_non_nan_bits; /* to ue5m3: magnitudes above these f32 bits become NaN */
    bool clears_negative;     /* -0 becomes +0; in small formats, negative results up to ... */
    u32 largest_cleared_code; /* ... this code become +0 */
    u32 round_up_by,
        sign_flip;    /* ROUND_BY_SIGN: if inexact and (x ^ sign_flip) < 0, `round_up_by` is added */
    u32 largest_code; /* the largest result */
    /* f64: positive values less than flush_below, and negative values more than -flush_below_negative, become zero */
    double flush_below, flush_below_negative;
};

typedef svuint16_t lane_fn_16(const struct cvt_params *f, svuint16_t x);

/* Computes dst[i] = compute(f, src[i]) for n elements, of `in` bytes in src and `out` bytes in dst. */
static ALWAYS_INLINE void each_16(lane_fn_16 *compute, const struct cvt_params *f, const u8 *src, size_t in,
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

typedef svuint32_t lane_fn_32(const struct cvt_params *f, svuint32_t x);

/* Computes dst[i] = compute(f, src[i]) for n elements, of `in` bytes in src and `out` bytes in dst. */
static ALWAYS_INLINE void each_32(lane_fn_32 *compute, const struct cvt_params *f, const u8 *src, size_t in,
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

typedef svuint64_t lane_fn_64(const struct cvt_params *f, svuint64_t x);

/* Computes dst[i] = compute(f, src[i]) for n elements, of `in` bytes in src and `out` bytes in dst. */
static ALWAYS_INLINE void each_64(lane_fn_64 *compute, const struct cvt_params *f, const u8 *src, size_t in,
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

/* ---- one or more vectors of source elements become one vector of 32, 16 or 8-bit results ---- */

/* The elements that one step of a loop reads. If `whole` they fill all vectors, and only each_byte_vector() sets n;
 * otherwise n elements are left. */
struct source {
    const u8 *src, *extra;
    size_t n;
    bool whole;
};

/* These load vector k: elements in 32-bit lanes, elements of 64 bits, or nibbles, one in each 32-bit lane. */
static ALWAYS_INLINE svuint32_t load_words_at(const struct source *p, size_t k, size_t bytes,
                                              bool is_signed) {
    const size_t at = k * svcntw();
    if (p->whole) return load_32(svptrue_b8(), svptrue_b8(), p->src, (int64_t)k, bytes, is_signed);
    return load_32(svwhilelt_b32_u64(at, p->n), svwhilelt_b8_u64(4 * at, 4 * p->n), p->src, (int64_t)k, bytes,
                   is_signed);
}

static ALWAYS_INLINE svuint64_t load_longs_at(const struct source *p, size_t k) {
    const size_t at = k * svcntb();
    return svreinterpret_u64(
        svld1_vnum_u8(p->whole ? svptrue_b8() : svwhilelt_b8_u64(at, 8 * p->n), p->src, (int64_t)k));
}

/* Splits pairs of nibbles in 64-bit lanes into 32-bit lanes. Only the low 4 bits of each result lane are valid. */
static ALWAYS_INLINE svuint32_t split_nibbles(svuint64_t pairs) {
    return svreinterpret_u32(svorr_x(svptrue_b64(), pairs, svlsl_x(svptrue_b64(), pairs, 28)));
}

static ALWAYS_INLINE svuint32_t load_nibbles_at(const struct source *p, size_t k) {
    const svbool_t pg = p->whole ? svptrue_b64() : svwhilelt_b64_u64(k * svcntd(), (p->n + 1) / 2);
    return split_nibbles(svld1ub_vnum_u64(pg, p->src, (int64_t)k));
}

/* Loads a vector of bytes from p->extra: scales or random bits. If p is not whole, only the first `lanes` bytes are
 * loaded. */
static ALWAYS_INLINE svuint8_t load_extra(const struct source *p, size_t lanes) {
    return svld1_u8(p->whole ? svptrue_b8() : svwhilelt_b8_u64(0, lanes), p->extra);
}

static ALWAYS_INLINE size_t array_bytes(pto_dtype type, size_t n) {
    return vcvt_is_4_bit(type) ? n / 2 : n * element_bytes(type);
}

/* These functions compute one vector of results. word_fn computes vector k of 32-bit results. half_fn computes vector b
 * of 16-bit results from two vectors of 32-bit lanes, and byte_fn 8-bit results from four. */
typedef svuint32_t word_fn(const struct cvt_params *f, const struct source *p, size_t k);
typedef svuint16_t half_fn(const struct cvt_params *f, const struct source *p, size_t b);
typedef svuint8_t byte_fn(const struct cvt_params *f, const struct source *p);

static ALWAYS_INLINE void each_word(word_fn *compute, struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    const size_t lanes = svcntw();
    for (; n >= LANES_VECTORS * lanes; n -= LANES_VECTORS * lanes) {
        const struct source p = {src, NULL, 0, true};
        UNROLL
        for (int64_t k = 0; k < LANES_VECTORS; ++k)
            svst1_vnum_u8(svptrue_b8(), dst, k, svreinterpret_u8(compute(&f, &p, (size_t)k)));
        src += array_bytes(f.src, LANES_VECTORS * lanes);
        dst += 4 * LANES_VECTORS * lanes;
    }
    for (size_t i = 0; i < n; i += lanes) {
        const struct source p = {src + array_bytes(f.src, i), NULL, n - i, false};
        svst1_u8(svwhilelt_b8_u64(4 * i, 4 * n), dst + 4 * i, svreinterpret_u8(compute(&f, &p, 0)));
    }
}

static ALWAYS_INLINE size_t extra_size(const struct cvt_params *f, size_t n) {
    return n * f->extra_bits / 8;
}

static ALWAYS_INLINE void each_half_vector(half_fn *compute, struct cvt_params f, const u8 *src,
                                           const u8 *extra, u8 *dst, size_t n) {
    const size_t lanes = svcnth();
    for (; n >= 2 * lanes; n -= 2 * lanes) {
        const struct source p = {src, extra, 0, true};
        svst1_vnum_u8(svptrue_b8(), dst, 0, svreinterpret_u8(compute(&f, &p, 0)));
        svst1_vnum_u8(svptrue_b8(), dst, 1, svreinterpret_u8(compute(&f, &p, 1)));
        src += array_bytes(f.src, 2 * lanes);
        extra += extra_size(&f, 2 * lanes);
        dst += 4 * lanes;
    }
    for (size_t i = 0; i < n; i += lanes) {
        const struct source p = {src + array_bytes(f.src, i), extra + extra_size(&f, i), n - i, false};
        svst1_u8(svwhilelt_b8_u64(2 * i, 2 * n), dst + 2 * i, svreinterpret_u8(compute(&f, &p, 0)));
    }
}

/* Stores 8-bit results, or packs nibbles two to a byte, the first in the low half. After an odd number of nibbles,
 * the high half of the last byte is 0. */
static ALWAYS_INLINE void store_bytes_of(const struct cvt_params *f, const struct source *p, u8 *dst,
                                         svuint8_t x) {
    const svbool_t pg = p->whole ? svptrue_b8() : svwhilelt_b8_u64(0, p->n);
    svuint16_t two;
    if (!vcvt_is_4_bit(f->dst)) {
        svst1_u8(pg, dst, x);
        return;
    }
    two = svreinterpret_u16(p->whole ? x : svsel(pg, x, svdup_n_u8(0)));
    two = svorr_x(svptrue_b16(), two, svlsr_x(svptrue_b16(), two, 4));
    svst1b_u16(p->whole ? svptrue_b16() : svwhilelt_b16_u64(0, (p->n + 1) / 2), dst, two);
}

static ALWAYS_INLINE void each_byte_vector(byte_fn *compute, struct cvt_params f, const u8 *src,
                                           const u8 *extra, u8 *dst, size_t n) {
    const size_t lanes = svcntb();
    for (; n >= lanes; n -= lanes) {
        const struct source p = {src, extra, lanes, true};
        store_bytes_of(&f, &p, dst, compute(&f, &p));
        src += array_bytes(f.src, lanes);
        extra += extra_size(&f, lanes);
        dst += array_bytes(f.dst, lanes);
    }
    if (n != 0) {
        const struct source p = {src, extra, n, false};
        store_bytes_of(&f, &p, dst, compute(&f, &p));
    }
}

#endif
