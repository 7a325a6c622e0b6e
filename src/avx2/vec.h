/* SPDX-License-Identifier: MIT */
/* The vocabulary (see loops/vocabulary.h) for AVX2: vectors and masks of 32 bytes. */
#ifndef PTO_AVX2_VEC_H
#define PTO_AVX2_VEC_H

#if defined(__AVX2__) && defined(__BMI2__) && defined(__F16C__)
#    include <immintrin.h>
#else
#    error "this folder is compiled with -mavx2 -mbmi2 -mf16c"
#endif

#include "core/kernels.h"

enum { VBYTES = 32, VLANES_8 = 32, VLANES_16 = 16, VLANES_32 = 8, VLANES_64 = 4 };

typedef __m256i vec;
typedef __m256i vmask_8; /* lanes of all ones or all zeros */
typedef __m256i vmask_16;
typedef __m256i vmask_32;
typedef __m256i vmask_64;

static ALWAYS_INLINE vec v_zero(void) {
    return _mm256_setzero_si256();
}

static ALWAYS_INLINE vec v_and(vec x, vec y) {
    return _mm256_and_si256(x, y);
}

static ALWAYS_INLINE vec v_or(vec x, vec y) {
    return _mm256_or_si256(x, y);
}

static ALWAYS_INLINE vec v_xor(vec x, vec y) {
    return _mm256_xor_si256(x, y);
}

static ALWAYS_INLINE vec v_load(const void *p) {
    return _mm256_loadu_si256((const __m256i *)p);
}

static ALWAYS_INLINE void v_store(void *p, vec x) {
    _mm256_storeu_si256((__m256i *)p, x);
}

/* Returns a mask of the first n dwords. */
static ALWAYS_INLINE vec dwords_below(size_t n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* Loads whole dwords under a mask, then the remaining 1 to 3 bytes into the dword after them. */
static ALWAYS_INLINE vec load_masked(const u8 *p, size_t bytes) {
    size_t dwords = bytes / 4;
    vec below = dwords_below(dwords);
    vec x = _mm256_maskload_epi32((const int *)(const void *)p, below);
    if (bytes % 4 != 0) {
        vec odd = _mm256_set1_epi32((int)load_bytes(p + 4 * dwords, bytes % 4));
        x = _mm256_or_si256(x, _mm256_and_si256(odd, _mm256_andnot_si256(below, dwords_below(dwords + 1))));
    }
    return x;
}

static ALWAYS_INLINE void store_masked(u8 *p, vec x, size_t bytes) {
    size_t dwords = bytes / 4;
    _mm256_maskstore_epi32((int *)(void *)p, dwords_below(dwords), x);
    if (bytes % 4 != 0) {
        vec odd = _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32((int)dwords));
        store_bytes(p + 4 * dwords, (u32)_mm_cvtsi128_si32(_mm256_castsi256_si128(odd)), bytes % 4);
    }
}

/* Returns a mask of the last n dwords. */
static ALWAYS_INLINE vec dwords_last(size_t n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}

/* Dword i of the result is dword (i + n) % 8 of x. */
static ALWAYS_INLINE vec rotate_dwords(vec x, size_t n) {
    const vec place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_permutevar8x32_epi32(x, _mm256_add_epi32(place, _mm256_set1_epi32((int)n)));
}

/* The loaded vector ends with the last whole dword. The 1 to 3 bytes after it are inserted into the first
 * dword; the rotation moves them to the end. */
static ALWAYS_INLINE vec load_at_end(const u8 *p, size_t bytes) {
    const size_t dwords = bytes / 4, before = VBYTES - 4 * dwords;
    vec x = _mm256_maskload_epi32((const int *)(const void *)(p - before), dwords_last(dwords));
    if (bytes % 4 != 0) {
        const __m128i odd = _mm_cvtsi32_si128((int)load_bytes(p + 4 * dwords, bytes % 4));
        x = v_or(x, _mm256_inserti128_si256(v_zero(), odd, 0));
    }
    return rotate_dwords(x, before / 4);
}

static ALWAYS_INLINE void store_at_end(u8 *p, vec x, size_t bytes) {
    const size_t dwords = bytes / 4, before = VBYTES - 4 * dwords;
    const vec rotated = rotate_dwords(x, dwords);
    _mm256_maskstore_epi32((int *)(void *)(p - before), dwords_last(dwords), rotated);
    if (bytes % 4 != 0)
        store_bytes(p + 4 * dwords, (u32)_mm_cvtsi128_si32(_mm256_castsi256_si128(rotated)), bytes % 4);
}

#include "x86/vec.h"

static ALWAYS_INLINE vec v_set1_8(const void *p) {
    s8 k;
    memcpy(&k, p, sizeof k);
    return _mm256_set1_epi8(k);
}

static ALWAYS_INLINE vec v_set1_16(const void *p) {
    s16 k;
    memcpy(&k, p, sizeof k);
    return _mm256_set1_epi16(k);
}

static ALWAYS_INLINE vec v_set1_32(const void *p) {
    s32 k;
    memcpy(&k, p, sizeof k);
    return _mm256_set1_epi32(k);
}

static ALWAYS_INLINE vec v_set1_64(const void *p) {
    s64 k;
    memcpy(&k, p, sizeof k);
    return _mm256_set1_epi64x(k);
}

static ALWAYS_INLINE vmask_8 v_eq_8(vec x, vec y) {
    return _mm256_cmpeq_epi8(x, y);
}

static ALWAYS_INLINE vmask_16 v_eq_16(vec x, vec y) {
    return _mm256_cmpeq_epi16(x, y);
}

static ALWAYS_INLINE vmask_32 v_eq_32(vec x, vec y) {
    return _mm256_cmpeq_epi32(x, y);
}

static ALWAYS_INLINE vmask_64 v_eq_64(vec x, vec y) {
    return _mm256_cmpeq_epi64(x, y);
}

static ALWAYS_INLINE vmask_8 v_lt_s8(vec x, vec y) {
    return _mm256_cmpgt_epi8(y, x);
}

static ALWAYS_INLINE vmask_16 v_lt_s16(vec x, vec y) {
    return _mm256_cmpgt_epi16(y, x);
}

static ALWAYS_INLINE vmask_32 v_lt_s32(vec x, vec y) {
    return _mm256_cmpgt_epi32(y, x);
}

static ALWAYS_INLINE vmask_64 v_lt_s64(vec x, vec y) {
    return _mm256_cmpgt_epi64(y, x);
}

/*
 * AVX2 has no unsigned comparison. Flipping the sign bits of both sides maps unsigned order to signed order.
 */
static ALWAYS_INLINE vmask_8 v_lt_u8(vec x, vec y) {
    const vec sign = _mm256_set1_epi8(INT8_MIN);
    return v_lt_s8(_mm256_xor_si256(x, sign), _mm256_xor_si256(y, sign));
}

static ALWAYS_INLINE vmask_16 v_lt_u16(vec x, vec y) {
    const vec sign = _mm256_set1_epi16(INT16_MIN);
    return v_lt_s16(_mm256_xor_si256(x, sign), _mm256_xor_si256(y, sign));
}

static ALWAYS_INLINE vmask_32 v_lt_u32(vec x, vec y) {
    const vec sign = _mm256_set1_epi32(INT32_MIN);
    return v_lt_s32(_mm256_xor_si256(x, sign), _mm256_xor_si256(y, sign));
}

/* With a maximum, x >= y takes two instructions; x < y takes three. In 32-bit lanes this is no faster, so only narrower
 * lanes use it. */
#define VEC_HAS_GE_u8  1
#define VEC_HAS_GE_u16 1

static ALWAYS_INLINE vmask_8 v_ge_u8(vec x, vec y) {
    return v_eq_8(_mm256_max_epu8(x, y), x);
}

static ALWAYS_INLINE vmask_16 v_ge_u16(vec x, vec y) {
    return v_eq_16(_mm256_max_epu16(x, y), x);
}

static ALWAYS_INLINE vmask_64 v_lt_u64(vec x, vec y) {
    const vec sign = _mm256_set1_epi64x(INT64_MIN);
    return v_lt_s64(_mm256_xor_si256(x, sign), _mm256_xor_si256(y, sign));
}

#define CMP_PS(x, y, r) _mm256_castps_si256(_mm256_cmp_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y), r))
#define CMP_PD(x, y, r) _mm256_castpd_si256(_mm256_cmp_pd(_mm256_castsi256_pd(x), _mm256_castsi256_pd(y), r))

static ALWAYS_INLINE vmask_32 v_rel_f32(enum relation r, vec x, vec y) {
    switch (r) {
    case RELATION_EQ: return CMP_PS(x, y, _CMP_EQ_OQ);
    case RELATION_LT: return CMP_PS(x, y, _CMP_LT_OQ);
    case RELATION_LE: return CMP_PS(x, y, _CMP_LE_OQ);
    case RELATION_LG: return CMP_PS(x, y, _CMP_NEQ_OQ);
    case RELATION_ORD: return CMP_PS(x, y, _CMP_ORD_Q);
    case RELATION_GT: return CMP_PS(x, y, _CMP_GT_OQ);
    case RELATION_GE: return CMP_PS(x, y, _CMP_GE_OQ);
    }
    return v_zero();
}

static ALWAYS_INLINE vmask_64 v_rel_f64(enum relation r, vec x, vec y) {
    switch (r) {
    case RELATION_EQ: return CMP_PD(x, y, _CMP_EQ_OQ);
    case RELATION_LT: return CMP_PD(x, y, _CMP_LT_OQ);
    case RELATION_LE: return CMP_PD(x, y, _CMP_LE_OQ);
    case RELATION_LG: return CMP_PD(x, y, _CMP_NEQ_OQ);
    case RELATION_ORD: return CMP_PD(x, y, _CMP_ORD_Q);
    case RELATION_GT: return CMP_PD(x, y, _CMP_GT_OQ);
    case RELATION_GE: return CMP_PD(x, y, _CMP_GE_OQ);
    }
    return v_zero();
}

#undef CMP_PS
#undef CMP_PD

static ALWAYS_INLINE vmask_8 m_none_8(void) {
    return v_zero();
}

static ALWAYS_INLINE vmask_16 m_none_16(void) {
    return v_zero();
}

static ALWAYS_INLINE vmask_32 m_none_32(void) {
    return v_zero();
}

static ALWAYS_INLINE vmask_64 m_none_64(void) {
    return v_zero();
}

static ALWAYS_INLINE vmask_16 m_and_16(vmask_16 a, vmask_16 b) {
    return _mm256_and_si256(a, b);
}

static ALWAYS_INLINE vmask_16 m_or_16(vmask_16 a, vmask_16 b) {
    return _mm256_or_si256(a, b);
}

static ALWAYS_INLINE vmask_16 m_not_16(vmask_16 a) {
    return _mm256_xor_si256(a, _mm256_set1_epi8(-1));
}

static ALWAYS_INLINE u64 bits_of_bytes(vec low, vec high) {
    return (u64)(u32)_mm256_movemask_epi8(high) << 32 | (u32)_mm256_movemask_epi8(low);
}

static ALWAYS_INLINE u64 m_word_8(const vmask_8 *m) {
    return bits_of_bytes(m[0], m[1]);
}

/* Narrows two masks of 16-bit lanes to one of bytes. Packing works within halves, so the quarters are put
 * back in order. */
static ALWAYS_INLINE vec pack_mask_16(vec low, vec high) {
    return _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);
}

static ALWAYS_INLINE u64 m_word_16(const vmask_16 *m) {
    return bits_of_bytes(pack_mask_16(m[0], m[1]), pack_mask_16(m[2], m[3]));
}

/* Narrows four masks of 32-bit lanes to one of bytes: packs twice, then puts the eighths back in order. */
static ALWAYS_INLINE vec pack_mask_32(const vec *m) {
    vec packed = _mm256_packs_epi16(_mm256_packs_epi32(m[0], m[1]), _mm256_packs_epi32(m[2], m[3]));
    return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

static ALWAYS_INLINE u64 m_word_32(const vmask_32 *m) {
    return bits_of_bytes(pack_mask_32(m), pack_mask_32(m + 4));
}

/* Narrows eight masks of 64-bit lanes to one of bytes. After packing, the first two lanes of each mask are in
 * the lower half. So the quarters are reordered, then the pairs within each half. */
static ALWAYS_INLINE vec pack_mask_64(const vec *m) {
    const vec pairs_in_turn =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
    vec even[4];
    UNROLL
    for (size_t i = 0; i < 4; ++i)
        even[i] = _mm256_castps_si256(
            _mm256_shuffle_ps(_mm256_castsi256_ps(m[2 * i]), _mm256_castsi256_ps(m[2 * i + 1]), 0x88));
    vec packed =
        _mm256_packs_epi16(_mm256_packs_epi32(even[0], even[1]), _mm256_packs_epi32(even[2], even[3]));
    return _mm256_shuffle_epi8(_mm256_permute4x64_epi64(packed, 0xd8), pairs_in_turn);
}

static ALWAYS_INLINE u64 m_word_64(const vmask_64 *m) {
    return bits_of_bytes(pack_mask_64(m), pack_mask_64(m + 8));
}

/*
 * 64-bit less-than comparisons run on the same port as pack instructions. So this function uses fewer of these
 * than m_word_64: it turns two masks at a time into 8 bits. In such a byte the first two lanes of both masks
 * precede the others. The last step exchanges the middle pairs.
 */
#define VEC_HAS_WORD_LT_64 1
static ALWAYS_INLINE u64 m_word_lt_64(const vmask_64 *m) {
    const u64 second_pairs = 0x0c0c0c0c0c0c0c0c;
    u64 word = 0, changed;
    UNROLL
    for (size_t i = 0; i < 8; ++i) {
        const __m256 first = _mm256_castsi256_ps(m[2 * i]), second = _mm256_castsi256_ps(m[2 * i + 1]);
        word |= (u64)(u32)_mm256_movemask_ps(_mm256_shuffle_ps(first, second, 0x88)) << 8 * i;
    }
    changed = (word ^ word >> 2) & second_pairs;
    return word ^ changed ^ changed << 2;
}

static ALWAYS_INLINE void store_bools(u8 *p, vec low, vec high, u64 flip) {
    const vec one = _mm256_set1_epi8(1), off = _mm256_set1_epi8((s8)(flip & 1));
    v_store(p, v_xor(v_and(low, one), off));
    v_store(p + VBYTES, v_xor(v_and(high, one), off));
}

static ALWAYS_INLINE void m_bytes_8(u8 *p, const vmask_8 *m, u64 flip) {
    store_bools(p, m[0], m[1], flip);
}

static ALWAYS_INLINE void m_bytes_16(u8 *p, const vmask_16 *m, u64 flip) {
    store_bools(p, pack_mask_16(m[0], m[1]), pack_mask_16(m[2], m[3]), flip);
}

static ALWAYS_INLINE void m_bytes_32(u8 *p, const vmask_32 *m, u64 flip) {
    store_bools(p, pack_mask_32(m), pack_mask_32(m + 4), flip);
}

static ALWAYS_INLINE void m_bytes_64(u8 *p, const vmask_64 *m, u64 flip) {
    store_bools(p, pack_mask_64(m), pack_mask_64(m + 8), flip);
}

/* Returns the sums of adjacent bytes as 16-bit lanes. Each lane of a mask is weighted with its bit in the
 * image byte; adding the lanes of a byte combines the bits. */
static ALWAYS_INLINE vec add_pairs(vec bytes) {
    return _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1));
}

static ALWAYS_INLINE void m_image_16(u8 *p, const vmask_16 *m, u64 flip) {
    const vec weight = _mm256_set1_epi32(0x40100401);
    const vec pairs = _mm256_packus_epi16(add_pairs(v_and(pack_mask_16(m[0], m[1]), weight)),
                                          add_pairs(v_and(pack_mask_16(m[2], m[3]), weight)));
    const vec fours = add_pairs(pairs); /* packing within halves has left them out of order */
    const vec image = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(fours, fours),
                                                  _mm256_setr_epi32(0, 4, 1, 5, 0, 0, 0, 0));
    const __m128i off = _mm_set1_epi8((s8)(flip & 0x55));
    _mm_storeu_si128((__m128i *)p, _mm_xor_si128(_mm256_castsi256_si128(image), off));
}

static ALWAYS_INLINE void m_image_32(u8 *p, const vmask_32 *m, u64 flip) {
    const vec weight = _mm256_set1_epi16(0x1001);
    const vec image = _mm256_packus_epi16(add_pairs(v_and(pack_mask_32(m), weight)),
                                          add_pairs(v_and(pack_mask_32(m + 4), weight)));
    v_store(p, v_xor(_mm256_permute4x64_epi64(image, 0xd8), _mm256_set1_epi8((s8)(flip & 0x11))));
}

/* The product of a byte index and this has the index in each of 4 bytes. */
enum { EVERY_BYTE = 0x01010101 };

/* Returns a vector whose four quarters repeat bytes b0, b1, b2 and b3 of `word`. Each lane then tests its
 * bit. */
static ALWAYS_INLINE vec bytes_of_lanes(u64 word, size_t b0, size_t b1, size_t b2, size_t b3) {
    const s64 every = (s64)EVERY_BYTE << 32 | EVERY_BYTE;
    return _mm256_shuffle_epi8(
        _mm256_set1_epi64x((s64)word),
        _mm256_setr_epi64x((s64)b0 * every, (s64)b1 * every, (s64)b2 * every, (s64)b3 * every));
}

static ALWAYS_INLINE vmask_8 m_from_bits_8(u64 word, size_t i) {
    const vec bit_of_lane = _mm256_set1_epi64x((s64)0x8040201008040201);
    const vec bytes = bytes_of_lanes(word, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
    return _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit_of_lane), bit_of_lane);
}

static ALWAYS_INLINE vmask_16 m_from_bits_16(u64 word, size_t i) {
    const vec bit_of_lane = _mm256_broadcastsi128_si256(_mm_setr_epi16(1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80));
    const vec bytes = bytes_of_lanes(word, 2 * i, 2 * i, 2 * i + 1, 2 * i + 1);
    return _mm256_cmpeq_epi16(_mm256_and_si256(bytes, bit_of_lane), bit_of_lane);
}

/* Blends of 32- and 64-bit lanes read only the sign bit, so the mask bit is shifted there. The other bits are
 * arbitrary. */
static ALWAYS_INLINE vmask_32 m_from_bits_32(u64 word, size_t i) {
    const vec to_sign = _mm256_sub_epi32(_mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24),
                                         _mm256_set1_epi32((int)(i % 4 * 8)));
    return _mm256_sllv_epi32(_mm256_set1_epi32((int)(u32)(word >> i / 4 * 32)), to_sign);
}

static ALWAYS_INLINE vmask_64 m_from_bits_64(u64 word, size_t i) {
    const vec to_sign =
        _mm256_sub_epi64(_mm256_setr_epi64x(63, 62, 61, 60), _mm256_set1_epi64x((s64)(i * 4)));
    return _mm256_sllv_epi64(_mm256_set1_epi64x((s64)word), to_sign);
}

static ALWAYS_INLINE vmask_16 m_from_image_16(const u8 *p) {
    const vec bit_of_lane = _mm256_broadcastsi128_si256(_mm_setr_epi16(1, 4, 16, 64, 1, 4, 16, 64));
    const vec bytes = bytes_of_lanes(load_bytes(p, 4), 0, 1, 2, 3);
    return _mm256_cmpeq_epi16(_mm256_and_si256(bytes, bit_of_lane), bit_of_lane);
}

static ALWAYS_INLINE vmask_32 m_from_image_32(const u8 *p) {
    const vec to_sign = _mm256_setr_epi32(31, 27, 23, 19, 15, 11, 7, 3);
    return _mm256_sllv_epi32(_mm256_set1_epi32((int)(u32)load_bytes(p, 4)), to_sign);
}

static ALWAYS_INLINE vmask_64 m_from_image_64(const u8 *p) {
    const vec to_sign = _mm256_setr_epi64x(63, 55, 47, 39);
    return _mm256_sllv_epi64(_mm256_set1_epi64x((s64)load_bytes(p, 4)), to_sign);
}

static ALWAYS_INLINE vmask_8 m_zero_bytes_8(const u8 *p) {
    return _mm256_cmpeq_epi8(v_load(p), v_zero());
}

static ALWAYS_INLINE vmask_16 m_zero_bytes_16(const u8 *p) {
    return _mm256_cmpeq_epi16(_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)p)), v_zero());
}

static ALWAYS_INLINE vmask_32 m_zero_bytes_32(const u8 *p) {
    return _mm256_cmpeq_epi32(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)), v_zero());
}

static ALWAYS_INLINE vmask_64 m_zero_bytes_64(const u8 *p) {
    const __m128i bytes = _mm_cvtsi32_si128((int)(u32)load_bytes(p, 4));
    return _mm256_cmpeq_epi64(_mm256_cvtepu8_epi64(bytes), v_zero());
}

static ALWAYS_INLINE vec v_sel_8(vmask_8 m, vec x, vec y) {
    return _mm256_blendv_epi8(y, x, m);
}

#define v_sel_16 v_sel_8 /* both bytes of a mask lane are equal, so a selection of bytes suffices */

static ALWAYS_INLINE vec v_sel_32(vmask_32 m, vec x, vec y) {
    return _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(y), _mm256_castsi256_ps(x), _mm256_castsi256_ps(m)));
}

static ALWAYS_INLINE vec v_sel_64(vmask_64 m, vec x, vec y) {
    return _mm256_castpd_si256(
        _mm256_blendv_pd(_mm256_castsi256_pd(y), _mm256_castsi256_pd(x), _mm256_castsi256_pd(m)));
}

static ALWAYS_INLINE vmask_8 v_nonzero_8(vec x) {
    return _mm256_xor_si256(_mm256_cmpeq_epi8(x, v_zero()), _mm256_set1_epi8(-1));
}

static ALWAYS_INLINE vec v_bool_8(vmask_8 m) {
    return _mm256_and_si256(m, _mm256_set1_epi8(1));
}

static ALWAYS_INLINE vec v_const_16(s16 k) {
    return _mm256_set1_epi16(k);
}

static ALWAYS_INLINE vec v_abs_16(vec x) {
    return _mm256_and_si256(x, _mm256_set1_epi16(0x7fff));
}

static ALWAYS_INLINE vec v_order_16(vec x) {
    return _mm256_sign_epi16(v_abs_16(x), x);
}

static ALWAYS_INLINE vec v_add_16(vec x, vec y) {
    return _mm256_add_epi16(x, y);
}

static ALWAYS_INLINE vec v_adds_s16(vec x, vec y) {
    return _mm256_adds_epi16(x, y);
}

static ALWAYS_INLINE vec v_subs_s16(vec x, vec y) {
    return _mm256_subs_epi16(x, y);
}

static ALWAYS_INLINE vmask_16 v_none_of_16(vec x, vec bits) {
    return _mm256_cmpeq_epi16(_mm256_and_si256(x, bits), v_zero());
}

static ALWAYS_INLINE void v_stream(void *p, vec x) {
    _mm256_stream_si256(p, x);
}

#include "loops/vocabulary.h"

#endif
