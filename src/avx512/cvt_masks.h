/* SPDX-License-Identifier: MIT */
/* Truth in k-registers; part of cvt_vec.h, once for each WORD. */
#if WORD == 32
typedef __mmask16 mask_32;

static ALWAYS_INLINE mask_32 below_32(u32v a, u32v b) {
    return _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE mask_32 above_32(u32v a, u32v b) {
    return _mm512_cmpgt_epu32_mask((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE u32v select_32(mask_32 m, u32v yes, u32v no) {
    return (u32v)_mm512_mask_blend_epi32(m, (__m512i)no, (__m512i)yes);
}

static ALWAYS_INLINE u32v least_32(u32v a, u32v b) {
    return (u32v)_mm512_min_epu32((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE s32v least_s_32(s32v a, s32v b) {
    return (s32v)_mm512_min_epi32((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE s32v most_s_32(s32v a, s32v b) {
    return (s32v)_mm512_max_epi32((__m512i)a, (__m512i)b);
}
#else
typedef __mmask8 mask_64;

static ALWAYS_INLINE mask_64 below_64(u64v a, u64v b) {
    return _mm512_cmplt_epu64_mask((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE mask_64 above_64(u64v a, u64v b) {
    return _mm512_cmpgt_epu64_mask((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE u64v select_64(mask_64 m, u64v yes, u64v no) {
    return (u64v)_mm512_mask_blend_epi64(m, (__m512i)no, (__m512i)yes);
}

static ALWAYS_INLINE u64v least_64(u64v a, u64v b) {
    return (u64v)_mm512_min_epu64((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE s64v least_s_64(s64v a, s64v b) {
    return (s64v)_mm512_min_epi64((__m512i)a, (__m512i)b);
}

static ALWAYS_INLINE s64v most_s_64(s64v a, s64v b) {
    return (s64v)_mm512_max_epi64((__m512i)a, (__m512i)b);
}
#endif
