/* SPDX-License-Identifier: MIT */
/*
 * Byte-vector operations that AVX2 and AVX-512 share. Included by avx2/bytes.h and avx512/bytes.h, after the types.
 */
#include "x86/width.h"

static ALWAYS_INLINE bytes b_const(unsigned x) {
    return (u8)x - (bytes){0};
}

/* Both shifts move 16-bit lanes, so bits of the neighbouring byte enter each byte. */
static ALWAYS_INLINE bytes b_left(bytes x, unsigned by) {
    return (bytes)((byte_pairs)x << (u16)by);
}

static ALWAYS_INLINE bytes b_right(bytes x, unsigned by) {
    return (bytes)((byte_pairs)x >> (u16)by);
}

static ALWAYS_INLINE bytes b_low(bytes a, bytes b) {
    return (bytes)WIDE(unpacklo_epi8)((wide)a, (wide)b);
}

static ALWAYS_INLINE bytes b_high(bytes a, bytes b) {
    return (bytes)WIDE(unpackhi_epi8)((wide)a, (wide)b);
}

static ALWAYS_INLINE bytes b_look_up(bytes table, bytes index) {
    return (bytes)WIDE(shuffle_epi8)((wide)table, (wide)index);
}

static ALWAYS_INLINE bytes b_min(bytes a, bytes b) {
    return (bytes)WIDE(min_epu8)((wide)a, (wide)b);
}

static ALWAYS_INLINE bytes b_sub_saturated(bytes a, bytes b) {
    return (bytes)WIDE(subs_epu8)((wide)a, (wide)b);
}
