/* SPDX-License-Identifier: MIT */
/*
 * Random bits (Philox 4x32-10). Each lane computes one block of four words: vector i of four has word i of each block,
 * and a store of structures puts the words in order. Two such sets of four vectors are computed together, because each
 * multiplication depends on the previous one.
 */
#include "core/random.h"
#include "sve/vector.h"

enum { BATCH_VECTORS = 2, BLOCK_BYTES = 4 * RANDOM_BLOCK };

/* Half of a Philox round: *upper becomes the upper half of x * m, XORed with the old *upper and key. *lower becomes
 * the lower half of x * m. */
static ALWAYS_INLINE void half_round(svuint32_t x, u32 m, svuint32_t key, svuint32_t *upper,
                                     svuint32_t *lower) {
    const svbool_t all = svptrue_b32();
    const svuint32_t by = svdup_n_u32(m), mixed = sveor_x(all, *upper, key);
    *upper = sveor_x(all, svmulh_x(all, by, x), mixed);
    *lower = svmul_x(all, x, by);
}

static ALWAYS_INLINE void random_round(svuint32_t *c0, svuint32_t *c1, svuint32_t *c2, svuint32_t *c3,
                                       svuint32_t key0, svuint32_t key1) {
    const svuint32_t x0 = *c0, x2 = *c2;
    *c0 = *c1;
    *c2 = *c3;
    half_round(x2, PHILOX_M1, key0, c0, c1);
    half_round(x0, PHILOX_M0, key1, c2, c3);
}

/* Stores the blocks of two sets of vectors, of which p and q select the lanes. `first` is the lowest counter word of
 * the first block. */
static ALWAYS_INLINE void random_batch(svbool_t p, svbool_t q, const u32 key[2], const u32 counter[4],
                                       u32 first, u8 *out) {
    const svbool_t all = svptrue_b32();
    svuint32_t a0 = svindex_u32(first, 1), a1 = svdup_n_u32(counter[1]), a2 = svdup_n_u32(counter[2]),
               a3 = svdup_n_u32(counter[3]);
    svuint32_t b0 = svindex_u32(first + (u32)svcntw(), 1), b1 = a1, b2 = a2, b3 = a3;
    svuint32_t key0 = svdup_n_u32(key[0]), key1 = svdup_n_u32(key[1]);
    UNROLL
    for (u32 r = 0; r < RANDOM_ROUNDS; ++r) {
        random_round(&a0, &a1, &a2, &a3, key0, key1);
        random_round(&b0, &b1, &b2, &b3, key0, key1);
        key0 = svadd_x(all, key0, PHILOX_W0);
        key1 = svadd_x(all, key1, PHILOX_W1);
    }
    svst4(p, (u32 *)out, svcreate4(a0, a1, a2, a3));
    svst4(q, (u32 *)out + RANDOM_BLOCK * svcntw(), svcreate4(b0, b1, b2, b3));
}

void pto_random_sve(const u32 key[2], const u32 counter[4], u8 *out, size_t words) {
    const svbool_t all = svptrue_b32();
    const size_t lanes = svcntw(), batch = BATCH_VECTORS * lanes;
    size_t blocks = words / RANDOM_BLOCK;
    u32 at = counter[0], last[RANDOM_BLOCK];
    for (; blocks >= batch; blocks -= batch) {
        random_batch(all, all, key, counter, at, out);
        at += (u32)batch;
        out += batch * BLOCK_BYTES;
    }
    if (blocks != 0)
        random_batch(svwhilelt_b32_u64(0, blocks), svwhilelt_b32_u64(lanes, blocks), key, counter, at, out);
    if (words % RANDOM_BLOCK == 0) return;
    random_batch(svptrue_pat_b32(SV_VL1), svpfalse(), key, counter, at + (u32)blocks, (u8 *)last);
    memcpy(out + blocks * BLOCK_BYTES, last, words % RANDOM_BLOCK * sizeof last[0]);
}
