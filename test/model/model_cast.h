/* SPDX-License-Identifier: MIT */
/** @file model_cast.h
 * The model of pto_cast(), which is slow but simple. It was written from cast.h independently of the library and shares
 * only its public enums.
 *
 * A type is the list of its magnitudes, numbered by rank, including the value that would follow the largest one.
 * Integers and fixed-point types are lists, too. The model searches the list for the two neighbours of the source
 * value, and the rounding chooses between them by the exact distance to the lower one. */
#ifndef PTO_TEST_MODEL_CAST_H
#define PTO_TEST_MODEL_CAST_H

#include "model/model_vcvt.h"

enum { MODEL_CAST_TYPES = 34, MODEL_CAST_ROUNDS = 7, MODEL_CAST_OVERFLOWS = 3, MODEL_CAST_TEXT = 80 };

/** The types and the roundings that pto_cast() takes. */
extern const pto_dtype model_cast_types[MODEL_CAST_TYPES];
extern const pto_round model_cast_rounds[MODEL_CAST_ROUNDS];

/** The status that pto_cast_check() must return. */
pto_status model_cast_status(const pto_cast_op *op);

/** Returns the result element for source element `bits`, given as in memory. `word` is the random word. */
uint64_t model_cast(const pto_cast_op *op, uint64_t bits, uint32_t word);

/** Returns the number of the largest finite magnitude of the type. */
uint64_t model_cast_largest(pto_dtype type);

/** Returns in m * 2^q the magnitude with this number, or the midpoint between it and the next one. */
void model_cast_rank_value(pto_dtype type, uint64_t rank, bool midpoint, uint64_t *m, int *q);

/** Returns the element of the largest magnitude that is at most m * 2^q. */
uint64_t model_cast_at_most(pto_dtype type, uint64_t m, int q, bool negative);

/** Describes an operation, as in "e4m3 <- f32 rn saturate". */
void model_cast_describe(const pto_cast_op *op, char text[MODEL_CAST_TEXT]);

#endif
