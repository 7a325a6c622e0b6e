/* SPDX-License-Identifier: MIT */
/* The byte-vector operations of x86/convert_bytes.h for AVX2. */

typedef u8 bytes __attribute__((vector_size(VBYTES)));
typedef u16 byte_pairs __attribute__((vector_size(VBYTES)));
typedef bytes bytes_truth; /* a byte is true if it is not 0 */

#include "x86/bytes.h"

static ALWAYS_INLINE bytes b_load(const u8 *p) {
    return (bytes)_mm256_loadu_si256((const __m256i *)p);
}

static ALWAYS_INLINE void b_store(u8 *p, bytes x) {
    _mm256_storeu_si256((__m256i *)p, (__m256i)x);
}

static ALWAYS_INLINE bytes b_nibbles(const u8 *p) {
    const __m256i both = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)p));
    return (bytes)_mm256_or_si256(both, _mm256_slli_epi16(both, 4)) & 0x0f;
}

static ALWAYS_INLINE bytes b_for_interleave(bytes x) {
    return (bytes)_mm256_permute4x64_epi64((__m256i)x, 0xd8);
}

static ALWAYS_INLINE bytes b_for_interleave_twice(bytes x) {
    return (bytes)_mm256_permutevar8x32_epi32((__m256i)x, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
}

static ALWAYS_INLINE bytes b_after_packing_twice(bytes x) {
    return (bytes)_mm256_permutevar8x32_epi32((__m256i)x, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

static ALWAYS_INLINE bytes b_table(__m128i table) {
    return (bytes)_mm256_broadcastsi128_si256(table);
}

static ALWAYS_INLINE bytes b_select_bits(bytes bits, bytes yes, bytes no) {
    return (yes & bits) | (no & ~bits);
}

static ALWAYS_INLINE bytes b_zero_if_negative(bytes x, bytes sign) {
    return (bytes)_mm256_andnot_si256(_mm256_cmpgt_epi8(_mm256_setzero_si256(), (__m256i)sign), (__m256i)x);
}

static ALWAYS_INLINE bytes_truth b_greater(bytes a, bytes b) {
    return b_sub_saturated(a, b);
}

static ALWAYS_INLINE bool b_any(bytes_truth t) {
    return !_mm256_testz_si256((__m256i)t, (__m256i)t);
}
