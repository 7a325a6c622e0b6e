/* SPDX-License-Identifier: MIT */
#include "x86/scaling.h"
/* AVX-512's definitions for loops/scaling.h (SCALING_ISA). */

static ALWAYS_INLINE f32v v_f32_of_f16(const u8 *p) {
    return (f32v)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}

/* Returns 16 codes of e2m1 as f32 times 2^-14, with a table of their values. */
static ALWAYS_INLINE f32v f32_of_nibbles(const u8 *p) {
    const __m512 values =
        _mm512_setr_ps(0, 0.5F, 1, 1.5F, 2, 3, 4, 6, -0.0F, -0.5F, -1, -1.5F, -2, -3, -4, -6);
    const __m512i bytes = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)p));
    const __m512i each =
        _mm512_or_si512(bytes, _mm512_slli_epi64(bytes, 28)); /* each code in the low bits of its lane */
    return (f32v)_mm512_permutexvar_ps(each, _mm512_mul_ps(values, _mm512_set1_ps(0x1p-14F)));
}

/* Works as in avx2/scaling_isa.h. */
static ALWAYS_INLINE f32v v_f32_of_codes(const u8 *p, pto_dtype elem) {
    const struct cvt_format f = cvt_format_of(elem);
    const unsigned at_sign = (unsigned)f.exponent_bits + f.fraction_bits, missing = 5U - f.exponent_bits;
    const u64 magnitude = low_bits(at_sign) << (10 - f.fraction_bits);
    __m256i x;
    if (elem == PTO_E2M1) return f32_of_nibbles(p);
    x = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)p));
    if (elem == PTO_E4M3)
        x = _mm256_maddubs_epi16(_mm256_set1_epi16(0x0080), x);
    else
        x = _mm256_srai_epi16(_mm256_slli_epi16(x, (int)(15 - at_sign)), (int)missing);
    return (f32v)_mm512_cvtph_ps(_mm256_and_si256(x, _mm256_set1_epi16((s16)(0x8000 | magnitude))));
}

static ALWAYS_INLINE u32v v_largest_32(u32v x) {
    return (u32v)_mm512_set1_epi32((s32)_mm512_reduce_max_epu32((__m512i)x));
}

static ALWAYS_INLINE u32v merge_max_128(u32v a, u32v b) {
    const __m512i x = (__m512i)a, y = (__m512i)b;
    return (u32v)_mm512_max_epu32(_mm512_shuffle_i32x4(x, y, 0x88), _mm512_shuffle_i32x4(x, y, 0xdd));
}

static ALWAYS_INLINE u32v v_max_of_each(u32v x[VLANES_32]) {
    UNROLL for (size_t k = 0; k < 8; ++k) x[k] = merge_max_32(x[2 * k], x[2 * k + 1]);
    UNROLL for (size_t k = 0; k < 4; ++k) x[k] = merge_max_64(x[2 * k], x[2 * k + 1]);
    UNROLL for (size_t k = 0; k < 2; ++k) x[k] = merge_max_128(x[2 * k], x[2 * k + 1]);
    return merge_max_128(x[0], x[1]);
}

static ALWAYS_INLINE void v_transpose(u32v x[VLANES_32]) {
    UNROLL for (size_t k = 0; k < 4; ++k) transpose_quads(x + 4 * k);
    UNROLL for (size_t k = 0; k < 4; ++k) {
        const __m512i a = (__m512i)x[k], b = (__m512i)x[4 + k], c = (__m512i)x[8 + k], d = (__m512i)x[12 + k];
        const __m512i ab = _mm512_shuffle_i32x4(a, b, 0x88), cd = _mm512_shuffle_i32x4(c, d, 0x88);
        const __m512i odd_ab = _mm512_shuffle_i32x4(a, b, 0xdd), odd_cd = _mm512_shuffle_i32x4(c, d, 0xdd);
        x[k] = (u32v)_mm512_shuffle_i32x4(ab, cd, 0x88);
        x[4 + k] = (u32v)_mm512_shuffle_i32x4(odd_ab, odd_cd, 0x88);
        x[8 + k] = (u32v)_mm512_shuffle_i32x4(ab, cd, 0xdd);
        x[12 + k] = (u32v)_mm512_shuffle_i32x4(odd_ab, odd_cd, 0xdd);
    }
}

static ALWAYS_INLINE u32v v_restore_order(u32v packed) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return (u32v)_mm512_permutexvar_epi32(order, (__m512i)packed);
}

static ALWAYS_INLINE void v_store_nibbles(u8 *p, u32v packed) {
    const __m512i bytes = (__m512i)v_restore_order(packed);
    const __m512i pairs = _mm512_maddubs_epi16(bytes, _mm512_set1_epi16(0x1001));
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi16_epi8(pairs));
}

static ALWAYS_INLINE u32v v_upper_halves(u32v x, u32v y) {
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    const __m512i packed = _mm512_packus_epi32((__m512i)(x >> 16), (__m512i)(y >> 16));
    return (u32v)_mm512_permutexvar_epi64(order, packed);
}

static ALWAYS_INLINE void v_stream_32(u8 *p, u32v x) {
    _mm512_stream_si512((void *)p, (__m512i)x);
}

static ALWAYS_INLINE bool v_any_32(vmask_32 m) {
    return m != 0;
}

/* ---- 16 codes of e2m1 by a table of their results: each is shifted to the low bits of a lane ---- */

static ALWAYS_INLINE void v_arrange_halves(const u8 *results, u8 *row) {
    memcpy(row, results, 32);
}

static ALWAYS_INLINE void v_look_up_halves(const u8 *codes, const u8 *row, u8 *y, bool stream) {
    const __m256i fours =
        _mm256_setr_epi64x(0x0100010001000100, 0x0302030203020302, 0x0504050405040504, 0x0706070607060706);
    const __m256i all = _mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)codes));
    const __m256i each =
        _mm256_srlv_epi16(_mm256_shuffle_epi8(all, fours), _mm256_set1_epi64x(0x000c000800040000));
    const __m256i x = _mm256_permutexvar_epi16(each, _mm256_loadu_si256((const __m256i *)row));
    if (stream)
        _mm256_stream_si256((__m256i *)y, x);
    else
        _mm256_storeu_si256((__m256i *)y, x);
}

static ALWAYS_INLINE void v_look_up_singles(const u8 *codes, const u8 *row, u8 *y, bool stream) {
    const __m512i eights =
        _mm512_inserti64x4(_mm512_set1_epi32(0x03020100), _mm256_set1_epi32(0x07060504), 1);
    const __m512i down = _mm512_broadcast_i64x4(_mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
    const __m512i all = _mm512_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)codes));
    const __m512i each = _mm512_srlv_epi32(_mm512_shuffle_epi8(all, eights), down);
    const u32v x = (u32v)_mm512_permutexvar_epi32(each, _mm512_loadu_si512(row));
    if (stream)
        v_stream_32(y, x);
    else
        _mm512_storeu_si512(y, (__m512i)x);
}
