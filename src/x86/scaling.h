/* SPDX-License-Identifier: MIT */
/* Definitions for loops/scaling.h that AVX2 and AVX-512 share. Included by their scaling_isa.h. */
#include "x86/width.h"

static ALWAYS_INLINE u32v v_max_u16(u32v a, u32v b) {
    return (u32v)WIDE(max_epu16)((wide)a, (wide)b);
}

/* Merges two vectors: each lane of the result is the maximum of two lanes of `a` or of two of `b`. merge_max_64() and
 * merge_max_128() do the same with lanes at other distances. */
static ALWAYS_INLINE u32v merge_max_32(u32v a, u32v b) {
    const wide x = (wide)a, y = (wide)b;
    return (u32v)WIDE(max_epu32)(WIDE(unpacklo_epi32)(x, y), WIDE(unpackhi_epi32)(x, y));
}

static ALWAYS_INLINE u32v merge_max_64(u32v a, u32v b) {
    const wide x = (wide)a, y = (wide)b;
    return (u32v)WIDE(max_epu32)(WIDE(unpacklo_epi64)(x, y), WIDE(unpackhi_epi64)(x, y));
}

/* Transposes 4 x 4 lanes within each 128 bits of four vectors. */
static ALWAYS_INLINE void transpose_quads(u32v x[4]) {
    const wide a = WIDE(unpacklo_epi32)((wide)x[0], (wide)x[1]),
               b = WIDE(unpackhi_epi32)((wide)x[0], (wide)x[1]),
               c = WIDE(unpacklo_epi32)((wide)x[2], (wide)x[3]),
               d = WIDE(unpackhi_epi32)((wide)x[2], (wide)x[3]);
    x[0] = (u32v)WIDE(unpacklo_epi64)(a, c);
    x[1] = (u32v)WIDE(unpackhi_epi64)(a, c);
    x[2] = (u32v)WIDE(unpacklo_epi64)(b, d);
    x[3] = (u32v)WIDE(unpackhi_epi64)(b, d);
}

/* v_packed narrows 32-bit lanes, whose values must be 0 to 255, to bytes. v_packed_signs saturates signed 32-bit lanes
 * to signed bytes. Packing within 128 bits leaves the bytes out of order; v_restore_order corrects that. */
static ALWAYS_INLINE u32v v_packed(const u32v x[4]) {
    return (u32v)WIDE(packus_epi16)(WIDE(packs_epi32)((wide)x[0], (wide)x[1]),
                                    WIDE(packs_epi32)((wide)x[2], (wide)x[3]));
}

static ALWAYS_INLINE u32v v_packed_signs(const u32v x[4]) {
    return (u32v)WIDE(packs_epi16)(WIDE(packs_epi32)((wide)x[0], (wide)x[1]),
                                   WIDE(packs_epi32)((wide)x[2], (wide)x[3]));
}

static ALWAYS_INLINE u32v v_min_u8(u32v a, u32v b) {
    return (u32v)WIDE(min_epu8)((wide)a, (wide)b);
}

/* In units of half of d, the borders between e2m1 codes are the integers 1, 3, 5, 7, 10, 14 and 20. A value on a border
 * has the smaller code, so the integer below a value determines its code. The table has the codes for the integers 0
 * to 15. Integers from 16 to 19 have the code of 15; from 20 on, the code is one higher. x is multiplied by the largest
 * f32 below 2 / d, which gives the largest f32 below the quotient. */
static ALWAYS_INLINE u32v v_nearest_codes(const f32v x[4], const f32v d[4]) {
    const wide table = wide_of_128(_mm_setr_epi8(0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6));
    const wide one = WIDE(set1_epi8)(1), most = WIDE(set1_epi8)(15), border = WIDE(set1_epi8)(19);
    u32v below[4];
    wide integers, magnitudes, codes;
    UNROLL for (size_t k = 0; k < 4; ++k) {
        const f32v by = (f32v)((u32)F32_LARGEST - (u32v)d[k]);
        below[k] = (u32v)WIDE(cvttps_epi32)((wide_floats)(x[k] * by));
    }
    integers = (wide)v_packed_signs(below);
    magnitudes = WIDE(abs_epi8)(integers);
    codes = WIDE(shuffle_epi8)(table, WIDE(min_epu8)(magnitudes, most));
    codes = WIDE(add_epi8)(codes, WIDE(min_epu8)(WIDE(subs_epu8)(magnitudes, border), one));
    return (u32v)codes | ((u32v)integers & 0x80808080) >> 4;
}

static ALWAYS_INLINE void v_stream_end_32(void) {
    _mm_sfence();
}
