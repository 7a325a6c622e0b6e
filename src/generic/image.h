/* SPDX-License-Identifier: MIT */
/* Stores masks of lanes of WIDTH bits (16 or 32) as a predicate image, in which lane i is bit i * WIDTH / 8.
 * Part of generic/vec.h. */
static ALWAYS_INLINE void CAT(m_image_, WIDTH)(u8 *p, const CAT(vmask_, WIDTH) * m, u64 flip) {
    enum { LANE_BITS = WIDTH / 8, LANES = 64 / LANE_BITS };
    const u64 word = CAT(m_word_, WIDTH)(m) ^ flip;
    UNROLL
    for (size_t i = 0; i < LANE_BITS; ++i)
        store_bytes(p + 8 * i, bits_scatter(word >> i * LANES, LANE_BITS), 8);
}
#undef WIDTH
