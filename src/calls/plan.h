/* SPDX-License-Identifier: MIT */
/*
 * What the plans of all calls have in common. pto_plan.priv holds the state of a call after its checks and look-ups,
 * and in word SHAPE_WORD the shapes of the operands, which pto_rows_check() reads.
 *
 * To add a plan, write
 *   - a struct of at most PLAN_BYTES for the state, which the call without a plan uses, too;
 *   - a function that runs it, with plan_all_operands() if it has a fourth source or a second result;
 *   - a public function that calls plan_make() with the operands' shapes.
 */
#ifndef PTO_CALLS_PLAN_H
#define PTO_CALLS_PLAN_H

#include "core/check.h"
#include "pto/plan.h"

enum { PLAN_BYTES = sizeof(uint64_t[6]), SHAPE_WORD = 6 };

/* The shape of an operand is a byte: 0 if the plan does not have the operand, otherwise 1 + log2 of the bits per lane
 * (SHAPE_WIDTH) and these flags. */
enum {
    SHAPE_WIDTH = 0x0f,
    SHAPE_SCALAR = 0x10,   /* a scalar */
    SHAPE_DISJOINT = 0x20, /* a source that no result may overlap, not even in place */
    SHAPE_OPTIONAL = 0x40  /* may be NULL */
};

struct plan_shapes {
    u8 src[PTO_SOURCES], dst[PTO_RESULTS];
    u8 group;   /* if not 0, n must be a multiple of it */
    u8 padding; /* 0 */
};

_Static_assert(sizeof(struct plan_shapes) == sizeof(u64), "shapes are the last word of a plan");

/* Returns the shape of an array with `bits` bits per lane, a power of 2. */
static inline u8 shape_array(size_t bits) {
    u8 shape = 1;
    for (; bits > 1; bits /= 2) ++shape;
    return shape;
}

static inline u8 shape_in(size_t bits, bool scalar) {
    return (u8)(shape_array(bits) | (scalar ? SHAPE_SCALAR : 0));
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

/* Returns the operands of a run. If there are more than pto_run() can pass, dst is NULL and `a` points to a
 * pto_operands. Call it only if n > 0: otherwise dst may be NULL for another reason. */
static inline pto_operands plan_all_operands(const void *a, const void *b, const void *m, void *dst) {
    if (dst == NULL) return *(const pto_operands *)a;
    return (pto_operands){.src = {a, b, m}, .dst = {dst}};
}

#endif
