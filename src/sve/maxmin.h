/* SPDX-License-Identifier: MIT */
/*
 * Max, min, clamp and relu for one lane type, for any vector length. Include with
 *   LANE      u8 .. s64, f16, bf16, f32, f64
 *   WIDTH     8, 16, 32, 64
 *   EXTREME(max, flags, x, y), RELU(flags, x), FLUSHED(x)
 *             the maximum or minimum of two byte vectors, the maximum of x and +0, and x with subnormals flushed;
 *             max and flags are constants
 *   CLAMP(flags, x, lo, hi)
 *             optional; the default is two EXTREMEs: the maximum of x and lo, and the minimum of that and hi
 *   CLAMP_SCALARS(bounds, flags, x, lo, hi)
 *             optional, a shorter clamp between scalars. It is used if CLASSIFY_BOUNDS(lo, hi), whose arguments are
 *             pointers to the scalars, is not BOUNDS_ANY; bounds is that value
 *   CASES(X)  the values of `what` that the lane type takes, from the lists of core/maxmin.h
 * and ISA defined. Defines maxmin_LANE_ISA.
 *
 * .ftz is applied to the result instead of the operands. That gives the same result, because flushing never reverses
 * the order of two operands. -0 is below +0.
 */
#define NAME(prefix)  CAT3(prefix, LANE, CAT(_, ISA))
#define maxmin_vector NAME(maxmin_vector_)
#define maxmin_as     NAME(maxmin_as_)

#ifndef CLAMP
#    define CLAMP(flags, x, lo, hi) EXTREME(false, flags, EXTREME(true, flags, x, lo), hi)
#endif
#ifndef CLAMP_SCALARS
#    define CLAMP_SCALARS(bounds, flags, x, lo, hi) CLAMP(flags, x, lo, hi)
#    define CLASSIFY_BOUNDS(lo, hi)                 BOUNDS_ANY
#endif

static ALWAYS_INLINE svuint8_t maxmin_vector(unsigned what, svuint8_t x, svuint8_t y, svuint8_t z) {
    const unsigned op = what & MAXMIN_OPS, bounds = what & EVERY_BOUNDS, flags = what - op - bounds;
    svuint8_t r = x;
    if (bounds != BOUNDS_ANY)
        r = CLAMP_SCALARS((enum bounds)bounds, flags, x, y, z);
    else if (op == MAXMIN_RELU)
        r = RELU(flags, x);
    else if (op == MAXMIN_CLAMP)
        r = CLAMP(flags, x, y, z);
    else
        r = EXTREME(op == MAXMIN_MAX, flags, x, y);
    return (flags & PTO_FTZ) != 0 ? FLUSHED(r) : r;
}

static ALWAYS_INLINE void maxmin_as(unsigned what, unsigned scalars, bool known, const struct sources *c,
                                    u8 *dst, size_t n) {
    const size_t operands = maxmin_operands(what), bytes = n * (WIDTH / 8);
    const bool between = known && operands == 3 && scalars == 6;
    const enum bounds bounds = between ? CLASSIFY_BOUNDS(c->in[1], c->in[2]) : BOUNDS_ANY;
    if (bounds == BOUNDS_PLAIN)
        walk_arrays(maxmin_vector, what | BOUNDS_PLAIN, scalars, operands, WIDTH / 8, c, dst, bytes);
    else if (bounds == BOUNDS_AROUND_ZERO)
        walk_arrays(maxmin_vector, what | BOUNDS_AROUND_ZERO, scalars, operands, WIDTH / 8, c, dst, bytes);
    else if (known)
        walk_arrays(maxmin_vector, what, scalars, operands, WIDTH / 8, c, dst, bytes);
    else
        walk_any(maxmin_vector, what, operands, WIDTH / 8, c, dst, bytes);
}

#include "loops/maxmin_any_length.h"

#undef NAME
#undef maxmin_vector
#undef maxmin_as
#undef LANE
#undef WIDTH
#undef EXTREME
#undef CLAMP
#undef CLAMP_SCALARS
#undef CLASSIFY_BOUNDS
#undef RELU
#undef FLUSHED
#undef CASES
