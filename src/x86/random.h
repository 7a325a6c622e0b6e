/* SPDX-License-Identifier: MIT */
/*
 * Computes batches of Philox random bits on CPUs that multiply the lower halves of 64-bit lanes to 64-bit products. A
 * random.c defines VBYTES, VECTORS, which is how many vectors are computed side by side, and
 *
 *   u64v                   a vector of 64-bit lanes
 *   v_first_blocks()       which block each lane computes, so that v_low_halves() and v_high_halves() put blocks in
 *                          order
 *
 * Each 64-bit lane holds one 32-bit word of a counter; its upper half is ignored.
 */
#include "core/random.h"
#include "x86/width.h"

#define RANDOM_HAS_BATCH
enum { LANES = VBYTES / 8, BATCH = VECTORS * LANES };

static ALWAYS_INLINE u64v v_set1_u32(u32 x) {
    return (u64v){0} + x;
}

/* Returns the 64-bit products of m and the lower 32 bits of each lane. */
static ALWAYS_INLINE u64v v_mul_low32(u64v x, u32 m) {
    return (u64v)WIDE(mul_epu32)((wide)x, (wide)v_set1_u32(m));
}

/* These return for each 128 bits the lower or the upper 64 bits of x, then those of y. */
static ALWAYS_INLINE u64v v_low_halves(u64v x, u64v y) {
    return (u64v)WIDE(unpacklo_epi64)((wide)x, (wide)y);
}

static ALWAYS_INLINE u64v v_high_halves(u64v x, u64v y) {
    return (u64v)WIDE(unpackhi_epi64)((wide)x, (wide)y);
}

/* Applies one round to the four counter words of every lane of all vectors. */
static ALWAYS_INLINE void random_round(u64v c[RANDOM_BLOCK][VECTORS], u32 key0, u32 key1) {
    UNROLL
    for (size_t i = 0; i < VECTORS; ++i) {
        const u64v p = v_mul_low32(c[0][i], PHILOX_M0), q = v_mul_low32(c[2][i], PHILOX_M1);
        c[0][i] = q >> 32 ^ c[1][i] ^ v_set1_u32(key0);
        c[1][i] = q;
        c[2][i] = p >> 32 ^ c[3][i] ^ v_set1_u32(key1);
        c[3][i] = p;
    }
}

static ALWAYS_INLINE void random_store(u64v c[RANDOM_BLOCK][VECTORS], u8 *out) {
    const u64v low = v_set1_u32(UINT32_MAX);
    UNROLL
    for (size_t i = 0; i < VECTORS; ++i) {
        const u64v first = (c[0][i] & low) | c[1][i] << 32, second = (c[2][i] & low) | c[3][i] << 32;
        const u64v lower = v_low_halves(first, second), upper = v_high_halves(first, second);
        memcpy(out + 2 * i * VBYTES, &lower, VBYTES);
        memcpy(out + (2 * i + 1) * VBYTES, &upper, VBYTES);
    }
}

static ALWAYS_INLINE void random_batch(const u32 key[2], const u32 counter[4], u8 *out) {
    u64v c[RANDOM_BLOCK][VECTORS];
    u32 key0 = key[0], key1 = key[1];
    UNROLL
    for (size_t i = 0; i < VECTORS; ++i) {
        c[0][i] = v_first_blocks() + v_set1_u32(counter[0]) + v_set1_u32((u32)(i * LANES));
        for (size_t w = 1; w < RANDOM_BLOCK; ++w) c[w][i] = v_set1_u32(counter[w]);
    }
    UNROLL
    for (size_t r = 0; r < RANDOM_ROUNDS; ++r) {
        random_round(c, key0, key1);
        key0 += PHILOX_W0;
        key1 += PHILOX_W1;
    }
    random_store(c, out);
}
