/* SPDX-License-Identifier: MIT */
/* The vocabulary (see loops/vocabulary.h) for AVX-512 F, BW, DQ, VL: vectors of 64 bytes, masks in
 * k-registers. */
#ifndef PTO_AVX512_VEC_H
#define PTO_AVX512_VEC_H

#if !defined(__AVX512F__) || !defined(__AVX512BW__) || !defined(__AVX512DQ__) || !defined(__AVX512VL__) ||   \
    !defined(__BMI2__)
#    error "this folder is compiled with -mavx512f -mavx512bw -mavx512dq -mavx512vl -mbmi2"
#endif

#include <immintrin.h>

#include "core/kernels.h"

enum { VBYTES = 64, VLANES_8 = 64, VLANES_16 = 32, VLANES_32 = 16, VLANES_64 = 8 };

typedef __m512i vec;
typedef __mmask64 vmask_8;
typedef __mmask32 vmask_16;
typedef __mmask16 vmask_32;
typedef __mmask8 vmask_64;

static ALWAYS_INLINE vec v_zero(void) {
    return _mm512_setzero_si512();
}

static ALWAYS_INLINE vec v_and(vec x, vec y) {
    return _mm512_and_si512(x, y);
}

static ALWAYS_INLINE vec v_or(vec x, vec y) {
    return _mm512_or_si512(x, y);
}

static ALWAYS_INLINE vec v_xor(vec x, vec y) {
    return _mm512_xor_si512(x, y);
}

static ALWAYS_INLINE vec v_load(const void *p) {
    return _mm512_loadu_si512(p);
}

static ALWAYS_INLINE void v_store(void *p, vec x) {
    _mm512_storeu_si512(p, x);
}

/* Returns the mask of the first n lanes. */
static ALWAYS_INLINE u64 first(size_t n) {
    return _bzhi_u64(~(u64)0, (unsigned)n);
}

static ALWAYS_INLINE vec load_masked(const u8 *p, size_t bytes) {
    return _mm512_maskz_loadu_epi8(first(bytes), p);
}

static ALWAYS_INLINE void store_masked(u8 *p, vec x, size_t bytes) {
    _mm512_mask_storeu_epi8(p, first(bytes), x);
}

/* Word i of the result is word (i + words) % 32 of x. */
static ALWAYS_INLINE vec rotate_words(vec x, size_t words) {
    const vec place = _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14,
                                       13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_permutexvar_epi16(_mm512_add_epi16(place, _mm512_set1_epi16((s16)words)), x);
}

/* The loaded vector ends with the last whole word. An odd byte after it is inserted into the first word; the
 * rotation moves it to the end. */
static ALWAYS_INLINE vec load_at_end(const u8 *p, size_t bytes) {
    const size_t odd = bytes % 2, before = VBYTES - (bytes - odd);
    vec x = _mm512_maskz_loadu_epi8(~first(before), p - before);
    if (odd != 0) x = v_or(x, _mm512_zextsi128_si512(_mm_cvtsi32_si128(p[bytes - 1])));
    return rotate_words(x, before / 2);
}

static ALWAYS_INLINE void store_at_end(u8 *p, vec x, size_t bytes) {
    const size_t odd = bytes % 2, before = VBYTES - (bytes - odd);
    const vec rotated = rotate_words(x, bytes / 2);
    _mm512_mask_storeu_epi8(p - before, ~first(before), rotated);
    if (odd != 0) p[bytes - 1] = (u8)_mm_cvtsi128_si32(_mm512_castsi512_si128(rotated));
}

#include "x86/vec.h"

static ALWAYS_INLINE vec v_set1_8(const void *p) {
    s8 k;
    memcpy(&k, p, sizeof k);
    return _mm512_set1_epi8(k);
}

static ALWAYS_INLINE vec v_set1_16(const void *p) {
    s16 k;
    memcpy(&k, p, sizeof k);
    return _mm512_set1_epi16(k);
}

static ALWAYS_INLINE vec v_set1_32(const void *p) {
    s32 k;
    memcpy(&k, p, sizeof k);
    return _mm512_set1_epi32(k);
}

static ALWAYS_INLINE vec v_set1_64(const void *p) {
    s64 k;
    memcpy(&k, p, sizeof k);
    return _mm512_set1_epi64(k);
}

static ALWAYS_INLINE vmask_8 v_eq_8(vec x, vec y) {
    return _mm512_cmpeq_epi8_mask(x, y);
}

static ALWAYS_INLINE vmask_16 v_eq_16(vec x, vec y) {
    return _mm512_cmpeq_epi16_mask(x, y);
}

static ALWAYS_INLINE vmask_32 v_eq_32(vec x, vec y) {
    return _mm512_cmpeq_epi32_mask(x, y);
}

static ALWAYS_INLINE vmask_64 v_eq_64(vec x, vec y) {
    return _mm512_cmpeq_epi64_mask(x, y);
}

static ALWAYS_INLINE vmask_8 v_lt_u8(vec x, vec y) {
    return _mm512_cmplt_epu8_mask(x, y);
}

static ALWAYS_INLINE vmask_16 v_lt_u16(vec x, vec y) {
    return _mm512_cmplt_epu16_mask(x, y);
}

static ALWAYS_INLINE vmask_32 v_lt_u32(vec x, vec y) {
    return _mm512_cmplt_epu32_mask(x, y);
}

static ALWAYS_INLINE vmask_64 v_lt_u64(vec x, vec y) {
    return _mm512_cmplt_epu64_mask(x, y);
}

static ALWAYS_INLINE vmask_8 v_lt_s8(vec x, vec y) {
    return _mm512_cmplt_epi8_mask(x, y);
}

static ALWAYS_INLINE vmask_16 v_lt_s16(vec x, vec y) {
    return _mm512_cmplt_epi16_mask(x, y);
}

static ALWAYS_INLINE vmask_32 v_lt_s32(vec x, vec y) {
    return _mm512_cmplt_epi32_mask(x, y);
}

static ALWAYS_INLINE vmask_64 v_lt_s64(vec x, vec y) {
    return _mm512_cmplt_epi64_mask(x, y);
}

/* These comparisons suppress exceptions and raise no flag. Clang may compile them to instructions that do
 * raise flags. */
#ifndef __clang__
#    define VEC_RAISES_NO_FLAGS true
#endif
#define CMP_PS(x, y, r)                                                                                      \
    _mm512_cmp_round_ps_mask(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y), r, _MM_FROUND_NO_EXC)
#define CMP_PD(x, y, r)                                                                                      \
    _mm512_cmp_round_pd_mask(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y), r, _MM_FROUND_NO_EXC)

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
    return 0;
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
    return 0;
}

#undef CMP_PS
#undef CMP_PD

#define EVERY_2ND_BIT 0x5555555555555555u
#define EVERY_4TH_BIT 0x1111111111111111u

static ALWAYS_INLINE vmask_8 m_none_8(void) {
    return 0;
}

static ALWAYS_INLINE vmask_16 m_none_16(void) {
    return 0;
}

static ALWAYS_INLINE vmask_32 m_none_32(void) {
    return 0;
}

static ALWAYS_INLINE vmask_64 m_none_64(void) {
    return 0;
}

static ALWAYS_INLINE u64 m_word_8(const vmask_8 *m) {
    return m[0];
}

static ALWAYS_INLINE u64 m_word_16(const vmask_16 *m) {
    return (u64)m[1] << 32 | m[0];
}

static ALWAYS_INLINE u64 m_word_32(const vmask_32 *m) {
    u64 low = (u32)m[1] << 16 | m[0], high = (u32)m[3] << 16 | m[2];
    return high << 32 | low;
}

static ALWAYS_INLINE u64 m_word_64(const vmask_64 *m) {
    u64 word = 0;
    UNROLL
    for (unsigned i = 0; i < 8; ++i) word |= (u64)m[i] << 8 * i;
    return word;
}

/* Returns bytes 1 and 0 for the lanes of a mask, inverted if flip is all ones. Both cases take one blend. */
static ALWAYS_INLINE vec bytes_of_mask(__mmask64 m, u64 flip) {
    const vec off = _mm512_set1_epi8((s8)(flip & 1)), on = _mm512_set1_epi8((s8)(~flip & 1));
    return _mm512_mask_blend_epi8(m, off, on);
}

static ALWAYS_INLINE void m_bytes_8(u8 *p, const vmask_8 *m, u64 flip) {
    v_store(p, bytes_of_mask(m[0], flip));
}

static ALWAYS_INLINE void m_bytes_16(u8 *p, const vmask_16 *m, u64 flip) {
    for (size_t i = 0; i < 2; ++i)
        _mm256_storeu_si256((__m256i *)(p + 32 * i), _mm512_castsi512_si256(bytes_of_mask(m[i], flip)));
}

static ALWAYS_INLINE void m_bytes_32(u8 *p, const vmask_32 *m, u64 flip) {
    for (size_t i = 0; i < 4; ++i)
        _mm_storeu_si128((__m128i *)(p + 16 * i), _mm512_castsi512_si128(bytes_of_mask(m[i], flip)));
}

static ALWAYS_INLINE void m_bytes_64(u8 *p, const vmask_64 *m, u64 flip) {
    for (size_t i = 0; i < 8; ++i)
        _mm_storel_epi64((__m128i *)(p + 8 * i), _mm512_castsi512_si128(bytes_of_mask(m[i], flip)));
}

static ALWAYS_INLINE void m_image_16(u8 *p, const vmask_16 *m, u64 flip) {
    UNROLL
    for (size_t i = 0; i < 2; ++i) store64(p + 8 * i, _pdep_u64(m[i] ^ flip, EVERY_2ND_BIT));
}

static ALWAYS_INLINE void m_image_32(u8 *p, const vmask_32 *m, u64 flip) {
    UNROLL
    for (size_t i = 0; i < 4; ++i) store64(p + 8 * i, _pdep_u64(m[i] ^ flip, EVERY_4TH_BIT));
}

static ALWAYS_INLINE vmask_16 m_from_image_16(const u8 *p) {
    return (vmask_16)_pext_u64(load64(p), EVERY_2ND_BIT);
}

static ALWAYS_INLINE vmask_32 m_from_image_32(const u8 *p) {
    return (vmask_32)_pext_u64(load64(p), EVERY_4TH_BIT);
}

static ALWAYS_INLINE vmask_64 m_from_image_64(const u8 *p) {
    return (vmask_64)_mm_test_epi8_mask(_mm_loadl_epi64((const __m128i *)p), _mm_set1_epi8(1));
}

static ALWAYS_INLINE vmask_8 m_from_bits_8(u64 word, size_t i) {
    (void)i; /* always 0 */
    return word;
}

static ALWAYS_INLINE vmask_16 m_from_bits_16(u64 word, size_t i) {
    return (vmask_16)(word >> i * VLANES_16);
}

static ALWAYS_INLINE vmask_32 m_from_bits_32(u64 word, size_t i) {
    return (vmask_32)(word >> i * VLANES_32);
}

static ALWAYS_INLINE vmask_64 m_from_bits_64(u64 word, size_t i) {
    return (vmask_64)(word >> i * VLANES_64);
}

static ALWAYS_INLINE vmask_8 m_zero_bytes_8(const u8 *p) {
    const vec bytes = v_load(p);
    return _mm512_testn_epi8_mask(bytes, bytes);
}

static ALWAYS_INLINE vmask_16 m_zero_bytes_16(const u8 *p) {
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)p);
    return _mm256_testn_epi8_mask(bytes, bytes);
}

static ALWAYS_INLINE vmask_32 m_zero_bytes_32(const u8 *p) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)p);
    return _mm_testn_epi8_mask(bytes, bytes);
}

static ALWAYS_INLINE vmask_64 m_zero_bytes_64(const u8 *p) {
    const __m128i bytes = _mm_loadl_epi64((const __m128i *)p);
    return (vmask_64)_mm_testn_epi8_mask(bytes, bytes);
}

static ALWAYS_INLINE vec v_sel_8(vmask_8 m, vec x, vec y) {
    return _mm512_mask_blend_epi8(m, y, x);
}

static ALWAYS_INLINE vec v_sel_16(vmask_16 m, vec x, vec y) {
    return _mm512_mask_blend_epi16(m, y, x);
}

static ALWAYS_INLINE vec v_sel_32(vmask_32 m, vec x, vec y) {
    return _mm512_mask_blend_epi32(m, y, x);
}

static ALWAYS_INLINE vec v_sel_64(vmask_64 m, vec x, vec y) {
    return _mm512_mask_blend_epi64(m, y, x);
}

static ALWAYS_INLINE vmask_8 v_nonzero_8(vec x) {
    return _mm512_test_epi8_mask(x, x);
}

static ALWAYS_INLINE vec v_bool_8(vmask_8 m) {
    return _mm512_maskz_mov_epi8(m, _mm512_set1_epi8(1));
}

static ALWAYS_INLINE void v_stream(void *p, vec x) {
    _mm512_stream_si512(p, x);
}

#include "avx512/half.h"

#include "loops/vocabulary.h"

#endif
