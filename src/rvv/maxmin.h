/* SPDX-License-Identifier: MIT */
/*
 * Max, min, clamp and relu for one lane type, for any register length. Include with
 *   LANE      u8 .. s64, f16, bf16, f32, f64
 *   WIDTH     8, 16, 32, 64
 *   KIND      the kind of its groups (rvv/vector.h)
 *   EXTREME(max, flags, x, y, vl), RELU(flags, x, vl), FLUSHED(x, vl)
 *             the maximum or minimum of two groups, the maximum of x and +0, and x with subnormals flushed; max and
 *             flags are constants
 *   CLAMP(flags, x, lo, hi, vl)
 *             optional; the default is two EXTREMEs: the maximum of x and lo, and the minimum of that and hi
 *   CASES(X)  the values of `what` that the lane type takes, from the lists of core/maxmin.h
 * and ISA defined. Defines maxmin_LANE_ISA.
 *
 * .ftz is applied to the result instead of the operands. That gives the same result, because flushing never reverses
 * the order of two operands. -0 is below +0.
 */
#define NAME(prefix)  CAT3(prefix, LANE, CAT(_, ISA))
#define lanes         CAT(lanes_, KIND)
#define operand       NAME(maxmin_operand_)
#define source        NAME(maxmin_source_)
#define maxmin_group  NAME(maxmin_group_)
#define maxmin_next   NAME(maxmin_next_)
#define maxmin_as     NAME(maxmin_as_)
#define ELEMENT_BYTES ((WIDTH) / 8)

#ifndef CLAMP
#    define CLAMP(flags, x, lo, hi, vl) EXTREME(false, flags, EXTREME(true, flags, x, lo, vl), hi, vl)
#endif

/* An operand: the rest of an array, or a scalar. */
struct operand {
    const u8 *array;
    u64 element;
    bool is_element;
};

static ALWAYS_INLINE lanes source(const struct operand *o, size_t at, bool whole, size_t vl) {
    return o->is_element ? CAT(broadcast_, KIND)(o->element, vl)
                         : CAT(load_group_, KIND)(o->array + at, whole, vl);
}

/* Computes one group, which begins at byte `at` of dst and of the arrays. */
static ALWAYS_INLINE void maxmin_group(unsigned what, const struct operand *o, u8 *dst, size_t at, bool whole,
                                       size_t vl) {
    const unsigned op = what & MAXMIN_OPS, flags = what - op;
    lanes r = source(&o[0], at, whole, vl);
    if (op == MAXMIN_RELU)
        r = RELU(flags, r, vl);
    else if (op == MAXMIN_CLAMP)
        r = CLAMP(flags, r, source(&o[1], at, whole, vl), source(&o[2], at, whole, vl), vl);
    else
        r = EXTREME(op == MAXMIN_MAX, flags, r, source(&o[1], at, whole, vl), vl);
    if ((flags & PTO_FTZ) != 0) r = FLUSHED(r, vl);
    CAT(store_group_, KIND)(dst + at, r, whole, vl);
}

static ALWAYS_INLINE u8 *maxmin_next(struct operand *o, size_t operands, u8 *dst, size_t step) {
    UNROLL
    for (size_t k = 0; k < operands; ++k) o[k].array += o[k].is_element ? 0 : step;
    return dst + step;
}

static ALWAYS_INLINE void maxmin_as(unsigned what, unsigned scalars, bool known, const struct sources *c,
                                    u8 *dst, size_t n) {
    const size_t operands = maxmin_operands(what), group = CAT(lanes_of_, KIND)(),
                 step = group * ELEMENT_BYTES;
    const u8 *const end = dst + lanes_in_pairs(n, group) * ELEMENT_BYTES;
    size_t left = n - lanes_in_pairs(n, group);
    struct operand o[MAXMIN_OPERANDS];
    (void)known;
    UNROLL
    for (size_t k = 0; k < operands; ++k) {
        const bool is_element = (scalars >> k & 1) != 0;
        o[k] = (struct operand){c->in[k], is_element ? load_bytes(c->in[k], ELEMENT_BYTES) : 0, is_element};
    }
    for (; dst < end; dst = maxmin_next(o, operands, dst, 2 * step)) {
        maxmin_group(what, o, dst, 0, true, group);
        maxmin_group(what, o, dst, step, true, group);
    }
    for (; left != 0; left -= min_size(left, group)) {
        maxmin_group(what, o, dst, 0, false, min_size(left, group));
        dst = maxmin_next(o, operands, dst, step);
    }
}

#include "loops/maxmin_any_length.h"

#undef NAME
#undef lanes
#undef operand
#undef source
#undef maxmin_group
#undef maxmin_next
#undef maxmin_as
#undef ELEMENT_BYTES
#undef LANE
#undef WIDTH
#undef KIND
#undef EXTREME
#undef CLAMP
#undef RELU
#undef FLUSHED
#undef CASES
