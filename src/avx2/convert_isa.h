/* SPDX-License-Identifier: MIT */
/* AVX2's definitions for loops/vector_types.h (CVT_ISA), included once for each WORD. AVX2 has no minimum
 * of 64-bit lanes and no narrowing moves. */
typedef svec vmask;

static ALWAYS_INLINE vmask v_lt_u(uvec a, uvec b) {
    return (svec)(a < b);
}

static ALWAYS_INLINE vmask v_gt_u(uvec a, uvec b) {
    return (svec)(a > b);
}

/* v_sel blends whole lanes: gcc 12 miscompiles a blend of bytes by a comparison of 64-bit lanes if the user's
 * flags allow AVX-512. */
#if WORD == 32
static ALWAYS_INLINE u32v v_sel_32(vmask_32 m, u32v yes, u32v no) {
    return (u32v)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)m);
}

static ALWAYS_INLINE u32v v_min_u32(u32v a, u32v b) {
    return (u32v)_mm256_min_epu32((__m256i)a, (__m256i)b);
}

static ALWAYS_INLINE s32v v_min_s32(s32v a, s32v b) {
    return (s32v)_mm256_min_epi32((__m256i)a, (__m256i)b);
}

static ALWAYS_INLINE s32v v_max_s32(s32v a, s32v b) {
    return (s32v)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

static ALWAYS_INLINE u32v v_load_32(const u8 *p, size_t bytes, bool is_signed) {
    if (bytes == 1) {
        const __m128i x = _mm_loadl_epi64((const __m128i *)p);
        return (u32v)(is_signed ? _mm256_cvtepi8_epi32(x) : _mm256_cvtepu8_epi32(x));
    }
    if (bytes == 2) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p);
        return (u32v)(is_signed ? _mm256_cvtepi16_epi32(x) : _mm256_cvtepu16_epi32(x));
    }
    return (u32v)_mm256_loadu_si256((const __m256i *)p);
}

/*
 * Stores the low `bytes` bytes of each lane. They are gathered within each half, then the halves are joined.
 */
static ALWAYS_INLINE void v_store_32(u8 *p, u32v x, size_t bytes) {
    const __m256i all = (__m256i)x;
    if (bytes == 1) {
        const __m256i low = _mm256_set1_epi32(0x0c080400), four = _mm256_shuffle_epi8(all, low);
        const __m256i both = _mm256_permutevar8x32_epi32(four, _mm256_setr_epi32(0, 4, 0, 4, 0, 4, 0, 4));
        _mm_storel_epi64((__m128i *)p, _mm256_castsi256_si128(both));
    } else if (bytes == 2) {
        const __m256i four = _mm256_shuffle_epi8(all, _mm256_set1_epi64x(0x0d0c090805040100));
        _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(_mm256_permute4x64_epi64(four, 0x08)));
    } else {
        _mm256_storeu_si256((__m256i *)p, all);
    }
}
#else
static ALWAYS_INLINE u64v v_sel_64(vmask_64 m, u64v yes, u64v no) {
    return (u64v)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)m);
}

static ALWAYS_INLINE u64v v_min_u64(u64v a, u64v b) {
    return v_sel_64(v_lt_u64(a, b), a, b);
}

static ALWAYS_INLINE s64v v_min_s64(s64v a, s64v b) {
    return (s64v)v_sel_64((s64v)(a < b), (u64v)a, (u64v)b);
}

static ALWAYS_INLINE s64v v_max_s64(s64v a, s64v b) {
    return (s64v)v_sel_64((s64v)(a > b), (u64v)a, (u64v)b);
}

static ALWAYS_INLINE u64v v_load_64(const u8 *p, size_t bytes, bool is_signed) {
    if (bytes == 1) {
        const __m128i x = _mm_cvtsi32_si128((int)load_bytes(p, 4));
        return (u64v)(is_signed ? _mm256_cvtepi8_epi64(x) : _mm256_cvtepu8_epi64(x));
    }
    if (bytes == 2) {
        const __m128i x = _mm_loadl_epi64((const __m128i *)p);
        return (u64v)(is_signed ? _mm256_cvtepi16_epi64(x) : _mm256_cvtepu16_epi64(x));
    }
    if (bytes == 4) {
        const __m128i x = _mm_loadu_si128((const __m128i *)p);
        return (u64v)(is_signed ? _mm256_cvtepi32_epi64(x) : _mm256_cvtepu32_epi64(x));
    }
    return (u64v)_mm256_loadu_si256((const __m256i *)p);
}

static ALWAYS_INLINE void v_store_64(u8 *p, u64v x, size_t bytes) {
    const __m256i all = (__m256i)x;
    const __m128i four =
        _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(all, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
    if (bytes == 1)
        store_bytes(p, (u32)_mm_cvtsi128_si32(_mm_shuffle_epi8(four, _mm_set1_epi32(0x0c080400))), 4);
    else if (bytes == 2)
        _mm_storel_epi64((__m128i *)p, _mm_shuffle_epi8(four, _mm_set1_epi64x(0x0d0c090805040100)));
    else if (bytes == 4)
        _mm_storeu_si128((__m128i *)p, four);
    else
        _mm256_storeu_si256((__m256i *)p, all);
}
#endif
