/* SPDX-License-Identifier: MIT */
/*
 * Max, min, clamp and relu for one lane type. Include with
 *   LANE      u8 .. s64, f16, bf16, f32, f64
 *   WIDTH     8, 16, 32, 64
 *   EXTREME(max, flags, x, y)
 *             the maximum or minimum of two vectors under these flags, without flushing subnormals. All arguments
 *             except the vectors are compile-time constants
 *   RELU(flags, x)
 *             the maximum of x and +0, likewise
 *   CLAMP(flags, x, lo, hi)
 *             optional: a clamp that is cheaper than two EXTREMEs
 *   CLAMP_SCALARS(bounds, flags, x, lo, hi)
 *             optional: a clamp between two scalars
 *   CLASSIFY_BOUNDS(lo, hi)
 *             required with CLAMP_SCALARS: returns, for pointers to these scalars, which enum bounds CLAMP_SCALARS
 *             needs. CLAMP_SCALARS is not used if that is BOUNDS_ANY
 *   CASES(X)  the values of `what` that the lane type takes, from the lists of core/maxmin.h
 * and with ISA defined. Defines maxmin_LANE_ISA, clamp_LANE_ISA and relu_LANE_ISA.
 *
 * With .ftz the result is flushed instead of the operands. That gives the same result, because flushing never reverses
 * the order of two operands. -0 is below +0.
 */
#define NAME(prefix)  CAT3(prefix, LANE, CAT(_, ISA))
#define maxmin_vector NAME(maxmin_vector_)
#define maxmin_loops  NAME(maxmin_loops_)
#define maxmin_few    NAME(maxmin_few_as_)
#define maxmin_all    NAME(maxmin_all_as_)

#ifndef CLAMP
#    define CLAMP(flags, x, lo, hi) EXTREME(false, flags, EXTREME(true, flags, x, lo), hi)
#endif
#ifndef CLAMP_SCALARS
#    define CLAMP_SCALARS(bounds, flags, x, lo, hi) (x) /* never evaluated */
#    define CLASSIFY_BOUNDS(lo, hi)                 BOUNDS_ANY
#endif

/* Computes one vector. `what` also includes an enum bounds. */
static INLINE_IF_FOLDED vec maxmin_vector(unsigned what, const vec *in) {
    const unsigned op = what & MAXMIN_OPS, bounds = what & EVERY_BOUNDS, flags = what - op - bounds;
    vec r;
    if (bounds != BOUNDS_ANY)
        r = CLAMP_SCALARS(bounds, flags, in[0], in[1], in[2]);
    else if (op == MAXMIN_RELU)
        r = RELU(flags, in[0]);
    else if (op == MAXMIN_CLAMP)
        r = CLAMP(flags, in[0], in[1], in[2]);
    else
        r = EXTREME(op == MAXMIN_MAX, flags, in[0], in[1]);
    return (flags & PTO_FTZ) != 0 ? CAT(flushed_, WIDTH)(r) : r;
}

/* Runs the loop of one operation, the compile-time constant `what`, over at least a vector of lanes. Either all
 * operands are arrays, or only the first one is. */
static ALWAYS_INLINE void maxmin_loops(unsigned what, const struct sources *c, void *dst, size_t n) {
    enum { BYTES = WIDTH / 8 };
    const size_t operands = maxmin_operands(what);
    enum bounds bounds = BOUNDS_ANY;
    if (operands == 1 || c->scalars == 0) {
        walk_lanes(maxmin_vector, what, operands, BYTES, WALK_ARRAYS, c, dst, n);
        return;
    }
    if (operands == 3) bounds = CLASSIFY_BOUNDS(c->in[1], c->in[2]);
    if (bounds == BOUNDS_PLAIN)
        walk_lanes(maxmin_vector, what | BOUNDS_PLAIN, operands, BYTES, WALK_FIRST, c, dst, n);
    else if (bounds == BOUNDS_AROUND_ZERO)
        walk_lanes(maxmin_vector, what | BOUNDS_AROUND_ZERO, operands, BYTES, WALK_FIRST, c, dst, n);
    else
        walk_lanes(maxmin_vector, what, operands, BYTES, WALK_FIRST, c, dst, n);
}

/* Clamps with any other combination of arrays and scalars. This is a separate function, so that the usual calls
 * do not set up its stack frame. */
static NOINLINE void NAME(clamp_any_)(unsigned what, const struct sources *c, void *dst, size_t n) {
    switch (what) {
#define CASE(constant)                                                                                       \
    case constant:                                                                                           \
        if (maxmin_group(constant) == MAXMIN_OF_THREE)                                                       \
            walk_lanes(maxmin_vector, constant, 3, WIDTH / 8, WALK_ANY, c, dst, n);                          \
        return;
        CASES(CASE)
#undef CASE
    default: return;
    }
}

/* Computes fewer lanes than a vector has. `what` is an operation of `group`, which is a compile-time constant. */
static ALWAYS_INLINE void maxmin_few(enum maxmin_group group, unsigned what, const struct sources *c,
                                     void *dst, size_t n) {
    switch (what) {
#define CASE(constant)                                                                                       \
    case constant:                                                                                           \
        if (maxmin_group(constant) == group)                                                                 \
            walk_partial(maxmin_vector, constant, maxmin_operands(constant), WIDTH / 8, c, dst,              \
                         n * WIDTH / 8);                                                                     \
        return;
        CASES(CASE)
#undef CASE
    default: return; /* callers pass no other flags */
    }
}

/* The body of a kernel. `all` is the kernel itself, and `few` its function for less than a vector. */
static ALWAYS_INLINE void maxmin_all(enum maxmin_group group, maxmin_fn *all, maxmin_fn *few, unsigned what,
                                     const struct sources *c, void *dst, size_t n) {
    enum { LO_AND_HI = 6 };
    size_t head;
    if (n < VBYTES * 8 / WIDTH) {
        few(what, c, dst, n);
        return;
    }
    head = walk_head(WIDTH / 8, dst, n);
    if (unlikely(head != 0)) {
        maxmin_after_head(all, what, WIDTH / 8, head, c, dst, n);
        return;
    }
    if (group == MAXMIN_OF_TWO && unlikely((c->scalars & 1) != 0)) {
        maxmin_of_scalars(all, what, WIDTH / 8, c, dst, n);
        return;
    }
    if (group == MAXMIN_OF_THREE && c->scalars != 0 && c->scalars != LO_AND_HI) {
        NAME(clamp_any_)(what, c, dst, n);
        return;
    }
    switch (what) {
#define CASE(constant)                                                                                       \
    case constant:                                                                                           \
        if (maxmin_group(constant) == group) maxmin_loops(constant, c, dst, n);                              \
        return;
        CASES(CASE)
#undef CASE
    default: return;
    }
}

/* Defines the kernel of each group of operations. */
#define KERNEL(name, group)                                                                                  \
    static NOINLINE void NAME(name##_few_)(unsigned what, const struct sources *c, void *dst, size_t n) {    \
        maxmin_few(group, what, c, dst, n);                                                                  \
    }                                                                                                        \
    static void NAME(name##_)(unsigned what, const struct sources *c, void *dst, size_t n) {                 \
        maxmin_all(group, NAME(name##_), NAME(name##_few_), what, c, dst, n);                                \
    }
KERNEL(maxmin, MAXMIN_OF_TWO)
KERNEL(clamp, MAXMIN_OF_THREE)
KERNEL(relu, MAXMIN_OF_ONE)
#undef KERNEL

#undef NAME
#undef maxmin_vector
#undef maxmin_loops
#undef maxmin_few
#undef maxmin_all
#undef LANE
#undef WIDTH
#undef EXTREME
#undef RELU
#undef CLAMP
#undef CLAMP_SCALARS
#undef CLASSIFY_BOUNDS
#undef CASES
