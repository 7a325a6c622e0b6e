/* SPDX-License-Identifier: MIT */
/*
 * A ramp describes the values of a register in all lanes by three numbers. This is possible if the values are a linear
 * function of the thread's number and the block's number. Kernels compute indices and addresses in such registers. With
 * ramps, a step of index arithmetic costs as little for 2048 lanes as for one, and a load or store can check the
 * addresses of all lanes at once.
 */
#ifndef PTO_PROGRAM_RAMP_H
#define PTO_PROGRAM_RAMP_H

#include "ir.h"

/* A group: threads of a launch that run together, which are `blocks` whole blocks of `threads` threads each.
 * Lane i of the group is thread i % threads of block i / threads of the group. */
struct group {
    size_t threads, blocks, lanes; /* lanes: threads * blocks; at most BLOCK_LANES, except in pto_record() */
    size_t first_block;            /* the number of the group's first block in the grid */
};

/* Thread t of block b of the group has the value first + t * per_thread + b * per_block, modulo 2^bits, where
 * `bits` is the width of the register. Higher bits of the members have no meaning. A predicate is true in all
 * lanes if `first` is 1, and false in all lanes if `first` is 0. */
struct ramp {
    uint64_t first, per_thread, per_block;
};

/* Returns the ramp with the same value in all lanes. */
static inline struct ramp pto_ramp_uniform(uint64_t value) {
    return (struct ramp){value, 0, 0};
}

static inline bool pto_ramp_is_uniform(const struct ramp *r) {
    return r->per_thread == 0 && r->per_block == 0;
}

/* Returns the value of a lane. The bits above the width of the register have no meaning. */
uint64_t pto_ramp_at(const struct ramp *r, const struct group *g, size_t lane);

/* Sets *least and *greatest to the least and the greatest value of all lanes, as integers of `bits` bits.
 * Returns false if the value of a lane wraps around, or if a bound exceeds the range of int64_t. */
bool pto_ramp_range(const struct ramp *r, const struct group *g, unsigned bits, bool is_signed,
                    int64_t *least, int64_t *greatest);

/* Writes the values of all lanes to `to`, as elements of `bytes` bytes: 1, 2, 4 or 8. */
void pto_ramp_fill(const struct ramp *r, const struct group *g, size_t bytes, void *to);

/* Computes a step all of whose sources are ramps; src[i] is NULL if the step has no source i. Returns false
 * if a result is not a ramp, or if this function does not support the step. Then the step must be computed
 * for each lane. */
bool pto_ramp_step(const struct step *s, const struct ramp *const src[STEP_SOURCES], const struct group *g,
                   struct ramp dst[STEP_RESULTS]);

#endif
