/* SPDX-License-Identifier: MIT */
/* The byte-vector operations of x86/convert_bytes.h for AVX-512. */

typedef u8 bytes __attribute__((vector_size(VBYTES)));
typedef u16 byte_pairs __attribute__((vector_size(VBYTES)));
typedef __mmask64 bytes_truth;

#include "x86/bytes.h"

static ALWAYS_INLINE bytes b_load(const u8 *p) {
    return (bytes)_mm512_loadu_si512(p);
}

static ALWAYS_INLINE void b_store(u8 *p, bytes x) {
    _mm512_storeu_si512(p, (__m512i)x);
}

static ALWAYS_INLINE bytes b_nibbles(const u8 *p) {
    const __m512i both = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)p));
    return (bytes)_mm512_or_si512(both, _mm512_slli_epi16(both, 4)) & 0x0f;
}

static ALWAYS_INLINE bytes b_for_interleave(bytes x) {
    return (bytes)_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), (__m512i)x);
}

static ALWAYS_INLINE bytes b_for_interleave_twice(bytes x) {
    const __m512i from = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return (bytes)_mm512_permutexvar_epi32(from, (__m512i)x);
}

static ALWAYS_INLINE bytes b_after_packing_twice(bytes x) {
    return b_for_interleave_twice(x); /* it exchanges rows and columns of four by four */
}

static ALWAYS_INLINE bytes b_table(__m128i table) {
    return (bytes)_mm512_broadcast_i32x4(table);
}

/* VPTERNLOG overwrites its first operand. Here that is `no`. If it were `bits`, which is usually a constant, gcc
 * would copy it each time. */
static ALWAYS_INLINE bytes b_select_bits(bytes bits, bytes yes, bytes no) {
    return (bytes)_mm512_ternarylogic_epi32((__m512i)no, (__m512i)yes, (__m512i)bits, 0xd8);
}

static ALWAYS_INLINE bytes b_zero_if_negative(bytes x, bytes sign) {
    return (bytes)_mm512_maskz_mov_epi8(~_mm512_movepi8_mask((__m512i)sign), (__m512i)x);
}

static ALWAYS_INLINE bytes_truth b_greater(bytes a, bytes b) {
    return _mm512_cmpgt_epu8_mask((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE bool b_any(bytes_truth t) {
    return t != 0;
}
