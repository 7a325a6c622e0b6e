/* SPDX-License-Identifier: MIT */
/* Words of bytes that are C's operators in every instruction set. At the end of each folder's bytes.h. */

static ALWAYS_INLINE bytes b_all(unsigned x) {
    return (u8)x - (bytes){0};
}

/* In shifts bits of the neighbour enter. */
static ALWAYS_INLINE bytes b_left(bytes x, unsigned by) {
    return (bytes)((byte_pairs)x << (u16)by);
}

static ALWAYS_INLINE bytes b_right(bytes x, unsigned by) {
    return (bytes)((byte_pairs)x >> (u16)by);
}
