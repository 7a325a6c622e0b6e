/* SPDX-License-Identifier: MIT */
/* Max and min of f16 for ISAs that have instructions for them. `maxmin` computes the operations of F16_CASES. All other
 * operations are passed to the kernel `other`. */
#ifndef PTO_LOOPS_MAXMIN_F16_H
#define PTO_LOOPS_MAXMIN_F16_H

#include "core/maxmin.h"
#include "loops/maxmin_operands.h"
#include "loops/walk.h"

/* clang-format off */
#define F16_CASES(X)                    \
    X(MAXMIN_MAX)                       \
    X(MAXMIN_MIN)                       \
    X(MAXMIN_MAX | PTO_PROPAGATE_NAN)   \
    X(MAXMIN_MIN | PTO_PROPAGATE_NAN)
/* clang-format on */

/* Computes fewer lanes than a vector has. */
static ALWAYS_INLINE void maxmin_f16_few(walk_fn *maxmin, maxmin_fn *other, unsigned what,
                                         const struct sources *c, void *dst, size_t n) {
    switch (what) {
#define CASE(constant)                                                                                       \
case constant: walk_partial(maxmin, constant, 2, sizeof(u16), c, dst, n * sizeof(u16)); return;
        F16_CASES(CASE)
#undef CASE
    default: other(what, c, dst, n); return;
    }
}

/* The body of a kernel. `all` is the kernel itself, and `few` its function for less than a vector. */
static ALWAYS_INLINE void maxmin_f16(walk_fn *maxmin, maxmin_fn *all, maxmin_fn *few, maxmin_fn *other,
                                     unsigned what, const struct sources *c, void *dst, size_t n) {
    size_t head;
    if (n < VBYTES / sizeof(u16)) {
        few(what, c, dst, n);
        return;
    }
    head = walk_head(sizeof(u16), dst, n);
    if (unlikely(head != 0)) {
        maxmin_after_head(all, what, sizeof(u16), head, c, dst, n);
        return;
    }
    if (unlikely((c->scalars & 1) != 0)) {
        maxmin_of_scalars(all, what, sizeof(u16), c, dst, n);
        return;
    }
    switch (what) {
#define CASE(constant)                                                                                       \
case constant:                                                                                               \
    if (c->scalars == 0)                                                                                     \
        walk_lanes(maxmin, constant, 2, sizeof(u16), WALK_ARRAYS, c, dst, n);                                \
    else                                                                                                     \
        walk_lanes(maxmin, constant, 2, sizeof(u16), WALK_FIRST, c, dst, n);                                 \
    return;
        F16_CASES(CASE)
#undef CASE
    default: other(what, c, dst, n); return;
    }
}

#endif
