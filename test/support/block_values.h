/* SPDX-License-Identifier: MIT */
/** @file block_values.h  Magnitudes worth trying, and a few elements for a block whose step is known. */
#ifndef PTO_TEST_BLOCK_VALUES_H
#define PTO_TEST_BLOCK_VALUES_H

#include "support/block_fixture.h"

/**
 * The magnitudes by number, codes of the type without their sign: of f16 and bf16 all there are, NaNs too; of f32
 * the borders of every binade, those of the rules among them, the subnormals' powers, and many at random.
 */
size_t block_magnitudes(pto_dtype wide);
uint64_t block_magnitude(pto_dtype wide, size_t i);

/** How many elements of a block differ; the others repeat them. */
enum { BLOCK_POOL = 4 };

/**
 * Codes of elements no larger than the magnitude, which is the first of them: one that comes near a tie between two
 * codes of op->elem, one at random, and a zero, a NaN or another near a tie.
 */
void block_pool(struct rng *rng, const pto_block_op *op, const struct model_block_step *step,
                uint64_t magnitude, uint64_t pool[BLOCK_POOL]);

#endif
