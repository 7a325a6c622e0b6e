/* SPDX-License-Identifier: MIT */
/* The vocabulary's operations on lanes of WIDTH bits (8, 16, 32 or 64). Part of generic/vec.h. */
#define lane           CAT(u, WIDTH)
#define signed_lane    CAT(s, WIDTH)
#define unsigned_lanes CAT(u_lanes_, WIDTH)
#define signed_lanes   CAT(s_lanes_, WIDTH)
#define lane_bytes     CAT(lane_bytes_, WIDTH)
#define vmask          CAT(vmask_, WIDTH)
#define LANES          CAT(VLANES_, WIDTH)
#define v_const        CAT(v_const_, WIDTH)
#define v_lt_u         CAT(v_lt_u, WIDTH)
#define v_lt_s         CAT(v_lt_s, WIDTH)
#define v_sel          CAT(v_sel_, WIDTH)
#define mask_of_bits   CAT(mask_of_bits_, WIDTH)
#define m_word         CAT(m_word_, WIDTH)
#define m_from_bits    CAT(m_from_bits_, WIDTH)

typedef lane unsigned_lanes __attribute__((vector_size(VBYTES)));
typedef signed_lane signed_lanes __attribute__((vector_size(VBYTES)));
typedef u8 lane_bytes __attribute__((vector_size(LANES)));

/* Returns a vector with k in every lane. */
static ALWAYS_INLINE vec v_const(signed_lane k) {
    return (vec)(k - (signed_lanes){0});
}

static ALWAYS_INLINE vec CAT(v_set1_, WIDTH)(const void *p) {
    signed_lane k;
    memcpy(&k, p, sizeof k);
    return v_const(k);
}

static ALWAYS_INLINE vmask CAT(v_eq_, WIDTH)(vec x, vec y) {
    return (vec)((unsigned_lanes)x == (unsigned_lanes)y);
}

static ALWAYS_INLINE vmask v_lt_u(vec x, vec y) {
    return (vec)((unsigned_lanes)x < (unsigned_lanes)y);
}

static ALWAYS_INLINE vmask v_lt_s(vec x, vec y) {
    return (vec)((signed_lanes)x < (signed_lanes)y);
}

static ALWAYS_INLINE vec v_sel(vmask m, vec x, vec y) {
    return v_select(m, x, y);
}

static ALWAYS_INLINE vmask CAT(m_none_, WIDTH)(void) {
    return v_zero();
}

/*
 * Returns 64 lanes of truth as a word, with lane 0 in bit 0.
 *
 * Mask m[k] sets or clears one bit, number `at`, of every lane of `bits`. Then the two 64-bit halves of `bits`
 * are merged into one word. This word has all 64 bits, but in a permuted order, which exchange_index_bits()
 * corrects.
 *
 * The index of a lane within its vector has the binary digits l0 (lowest), l1 and so on; the index k of the
 * vector has v0, v1 and so on. The position of a bit in the merged word has these binary digits, lowest first:
 *
 *   8-bit lanes     v1 v0 l3 l0 l1 l2
 *   16-bit lanes    v1 v2 v0 l2 l0 l1
 *   32-bit lanes    v3 v2 v0 v1 l1 l0
 *   64-bit lanes    v4 v0 v1 v2 v3 l0
 */
static ALWAYS_INLINE u64 m_word(const vmask *m) {
    unsigned_lanes bits = {0};
    UNROLL
    for (unsigned k = 0; k < 64 / LANES; ++k) {
#if WIDTH == 8
        const unsigned at = k >> 1 | (k & 1) << 1;
#elif WIDTH == 16
        const unsigned at = k >> 1 | (k & 1) << 2;
#elif WIDTH == 32
        const unsigned at = k >> 3 | (k >> 1 & 2) | (k & 3) << 2;
#else
        const unsigned at = k >> 4 | (k & 15) << 1;
#endif
        bits |= (unsigned_lanes)m[k] & (lane)((lane)1 << at);
    }
    const u64_pair pair = (u64_pair)bits;
    const u64 word = pair[0] | pair[1] << 64 / LANES;
#if WIDTH == 8
    return exchange_index_bits(
        exchange_index_bits(exchange_index_bits(exchange_index_bits(word, 3, 0), 4, 1), 5, 2), 5, 3);
#elif WIDTH == 16
    return exchange_index_bits(exchange_index_bits(exchange_index_bits(word, 4, 0), 5, 1), 3, 2);
#elif WIDTH == 32
    return exchange_index_bits(exchange_index_bits(word, 5, 0), 4, 1);
#else
    return exchange_index_bits(word, 5, 0);
#endif
}

/* Returns a mask in which lane k is true if bit k * `period` of `bits` is 1. */
static ALWAYS_INLINE vmask mask_of_bits(u64 bits, unsigned period) {
    unsigned_lanes own = {0};
    UNROLL
    for (unsigned k = 0; k < LANES; ++k) own[k] = (lane)((lane)1 << k * period % WIDTH);
#if WIDTH == 8 /* two bytes, each with the bits of eight lanes */
    const u64 each = 0x0101010101010101;
    return (vec)(((unsigned_lanes)(u64_pair){(bits & 0xff) * each, (bits >> 8 & 0xff) * each} & own) != 0);
#else
    return (vec)(((unsigned_lanes)v_const((signed_lane)bits) & own) != 0);
#endif
}

static ALWAYS_INLINE vmask m_from_bits(u64 word, size_t i) {
    return mask_of_bits(word >> i * LANES, 1);
}

static ALWAYS_INLINE void CAT(m_bytes_, WIDTH)(u8 *p, const vmask *m, u64 flip) {
    const u64 word = m_word(m) ^ flip;
    UNROLL
    for (size_t i = 0; i < 4; ++i) v_store(p + i * VBYTES, m_from_bits_8(word, i) & 1);
}

static ALWAYS_INLINE vmask CAT(m_zero_bytes_, WIDTH)(const u8 *p) {
    lane_bytes bytes;
    memcpy(&bytes, p, sizeof bytes);
    return (vec)(__builtin_convertvector(bytes, unsigned_lanes) == 0);
}

#if WIDTH != 8
static ALWAYS_INLINE vmask CAT(m_from_image_, WIDTH)(const u8 *p) {
    return mask_of_bits(load_bytes(p, 2), WIDTH / 8);
}
#endif

/* ---- used by maxmin.c ---- */

#define MAX_MIN(type, less)                                                                                  \
    static ALWAYS_INLINE vec CAT(v_max_, type)(vec x, vec y) {                                               \
        return v_select(less(x, y), y, x);                                                                   \
    }                                                                                                        \
    static ALWAYS_INLINE vec CAT(v_min_, type)(vec x, vec y) {                                               \
        return v_select(less(x, y), x, y);                                                                   \
    }
MAX_MIN(lane, v_lt_u)
MAX_MIN(signed_lane, v_lt_s)
#undef MAX_MIN

#undef lane
#undef signed_lane
#undef unsigned_lanes
#undef signed_lanes
#undef lane_bytes
#undef vmask
#undef LANES
#undef v_const
#undef v_lt_u
#undef v_lt_s
#undef v_sel
#undef mask_of_bits
#undef m_word
#undef m_from_bits
#undef WIDTH
