/* SPDX-License-Identifier: MIT */
/*
 * Vectors of f32 and f64 for float_loops.h, in the vector types of gcc and clang. Arithmetic and logic are C's
 * operators, which work lane by lane. This header has the functions that these types lack: for AVX-512, for AVX2 with
 * FMA and F16C, for SSE2, and for any other CPU. All vectors have VECTOR_BYTES bytes. The functions less_*,
 * equal_* and unordered_* return masks.
 */
#ifndef PTO_PROGRAM_FLOAT_VECTORS_H
#define PTO_PROGRAM_FLOAT_VECTORS_H

#include "fma.h"
#include "loops.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#    include <immintrin.h>
#endif

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX2__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif
enum { LANES_32 = VECTOR_BYTES / 4, LANES_64 = VECTOR_BYTES / 8 };

/* Whether fma_32() is one instruction. */
enum { HAS_FMA_VECTORS = VECTOR_BYTES > 16 };

typedef float floats __attribute__((vector_size(VECTOR_BYTES)));
typedef double doubles __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t words_32 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t words_64 __attribute__((vector_size(VECTOR_BYTES)));

static ALWAYS_INLINE floats all_32(float x) {
    return x - (floats){0};
}

static ALWAYS_INLINE words_32 bits_32(uint32_t x) {
    return x - (words_32){0};
}

static ALWAYS_INLINE words_64 bits_64(uint64_t x) {
    return x - (words_64){0};
}

/* Arrays may be unaligned, so vectors are loaded and stored with memcpy(). */
static ALWAYS_INLINE floats load_32(const void *from) {
    floats x;
    memcpy(&x, from, sizeof x);
    return x;
}

static ALWAYS_INLINE doubles load_64(const void *from) {
    doubles x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* ---- comparison and selection ---- */

#if defined(__AVX512F__)

typedef __mmask16 mask_32;
typedef __mmask8 mask_64;

static ALWAYS_INLINE mask_32 less_32(floats x, floats y) {
    return _mm512_cmp_ps_mask((__m512)x, (__m512)y, _CMP_LT_OQ);
}

static ALWAYS_INLINE mask_32 equal_bits_32(words_32 x, words_32 y) {
    return _mm512_cmpeq_epi32_mask((__m512i)x, (__m512i)y);
}

static ALWAYS_INLINE mask_32 unordered_32(floats x) {
    return _mm512_cmp_ps_mask((__m512)x, (__m512)x, _CMP_UNORD_Q);
}

static ALWAYS_INLINE mask_64 unordered_64(doubles x) {
    return _mm512_cmp_pd_mask((__m512d)x, (__m512d)x, _CMP_UNORD_Q);
}

static ALWAYS_INLINE words_32 select_32(mask_32 mask, words_32 yes, words_32 no) {
    return (words_32)_mm512_mask_mov_epi32((__m512i)no, mask, (__m512i)yes);
}

static ALWAYS_INLINE words_64 select_64(mask_64 mask, words_64 yes, words_64 no) {
    return (words_64)_mm512_mask_mov_epi64((__m512i)no, mask, (__m512i)yes);
}

static ALWAYS_INLINE bool any_32(mask_32 mask) {
    return mask != 0;
}

static ALWAYS_INLINE bool any_64(mask_64 mask) {
    return mask != 0;
}

#else

typedef words_32 mask_32;
typedef words_64 mask_64;

static ALWAYS_INLINE mask_32 less_32(floats x, floats y) {
    return (mask_32)(x < y);
}

static ALWAYS_INLINE mask_32 equal_bits_32(words_32 x, words_32 y) {
    return (mask_32)(x == y);
}

static ALWAYS_INLINE mask_32 unordered_32(floats x) {
    return (mask_32)(x != x);
}

static ALWAYS_INLINE mask_64 unordered_64(doubles x) {
    return (mask_64)(x != x);
}

static ALWAYS_INLINE words_32 select_32(mask_32 mask, words_32 yes, words_32 no) {
#    if defined(__AVX2__)
    return (words_32)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
#    else
    return (yes & mask) | (no & ~mask);
#    endif
}

static ALWAYS_INLINE words_64 select_64(mask_64 mask, words_64 yes, words_64 no) {
    return (words_64)select_32((mask_32)mask, (words_32)yes, (words_32)no);
}

static ALWAYS_INLINE bool any_64(mask_64 mask) {
#    if defined(__AVX2__)
    return _mm256_movemask_epi8((__m256i)mask) != 0;
#    elif defined(__SSE2__)
    return _mm_movemask_epi8((__m128i)mask) != 0;
#    else
    return (mask[0] | mask[1]) != 0;
#    endif
}

static ALWAYS_INLINE bool any_32(mask_32 mask) {
    return any_64((mask_64)mask);
}

#endif

static ALWAYS_INLINE floats select_floats(mask_32 mask, floats yes, floats no) {
    return (floats)select_32(mask, (words_32)yes, (words_32)no);
}

static ALWAYS_INLINE floats magnitude_32(floats x) {
    return (floats)((words_32)x & bits_32(0x7fffffff));
}

static ALWAYS_INLINE floats sign_32(floats x) {
    return (floats)((words_32)x & bits_32(0x80000000));
}

/* Returns x, where the lanes in `mask` are replaced by zeros with the sign of x. */
static ALWAYS_INLINE floats zeros_where(mask_32 mask, floats x) {
    return select_floats(mask, sign_32(x), x);
}

/* ---- maximum, minimum, fma and square root ---- */

/* larger_32() returns x > y ? x : y, and smaller_32() returns x < y ? x : y. So both return y if x or y is a
 * NaN, and if both are zeros. */

#if defined(__AVX512F__)

static ALWAYS_INLINE floats larger_32(floats x, floats y) {
    return (floats)_mm512_max_ps((__m512)x, (__m512)y);
}

static ALWAYS_INLINE floats smaller_32(floats x, floats y) {
    return (floats)_mm512_min_ps((__m512)x, (__m512)y);
}

static ALWAYS_INLINE floats fma_32(floats x, floats y, floats z) {
    return (floats)_mm512_fmadd_ps((__m512)x, (__m512)y, (__m512)z);
}

static ALWAYS_INLINE doubles fma_64(doubles x, doubles y, doubles z) {
    return (doubles)_mm512_fmadd_pd((__m512d)x, (__m512d)y, (__m512d)z);
}

static ALWAYS_INLINE floats sqrt_32(floats x) {
    return (floats)_mm512_sqrt_ps((__m512)x);
}

static ALWAYS_INLINE doubles sqrt_64(doubles x) {
    return (doubles)_mm512_sqrt_pd((__m512d)x);
}

#elif defined(__AVX2__)

static ALWAYS_INLINE floats larger_32(floats x, floats y) {
    return (floats)_mm256_max_ps((__m256)x, (__m256)y);
}

static ALWAYS_INLINE floats smaller_32(floats x, floats y) {
    return (floats)_mm256_min_ps((__m256)x, (__m256)y);
}

static ALWAYS_INLINE floats fma_32(floats x, floats y, floats z) {
    return (floats)_mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)z);
}

static ALWAYS_INLINE doubles fma_64(doubles x, doubles y, doubles z) {
    return (doubles)_mm256_fmadd_pd((__m256d)x, (__m256d)y, (__m256d)z);
}

static ALWAYS_INLINE floats sqrt_32(floats x) {
    return (floats)_mm256_sqrt_ps((__m256)x);
}

static ALWAYS_INLINE doubles sqrt_64(doubles x) {
    return (doubles)_mm256_sqrt_pd((__m256d)x);
}

#else

static ALWAYS_INLINE floats larger_32(floats x, floats y) {
    return select_floats(less_32(y, x), x, y);
}

static ALWAYS_INLINE floats smaller_32(floats x, floats y) {
    return select_floats(less_32(x, y), x, y);
}

static ALWAYS_INLINE floats fma_32(floats x, floats y, floats z) {
    for (size_t i = 0; i < LANES_32; i++) x[i] = fma_one(x[i], y[i], z[i]);
    return x;
}

static ALWAYS_INLINE doubles fma_64(doubles x, doubles y, doubles z) {
    for (size_t i = 0; i < LANES_64; i++) x[i] = fma_one_64(x[i], y[i], z[i]);
    return x;
}

static ALWAYS_INLINE floats sqrt_32(floats x) {
#    if defined(__SSE2__)
    return (floats)_mm_sqrt_ps((__m128)x);
#    else
    for (size_t i = 0; i < LANES_32; i++) x[i] = sqrtf(x[i]);
    return x;
#    endif
}

static ALWAYS_INLINE doubles sqrt_64(doubles x) {
#    if defined(__SSE2__)
    return (doubles)_mm_sqrt_pd((__m128d)x);
#    else
    for (size_t i = 0; i < LANES_64; i++) x[i] = sqrt(x[i]);
    return x;
#    endif
}

#endif

static ALWAYS_INLINE floats canonical_nans_32(floats r) {
    return (floats)select_32(unordered_32(r), bits_32(0x7fffffff), (words_32)r);
}

/* ---- f16 and bf16: a vector of such elements becomes a pair of vectors of f32 ---- */

struct pair {
    floats low, high;
};

/* Loads bf16 elements. Those with an even index, in the low halves of 32-bit words, become `low`; the others
 * `high`. */
static ALWAYS_INLINE struct pair load_bf16(const void *from) {
    const words_32 words = (words_32)load_32(from);
    return (struct pair){(floats)(words << 16), (floats)(words & 0xffff0000)};
}

/* Returns the value that must be added to `bits`, the bits of f32 values, so that the upper halves are the
 * values rounded to bf16. */
static ALWAYS_INLINE words_32 rounding_bf16(words_32 bits, pto_round round) {
    const words_32 negative = -(bits >> 31);
    switch (round) {
    case PTO_RZ: return bits_32(0);
    case PTO_RM: return negative & 0xffff;
    case PTO_RP: return ~negative & 0xffff;
    default: return 0x7fff + (bits >> 16 & 1);
    }
}

/* Returns words whose upper halves are x rounded to bf16. NaNs become 0x7fff. */
static ALWAYS_INLINE words_32 round_bf16(floats x, pto_round round) {
    const words_32 bits = (words_32)x;
    return select_32(unordered_32(x), bits_32(0x7fff0000), bits + rounding_bf16(bits, round));
}

static ALWAYS_INLINE void store_bf16(struct pair x, pto_round round, void *to) {
    const words_32 words = round_bf16(x.low, round) >> 16 | (round_bf16(x.high, round) & 0xffff0000);
    memcpy(to, &words, sizeof words);
}

#if defined(__AVX512F__)

static ALWAYS_INLINE struct pair load_f16(const void *from) {
    __m256i low, high;
    memcpy(&low, from, sizeof low);
    memcpy(&high, (const unsigned char *)from + sizeof low, sizeof high);
    return (struct pair){(floats)_mm512_cvtph_ps(low), (floats)_mm512_cvtph_ps(high)};
}

static ALWAYS_INLINE __m256i round_f16(floats x) {
    return _mm512_cvtps_ph((__m512)canonical_nans_32(x), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static ALWAYS_INLINE void store_f16(struct pair x, void *to) {
    const __m256i low = round_f16(x.low), high = round_f16(x.high);
    memcpy(to, &low, sizeof low);
    memcpy((unsigned char *)to + sizeof low, &high, sizeof high);
}

#elif defined(__F16C__)

static ALWAYS_INLINE struct pair load_f16(const void *from) {
    __m128i low, high;
    memcpy(&low, from, sizeof low);
    memcpy(&high, (const unsigned char *)from + sizeof low, sizeof high);
    return (struct pair){(floats)_mm256_cvtph_ps(low), (floats)_mm256_cvtph_ps(high)};
}

static ALWAYS_INLINE __m128i round_f16(floats x) {
    return _mm256_cvtps_ph((__m256)canonical_nans_32(x), _MM_FROUND_TO_NEAREST_INT);
}

static ALWAYS_INLINE void store_f16(struct pair x, void *to) {
    const __m128i low = round_f16(x.low), high = round_f16(x.high);
    memcpy(to, &low, sizeof low);
    memcpy((unsigned char *)to + sizeof low, &high, sizeof high);
}

#else

/* Returns f16 values, in the low halves of x, as f32. Multiplying by 2^112 corrects the bias of the exponent,
 * also for subnormal values. */
static ALWAYS_INLINE floats widen_f16(words_32 x) {
    const words_32 magnitude = x & 0x7fff;
    const floats scaled = (floats)(magnitude << 13) * 0x1p112F;
    const words_32 special = (words_32)(magnitude >= bits_32(0x7c00));
    return (floats)((words_32)scaled | (special & 0x7f800000) | (x & 0x8000) << 16);
}

static ALWAYS_INLINE struct pair load_f16(const void *from) {
    const words_32 words = (words_32)load_32(from);
    return (struct pair){widen_f16(words & 0xffff), widen_f16(words >> 16)};
}

/* Returns words whose low halves are x rounded to f16. Below 2^-14, adding 1/2 rounds to a multiple of 2^-24,
 * the distance of subnormal values. */
static ALWAYS_INLINE words_32 round_f16(floats x) {
    const words_32 bits = (words_32)x, magnitude = bits & 0x7fffffff, odd = bits >> 13 & 1;
    const words_32 normal = (magnitude - (112U << 23) + 0xfff + odd) >> 13;
    const words_32 subnormal = (words_32)(magnitude_32(x) + 0.5F) - 0x3f000000;
    words_32 result = select_32((mask_32)(magnitude < bits_32(113U << 23)), subnormal, normal);
    result = select_32((mask_32)(magnitude >= bits_32(0x47800000)), bits_32(0x7c00), result);
    return select_32(unordered_32(x), bits_32(0x7fff), result | (bits >> 16 & 0x8000));
}

static ALWAYS_INLINE void store_f16(struct pair x, void *to) {
    const words_32 words = round_f16(x.low) | round_f16(x.high) << 16;
    memcpy(to, &words, sizeof words);
}

#endif

#endif
