/* SPDX-License-Identifier: MIT */
/*
 * Long operands are walked in blocks of lanes whose masks fit on the stack as packed words. A block begins at
 * whole bytes of every mask kind, and its reads come before its writes, so operands in place stay right.
 */
#ifndef PTO_SRC_BLOCK_H
#define PTO_SRC_BLOCK_H

#include "kernels.h"

enum { BLOCK_LANES = 4096, BLOCK_WORDS = BLOCK_LANES / 64 };

static inline size_t block_words(size_t lanes) {
    return (lanes + 63) / 64;
}

/* Bytes before lane i, at a block's beginning, in an operand of so many bits per lane. */
static inline size_t block_bytes(size_t i, size_t lane_bits) {
    return i / 8 * lane_bits;
}

/* Kernels write whole bytes of bits, word logic reads whole words: make the last word defined. */
static inline void block_begin(u64 *bits, size_t lanes) {
    bits[block_words(lanes) - 1] = 0;
}

static inline void block_load(mask_fn *load, const u8 *mask, u64 *bits, size_t lanes) {
    block_begin(bits, lanes);
    load(mask, bits, lanes);
}

#endif
