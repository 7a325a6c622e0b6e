/* SPDX-License-Identifier: MIT */
/* AVX-512's definitions for loops/vector_types.h (CVT_ISA), included once for each WORD: masks in
 * k-registers, loads and stores. */
#if WORD == 32
typedef __mmask16 vmask_32;

static ALWAYS_INLINE vmask_32 v_lt_u32(u32v a, u32v b) {
    return _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE vmask_32 v_gt_u32(u32v a, u32v b) {
    return _mm512_cmpgt_epu32_mask((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE u32v v_sel_32(vmask_32 m, u32v yes, u32v no) {
    return (u32v)_mm512_mask_blend_epi32(m, (__m512i)no, (__m512i)yes);
}

static ALWAYS_INLINE u32v v_min_u32(u32v a, u32v b) {
    return (u32v)_mm512_min_epu32((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE s32v v_min_s32(s32v a, s32v b) {
    return (s32v)_mm512_min_epi32((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE s32v v_max_s32(s32v a, s32v b) {
    return (s32v)_mm512_max_epi32((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE u32v v_load_32(const u8 *p, size_t bytes, bool is_signed) {
    if (bytes == 1) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p);
        return (u32v)(is_signed ? _mm512_cvtepi8_epi32(x) : _mm512_cvtepu8_epi32(x));
    }
    if (bytes == 2) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)p);
        return (u32v)(is_signed ? _mm512_cvtepi16_epi32(x) : _mm512_cvtepu16_epi32(x));
    }
    return (u32v)_mm512_loadu_si512(p);
}

static ALWAYS_INLINE void v_store_32(u8 *p, u32v x, size_t bytes) {
    if (bytes == 1)
        _mm_storeu_si128((__m128i *)p, _mm512_cvtepi32_epi8((__m512i)x));
    else if (bytes == 2)
        _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi32_epi16((__m512i)x));
    else
        _mm512_storeu_si512(p, (__m512i)x);
}
#else
typedef __mmask8 vmask_64;

static ALWAYS_INLINE vmask_64 v_lt_u64(u64v a, u64v b) {
    return _mm512_cmplt_epu64_mask((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE vmask_64 v_gt_u64(u64v a, u64v b) {
    return _mm512_cmpgt_epu64_mask((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE u64v v_sel_64(vmask_64 m, u64v yes, u64v no) {
    return (u64v)_mm512_mask_blend_epi64(m, (__m512i)no, (__m512i)yes);
}

static ALWAYS_INLINE u64v v_min_u64(u64v a, u64v b) {
    return (u64v)_mm512_min_epu64((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE s64v v_min_s64(s64v a, s64v b) {
    return (s64v)_mm512_min_epi64((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE s64v v_max_s64(s64v a, s64v b) {
    return (s64v)_mm512_max_epi64((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE u64v v_load_64(const u8 *p, size_t bytes, bool is_signed) {
    if (bytes == 1) {
        const __m128i x = _mm_loadl_epi64((const __m128i *)p);
        return (u64v)(is_signed ? _mm512_cvtepi8_epi64(x) : _mm512_cvtepu8_epi64(x));
    }
    if (bytes == 2) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p);
        return (u64v)(is_signed ? _mm512_cvtepi16_epi64(x) : _mm512_cvtepu16_epi64(x));
    }
    if (bytes == 4) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)p);
        return (u64v)(is_signed ? _mm512_cvtepi32_epi64(x) : _mm512_cvtepu32_epi64(x));
    }
    return (u64v)_mm512_loadu_si512(p);
}

static ALWAYS_INLINE void v_store_64(u8 *p, u64v x, size_t bytes) {
    if (bytes == 1)
        _mm_storel_epi64((__m128i *)p, _mm512_cvtepi64_epi8((__m512i)x));
    else if (bytes == 2)
        _mm_storeu_si128((__m128i *)p, _mm512_cvtepi64_epi16((__m512i)x));
    else if (bytes == 4)
        _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi64_epi32((__m512i)x));
    else
        _mm512_storeu_si512(p, (__m512i)x);
}
#endif
