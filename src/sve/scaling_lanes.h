/* SPDX-License-Identifier: MIT */
/*
 * The loops of block scaling over elements, in SVE. Each element is an f32 in a lane of 32 bits. Part of
 * loops/scaling.h. FPCR must be in its default state.
 */
#include "sve/convert_small.h"

/* ---- the largest magnitude of each block; NaNs are above infinity if propagates_nan, else they are ignored ---- */

/* The size of a block: groups of four vectors, then vectors, then bytes. */
struct block_size {
    size_t quads, vectors, bytes;
};

static ALWAYS_INLINE struct block_size block_size_of(size_t bytes) {
    const size_t vector = svcntb();
    return (struct block_size){bytes / (4 * vector), bytes / vector % 4, bytes % vector};
}

/* max_magnitude_vector_W() returns the larger of `most` and the magnitudes of vector k, of which pb selects the bytes.
 * max_magnitude_block_W() returns the largest magnitude of a block. */
#define MAX_MAGNITUDE(w)                                                                                     \
    static ALWAYS_INLINE svuint##w##_t max_magnitude_vector_##w(                                             \
        svbool_t pb, const u8 *x, int64_t k, svuint##w##_t most, u##w infinity, bool propagates_nan) {       \
        const svbool_t all = svptrue_b##w();                                                                 \
        const svuint##w##_t m = svand_x(all, svreinterpret_u##w(svld1_vnum_u8(pb, x, k)), INT##w##_MAX);     \
        return propagates_nan ? svmax_x(all, most, m) : svmax_m(svcmple(all, m, infinity), most, m);         \
    }                                                                                                        \
                                                                                                             \
    static ALWAYS_INLINE u32 max_magnitude_block_##w(const u8 *x, struct block_size size, u##w infinity,     \
                                                     bool propagates_nan) {                                  \
        const svbool_t all = svptrue_b8();                                                                   \
        const size_t vector = svcntb();                                                                      \
        svuint##w##_t most = svdup_n_u##w(0);                                                                \
        for (size_t i = 0; i < size.quads; ++i, x += 4 * vector) {                                           \
            UNROLL                                                                                           \
            for (int64_t k = 0; k < 4; ++k)                                                                  \
                most = max_magnitude_vector_##w(all, x, k, most, infinity, propagates_nan);                  \
        }                                                                                                    \
        for (size_t i = 0; i < size.vectors; ++i, x += vector)                                               \
            most = max_magnitude_vector_##w(all, x, 0, most, infinity, propagates_nan);                      \
        if (size.bytes != 0)                                                                                 \
            most = max_magnitude_vector_##w(first_bytes(size.bytes), x, 0, most, infinity, propagates_nan);  \
        return svmaxv(svptrue_b##w(), most);                                                                 \
    }
MAX_MAGNITUDE(16)
MAX_MAGNITUDE(32)
#undef MAX_MAGNITUDE

/* Updates the maxima of `blocks` blocks of one size, which are `step` bytes apart. */
static ALWAYS_INLINE void amax_blocks(const u8 *x, size_t blocks, size_t step, struct block_size size,
                                      u32 *maxima, pto_dtype type, bool propagates_nan) {
    const u32 infinity = (u32)cvt_inf_code(cvt_format_of(type));
    for (; blocks != 0; --blocks, ++maxima, x += step) {
        const u32 m = type == PTO_F32 ? max_magnitude_block_32(x, size, infinity, propagates_nan)
                                      : max_magnitude_block_16(x, size, (u16)infinity, propagates_nan);
        *maxima = m > *maxima ? m : *maxima;
    }
}

/* Updates the maxima of n blocks of one element. */
static ALWAYS_INLINE void amax_each(const u8 *x, size_t n, u32 *maxima, pto_dtype type, bool propagates_nan) {
    const u32 infinity = (u32)cvt_inf_code(cvt_format_of(type));
    for (size_t i = 0; i < n; i += svcntw()) {
        const svbool_t pg = svwhilelt_b32_u64(i, n), pb = svwhilelt_b8_u64(4 * i, 4 * n);
        const svuint32_t code =
            load_32(pg, pb, x + i * tensor_elem_bytes(type), 0, tensor_elem_bytes(type), false);
        const svuint32_t m = svand_x(pg, code, type == PTO_F32 ? INT32_MAX : INT16_MAX);
        const svuint32_t most = svld1(pg, maxima + i);
        svst1(pg, maxima + i, svmax_m(propagates_nan ? pg : svcmple(pg, m, infinity), most, m));
    }
}

static ALWAYS_INLINE void amax_any(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype type,
                                   bool propagates_nan) {
    const size_t bytes = block * tensor_elem_bytes(type), vector = svcntb(), blocks = n / block;
    if (block == 1) {
        amax_each(x, n, maxima, type, propagates_nan);
        return;
    }
    if (propagates_nan && bytes == vector)
        amax_blocks(x, blocks, bytes, (struct block_size){0, 1, 0}, maxima, type, true);
    else if (propagates_nan && bytes == 2 * vector)
        amax_blocks(x, blocks, bytes, (struct block_size){0, 2, 0}, maxima, type, true);
    else if (propagates_nan && bytes < vector)
        amax_blocks(x, blocks, bytes, (struct block_size){0, 0, bytes}, maxima, type, true);
    else if (propagates_nan && bytes % (4 * vector) == 0)
        amax_blocks(x, blocks, bytes, (struct block_size){bytes / (4 * vector), 0, 0}, maxima, type, true);
    else
        amax_blocks(x, blocks, bytes, block_size_of(bytes), maxima, type, propagates_nan);
    if (n % block != 0)
        amax_blocks(x + blocks * bytes, 1, 0, block_size_of(n % block * tensor_elem_bytes(type)),
                    maxima + blocks, type, propagates_nan);
}

static ALWAYS_INLINE void amax_with_nans(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype type) {
    amax_any(x, n, block, maxima, type, true);
}

#include "loops/scaling_nans.h"

/* ---- elements in memory: vector k, of which only the first `left` lanes are used, or all if left is ALL_LEFT ---- */

enum { ALL_LEFT = 0 };

static ALWAYS_INLINE svbool_t bytes_left(size_t left) {
    return left == ALL_LEFT ? svptrue_b8() : svwhilelt_b8_u64(0, 4 * left);
}

static ALWAYS_INLINE svbool_t words_left(size_t left) {
    return left == ALL_LEFT ? svptrue_b32() : svwhilelt_b32_u64(0, left);
}

/* Returns the predicate for loads and stores of nibbles, with one lane for each pair. */
static ALWAYS_INLINE svbool_t pairs_left(size_t left) {
    return left == ALL_LEFT ? svptrue_b64() : svwhilelt_b64_u64(0, (left + 1) / 2);
}

static ALWAYS_INLINE svuint32_t load_codes(struct job j, const u8 *from, int64_t k, size_t left) {
    const size_t bits = bits_from(j);
    if (bits == 4) return split_nibbles(svld1ub_vnum_u64(pairs_left(left), from, k));
    return load_32(words_left(left), bytes_left(left), from, k, bits / 8, bits == 8 && small_is_byte(j.elem));
}

static ALWAYS_INLINE void store_results(struct job j, u8 *to, int64_t k, size_t left, svuint32_t x) {
    const size_t bits = bits_to(j);
    if (bits == 4) {
        const svuint64_t pair = svreinterpret_u64(svand_z(words_left(left), x, 0xf));
        const svuint64_t both = svorr_x(svptrue_b64(), pair, svlsr_x(svptrue_b64(), pair, 28));
        svst1b_vnum_u64(pairs_left(left), to, k, both);
    } else {
        store_32(words_left(left), bytes_left(left), to, k, x, bits / 8);
    }
}

/* ---- a vector of elements ---- */

static ALWAYS_INLINE svfloat32_t load_values(struct job j, svuint32_t code) {
    switch (j.work) {
    case DEQUANTIZE_F16: return f32_from(PTO_F16, code);
    case DEQUANTIZE_CODES: return f32_from_small(j.elem, code);
    default: return f32_from(j.type, code);
    }
}

/* Rounds to bf16, in the upper half of each lane. The lower half, and the result for a NaN, are undefined. */
static ALWAYS_INLINE svuint32_t bf16_in_upper_half(svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    const svuint32_t bits = svreinterpret_u32(x), odd = svand_x(all, svlsr_x(all, bits, 16), 1);
    return svadd_x(all, svadd_x(all, bits, odd), 0x7fff);
}

/* Rounds x to the type of the tensor, and converts it back to f32. */
static ALWAYS_INLINE svfloat32_t round_lanes_to_type(svfloat32_t x, pto_dtype type) {
    const svbool_t all = svptrue_b32();
    if (type == PTO_F32) return x;
    if (type == PTO_F16) return svcvt_f32_x(all, svcvt_f16_x(all, x));
    return svsel(svcmpuo(all, x, x), x, svreinterpret_f32(svand_x(all, bf16_in_upper_half(x), 0xffff0000)));
}

/* Clamps x to [-MAX, MAX], where a NaN becomes -MAX, and rounds it to f16 if elements have a byte. */
static ALWAYS_INLINE svfloat32_t clamp_product(struct job j, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    const float max = small_max(cvt_format_of(j.elem));
    x = svmin_x(all, svmaxnm_x(all, x, -max), max);
    return j.elem == PTO_E2M1 ? x : round_lanes_to_type(x, PTO_F16);
}

/* Returns the e2m1 value y for which 2 * y * d is nearest to x: see nearest_element() in scalar/scaling.c. By
 * symmetry the magnitudes suffice. The smaller of two equally near magnitudes is chosen, and 0 has no sign. */
static ALWAYS_INLINE svfloat32_t nearest_value(svfloat32_t x, svfloat32_t d) {
    static const float values[] = {0.5F, 1, 1.5F, 2, 3, 4, 6};
    const svbool_t all = svptrue_b32();
    const svfloat32_t magnitude = svabs_x(all, x);
    svfloat32_t least = magnitude, best = svdup_n_f32(0);
    UNROLL
    for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k) {
        const svfloat32_t distance = svabd_x(all, svmul_x(all, d, 2 * values[k]), magnitude);
        const svbool_t nearer = svcmplt(all, distance, least);
        best = svsel(nearer, svdup_n_f32(values[k]), best);
        least = svsel(nearer, distance, least);
    }
    return svneg_m(best, svcmplt(svcmpne(all, best, 0), x, 0), best);
}

static ALWAYS_INLINE svfloat32_t scaled(struct job j, svfloat32_t x, svfloat32_t factor) {
    const svbool_t all = svptrue_b32();
    switch (j.scale_op) {
    case SCALE_MULTIPLY: return svmul_x(all, x, factor);
    case SCALE_DIVIDE: return svdiv_x(all, x, factor);
    case SCALE_CLAMP: return clamp_product(j, svmul_x(all, x, factor));
    case SCALE_NEAREST: return nearest_value(x, factor);
    default: return round_lanes_to_type(svdiv_x(all, x, factor), j.type);
    }
}

/* Returns the s2f6 code nearest to x, but never that of -2, as a signed integer. */
static ALWAYS_INLINE svuint32_t s2f6_lanes(svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    const svfloat32_t steps = svmin_x(all, svmax_x(all, svmul_x(all, x, 64), -127), 127);
    const svint32_t code = svcvt_s32_x(all, svrintn_x(all, steps));
    return svreinterpret_u32(svsel(svcmpuo(all, x, x), svdup_n_s32(127), code));
}

/* Converts as cvt.rn.satfinite does; the code is in the lowest bits. QUANTIZE_IN_RANGE means that x is not a NaN. */
static ALWAYS_INLINE svuint32_t element_of(struct job j, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    const struct cvt_format to = cvt_format_of(j.elem);
    const u32 at_sign = (u32)to.exponent_bits + to.fraction_bits;
    const svuint32_t sign = svand_x(all, svlsr_x(all, svreinterpret_u32(x), 31 - at_sign), (u32)1 << at_sign);
    const svuint32_t code =
        svorr_x(all, small_code(to, svmin_x(all, svabs_x(all, x), small_max(to)), false), sign);
    if (j.elem == PTO_S2F6) return s2f6_lanes(x);
    if (j.work == QUANTIZE_IN_RANGE) return code;
    return svsel(svcmpuo(all, x, x), svdup_n_u32((u32)cvt_canonical_nan(to)), code);
}

/* Converts x, the product of `value` and its factor, to the type of the tensor. With DEQUANTIZE_CODES, factors are in
 * range, so only codes that are NaNs or infinities give NaNs. */
static ALWAYS_INLINE svuint32_t tensor_codes_of(struct job j, svfloat32_t value, svfloat32_t x) {
    const svbool_t all = svptrue_b32();
    const svuint32_t nan = svdup_n_u32((u32)cvt_canonical_nan(cvt_format_of(j.type)));
    svuint32_t r = svreinterpret_u32(x);
    if (j.type == PTO_F16) r = svreinterpret_u32(svcvt_f16_x(all, x));
    if (j.type == PTO_BF16) r = svlsr_x(all, j.exact ? r : bf16_in_upper_half(x), 16);
    if (j.work == DEQUANTIZE_CODES && j.elem == PTO_E4M3) return svsel(svacge(all, value, 480), nan, r);
    if (j.work == DEQUANTIZE_CODES && j.elem != PTO_E5M2) return r;
    return svsel(svcmpuo(all, x, x), nan, r);
}

static ALWAYS_INLINE void scale_vector(struct job j, const u8 *from, svfloat32_t factor, u8 *to, int64_t k,
                                       size_t left) {
    const svfloat32_t value = load_values(j, load_codes(j, from, k, left)), x = scaled(j, value, factor);
    if (quantizes(j))
        store_results(j, to, k, left, element_of(j, x));
    else if (dequantizes(j))
        store_results(j, to, k, left, tensor_codes_of(j, value, x));
    else
        store_results(j, to, k, left, svreinterpret_u32(x));
}

/* ---- loops over blocks ---- */

enum { FOUR_VECTORS = 4 };

/* Scales n elements of one block. */
static ALWAYS_INLINE void scale_block(struct job j, const u8 *from, float factor, u8 *to, size_t n) {
    const size_t lanes = svcntw(), in = bytes_of_lanes(lanes, bits_from(j)),
                 out = bytes_of_lanes(lanes, bits_to(j));
    const svfloat32_t each = svdup_n_f32(factor);
    for (; n >= FOUR_VECTORS * lanes; n -= FOUR_VECTORS * lanes) {
        UNROLL
        for (int64_t k = 0; k < FOUR_VECTORS; ++k) scale_vector(j, from, each, to, k, ALL_LEFT);
        from += FOUR_VECTORS * in;
        to += FOUR_VECTORS * out;
    }
    for (; n >= lanes; n -= lanes) {
        scale_vector(j, from, each, to, 0, ALL_LEFT);
        from += in;
        to += out;
    }
    if (n != 0) scale_vector(j, from, each, to, 0, n);
}

/* Scales blocks of one or two vectors, four vectors at a time. Returns the number of elements that were scaled. */
static ALWAYS_INLINE size_t scale_vector_blocks(struct job j, const u8 *from, const float *factors,
                                                size_t vectors, u8 *to, size_t n) {
    const size_t four = FOUR_VECTORS * svcntw(), fours = n / four;
    for (size_t i = 0; i < fours; ++i) {
        UNROLL
        for (int64_t k = 0; k < FOUR_VECTORS; ++k)
            scale_vector(j, from, svdup_n_f32(factors[(size_t)k / vectors]), to, k, ALL_LEFT);
        from += bytes_of_lanes(four, bits_from(j));
        to += bytes_of_lanes(four, bits_to(j));
        factors += FOUR_VECTORS / vectors;
    }
    return fours * four;
}

/* Scales blocks that are shorter than a vector. A vector takes as many whole blocks as fit. */
static ALWAYS_INLINE void scale_short_blocks(struct job j, const u8 *from, const float *factors, size_t block,
                                             u8 *to, size_t n) {
    const size_t lanes = svcntw(), blocks = lanes / block, step = blocks * block;
    const svuint32_t which = svdiv_x(svptrue_b32(), svindex_u32(0, 1), (u32)block);
    const svbool_t some = svwhilelt_b32_u64(0, blocks);
    for (; step == lanes && n >= FOUR_VECTORS * lanes; n -= FOUR_VECTORS * lanes) {
        UNROLL
        for (int64_t k = 0; k < FOUR_VECTORS; ++k) {
            const svfloat32_t each = svtbl(svld1(some, factors + (size_t)k * blocks), which);
            scale_vector(j, from, each, to, k, ALL_LEFT);
        }
        from += bytes_of_lanes(FOUR_VECTORS * lanes, bits_from(j));
        to += bytes_of_lanes(FOUR_VECTORS * lanes, bits_to(j));
        factors += FOUR_VECTORS * blocks;
    }
    while (n != 0) {
        const size_t left = min_size(n, step);
        const svfloat32_t each = svld1(svwhilelt_b32_u64(0, (left + block - 1) / block), factors);
        scale_vector(j, from, svtbl(each, which), to, 0, left);
        from += bytes_of_lanes(left, bits_from(j));
        to += bytes_of_lanes(left, bits_to(j));
        factors += blocks;
        n -= left;
    }
}

static ALWAYS_INLINE void scale_blocks(struct job j, const u8 *from, const float *factors, size_t block,
                                       u8 *to, size_t n) {
    const size_t lanes = svcntw();
    size_t done = 0;
    if (block < lanes) {
        scale_short_blocks(j, from, factors, block, to, n);
        return;
    }
    if (block == lanes) done = scale_vector_blocks(j, from, factors, 1, to, n);
    if (block == 2 * lanes) done = scale_vector_blocks(j, from, factors, 2, to, n);
    from += bytes_of_lanes(done, bits_from(j));
    to += bytes_of_lanes(done, bits_to(j));
    n -= done;
    for (factors += done / block; n != 0; ++factors) {
        const size_t some = min_size(n, block);
        scale_block(j, from, *factors, to, some);
        from += bytes_of_lanes(some, bits_from(j));
        to += bytes_of_lanes(some, bits_to(j));
        n -= some;
    }
}

#include "loops/scaling_any_length.h"
#include "sve/scaling_words.h"
