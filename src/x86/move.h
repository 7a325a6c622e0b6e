/* SPDX-License-Identifier: MIT */
/*
 * The loops of compress and expand that AVX2 and AVX-512 share, and their steps of 8 lanes of 8 and 16 bits. A step of
 * compress loads `lanes` elements and stores a whole vector, of which the first elements are those of the mask. A step of
 * expand loads a whole vector, and stores `lanes` elements, of which those that the mask lacks are unchanged.
 */
#ifndef PTO_X86_MOVE_H
#define PTO_X86_MOVE_H

#include "core/move.h"

#include <immintrin.h>

/* Byte k of entry m is the position of the k-th 1 in m, counted from 0; bytes after the last 1 are 0. */
/* clang-format off */
static const u64 ones_at[256] = {
    0x0000000000000000, 0x0000000000000000, 0x0000000000000001, 0x0000000000000100,
    0x0000000000000002, 0x0000000000000200, 0x0000000000000201, 0x0000000000020100,
    0x0000000000000003, 0x0000000000000300, 0x0000000000000301, 0x0000000000030100,
    0x0000000000000302, 0x0000000000030200, 0x0000000000030201, 0x0000000003020100,
    0x0000000000000004, 0x0000000000000400, 0x0000000000000401, 0x0000000000040100,
    0x0000000000000402, 0x0000000000040200, 0x0000000000040201, 0x0000000004020100,
    0x0000000000000403, 0x0000000000040300, 0x0000000000040301, 0x0000000004030100,
    0x0000000000040302, 0x0000000004030200, 0x0000000004030201, 0x0000000403020100,
    0x0000000000000005, 0x0000000000000500, 0x0000000000000501, 0x0000000000050100,
    0x0000000000000502, 0x0000000000050200, 0x0000000000050201, 0x0000000005020100,
    0x0000000000000503, 0x0000000000050300, 0x0000000000050301, 0x0000000005030100,
    0x0000000000050302, 0x0000000005030200, 0x0000000005030201, 0x0000000503020100,
    0x0000000000000504, 0x0000000000050400, 0x0000000000050401, 0x0000000005040100,
    0x0000000000050402, 0x0000000005040200, 0x0000000005040201, 0x0000000504020100,
    0x0000000000050403, 0x0000000005040300, 0x0000000005040301, 0x0000000504030100,
    0x0000000005040302, 0x0000000504030200, 0x0000000504030201, 0x0000050403020100,
    0x0000000000000006, 0x0000000000000600, 0x0000000000000601, 0x0000000000060100,
    0x0000000000000602, 0x0000000000060200, 0x0000000000060201, 0x0000000006020100,
    0x0000000000000603, 0x0000000000060300, 0x0000000000060301, 0x0000000006030100,
    0x0000000000060302, 0x0000000006030200, 0x0000000006030201, 0x0000000603020100,
    0x0000000000000604, 0x0000000000060400, 0x0000000000060401, 0x0000000006040100,
    0x0000000000060402, 0x0000000006040200, 0x0000000006040201, 0x0000000604020100,
    0x0000000000060403, 0x0000000006040300, 0x0000000006040301, 0x0000000604030100,
    0x0000000006040302, 0x0000000604030200, 0x0000000604030201, 0x0000060403020100,
    0x0000000000000605, 0x0000000000060500, 0x0000000000060501, 0x0000000006050100,
    0x0000000000060502, 0x0000000006050200, 0x0000000006050201, 0x0000000605020100,
    0x0000000000060503, 0x0000000006050300, 0x0000000006050301, 0x0000000605030100,
    0x0000000006050302, 0x0000000605030200, 0x0000000605030201, 0x0000060503020100,
    0x0000000000060504, 0x0000000006050400, 0x0000000006050401, 0x0000000605040100,
    0x0000000006050402, 0x0000000605040200, 0x0000000605040201, 0x0000060504020100,
    0x0000000006050403, 0x0000000605040300, 0x0000000605040301, 0x0000060504030100,
    0x0000000605040302, 0x0000060504030200, 0x0000060504030201, 0x0006050403020100,
    0x0000000000000007, 0x0000000000000700, 0x0000000000000701, 0x0000000000070100,
    0x0000000000000702, 0x0000000000070200, 0x0000000000070201, 0x0000000007020100,
    0x0000000000000703, 0x0000000000070300, 0x0000000000070301, 0x0000000007030100,
    0x0000000000070302, 0x0000000007030200, 0x0000000007030201, 0x0000000703020100,
    0x0000000000000704, 0x0000000000070400, 0x0000000000070401, 0x0000000007040100,
    0x0000000000070402, 0x0000000007040200, 0x0000000007040201, 0x0000000704020100,
    0x0000000000070403, 0x0000000007040300, 0x0000000007040301, 0x0000000704030100,
    0x0000000007040302, 0x0000000704030200, 0x0000000704030201, 0x0000070403020100,
    0x0000000000000705, 0x0000000000070500, 0x0000000000070501, 0x0000000007050100,
    0x0000000000070502, 0x0000000007050200, 0x0000000007050201, 0x0000000705020100,
    0x0000000000070503, 0x0000000007050300, 0x0000000007050301, 0x0000000705030100,
    0x0000000007050302, 0x0000000705030200, 0x0000000705030201, 0x0000070503020100,
    0x0000000000070504, 0x0000000007050400, 0x0000000007050401, 0x0000000705040100,
    0x0000000007050402, 0x0000000705040200, 0x0000000705040201, 0x0000070504020100,
    0x0000000007050403, 0x0000000705040300, 0x0000000705040301, 0x0000070504030100,
    0x0000000705040302, 0x0000070504030200, 0x0000070504030201, 0x0007050403020100,
    0x0000000000000706, 0x0000000000070600, 0x0000000000070601, 0x0000000007060100,
    0x0000000000070602, 0x0000000007060200, 0x0000000007060201, 0x0000000706020100,
    0x0000000000070603, 0x0000000007060300, 0x0000000007060301, 0x0000000706030100,
    0x0000000007060302, 0x0000000706030200, 0x0000000706030201, 0x0000070603020100,
    0x0000000000070604, 0x0000000007060400, 0x0000000007060401, 0x0000000706040100,
    0x0000000007060402, 0x0000000706040200, 0x0000000706040201, 0x0000070604020100,
    0x0000000007060403, 0x0000000706040300, 0x0000000706040301, 0x0000070604030100,
    0x0000000706040302, 0x0000070604030200, 0x0000070604030201, 0x0007060403020100,
    0x0000000000070605, 0x0000000007060500, 0x0000000007060501, 0x0000000706050100,
    0x0000000007060502, 0x0000000706050200, 0x0000000706050201, 0x0000070605020100,
    0x0000000007060503, 0x0000000706050300, 0x0000000706050301, 0x0000070605030100,
    0x0000000706050302, 0x0000070605030200, 0x0000070605030201, 0x0007060503020100,
    0x0000000007060504, 0x0000000706050400, 0x0000000706050401, 0x0000070605040100,
    0x0000000706050402, 0x0000070605040200, 0x0000070605040201, 0x0007060504020100,
    0x0000000706050403, 0x0000070605040300, 0x0000070605040301, 0x0007060504030100,
    0x0000070605040302, 0x0007060504030200, 0x0007060504030201, 0x0706050403020100,
};
/* clang-format on */

typedef void compress_step(const u8 *in, unsigned mask, u8 *out);
typedef void expand_step(const u8 *in, unsigned mask, u8 *out);

enum { MOST_STEP_BYTES = 64 };

/* Returns bits i to i + lanes - 1, where i is a multiple of `lanes`, which is 4, 8 or 16. */
static ALWAYS_INLINE unsigned step_mask(const u8 *bits, size_t i, size_t lanes) {
    if (lanes == 16) return (unsigned)load_bytes(bits + i / 8, 2);
    return lanes == 8 ? bits[i / 8] : bits[i / 8] >> i % 8 & 15U;
}

/* Where a whole vector would end after the last element of the result, a step goes through a buffer. */
static ALWAYS_INLINE size_t compress_steps(compress_step *step, size_t bytes, size_t lanes, const u8 *src,
                                           const u8 *bits, u8 *dst, size_t n) {
    const size_t count = count_bits(bits, n);
    u8 *out = dst, *const end = dst + count * bytes;
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        const unsigned mask = step_mask(bits, i, lanes);
        const size_t some = (size_t)__builtin_popcount(mask) * bytes;
        if ((size_t)(end - out) >= lanes * bytes) {
            step(src + i * bytes, mask, out);
        } else {
            u8 packed[MOST_STEP_BYTES];
            step(src + i * bytes, mask, packed);
            memcpy(out, packed, some);
        }
        out += some;
    }
    compress_rest(bytes, src, bits, out, i, n);
    return count;
}

static ALWAYS_INLINE size_t expand_steps(expand_step *step, size_t bytes, size_t lanes, const u8 *src,
                                         const u8 *bits, u8 *dst, size_t n) {
    const size_t count = count_bits(bits, n);
    const u8 *in = src, *const end = src + count * bytes;
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        const unsigned mask = step_mask(bits, i, lanes);
        const size_t some = (size_t)__builtin_popcount(mask) * bytes;
        if ((size_t)(end - in) >= lanes * bytes) {
            step(in, mask, dst + i * bytes);
        } else {
            u8 packed[MOST_STEP_BYTES] = {0};
            memcpy(packed, in, some);
            step(packed, mask, dst + i * bytes);
        }
        in += some;
    }
    expand_rest(bytes, in, bits, dst, i, n);
    return count;
}

static ALWAYS_INLINE __m128i indices_of_ones(unsigned mask) {
    return _mm_loadl_epi64((const __m128i *)&ones_at[mask]);
}

/* Returns for each byte k of x, a position of elements, the positions 2k and 2k + 1 of their halves. */
static ALWAYS_INLINE __m128i indices_of_halves(__m128i x) {
    const __m128i twice = _mm_add_epi8(x, x);
    return _mm_unpacklo_epi8(twice, _mm_add_epi8(twice, _mm_set1_epi8(1)));
}

/* Returns 8 bytes, which are 1 where the mask has a 1. */
static ALWAYS_INLINE u64 bytes_of_mask(unsigned mask) {
    const u64 ones = ~(u64)0 / 255, each = mask * ones & 0x8040201008040201;
    return (each + 127 * ones) >> 7 & ones;
}

/* Returns in byte k how many ones the mask has below bit k. */
static ALWAYS_INLINE __m128i ranks(unsigned mask) {
    const u64 bytes = bytes_of_mask(mask);
    return _mm_cvtsi64_si128((s64)(bytes * (~(u64)0 / 255) - bytes));
}

/* Returns 8 bytes, all ones where the mask has a 1. */
static ALWAYS_INLINE __m128i lanes_on(unsigned mask) {
    return _mm_cvtsi64_si128((s64)(bytes_of_mask(mask) * 255));
}

static ALWAYS_INLINE void compress_step_8(const u8 *in, unsigned mask, u8 *out) {
    const __m128i x = _mm_loadl_epi64((const __m128i *)in);
    _mm_storel_epi64((__m128i *)out, _mm_shuffle_epi8(x, indices_of_ones(mask)));
}

static ALWAYS_INLINE void compress_step_16(const u8 *in, unsigned mask, u8 *out) {
    const __m128i x = _mm_loadu_si128((const __m128i *)in);
    _mm_storeu_si128((__m128i *)out, _mm_shuffle_epi8(x, indices_of_halves(indices_of_ones(mask))));
}

static ALWAYS_INLINE void expand_step_8(const u8 *in, unsigned mask, u8 *out) {
    const __m128i x = _mm_shuffle_epi8(_mm_loadl_epi64((const __m128i *)in), ranks(mask));
    const __m128i old = _mm_loadl_epi64((const __m128i *)out);
    _mm_storel_epi64((__m128i *)out, _mm_blendv_epi8(old, x, lanes_on(mask)));
}

static ALWAYS_INLINE void expand_step_16(const u8 *in, unsigned mask, u8 *out) {
    const __m128i x = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)in), indices_of_halves(ranks(mask)));
    const __m128i old = _mm_loadu_si128((const __m128i *)out), on = lanes_on(mask);
    _mm_storeu_si128((__m128i *)out, _mm_blendv_epi8(old, x, _mm_unpacklo_epi8(on, on)));
}

/* Defines compress_W and expand_W from the steps of that width. */
#define MOVE_KERNELS(width, lanes)                                                                           \
    static size_t compress_##width(const void *src, const void *bits, void *dst, size_t n) {                 \
        return compress_steps(compress_step_##width, (width) / 8, lanes, src, bits, dst, n);                 \
    }                                                                                                        \
    static size_t expand_##width(const void *src, const void *bits, void *dst, size_t n) {                   \
        return expand_steps(expand_step_##width, (width) / 8, lanes, src, bits, dst, n);                     \
    }

#endif
