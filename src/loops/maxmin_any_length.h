/* SPDX-License-Identifier: MIT */
/*
 * The kernel maxmin_LANE_ISA for vectors whose length is known only at run time. sve/maxmin.h and rvv/maxmin.h
 * include this at their end. It uses the macros that those files are included with, and
 *
 *   maxmin_as(what, scalars, known, c, dst, n)
 *             computes n lanes. `what` is a compile-time constant. Bit k of `scalars` means that operand k is a scalar;
 *             if `known` is true, `scalars` is a compile-time constant, too
 *
 * Most calls have only arrays, or only the first operand is an array. So these two cases have loops of their own.
 */
static void NAME(maxmin_)(unsigned what, const struct sources *c, void *dst, size_t n) {
    switch (what) {
#define CASE(constant)                                                                                       \
    case constant: {                                                                                         \
        const unsigned but_first = (1U << maxmin_operands(constant)) - 2;                                    \
        if (c->scalars == 0)                                                                                 \
            maxmin_as(constant, 0, true, c, dst, n);                                                         \
        else if (c->scalars == but_first)                                                                    \
            maxmin_as(constant, but_first, true, c, dst, n);                                                 \
        else                                                                                                 \
            maxmin_as(constant, c->scalars, false, c, dst, n);                                               \
        return;                                                                                              \
    }
        CASES(CASE)
#undef CASE
    default: return; /* callers pass no other flags */
    }
}
