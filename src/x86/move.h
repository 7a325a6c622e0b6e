/* SPDX-License-Identifier: MIT */
/* The steps of 8 lanes of 8 and 16 bits that AVX2 and AVX-512 share, for loops/move.h, which must be included first. */
#ifndef PTO_X86_MOVE_H
#define PTO_X86_MOVE_H

#include <immintrin.h>

static ALWAYS_INLINE __m128i indices_of_ones(unsigned mask) {
    return _mm_loadl_epi64((const __m128i *)&ones_at[mask]);
}

/* Returns for each byte k of x, a position of elements, the positions 2k and 2k + 1 of their halves. */
static ALWAYS_INLINE __m128i indices_of_halves(__m128i x) {
    const __m128i twice = _mm_add_epi8(x, x);
    return _mm_unpacklo_epi8(twice, _mm_add_epi8(twice, _mm_set1_epi8(1)));
}

/* Returns in byte k how many ones the mask has below bit k. */
static ALWAYS_INLINE __m128i ranks(unsigned mask) {
    return _mm_cvtsi64_si128((s64)ranks_of_mask(mask));
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

#endif
