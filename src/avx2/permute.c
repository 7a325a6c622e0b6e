/* SPDX-License-Identifier: MIT */
/* Permutation kernels of AVX2, which looks up bytes in tables of 16 and dwords in tables of 8. In larger tables it
 * looks up the same place of every part, and then selects a part by the upper bits of the index. */
#include "avx2/vec.h"

enum { LOOK_UP_MAX_8 = 8, LOOK_UP_MAX_16 = 8, LOOK_UP_MAX_32 = 4, LOOK_UP_MAX_64 = 2 };

/* An index of bytes: its lowest four bits as a place, and each of the other bits as the sign of its byte. */
struct byte_index {
    vec place, bit_4, bit_5, bit_6, bit_7;
};

/* look_up_N_bytes() looks up bytes in a table of N bytes. */
static ALWAYS_INLINE vec look_up_16_bytes(const u8 *table, const struct byte_index *k) {
    const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)table);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(part), k->place);
}

static ALWAYS_INLINE vec look_up_32_bytes(const u8 *table, const struct byte_index *k) {
    return _mm256_blendv_epi8(look_up_16_bytes(table, k), look_up_16_bytes(table + 16, k), k->bit_4);
}

static ALWAYS_INLINE vec look_up_64_bytes(const u8 *table, const struct byte_index *k) {
    return _mm256_blendv_epi8(look_up_32_bytes(table, k), look_up_32_bytes(table + 32, k), k->bit_5);
}

static ALWAYS_INLINE vec look_up_128_bytes(const u8 *table, const struct byte_index *k) {
    return _mm256_blendv_epi8(look_up_64_bytes(table, k), look_up_64_bytes(table + 64, k), k->bit_6);
}

static ALWAYS_INLINE vec look_up_8(const u8 *table, size_t vectors, vec index) {
    const struct byte_index k = {v_and(index, _mm256_set1_epi8(0x0f)), _mm256_slli_epi16(index, 3),
                                 _mm256_slli_epi16(index, 2), _mm256_slli_epi16(index, 1), index};
    switch (vectors) {
    case 1: return look_up_32_bytes(table, &k);
    case 2: return look_up_64_bytes(table, &k);
    case 4: return look_up_128_bytes(table, &k);
    default:
        return _mm256_blendv_epi8(look_up_128_bytes(table, &k), look_up_128_bytes(table + 128, &k), k.bit_7);
    }
}

/* Looks up both bytes of each word. */
static ALWAYS_INLINE vec look_up_16(const u8 *table, size_t vectors, vec index) {
    const vec bytes =
        _mm256_add_epi16(_mm256_mullo_epi16(index, _mm256_set1_epi16(0x0202)), _mm256_set1_epi16(0x0100));
    return look_up_8(table, vectors, bytes);
}

/* Looks up dwords in a table of two vectors. */
static ALWAYS_INLINE vec look_up_16_dwords(const u8 *table, vec index) {
    const __m256 low = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(v_load(table), index)),
                 high = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(v_load(table + VBYTES), index));
    return _mm256_castps_si256(
        _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(index, 28))));
}

static ALWAYS_INLINE vec look_up_32(const u8 *table, size_t vectors, vec index) {
    __m256 low, high;
    if (vectors == 1) return _mm256_permutevar8x32_epi32(v_load(table), index);
    if (vectors == 2) return look_up_16_dwords(table, index);
    low = _mm256_castsi256_ps(look_up_16_dwords(table, index));
    high = _mm256_castsi256_ps(look_up_16_dwords(table + (size_t)2 * VBYTES, index));
    return _mm256_castps_si256(
        _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(index, 27))));
}

/* Looks up both halves of each qword. */
static ALWAYS_INLINE vec look_up_64(const u8 *table, size_t vectors, vec index) {
    const vec low = _mm256_slli_epi64(index, 1), high = _mm256_slli_epi64(index, 33);
    return look_up_32(table, vectors, v_or(v_or(low, high), _mm256_set1_epi64x((s64)1 << 32)));
}

#define PERMUTE_LOOKS_UP
#define ISA avx2
#include "loops/permute.h"
