/* SPDX-License-Identifier: MIT */
/*
 * The kernels of pto_random_bits(), and the generator Philox4x32-10. The kernels are not part of struct pto_kernels, so
 * programs that do not call pto_random_bits() do not link them.
 */
#ifndef PTO_CORE_RANDOM_H
#define PTO_CORE_RANDOM_H

#include "core/common.h"
#include "core/isas.h"

/*
 * Writes the first `words` words of the sequence of `key` that starts at `counter`. `words` must not be 0. `out` may
 * have any alignment.
 * counter[0] must not wrap around before the last word; the kernel does not carry into counter[1].
 */
typedef void random_fn(const u32 key[2], const u32 counter[4], u8 *out, size_t words);

#define EXPORTS(ISA, isa, attribute) random_fn pto_random_##isa attribute;
EVERY_ISA(EXPORTS)
#undef EXPORTS

enum { RANDOM_ROUNDS = 10, RANDOM_BLOCK = 4 /* words */ };

/* The multipliers of words 0 and 2 of the counter, and the constants added to the words of the key each round. */
static const u32 PHILOX_M0 = 0xd2511f53, PHILOX_M1 = 0xcd9e8d57;
static const u32 PHILOX_W0 = 0x9e3779b9, PHILOX_W1 = 0xbb67ae85;

/* Philox4x32-10 by Salmon, Moraes, Dror and Shaw ("Parallel random numbers: as easy as 1, 2, 3", 2011). Replaces
 * the counter `c` by its block of random words. */
static ALWAYS_INLINE void philox_block(const u32 key[2], u32 c[RANDOM_BLOCK]) {
    u32 key0 = key[0], key1 = key[1];
    UNROLL
    for (size_t r = 0; r < RANDOM_ROUNDS; ++r) {
        const u64 p = (u64)c[0] * PHILOX_M0, q = (u64)c[2] * PHILOX_M1;
        c[0] = (u32)(q >> 32) ^ c[1] ^ key0;
        c[1] = (u32)q;
        c[2] = (u32)(p >> 32) ^ c[3] ^ key1;
        c[3] = (u32)p;
        key0 += PHILOX_W0;
        key1 += PHILOX_W1;
    }
}

#endif
