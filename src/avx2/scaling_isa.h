/* SPDX-License-Identifier: MIT */
#include "x86/scaling.h"
/* AVX2's definitions for loops/scaling.h (SCALING_ISA). */

static ALWAYS_INLINE f32v v_f32_of_f16(const u8 *p) {
    return (f32v)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}

/* Returns 8 codes of e2m1 as f32 times 2^-14. A table has the magnitudes; the signs are added. */
static ALWAYS_INLINE f32v f32_of_nibbles(const u8 *p) {
    const __m256 values = _mm256_setr_ps(0, 0.5F, 1, 1.5F, 2, 3, 4, 6);
    const __m256i bytes = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128((s32)load_bytes(p, 4)));
    const __m256i each =
        _mm256_or_si256(bytes, _mm256_slli_epi64(bytes, 28)); /* each code in the low bits of its lane */
    const __m256 sign =
        _mm256_and_ps(_mm256_castsi256_ps(_mm256_slli_epi32(each, 28)), _mm256_set1_ps(-0.0F));
    return (f32v)_mm256_or_ps(_mm256_permutevar8x32_ps(_mm256_mul_ps(values, _mm256_set1_ps(0x1p-14F)), each),
                              sign);
}

/*
 * A code becomes an f16 whose exponent field is that of the code, extended with zeros. The code is shifted to
 * the top of a 16-bit lane, then right as a signed integer by the missing exponent bits. Finally, the copies
 * of the sign below the top bit are cleared. For e4m3 one multiplication does both shifts, because shifts use
 * the same execution units as instructions that move lanes.
 */
static ALWAYS_INLINE f32v v_f32_of_codes(const u8 *p, pto_dtype elem) {
    const struct cvt_format f = cvt_format_of(elem);
    const unsigned at_sign = (unsigned)f.exponent_bits + f.fraction_bits, missing = 5U - f.exponent_bits;
    const u64 magnitude = low_bits(at_sign) << (10 - f.fraction_bits);
    __m128i x;
    if (elem == PTO_E2M1) return f32_of_nibbles(p);
    x = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)p));
    if (elem == PTO_E4M3)
        x = _mm_maddubs_epi16(_mm_set1_epi16(0x0080), x);
    else
        x = _mm_srai_epi16(_mm_slli_epi16(x, (int)(15 - at_sign)), (int)missing);
    return (f32v)_mm256_cvtph_ps(_mm_and_si128(x, _mm_set1_epi16((s16)(0x8000 | magnitude))));
}

/* Does the same for 16 codes: those at even positions become *even, the others *odd. */
#define SCALING_HAS_PAIRS
static ALWAYS_INLINE void v_f32_of_pairs(const u8 *p, pto_dtype elem, f32v *even, f32v *odd) {
    const struct cvt_format f = cvt_format_of(elem);
    const unsigned at_sign = (unsigned)f.exponent_bits + f.fraction_bits, missing = 5U - f.exponent_bits;
    const __m128i kept = _mm_set1_epi16((s16)(0x8000 | (low_bits(at_sign) << (10 - f.fraction_bits))));
    const __m128i pairs = _mm_loadu_si128((const __m128i *)p);
    __m128i x, y;
    if (elem == PTO_E4M3) {
        x = _mm_maddubs_epi16(_mm_set1_epi16(0x0080), pairs);
        y = _mm_maddubs_epi16(_mm_set1_epi16((s16)0x8000), pairs);
    } else {
        x = _mm_srai_epi16(_mm_slli_epi16(pairs, (int)(15 - at_sign)), (int)missing);
        y = _mm_srai_epi16(_mm_slli_epi16(pairs, (int)(7 - at_sign)), (int)missing);
    }
    *even = (f32v)_mm256_cvtph_ps(_mm_and_si128(x, kept));
    *odd = (f32v)_mm256_cvtph_ps(_mm_and_si128(y, kept));
}

static ALWAYS_INLINE u32v v_upper_pairs(u32v even, u32v odd) {
    return (u32v)_mm256_blend_epi16((__m256i)(even >> 16), (__m256i)odd, 0xaa);
}

/* Returns the largest lane, as unsigned, in every lane. */
static ALWAYS_INLINE u32v v_largest_32(u32v x) {
    __m256i m = (__m256i)x;
    m = _mm256_max_epu32(m, _mm256_permute2x128_si256(m, m, 1));
    m = _mm256_max_epu32(m, _mm256_shuffle_epi32(m, 0x4e));
    return (u32v)_mm256_max_epu32(m, _mm256_shuffle_epi32(m, 0xb1));
}

static ALWAYS_INLINE u32v merge_max_128(u32v a, u32v b) {
    const __m256i x = (__m256i)a, y = (__m256i)b;
    return (u32v)_mm256_max_epu32(_mm256_permute2x128_si256(x, y, 0x20),
                                  _mm256_permute2x128_si256(x, y, 0x31));
}

static ALWAYS_INLINE u32v v_max_of_each(u32v x[VLANES_32]) {
    UNROLL for (size_t k = 0; k < 4; ++k) x[k] = merge_max_32(x[2 * k], x[2 * k + 1]);
    UNROLL for (size_t k = 0; k < 2; ++k) x[k] = merge_max_64(x[2 * k], x[2 * k + 1]);
    return merge_max_128(x[0], x[1]);
}

static ALWAYS_INLINE void v_transpose(u32v x[VLANES_32]) {
    transpose_quads(x);
    transpose_quads(x + 4);
    UNROLL for (size_t k = 0; k < 4; ++k) {
        const __m256i a = (__m256i)x[k], b = (__m256i)x[4 + k];
        x[k] = (u32v)_mm256_permute2x128_si256(a, b, 0x20);
        x[4 + k] = (u32v)_mm256_permute2x128_si256(a, b, 0x31);
    }
}

static ALWAYS_INLINE u32v v_restore_order(u32v packed) {
    return (u32v)_mm256_permutevar8x32_epi32((__m256i)packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* Stores 32 nibbles as 16 bytes. Packing has left groups of four codes, with one code in each byte: even groups are in
 * the lower 128 bits, odd groups in the upper. Each group becomes two bytes, then the two halves are interleaved. */
static ALWAYS_INLINE void v_store_nibbles(u8 *p, u32v packed) {
    const __m256i pairs = _mm256_maddubs_epi16((__m256i)packed, _mm256_set1_epi16(0x1001));
    const __m256i bytes = _mm256_packus_epi16(pairs, pairs);
    const __m128i first = _mm256_castsi256_si128(bytes), second = _mm256_extracti128_si256(bytes, 1);
    _mm_storeu_si128((__m128i *)p, _mm_unpacklo_epi16(first, second));
}

static ALWAYS_INLINE u32v v_upper_halves(u32v x, u32v y) {
    const __m256i packed = _mm256_packus_epi32((__m256i)(x >> 16), (__m256i)(y >> 16));
    return (u32v)_mm256_permute4x64_epi64(packed, 0xd8);
}

static ALWAYS_INLINE void v_stream_32(u8 *p, u32v x) {
    _mm256_stream_si256((__m256i *)p, (__m256i)x);
}

static ALWAYS_INLINE bool v_any_32(vmask_32 m) {
    return _mm256_movemask_epi8((__m256i)m) != 0;
}

/* ---- 16 codes of e2m1 by a table of their results ---- */

/* Arranges 16 results of two bytes as a row: all low bytes, then all high bytes. */
static ALWAYS_INLINE void v_arrange_halves(const u8 *results, u8 *row) {
    for (size_t k = 0; k < 16; ++k) {
        row[k] = results[2 * k];
        row[16 + k] = results[2 * k + 1];
    }
}

static ALWAYS_INLINE void store_or_stream_128(u8 *y, __m128i x, bool stream) {
    if (stream)
        _mm_stream_si128((__m128i *)y, x);
    else
        _mm_storeu_si128((__m128i *)y, x);
}

static ALWAYS_INLINE void v_look_up_halves(const u8 *codes, const u8 *row, u8 *y, bool stream) {
    const __m128i pairs = _mm_loadl_epi64((const __m128i *)codes);
    const __m128i each =
        _mm_and_si128(_mm_unpacklo_epi8(pairs, _mm_srli_epi16(pairs, 4)), _mm_set1_epi8(0x0f));
    const __m128i lower = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)row), each);
    const __m128i upper = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(row + 16)), each);
    store_or_stream_128(y, _mm_unpacklo_epi8(lower, upper), stream);
    store_or_stream_128(y + 16, _mm_unpackhi_epi8(lower, upper), stream);
}

static ALWAYS_INLINE void v_look_up_singles(const u8 *codes, const u8 *row, u8 *y, bool stream) {
    const __m256i down = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const __m256 positive = _mm256_loadu_ps((const void *)row),
                 negative = _mm256_loadu_ps((const void *)(row + 32));
    UNROLL for (size_t k = 0; k < 2; ++k) {
        const __m256i all = _mm256_set1_epi32((s32)load_bytes(codes + 4 * k, 4));
        const __m256i each = _mm256_srlv_epi32(all, down);
        const __m256 x = _mm256_blendv_ps(_mm256_permutevar8x32_ps(positive, each),
                                          _mm256_permutevar8x32_ps(negative, each),
                                          _mm256_castsi256_ps(_mm256_slli_epi32(each, 28)));
        if (stream)
            v_stream_32(y + k * VBYTES, (u32v)_mm256_castps_si256(x));
        else
            _mm256_storeu_ps((void *)(y + k * VBYTES), x);
    }
}
