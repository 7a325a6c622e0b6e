/* SPDX-License-Identifier: MIT */
/*
 * Long operands are walked in blocks of lanes whose masks fit on the stack as packed words. A block begins at
 * whole bytes of every mask kind, and its reads come before its writes, so operands in place stay right.
 */
#ifndef PTO_CORE_BLOCK_H
#define PTO_CORE_BLOCK_H

#include "core/check.h"
#include "core/kernels.h"

enum { BLOCK_LANES = 4096, BLOCK_WORDS = BLOCK_LANES / 64 };

static inline size_t block_words(size_t lanes) {
    return (lanes + 63) / 64;
}

/* Where lane i, at a block's beginning, lies in a mask. */
static inline u8 *block_at(pto_mask m, size_t i) {
    return (u8 *)m.data + i / 8 * mask_lane_bits(m.kind);
}

/* Kernels write whole bytes of bits, code that reads whole words needs the last one defined. */
static inline void block_begin(u64 *bits, size_t lanes) {
    bits[block_words(lanes) - 1] = 0;
}

static inline void block_load(const struct pto_kernels *k, pto_mask m, size_t i, u64 *bits, size_t lanes) {
    block_begin(bits, lanes);
    k->mask_load[m.kind](block_at(m, i), bits, lanes);
}

/* A block of a mask as bits, to read: where it lies if it is packed, else in the buffer. */
static inline const void *block_bits(const struct pto_kernels *k, pto_mask m, size_t i, u64 *buffer,
                                     size_t lanes) {
    if (mask_lane_bits(m.kind) == 1) return block_at(m, i);
    k->mask_load[m.kind](block_at(m, i), buffer, lanes);
    return buffer;
}

/* Where to write a block's bits before block_end: into the mask itself if it is packed, else the buffer. */
static inline void *block_target(pto_mask m, size_t i, u64 *buffer) {
    return mask_lane_bits(m.kind) == 1 ? (void *)block_at(m, i) : buffer;
}

static inline void block_end(const struct pto_kernels *k, pto_mask m, size_t i, const void *target,
                             size_t lanes) {
    if (mask_lane_bits(m.kind) != 1) k->mask_store[m.kind](target, block_at(m, i), lanes);
}

#endif
