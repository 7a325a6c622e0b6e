/* SPDX-License-Identifier: MIT */
/* Operands that are an array or one element, as kernels take them. */
#ifndef PTO_CALLS_SPREAD_H
#define PTO_CALLS_SPREAD_H

#include "core/check.h"

/* Operand i of a choice, whose scalars are said: one element is copied, out of dst's way, all over the first lanes of a
 * block. */
static ALWAYS_INLINE void spread_lanes(fill_fn *fill, const void *data, bool scalar, struct choice *choice,
                                       size_t i, u8 *block, size_t lanes) {
    choice->in[i] = scalar ? block : data;
    if (unlikely(scalar)) fill(data, block, lanes);
}

/* The same as choose, max and min kernels take it: one element is copied, out of dst's way; load_bytes would take longer,
 * for the size is known in the run alone. */
static ALWAYS_INLINE void take_operand(const void *data, bool scalar, struct choice *choice, size_t i,
                                       u64 *copy, unsigned element_bits) {
    choice->in[i] = data;
    if (!unlikely(scalar)) return;
    choice->in[i] = copy;
    switch (element_bits) {
    case 8: memcpy(copy, data, 1); break;
    case 16: memcpy(copy, data, 2); break;
    case 32: memcpy(copy, data, 4); break;
    default: memcpy(copy, data, 8); break;
    }
}

/* The rule of overlap for such an operand. */
static inline bool operand_fits(const void *dst, const void *data, bool scalar, size_t bits, size_t n) {
    return overlap_allowed(operand_array(dst, bits, n), operand_array(data, bits, scalar ? 1 : n));
}

#endif
