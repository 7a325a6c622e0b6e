/* SPDX-License-Identifier: MIT */
/* What loops/scaling.h leaves to an ISA. */

#define SCALING_HAS_F16
static ALWAYS_INLINE f32v v_f32_of_f16(const u8 *p) {
    return (f32v)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
}

static ALWAYS_INLINE u32v v_max_u16(u32v a, u32v b) {
    return (u32v)_mm256_max_epu16((__m256i)a, (__m256i)b);
}

/* In every lane. */
static ALWAYS_INLINE u32v v_largest_32(u32v x) {
    __m256i m = (__m256i)x;
    m = _mm256_max_epu32(m, _mm256_permute2x128_si256(m, m, 1));
    m = _mm256_max_epu32(m, _mm256_shuffle_epi32(m, 0x4e));
    return (u32v)_mm256_max_epu32(m, _mm256_shuffle_epi32(m, 0xb1));
}

/* Two vectors become one, whose lanes each stand for two of the same vector as before. */
static ALWAYS_INLINE u32v larger_of_pairs(u32v a, u32v b) {
    const __m256i x = (__m256i)a, y = (__m256i)b;
    return (u32v)_mm256_max_epu32(_mm256_unpacklo_epi32(x, y), _mm256_unpackhi_epi32(x, y));
}

static ALWAYS_INLINE u32v larger_of_twos(u32v a, u32v b) {
    const __m256i x = (__m256i)a, y = (__m256i)b;
    return (u32v)_mm256_max_epu32(_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y));
}

static ALWAYS_INLINE u32v larger_of_halves(u32v a, u32v b) {
    const __m256i x = (__m256i)a, y = (__m256i)b;
    return (u32v)_mm256_max_epu32(_mm256_permute2x128_si256(x, y, 0x20),
                                  _mm256_permute2x128_si256(x, y, 0x31));
}

#define SCALING_HAS_EACH
static ALWAYS_INLINE u32v v_largest_of_each(u32v x[VLANES_32]) {
    UNROLL for (size_t k = 0; k < 4; ++k) x[k] = larger_of_pairs(x[2 * k], x[2 * k + 1]);
    UNROLL for (size_t k = 0; k < 2; ++k) x[k] = larger_of_twos(x[2 * k], x[2 * k + 1]);
    return larger_of_halves(x[0], x[1]);
}

/* Words of up to 8 bits as bytes; signed ones of any size keep their signs. The order is that of packing within
 * halves, until it is mended. */
#define SCALING_HAS_PACKED
static ALWAYS_INLINE u32v v_packed(const u32v x[4]) {
    return (u32v)_mm256_packus_epi16(_mm256_packs_epi32((__m256i)x[0], (__m256i)x[1]),
                                     _mm256_packs_epi32((__m256i)x[2], (__m256i)x[3]));
}

static ALWAYS_INLINE u32v v_packed_signs(const u32v x[4]) {
    return (u32v)_mm256_packs_epi16(_mm256_packs_epi32((__m256i)x[0], (__m256i)x[1]),
                                    _mm256_packs_epi32((__m256i)x[2], (__m256i)x[3]));
}

static ALWAYS_INLINE u32v v_min_u8(u32v a, u32v b) {
    return (u32v)_mm256_min_epu8((__m256i)a, (__m256i)b);
}

static ALWAYS_INLINE u32v v_in_order(u32v packed) {
    return (u32v)_mm256_permutevar8x32_epi32((__m256i)packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* Bytes as nibbles, two of them in one. */
static ALWAYS_INLINE void v_store_nibbles(u8 *p, u32v bytes) {
    const __m256i pairs = _mm256_maddubs_epi16((__m256i)bytes, _mm256_set1_epi16(0x1001));
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(pairs, pairs), 0x08);
    _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(packed));
}

static ALWAYS_INLINE void v_store_upper_halves(u8 *p, u32v x, u32v y) {
    const __m256i packed = _mm256_packus_epi32((__m256i)(x >> 16), (__m256i)(y >> 16));
    _mm256_storeu_si256((__m256i *)p, _mm256_permute4x64_epi64(packed, 0xd8));
}

static ALWAYS_INLINE bool v_any_32(vmask_32 m) {
    return _mm256_movemask_epi8((__m256i)m) != 0;
}
