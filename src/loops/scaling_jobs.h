/* SPDX-License-Identifier: MIT */
/*
 * Lists all loops over elements and their parameters, for any kind of vectors. loops/scaling_table.h defines
 * the loops.
 */
#ifndef PTO_LOOPS_SCALING_JOBS_H
#define PTO_LOOPS_SCALING_JOBS_H

#include "core/scaling.h"

static ALWAYS_INLINE size_t bits_of_elem(pto_dtype elem) {
    return elem == PTO_E2M1 ? 4 : 8;
}

/* What a loop over elements does: it quantizes (SHRINK), quantizes blocks that are known to be in range
 * (SHRINK_TAME, see scales_fn), dequantizes f16 (EXPAND) or codes (EXPAND_CODES), or stores products. Most
 * fields of struct job are compile-time constants. */
enum work { SHRINK, SHRINK_TAME, EXPAND, EXPAND_CODES, PRODUCT };

struct job {
    enum work work;
    pto_dtype wide, elem;
    enum block_step step;
    bool pairs; /* neighbouring vectors have the same factors */
    /* Run-time values: use non-temporal stores for whole vectors of results; bf16 holds every product exactly;
     * how many bytes ahead of the source to prefetch. */
    bool stream, exact;
    size_t ahead;
};

static ALWAYS_INLINE bool shrinks(struct job j) {
    return j.work == SHRINK || j.work == SHRINK_TAME;
}

static ALWAYS_INLINE bool expands(struct job j) {
    return j.work == EXPAND || j.work == EXPAND_CODES;
}

static ALWAYS_INLINE size_t bits_from(struct job j) {
    if (j.work == EXPAND_CODES) return bits_of_elem(j.elem);
    return j.work == EXPAND ? 16 : 8 * bytes_of_wide(j.wide);
}

static ALWAYS_INLINE size_t bits_to(struct job j) {
    return expands(j) ? 8 * bytes_of_wide(j.wide) : shrinks(j) ? bits_of_elem(j.elem) : 32;
}

/* Returns the size of n elements in bytes. For 4-bit elements n must be even. */
static ALWAYS_INLINE size_t bytes_of_lanes(size_t n, size_t bits) {
    return bits == 4 ? n / 2 : n * (bits / 8);
}

/* Returns whether all factors are powers of two from 2^-63 to 2^64. With these every product of a code is zero
 * or normal. */
static ALWAYS_INLINE bool are_plain_powers(const float *factors, size_t count) {
    u32 other = 0;
    for (size_t i = 0; i < count; ++i)
        other |= ((bits_of_float(factors[i]) + 0x20000000) ^ 0x40000000) & 0xc07fffff;
    return other == 0;
}

typedef void lanes_fn(const struct scaling *s, const u8 *from, const float *factors, size_t block, u8 *to,
                      size_t n);

/* X(work, step, type of the tensor, type of the elements) for every loop. Loops that dequantize f16 or store
 * products do not depend on the type of the elements; their entries have E4M3. */
#define EACH_WIDE(X, work, step, elem)                                                                       \
    X(work, step, F16, elem) X(work, step, BF16, elem) X(work, step, F32, elem)
#define EACH_FP8(X, work, step) EACH_WIDE(X, work, step, E4M3) EACH_WIDE(X, work, step, E5M2)
#define EACH_ELEM(X, work, step)                                                                             \
    EACH_FP8(X, work, step)                                                                                  \
    EACH_WIDE(X, work, step, E2M3) EACH_WIDE(X, work, step, E3M2) EACH_WIDE(X, work, step, E2M1)
#define EACH_TIMES(X)     EACH_ELEM(X, SHRINK, TIMES)
#define EACH_TAME(X)      EACH_ELEM(X, SHRINK_TAME, TIMES)
#define EACH_OVER(X)      EACH_FP8(X, SHRINK, OVER) EACH_WIDE(X, SHRINK, OVER, E2M1)
#define EACH_OVER_CAST(X) EACH_WIDE(X, SHRINK, OVER_CAST, E4M3)
#define EACH_EXPAND(X)    EACH_WIDE(X, EXPAND, TIMES, E4M3)
#define EACH_CODES(X)     EACH_ELEM(X, EXPAND_CODES, TIMES)
#define EACH_PRODUCT(X)                                                                                      \
    EACH_WIDE(X, PRODUCT, TIMES, E4M3)                                                                       \
    EACH_WIDE(X, PRODUCT, OVER, E4M3) EACH_WIDE(X, PRODUCT, OVER_CAST, E4M3)

#endif
