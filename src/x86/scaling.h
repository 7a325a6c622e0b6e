/* SPDX-License-Identifier: MIT */
/* Definitions for loops/scaling.h that AVX2 and AVX-512 share. Included by their scaling_isa.h. */
#include "x86/width.h"

static ALWAYS_INLINE u32v v_max_u16(u32v a, u32v b) {
    return (u32v)WIDE(max_epu16)((wide)a, (wide)b);
}

/* Merges two vectors: each lane of the result is the maximum of two lanes of one of them. merge_max_64() and
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

/* v_packed narrows 32-bit lanes from 0 to 255 to bytes. v_packed_signs narrows any signed lanes to bytes with
 * the same signs. Packing within 128 bits leaves the bytes out of order; v_restore_order corrects that. */
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

static ALWAYS_INLINE void v_stream_end_32(void) {
    _mm_sfence();
}
