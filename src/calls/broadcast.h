/* SPDX-License-Identifier: MIT */
/* Prepares operands that are an array or a scalar for kernels. */
#ifndef PTO_CALLS_BROADCAST_H
#define PTO_CALLS_BROADCAST_H

#include "core/check.h"

/* Stores operand i in *sources, whose `scalars` must be set. A scalar is broadcast to the first `lanes` lanes of
 * `block`, where dst cannot overwrite it. */
static ALWAYS_INLINE void broadcast_operand(fill_fn *fill, const void *data, bool scalar,
                                            struct sources *sources, size_t i, u8 *block, size_t lanes) {
    sources->in[i] = scalar ? block : data;
    if (unlikely(scalar)) fill(data, block, lanes);
}

/* Stores operand i in *sources for choose, max and min kernels, which take a scalar as a single element. A scalar is
 * copied to `copy`, where dst cannot overwrite it. load_bytes() would take longer, because the size is known only at
 * run time. */
static ALWAYS_INLINE void copy_scalar_operand(const void *data, bool scalar, struct sources *sources,
                                              size_t i, u64 *copy, unsigned element_bits) {
    sources->in[i] = data;
    if (!unlikely(scalar)) return;
    sources->in[i] = copy;
    switch (element_bits) {
    case 8: memcpy(copy, data, 1); break;
    case 16: memcpy(copy, data, 2); break;
    case 32: memcpy(copy, data, 4); break;
    default: memcpy(copy, data, 8); break;
    }
}

/* Returns whether dst and an operand, which is an array of n elements or a scalar, satisfy the overlap rule. */
static inline bool operand_overlap_allowed(const void *dst, const void *data, bool scalar, size_t bits,
                                           size_t n) {
    return overlap_allowed(operand_array(dst, bits, n), operand_array(data, bits, scalar ? 1 : n));
}

#endif
