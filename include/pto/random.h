/* SPDX-License-Identifier: MIT */
/**
 * @file random.h
 * Random bits for stochastic rounding: Philox4x32-10, the generator of cuRAND and PyTorch, which computes any part of
 * its sequence by itself. So results do not depend on how many threads share the work.
 *
 * There when libpto was built with Random123 (CMake option PTO_RANDOM). An installation without it has no such header;
 * inside a build without it PTO_NO_RANDOM is defined.
 *
 * @code
 * // Six elements are three pairs: f16 takes a word of random bits for each.
 * const pto_cvt_op op = {.dst = PTO_F16, .src = PTO_F32, .round = PTO_RS};
 * const uint32_t key[2] = {1234, 0}, counter[4] = {0, 0, 0, 0};
 * const float x[6] = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F};
 * uint32_t bits[8], later[4], from[4];
 * uint16_t y[6];
 * if (pto_random_bits(key, counter, bits, 8) != PTO_OK) return 1;
 * if (pto_cvt(op, x, y, bits, 6) != PTO_OK) return 1;
 * assert(y[4] == 0x3800); // 0.5 is exact: no random bits move it
 *
 * // A thread that begins at word 4 takes the same words from there on: one block later.
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

#ifndef PTO_NO_RANDOM
/**
 * The words of the Philox4x32-10 sequence of a key, from a counter on: words 4i to 4i + 3 of out are the four of the
 * block whose counter is counter + i, a number of 128 bits whose lowest 32 are counter[0]; it wraps around.
 *
 * key, counter: 2 and 4 words. out: `words` of them, of any alignment. A last block that is not wanted in full is cut
 * off.
 *
 * Two keys, or two counters that are not in the other's range, give independent bits; the same ones give the same, on
 * every backend and CPU. To split the work, begin each share at a multiple of 4 words, its counter moved on by
 * pto_random_counter(). Shares at multiples of 64 elements do: their words are a half or a quarter of that.
 *
 * CUDA: after curand_init(seed, subsequence, offset, &state) with a curandStatePhilox4_32_10_t, successive calls of
 * curand4() give the words from
 *
 *     key     = {seed's low half, its high half}
 *     counter = {offset / 4, its high half, subsequence's low half, its high half}
 *
 * on, without the first offset % 4. So each subsequence, usually a thread of the GPU, is a run of 2^66 words.
 *
 * Semantics: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11), and its authors'
 * Random123, philox4x32_R(10, counter, key), whose known answers the tests hold.
 *
 * out lies apart from key and counter. Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (words is above
 * SIZE_MAX / 16), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_random_bits(const uint32_t key[2], const uint32_t counter[4], uint32_t *out,
                                    size_t words);

/**
 * The counter of the block that comes `blocks` later: to begin at word w, w / 4 of them. next: 4 words; it may be
 * counter itself.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_random_counter(const uint32_t counter[4], uint64_t blocks, uint32_t next[4]);
#endif

#ifdef __cplusplus
}
#endif
#endif
