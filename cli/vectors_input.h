/* SPDX-License-Identifier: MIT */
/* Chosen and pseudo-random operands for pto vectors. They are computed with integers only, so that they are the same on
 * every platform. */
#ifndef PTO_CLI_VECTORS_INPUT_H
#define PTO_CLI_VECTORS_INPUT_H

#include "vectors_table.h"

#include "truth_inputs.h"

/* Returns the kind and the width of a type's values for the functions of truth_inputs.h. */
struct truth_shape vector_shape(pto_dtype type);

/* Returns a pseudo-random operand. Values near the boundaries of rounding and of formats are frequent. */
uint64_t vector_random(pto_dtype type, uint64_t index);

/* A list of operands. The caller frees `items`. */
struct vector_operands {
    uint64_t *items;
    size_t count, capacity;
};
void vector_operands_add(struct vector_operands *list, uint64_t operand);

/* Appends operands of type `src` at the boundaries of `dst`: the value of each code of dst, or of 256 of them, the
 * middle between it and the next, and the operands next to these. Appends nothing if pto_cast() does not take the
 * types. */
void vector_boundaries(struct vector_operands *list, pto_dtype src, pto_dtype dst);

/* Returns special operand number `i` of TRUTH_SPECIALS. */
uint64_t vector_special(pto_dtype type, unsigned i);

#endif
