/* SPDX-License-Identifier: MIT */
/*
 * Max, min and clamp for one lane type. Include with
 *   LANE      u8 .. s64, f16, bf16, f32, f64
 *   WIDTH     8, 16, 32, 64
 *   STEP(max, flags, x, y)
 *             the maximum or minimum of two vectors under these flags, subnormals not flushed; all of it constant but
 *             the vectors
 *   RELU(flags, x)
 *             the maximum of x and +0, likewise
 *   CLAMP(flags, x, lo, hi)
 *             where that takes less than two of these steps
 *   BETWEEN(bounds, flags, x, lo, hi)
 *             the same, where lo and hi are scalars of which BOUNDS(lo, hi), given where they are, made an enum bounds
 *             other than BOUNDS_ANY
 *   CASES(X)  the values of `what` that the lane type takes, from the lists of core/maxmin.h
 * and ISA defined. Leaves maxmin_LANE_ISA.
 *
 * To flush the operands is to flush the result: that never changes which of two is the larger, -0 being below +0.
 */
#define NAME(prefix)   CAT3(prefix, LANE, CAT(_, ISA))
#define maxmin_vector  NAME(maxmin_vector_)
#define maxmin_between NAME(maxmin_between_)

#ifndef CLAMP
#    define CLAMP(flags, x, lo, hi) STEP(false, flags, STEP(true, flags, x, lo), hi)
#endif
#ifndef BETWEEN
#    define BETWEEN(bounds, flags, x, lo, hi) (x) /* never asked for */
#    define BOUNDS(lo, hi)                    BOUNDS_ANY
#endif

/* what: with an enum bounds, too. */
static INLINE_IF_FOLDED vec maxmin_vector(unsigned what, const vec *in) {
    const unsigned op = what & MAXMIN_OPS, bounds = what & EVERY_BOUNDS, flags = what - op - bounds;
    vec r;
    if (bounds != BOUNDS_ANY)
        r = BETWEEN(bounds, flags, in[0], in[1], in[2]);
    else if (op == MAXMIN_RELU)
        r = RELU(flags, in[0]);
    else if (op == MAXMIN_CLAMP)
        r = CLAMP(flags, in[0], in[1], in[2]);
    else
        r = STEP(op == MAXMIN_MAX, flags, in[0], in[1]);
    return (flags & PTO_FTZ) != 0 ? CAT(flushed_, WIDTH)(r) : r;
}

/* Whether what is known of the scalars that it is between made a clamp shorter, and it is done. */
static ALWAYS_INLINE bool maxmin_between(unsigned what, const struct choice *c, void *dst, size_t n) {
    enum { LO_AND_HI = 6 };
    enum bounds bounds;
    if ((what & MAXMIN_OPS) != MAXMIN_CLAMP || c->scalars != LO_AND_HI || n < VBYTES * 8 / WIDTH)
        return false;
    bounds = BOUNDS(c->in[1], c->in[2]);
    if (bounds == BOUNDS_PLAIN)
        walk_kind(maxmin_vector, what | BOUNDS_PLAIN, 3, WIDTH / 8, WALK_FIRST, c, dst, n);
    else if (bounds == BOUNDS_APART)
        walk_kind(maxmin_vector, what | BOUNDS_APART, 3, WIDTH / 8, WALK_FIRST, c, dst, n);
    return bounds != BOUNDS_ANY;
}

static void NAME(maxmin_)(unsigned what, const struct choice *c, void *dst, size_t n) {
    switch (what) {
#define CASE(constant)                                                                                       \
    case constant:                                                                                           \
        if (c->scalars == 0)                                                                                 \
            walk_arrays(maxmin_vector, constant, maxmin_operands(constant), WIDTH / 8, c, dst, n);           \
        else if (!maxmin_between(constant, c, dst, n))                                                       \
            walk_scalars(maxmin_vector, constant, maxmin_operands(constant), WIDTH / 8, true, c, dst, n);    \
        return;
        CASES(CASE)
#undef CASE
    default: return; /* no caller has other flags */
    }
}

#undef NAME
#undef maxmin_vector
#undef maxmin_between
#undef LANE
#undef WIDTH
#undef STEP
#undef RELU
#undef CLAMP
#undef BETWEEN
#undef BOUNDS
#undef CASES
