/* SPDX-License-Identifier: MIT */
/*
 * Byte-vector operations that need only C's operators. Included at the end of avx2/bytes.h and avx512/bytes.h.
 */

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
