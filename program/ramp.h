/* SPDX-License-Identifier: MIT */
/*
 * Ramps: registers whose values the engine knows without computing each lane, because they are linear in the number of
 * the thread and the number of the block. Kernels compute indices and addresses in such registers. With ramps, index
 * arithmetic costs the same for 2048 lanes as for one, and a load knows that its addresses are consecutive.
 */
#ifndef PTO_PROGRAM_RAMP_H
#define PTO_PROGRAM_RAMP_H

#include "ir.h"

/* The threads that run together: `blocks` whole blocks of a launch, of `threads` threads each. Lane i is thread
 * i % threads of block i / threads. */
struct group {
    size_t threads, blocks, lanes; /* lanes: threads * blocks */
    size_t first_block;            /* the number of its first block in the launch */
};

/* The value of thread t of block b of the group is first + t * per_thread + b * per_block, modulo 2^bits of the
 * register. Bits above these are ignored. A predicate is true in all lanes if `first` is 1, and false if it is 0. */
struct ramp {
    uint64_t first, per_thread, per_block;
};

static inline struct ramp pto_ramp_uniform(uint64_t value) {
    return (struct ramp){value, 0, 0};
}

static inline bool pto_ramp_is_uniform(const struct ramp *r) {
    return r->per_thread == 0 && r->per_block == 0;
}

/* Returns the value of a lane. The bits above those of the register are undefined. */
uint64_t pto_ramp_at(const struct ramp *r, const struct group *g, size_t lane);

/* Sets the least and the greatest value of all lanes, as integers of `bits` bits that are signed or not. Returns false
 * if a value wraps around or could exceed the range of int64_t. */
bool pto_ramp_range(const struct ramp *r, const struct group *g, unsigned bits, bool is_signed,
                    int64_t *least, int64_t *greatest);

/* Writes the value of every lane of the group to `to`, elements of 1, 2, 4 or 8 bytes. */
void pto_ramp_fill(const struct ramp *r, const struct group *g, size_t bytes, void *to);

/* Computes a step whose sources are all ramps (NULL where the step has no source). Returns false if the results are no
 * ramps or this function does not know the step; then all lanes must be computed. */
bool pto_ramp_step(const struct step *s, const struct ramp *const src[STEP_SOURCES], const struct group *g,
                   struct ramp dst[STEP_RESULTS]);

#endif
