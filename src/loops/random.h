/* SPDX-License-Identifier: MIT */
/*
 * The random bits kernel of one ISA, which computes BATCH blocks at a time. A backend's random.c defines ISA and
 * includes this file. It may first define RANDOM_HAS_BATCH. Then it must also define BATCH and
 *
 *   random_batch(key, counter, out)   stores the words of BATCH blocks, from `counter` on. Only the lowest word of the
 *                                     counter is incremented; there is no carry out of it
 */
#include "core/random.h"

/* By default the blocks are computed one by one in a loop, which the compiler may vectorise. */
#ifndef RANDOM_HAS_BATCH
enum { BATCH = 16 };

static ALWAYS_INLINE void random_batch(const u32 key[2], const u32 counter[4], u8 *out) {
    u32 words[BATCH * RANDOM_BLOCK];
    for (u32 i = 0; i < BATCH; ++i) {
        u32 block[RANDOM_BLOCK] = {counter[0] + i, counter[1], counter[2], counter[3]};
        philox_block(key, block);
        for (u32 w = 0; w < RANDOM_BLOCK; ++w) words[i * RANDOM_BLOCK + w] = block[w];
    }
    memcpy(out, words, sizeof words);
}
#endif

void CAT(pto_random_, ISA)(const u32 key[2], const u32 counter[4], u8 *out, size_t words) {
    enum { BATCH_WORDS = BATCH * RANDOM_BLOCK };
    u32 at[RANDOM_BLOCK], rest[BATCH_WORDS];
    memcpy(at, counter, sizeof at);
    for (; words >= BATCH_WORDS; words -= BATCH_WORDS) {
        random_batch(key, at, out);
        at[0] += BATCH;
        out += sizeof rest;
    }
    if (words == 0) return;
    random_batch(key, at, (u8 *)rest);
    memcpy(out, rest, words * sizeof rest[0]);
}
