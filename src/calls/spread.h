/* SPDX-License-Identifier: MIT */
/* Operands that are an array or one element, as kernels take them. */
#ifndef PTO_CALLS_SPREAD_H
#define PTO_CALLS_SPREAD_H

#include "core/check.h"
#include "pto/select.h"

/* Operand i of a choice: one element is copied, out of dst's way, all over the first lanes of a block. */
static inline void spread_lanes(const struct pto_kernels *k, pto_in in, unsigned bits, struct choice *choice,
                                size_t i, u8 *block, size_t lanes) {
    choice->one[i] = in.scalar;
    choice->in[i] = in.scalar ? block : in.data;
    if (in.scalar) k->fill[width_index(bits)](in.data, block, lanes);
}

/* The same as choose kernels take it. */
static inline void spread_operand(const struct pto_kernels *k, pto_in in, unsigned bits,
                                  struct choice *choice, size_t i, u8 *block) {
    spread_lanes(k, in, bits, choice, i, block, SPREAD_BYTES * 8 / bits);
}

/* The rule of overlap for such an operand. */
static inline bool operand_fits(const void *dst, pto_in in, unsigned bits, size_t n) {
    return overlap_allowed(operand_array(dst, bits, n), operand_array(in.data, bits, in.scalar ? 1 : n));
}

#endif
