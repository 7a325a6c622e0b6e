/* SPDX-License-Identifier: MIT */
/*
 * Helpers for processing long operands in blocks of lanes whose masks fit on the stack as packed words. A block begins
 * at a whole byte in every mask kind. Each block is read before it is written, so operands may be in place.
 */
#ifndef PTO_CORE_BLOCK_H
#define PTO_CORE_BLOCK_H

#include "core/check.h"
#include "core/kernels.h"

enum { BLOCK_LANES = 4096, BLOCK_WORDS = BLOCK_LANES / 64 };

static inline size_t block_words(size_t lanes) {
    return (lanes + 63) / 64;
}

/* Returns the address of lane i in mask m. Lane i must be the first lane of a block. */
static inline u8 *block_at(pto_mask m, size_t i) {
    return (u8 *)m.data + i / 8 * mask_lane_bits(m.kind);
}

/* Clears the last word of the `lanes` bits in `bits`. Kernels write only as many bytes as the lanes take, and code that
 * reads whole words needs every bit of the last word. */
static inline void block_begin(u64 *bits, size_t lanes) {
    bits[block_words(lanes) - 1] = 0;
}

static inline void block_load(const struct pto_kernels *k, pto_mask m, size_t i, u64 *bits, size_t lanes) {
    block_begin(bits, lanes);
    k->mask_load[m.kind](block_at(m, i), bits, lanes);
}

/* Returns a block of mask m as bits for reading: a pointer into m if m is packed, otherwise `buffer` with the converted
 * bits. */
static inline const void *block_bits(const struct pto_kernels *k, pto_mask m, size_t i, u64 *buffer,
                                     size_t lanes) {
    if (mask_lane_bits(m.kind) == 1) return block_at(m, i);
    k->mask_load[m.kind](block_at(m, i), buffer, lanes);
    return buffer;
}

/* Returns where a block's bits are to be written before block_end(): into mask m if it is packed, otherwise into
 * `buffer`. */
static inline void *block_target(pto_mask m, size_t i, u64 *buffer) {
    return mask_lane_bits(m.kind) == 1 ? (void *)block_at(m, i) : buffer;
}

static inline void block_end(const struct pto_kernels *k, pto_mask m, size_t i, const void *target,
                             size_t lanes) {
    if (mask_lane_bits(m.kind) != 1) k->mask_store[m.kind](target, block_at(m, i), lanes);
}

/* Stores the bits of a block in mask m under the seed, which may have no data. Lanes whose seed is off become 0 or,
 * with `merge`, keep what they were. */
static inline void block_store(const struct pto_kernels *k, const u64 *bits, pto_mask seed, pto_mask m,
                               bool merge, size_t i, size_t lanes) {
    u64 on_buffer[BLOCK_WORDS], old_buffer[BLOCK_WORDS], out_buffer[BLOCK_WORDS];
    const void *on, *old;
    void *out;
    if (seed.data == NULL) {
        k->mask_store[m.kind](bits, block_at(m, i), lanes);
        return;
    }
    on = block_bits(k, seed, i, on_buffer, lanes);
    old = merge ? block_bits(k, m, i, old_buffer, lanes) : on;
    out = block_target(m, i, out_buffer);
    k->logic[merge ? LOGIC_SEL : LOGIC_AND](bits, old, on, out, lanes, 0, 0);
    block_end(k, m, i, out, lanes);
}

#endif
