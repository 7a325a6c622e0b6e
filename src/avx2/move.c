/* SPDX-License-Identifier: MIT */
/* Compress and expand kernels of AVX2. */
#include "loops/move.h"

#include "x86/move.h"

static ALWAYS_INLINE void compress_step_32(const u8 *in, unsigned mask, u8 *out) {
    const __m256i x = _mm256_loadu_si256((const __m256i *)in);
    const __m256i at = _mm256_cvtepu8_epi32(indices_of_ones(mask));
    _mm256_storeu_si256((__m256i *)out, _mm256_permutevar8x32_epi32(x, at));
}

static ALWAYS_INLINE void compress_step_64(const u8 *in, unsigned mask, u8 *out) {
    const __m256i x = _mm256_loadu_si256((const __m256i *)in);
    const __m256i at = _mm256_cvtepu8_epi32(indices_of_halves(indices_of_ones(mask)));
    _mm256_storeu_si256((__m256i *)out, _mm256_permutevar8x32_epi32(x, at));
}

static ALWAYS_INLINE void expand_step_32(const u8 *in, unsigned mask, u8 *out) {
    const __m256i x = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)in),
                                                  _mm256_cvtepu8_epi32(ranks(mask)));
    const __m256i old = _mm256_loadu_si256((const __m256i *)out), on = _mm256_cvtepi8_epi32(lanes_on(mask));
    _mm256_storeu_si256((__m256i *)out, _mm256_blendv_epi8(old, x, on));
}

static ALWAYS_INLINE void expand_step_64(const u8 *in, unsigned mask, u8 *out) {
    const __m256i x = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)in),
                                                  _mm256_cvtepu8_epi32(indices_of_halves(ranks(mask))));
    const __m256i old = _mm256_loadu_si256((const __m256i *)out), on = _mm256_cvtepi8_epi64(lanes_on(mask));
    _mm256_storeu_si256((__m256i *)out, _mm256_blendv_epi8(old, x, on));
}

MOVE_KERNELS(8, 8)
MOVE_KERNELS(16, 8)
MOVE_KERNELS(32, 8)
MOVE_KERNELS(64, 4)

const struct move_kernels pto_move_avx2 = {{compress_8, compress_16, compress_32, compress_64},
                                           {expand_8, expand_16, expand_32, expand_64}};
