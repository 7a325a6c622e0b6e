/* SPDX-License-Identifier: MIT */
/*
 * Vectors of AVX2 for integer_loops.h, for operations that gcc 12 does not vectorize or vectorizes badly. The functions
 * whose names end in `_vectors` compute whole vectors, and return how many lanes they have computed: 0 without AVX2.
 * The caller's loop computes the other lanes.
 */
#ifndef PTO_PROGRAM_INTEGER_VECTORS_H
#define PTO_PROGRAM_INTEGER_VECTORS_H

#include "loops.h"

#include <stdint.h>
#include <string.h>

/* Returns whether high_product_vectors() has the operation. */
static ALWAYS_INLINE bool is_high_product(enum integer_op op) {
    return op == INTEGER_MUL_HI || op == INTEGER_MAD_HI || op == INTEGER_MAD_HI_SAT ||
           op == INTEGER_MUL24_HI || op == INTEGER_MAD24_HI || op == INTEGER_MAD24_HI_SAT;
}

#ifdef __AVX2__

#    include <immintrin.h>

/* Loads a vector that begins with word i of `from`; words have 4 bytes. */
static ALWAYS_INLINE __m256i load_vector(const void *from, size_t i) {
    __m256i x;
    memcpy(&x, (const unsigned char *)from + 4 * i, sizeof x);
    return x;
}

static ALWAYS_INLINE void store_vector(void *to, size_t i, __m256i x) {
    memcpy((unsigned char *)to + 4 * i, &x, sizeof x);
}

/* ---- bit fields of 64 bits: a shift whose count is 64 or more gives 0 ---- */

/* Loads four words, for lanes of 64 bits. */
static ALWAYS_INLINE __m128i load_counts(const void *from, size_t i) {
    __m128i x;
    memcpy(&x, (const unsigned char *)from + 4 * i, sizeof x);
    return x;
}

static ALWAYS_INLINE __m256i shift_right_signed(__m256i a, __m256i by) {
    const __m256i signs = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);
    return _mm256_xor_si256(_mm256_srlv_epi64(_mm256_xor_si256(a, signs), by), signs);
}

static ALWAYS_INLINE __m256i low_ones_vector(__m256i length) {
    return _mm256_andnot_si256(_mm256_sllv_epi64(_mm256_set1_epi8(-1), length), _mm256_set1_epi8(-1));
}

static ALWAYS_INLINE size_t extract_vectors(bool sign, struct addresses at, size_t n) {
    const size_t whole = n - n % 4;
    for (size_t i = 0; i < whole; i += 4) {
        const __m256i a = load_vector(at.src[0], 2 * i);
        const __m256i from = _mm256_cvtepu32_epi64(load_counts(at.src[1], i));
        const __m128i length = load_counts(at.src[2], i), all = _mm_set1_epi32(64);
        const __m256i above = _mm256_cvtepu32_epi64(_mm_sub_epi32(all, _mm_min_epu32(length, all)));
        const __m256i field =
            sign ? _mm256_sllv_epi64(shift_right_signed(a, from), above) : _mm256_srlv_epi64(a, from);
        store_vector(at.dst[0], 2 * i,
                     sign ? shift_right_signed(field, above)
                          : _mm256_and_si256(field, low_ones_vector(_mm256_cvtepu32_epi64(length))));
    }
    return whole;
}

static ALWAYS_INLINE size_t insert_vectors(struct addresses at, size_t n) {
    const size_t whole = n - n % 4;
    for (size_t i = 0; i < whole; i += 4) {
        const __m256i b = load_vector(at.src[1], 2 * i);
        const __m256i from = _mm256_cvtepu32_epi64(load_counts(at.src[2], i));
        const __m256i length = _mm256_cvtepu32_epi64(load_counts(at.src[3], i));
        const __m256i mask = _mm256_sllv_epi64(low_ones_vector(length), from);
        const __m256i field = _mm256_sllv_epi64(load_vector(at.src[0], 2 * i), from);
        store_vector(at.dst[0], 2 * i,
                     _mm256_or_si256(_mm256_and_si256(field, mask), _mm256_andnot_si256(mask, b)));
    }
    return whole;
}

/* ---- high halves of products ---- */

/* Returns bits `from` to `from` + 31 of the products of 32-bit lanes. AVX2 multiplies the even lanes. */
static ALWAYS_INLINE __m256i high_products_32(bool sign, int from, __m256i a, __m256i b) {
    const __m256i odd_a = _mm256_srli_epi64(a, 32), odd_b = _mm256_srli_epi64(b, 32);
    const __m256i even = sign ? _mm256_mul_epi32(a, b) : _mm256_mul_epu32(a, b);
    const __m256i odd = sign ? _mm256_mul_epi32(odd_a, odd_b) : _mm256_mul_epu32(odd_a, odd_b);
    return _mm256_blend_epi32(_mm256_srli_epi64(even, from), _mm256_slli_epi64(odd, 32 - from), 0xaa);
}

/* Returns the high halves of the products of 64-bit lanes, as high_product() without 128-bit integers. */
static ALWAYS_INLINE __m256i high_products_64(bool sign, __m256i a, __m256i b) {
    const __m256i a1 = _mm256_srli_epi64(a, 32), b1 = _mm256_srli_epi64(b, 32), zero = _mm256_setzero_si256();
    const __m256i middle =
        _mm256_add_epi64(_mm256_mul_epu32(a1, b), _mm256_srli_epi64(_mm256_mul_epu32(a, b), 32));
    const __m256i other = _mm256_add_epi64(_mm256_mul_epu32(a, b1), _mm256_blend_epi32(middle, zero, 0xaa));
    __m256i high = _mm256_add_epi64(_mm256_mul_epu32(a1, b1), _mm256_srli_epi64(middle, 32));
    high = _mm256_add_epi64(high, _mm256_srli_epi64(other, 32));
    if (!sign) return high;
    high = _mm256_sub_epi64(high, _mm256_and_si256(b, _mm256_cmpgt_epi64(zero, a)));
    return _mm256_sub_epi64(high, _mm256_and_si256(a, _mm256_cmpgt_epi64(zero, b)));
}

/* Returns a + b of signed 32-bit lanes, saturated. */
static ALWAYS_INLINE __m256i add_saturated(__m256i a, __m256i b) {
    const __m256i sum = _mm256_add_epi32(a, b);
    const __m256i overflow = _mm256_and_si256(_mm256_xor_si256(a, sum), _mm256_xor_si256(b, sum));
    const __m256i limit = _mm256_add_epi32(_mm256_srli_epi32(a, 31), _mm256_set1_epi32(INT32_MAX));
    return _mm256_blendv_epi8(sum, limit, _mm256_srai_epi32(overflow, 31));
}

static ALWAYS_INLINE __m256i low_24_vector(bool sign, __m256i a) {
    return sign ? _mm256_srai_epi32(_mm256_slli_epi32(a, 8), 8)
                : _mm256_and_si256(a, _mm256_set1_epi32(0xffffff));
}

static ALWAYS_INLINE size_t high_product_vectors(enum integer_op op, bool sign, unsigned bits,
                                                 struct addresses at, size_t n) {
    const bool by_24 = op == INTEGER_MUL24_HI || op == INTEGER_MAD24_HI || op == INTEGER_MAD24_HI_SAT;
    const size_t words = bits / 32, whole = n - n % (8 / words);
    for (size_t i = 0; i < whole * words; i += 8) {
        __m256i a = load_vector(at.src[0], i), b = load_vector(at.src[1], i), d;
        if (by_24) a = low_24_vector(sign, a);
        if (by_24) b = low_24_vector(sign, b);
        d = bits == 64 ? high_products_64(sign, a, b) : high_products_32(sign, by_24 ? 16 : 32, a, b);
        if (op == INTEGER_MAD_HI_SAT || op == INTEGER_MAD24_HI_SAT)
            d = add_saturated(d, load_vector(at.src[2], i));
        else if (op == INTEGER_MAD_HI || op == INTEGER_MAD24_HI)
            d = bits == 64 ? _mm256_add_epi64(d, load_vector(at.src[2], i))
                           : _mm256_add_epi32(d, load_vector(at.src[2], i));
        store_vector(at.dst[0], i, d);
    }
    return whole;
}

/* ---- prmt ---- */

/* Moves the four low nibbles of each word to the low halves of its bytes. */
static ALWAYS_INLINE __m256i spread_nibbles(__m256i s) {
    const __m256i bytes = _mm256_setr_epi8(0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13, /* */
                                           0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13);
    s = _mm256_shuffle_epi8(s, bytes);
    return _mm256_blendv_epi8(_mm256_srli_epi16(s, 4), s, _mm256_set1_epi16(0x00ff));
}

/* Returns permuted() of eight lanes, for nibbles that are spread over the bytes of s. Bits 2 and 3 of the nibbles
 * become the sign bits of bytes, which blends test. */
static ALWAYS_INLINE __m256i permuted_vector(__m256i a, __m256i b, __m256i s) {
    const __m256i first =
        _mm256_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c, /* the first byte of each word */
                          0, 0x04040404, 0x08080808, 0x0c0c0c0c);
    const __m256i index = _mm256_or_si256(_mm256_and_si256(s, _mm256_set1_epi8(3)), first);
    const __m256i d = _mm256_blendv_epi8(_mm256_shuffle_epi8(a, index), _mm256_shuffle_epi8(b, index),
                                         _mm256_slli_epi32(s, 5));
    return _mm256_blendv_epi8(d, _mm256_cmpgt_epi8(_mm256_setzero_si256(), d), _mm256_slli_epi32(s, 4));
}

static ALWAYS_INLINE size_t permute_vectors(bool general, uint64_t selectors, struct addresses at, size_t n) {
    const size_t whole = n - n % 8;
    const __m256i twice = _mm256_set1_epi64x((long long)selectors);
    const __m256i table = spread_nibbles(_mm256_unpacklo_epi16(twice, _mm256_setzero_si256()));
    for (size_t i = 0; i < whole; i += 8) {
        const __m256i c = load_vector(at.src[2], i);
        const __m256i s = general ? spread_nibbles(c) : _mm256_permutevar8x32_epi32(table, c);
        store_vector(at.dst[0], i, permuted_vector(load_vector(at.src[0], i), load_vector(at.src[1], i), s));
    }
    return whole;
}

/* ---- dp4a ---- */

/* Returns the bytes with an even or odd index, extended to 16 bits. */
static ALWAYS_INLINE __m256i half_of_bytes(bool odd, bool sign, __m256i a) {
    if (odd) return sign ? _mm256_srai_epi16(a, 8) : _mm256_srli_epi16(a, 8);
    return sign ? _mm256_srai_epi16(_mm256_slli_epi16(a, 8), 8)
                : _mm256_and_si256(a, _mm256_set1_epi16(0x00ff));
}

static ALWAYS_INLINE size_t dot_vectors(bool sign_a, bool sign_b, struct addresses at, size_t n) {
    const size_t whole = n - n % 8;
    for (size_t i = 0; i < whole; i += 8) {
        const __m256i a = load_vector(at.src[0], i), b = load_vector(at.src[1], i);
        const __m256i even =
            _mm256_madd_epi16(half_of_bytes(false, sign_a, a), half_of_bytes(false, sign_b, b));
        const __m256i odd = _mm256_madd_epi16(half_of_bytes(true, sign_a, a), half_of_bytes(true, sign_b, b));
        store_vector(at.dst[0], i, _mm256_add_epi32(_mm256_add_epi32(even, odd), load_vector(at.src[2], i)));
    }
    return whole;
}

#else

static ALWAYS_INLINE size_t extract_vectors(bool sign, struct addresses at, size_t n) {
    (void)sign;
    (void)at;
    (void)n;
    return 0;
}

static ALWAYS_INLINE size_t insert_vectors(struct addresses at, size_t n) {
    (void)at;
    (void)n;
    return 0;
}

static ALWAYS_INLINE size_t high_product_vectors(enum integer_op op, bool sign, unsigned bits,
                                                 struct addresses at, size_t n) {
    (void)op;
    (void)sign;
    (void)bits;
    (void)at;
    (void)n;
    return 0;
}

static ALWAYS_INLINE size_t permute_vectors(bool general, uint64_t selectors, struct addresses at, size_t n) {
    (void)general;
    (void)selectors;
    (void)at;
    (void)n;
    return 0;
}

static ALWAYS_INLINE size_t dot_vectors(bool sign_a, bool sign_b, struct addresses at, size_t n) {
    (void)sign_a;
    (void)sign_b;
    (void)at;
    (void)n;
    return 0;
}

#endif

#endif
