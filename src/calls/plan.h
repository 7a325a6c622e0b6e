/* SPDX-License-Identifier: MIT */
/*
 * What the plans of all calls have in common. A call's plan keeps in priv what the call itself works with, checked and
 * looked up, and in the last word of it its operands' shapes, which pto_rows_check() asks for.
 *
 * To add one: a struct of no more than PLAN_BYTES, which the checked call fills and runs as well; a function
 * to run it (plan_wide() where it has a fourth source or a second result); plan_make() with the operands' shapes.
 */
#ifndef PTO_CALLS_PLAN_H
#define PTO_CALLS_PLAN_H

#include "core/check.h"
#include "pto/plan.h"

enum { PLAN_BYTES = sizeof(uint64_t[6]), SHAPE_WORD = 6 };

/* A byte for each operand: 0 if the plan has none there, else 1 + log2 of the bits that a lane takes, and these. */
enum {
    SHAPE_WIDTH = 0x0f,
    SHAPE_ONE = 0x10,     /* one lane alone, for all: a scalar */
    SHAPE_APART = 0x20,   /* a source that no result may lie on, not even in place */
    SHAPE_OPTIONAL = 0x40 /* it may be NULL */
};

struct plan_shapes {
    u8 src[PTO_SOURCES], dst[PTO_RESULTS];
    u8 group; /* n is a multiple of it, if it is not 0 */
    u8 none;
};

_Static_assert(sizeof(struct plan_shapes) == sizeof(u64), "shapes are the last word of a plan");

/* Lanes of so many bits, a power of 2. */
static inline u8 shape_array(size_t bits) {
    u8 shape = 1;
    for (; bits > 1; bits /= 2) ++shape;
    return shape;
}

static inline u8 shape_in(size_t bits, bool scalar) {
    return (u8)(shape_array(bits) | (scalar ? SHAPE_ONE : 0));
}

static inline u8 shape_mask(pto_mask_kind kind) {
    return shape_array(mask_lane_bits(kind));
}

static inline u8 shape_optional(u8 shape) {
    return (u8)(shape | SHAPE_OPTIONAL);
}

typedef void plan_run_fn(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                         size_t n);

static inline void plan_make(pto_plan *plan, plan_run_fn *run, const void *state, size_t bytes,
                             struct plan_shapes shapes) {
    plan->run = run;
    memcpy(plan->priv, state, bytes);
    memcpy(&plan->priv[SHAPE_WORD], &shapes, sizeof shapes);
}

/* What pto_run_operands() hands to a plan, n being more than 0: all operands in the place of the first, if there is one
 * that pto_run() does not have; then dst is NULL. */
static inline pto_operands plan_wide(const void *a, const void *b, const void *m, void *dst) {
    if (dst == NULL) return *(const pto_operands *)a;
    return (pto_operands){.src = {a, b, m}, .dst = {dst}};
}

#endif
