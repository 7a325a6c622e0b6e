/* SPDX-License-Identifier: MIT */
/* Maxima and minima of f16 where an ISA has instructions for them: which operations those are for. */
#ifndef PTO_LOOPS_MAXMIN_F16_H
#define PTO_LOOPS_MAXMIN_F16_H

#include "core/maxmin.h"
#include "loops/walk.h"

/* `extreme` computes max and min without PTO_XORSIGN_ABS; all else is left to the other kernel. */
static ALWAYS_INLINE void maxmin_f16(walk_fn *extreme, maxmin_fn *other, unsigned what,
                                     const struct choice *c, void *dst, size_t n) {
    switch (what) {
#define CASE(constant)                                                                                       \
case constant:                                                                                               \
    if (c->scalars == 0)                                                                                     \
        walk_arrays(extreme, constant, 2, sizeof(u16), c, dst, n);                                           \
    else                                                                                                     \
        walk_scalars(extreme, constant, 2, sizeof(u16), true, c, dst, n);                                    \
    return;
        CASE(MAXMIN_MAX)
        CASE(MAXMIN_MIN)
        CASE(MAXMIN_MAX + PTO_PROPAGATE_NAN)
        CASE(MAXMIN_MIN + PTO_PROPAGATE_NAN)
#undef CASE
    default: other(what, c, dst, n); return;
    }
}

#endif
