/* SPDX-License-Identifier: MIT */
/** @file block_values.h  Magnitudes to test, and some elements for a block whose scaling is known. */
#ifndef PTO_TEST_BLOCK_VALUES_H
#define PTO_TEST_BLOCK_VALUES_H

#include "support/block_fixture.h"

/** block_magnitudes() returns the number of magnitudes, block_magnitude() magnitude number i as a code without sign.
 * For f16 and bf16 these are all codes, including NaNs. For f32 they are the borders of every binade, including those
 * of the rules, the powers of two among the subnormals, and many random ones. */
size_t block_magnitudes(pto_dtype wide);
uint64_t block_magnitude(pto_dtype wide, size_t i);

/** The number of different elements in a block; these are repeated. */
enum { BLOCK_POOL = 4 };

/** Fills `pool` with codes of elements of random sign. The first has the magnitude `magnitude`, the second becomes
 * nearly a tie between two codes of op->elem, and the third is random. The fourth is a zero, the smallest subnormal, a
 * NaN or another near tie. Except for a NaN, no magnitude is larger than `magnitude`. */
void block_pool(struct rng *rng, const pto_block_op *op, const struct model_block_scaling *scaling,
                uint64_t magnitude, uint64_t pool[BLOCK_POOL]);

#endif
