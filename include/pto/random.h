/* SPDX-License-Identifier: MIT */
/**
 * @file random.h
 * Random bits for stochastic rounding, from Philox4x32-10, the generator of cuRAND and PyTorch.
 *
 * It computes any part of its sequence independently, so results do not depend on how many threads share the work.
 *
 * @code
 * // Six elements are three pairs: for f16, each pair takes one word of random bits.
 * const pto_cvt_op op = {.dst = PTO_F16, .src = PTO_F32, .round = PTO_RS};
 * const uint32_t key[2] = {1234, 0}, counter[4] = {0, 0, 0, 0};
 * const float x[6] = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F};
 * uint32_t bits[8], later[4], from[4];
 * uint16_t y[6];
 * if (pto_random_bits(key, counter, bits, 8) != PTO_OK) return 1;
 * if (pto_cvt(op, x, y, bits, 6) != PTO_OK) return 1;
 * assert(y[4] == 0x3800); // 0.5 is exact: random bits do not change it
 *
 * // A thread that starts at word 4, which is one block later, gets the same words from there on.
 * if (pto_random_counter(counter, 1, from) != PTO_OK) return 1;
 * if (pto_random_bits(key, from, later, 4) != PTO_OK) return 1;
 * assert(memcmp(later, bits + 4, sizeof later) == 0);
 * @endcode
 */
#ifndef PTO_RANDOM_H
#define PTO_RANDOM_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Writes the words of the Philox4x32-10 sequence of a key, starting at a counter.
 *
 * Words 4i to 4i + 3 of out are the block whose counter is counter + i. The counter is a 128-bit number whose lowest 32
 * bits are counter[0]; it wraps around.
 *
 * key: 2 words. counter: 4 words. out: `words` words, of any alignment. If `words` is not a multiple of 4, the last
 * block is cut off.
 *
 * Different keys give independent bits, and so do counter ranges that do not overlap. The same key and counter give the
 * same bits on every backend and CPU. To split the work, start each part at a multiple of 4 words, and advance its
 * counter with pto_random_counter(). Parts that start at a multiple of 64 elements satisfy this, because they have half
 * or a quarter as many words as elements.
 *
 * CUDA: after curand_init(seed, subsequence, offset, &state) with a curandStatePhilox4_32_10_t, successive calls of
 * curand4() return the words that start at this key and counter, without the first offset % 4 words:
 *
 *     key     = {seed's low half, its high half}
 *     counter = {offset / 4, its high half, subsequence's low half, its high half}
 *
 * So each subsequence, usually one GPU thread, is a run of 2^66 words.
 *
 * Semantics: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11). The tests
 * contain the known answers of its authors' library Random123, where it is philox4x32_R(10, counter, key).
 *
 * out must not overlap key or counter.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (words is above SIZE_MAX / 16), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_random_bits(const uint32_t key[2], const uint32_t counter[4], uint32_t *out,
                                    size_t words);

/**
 * Stores in next the counter of the block that is `blocks` blocks after that of counter. To start at word w, pass w /
 * 4.
 *
 * counter, next: 4 words each; next may be counter itself.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_random_counter(const uint32_t counter[4], uint64_t blocks, uint32_t next[4]);

#ifdef __cplusplus
}
#endif
#endif
