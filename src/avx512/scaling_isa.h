/* SPDX-License-Identifier: MIT */
/* What loops/scaling.h leaves to an ISA. */

#define SCALING_HAS_F16
static ALWAYS_INLINE f32v v_f32_of_f16(const u8 *p) {
    return (f32v)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}

static ALWAYS_INLINE u32v v_max_u16(u32v a, u32v b) {
    return (u32v)_mm512_max_epu16((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE u32v v_largest_32(u32v x) {
    return (u32v)_mm512_set1_epi32((s32)_mm512_reduce_max_epu32((__m512i)x));
}

/* Two vectors become one, whose lanes each stand for two of the same vector as before. */
static ALWAYS_INLINE u32v larger_of_pairs(u32v a, u32v b) {
    const __m512i x = (__m512i)a, y = (__m512i)b;
    return (u32v)_mm512_max_epu32(_mm512_unpacklo_epi32(x, y), _mm512_unpackhi_epi32(x, y));
}

static ALWAYS_INLINE u32v larger_of_twos(u32v a, u32v b) {
    const __m512i x = (__m512i)a, y = (__m512i)b;
    return (u32v)_mm512_max_epu32(_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y));
}

static ALWAYS_INLINE u32v larger_of_quarters(u32v a, u32v b) {
    const __m512i x = (__m512i)a, y = (__m512i)b;
    return (u32v)_mm512_max_epu32(_mm512_shuffle_i32x4(x, y, 0x88), _mm512_shuffle_i32x4(x, y, 0xdd));
}

#define SCALING_HAS_EACH
static ALWAYS_INLINE u32v v_largest_of_each(u32v x[VLANES_32]) {
    UNROLL for (size_t k = 0; k < 8; ++k) x[k] = larger_of_pairs(x[2 * k], x[2 * k + 1]);
    UNROLL for (size_t k = 0; k < 4; ++k) x[k] = larger_of_twos(x[2 * k], x[2 * k + 1]);
    UNROLL for (size_t k = 0; k < 2; ++k) x[k] = larger_of_quarters(x[2 * k], x[2 * k + 1]);
    return larger_of_quarters(x[0], x[1]);
}

/* Words of up to 8 bits as bytes; signed ones of any size keep their signs. The order is that of packing within
 * quarters, until it is mended. */
#define SCALING_HAS_PACKED
static ALWAYS_INLINE u32v v_packed(const u32v x[4]) {
    return (u32v)_mm512_packus_epi16(_mm512_packs_epi32((__m512i)x[0], (__m512i)x[1]),
                                     _mm512_packs_epi32((__m512i)x[2], (__m512i)x[3]));
}

static ALWAYS_INLINE u32v v_packed_signs(const u32v x[4]) {
    return (u32v)_mm512_packs_epi16(_mm512_packs_epi32((__m512i)x[0], (__m512i)x[1]),
                                    _mm512_packs_epi32((__m512i)x[2], (__m512i)x[3]));
}

static ALWAYS_INLINE u32v v_min_u8(u32v a, u32v b) {
    return (u32v)_mm512_min_epu8((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE u32v v_in_order(u32v packed) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return (u32v)_mm512_permutexvar_epi32(order, (__m512i)packed);
}

/* Bytes as nibbles, two of them in one. */
static ALWAYS_INLINE void v_store_nibbles(u8 *p, u32v bytes) {
    const __m512i pairs = _mm512_maddubs_epi16((__m512i)bytes, _mm512_set1_epi16(0x1001));
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi16_epi8(pairs));
}

static ALWAYS_INLINE void v_store_upper_halves(u8 *p, u32v x, u32v y) {
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    const __m512i packed = _mm512_packus_epi32((__m512i)(x >> 16), (__m512i)(y >> 16));
    _mm512_storeu_si512(p, _mm512_permutexvar_epi64(order, packed));
}

static ALWAYS_INLINE bool v_any_32(vmask_32 m) {
    return m != 0;
}
