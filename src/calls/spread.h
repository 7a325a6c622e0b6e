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

/* The same as choose kernels take it. The division is for scalars alone. */
static ALWAYS_INLINE void spread_operand(fill_fn *fill, const void *data, bool scalar, struct choice *choice,
                                         size_t i, u8 *block, unsigned element_bits) {
    choice->in[i] = scalar ? block : data;
    if (unlikely(scalar)) fill(data, block, SPREAD_BYTES * 8U / element_bits);
}

/* The rule of overlap for such an operand. */
static inline bool operand_fits(const void *dst, const void *data, bool scalar, size_t bits, size_t n) {
    return overlap_allowed(operand_array(dst, bits, n), operand_array(data, bits, scalar ? 1 : n));
}

#endif
