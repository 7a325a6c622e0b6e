/* SPDX-License-Identifier: MIT */
/*
 * The kernel maxmin_LANE_ISA for vectors whose length the run tells, which sve/maxmin.h and rvv/maxmin.h end with. From
 * what these are included with, and
 *
 *   maxmin_as(what, scalars, known, c, dst, n)
 *             what is a constant, and so is scalars, which of the operands are one element, if it is known
 *
 * Most calls have arrays alone, or an array and scalars.
 */
static void NAME(maxmin_)(unsigned what, const struct choice *c, void *dst, size_t n) {
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
    default: return; /* no caller has other flags */
    }
}
