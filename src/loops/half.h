/* SPDX-License-Identifier: MIT */
/*
 * Relations of f16 and bf16 for vocabulary.h, computed by integer arithmetic and so in any FP state. If the
 * right-hand side is a scalar, whatever depends only on it is computed before the loop.
 */
#ifndef PTO_LOOPS_HALF_H
#define PTO_LOOPS_HALF_H

/*
 * Returns the halves as integers that count from INT16_MIN. The 2 * infinity + 1 values that are not NaN come
 * first, from -infinity on. NaNs of either sign lie above them.
 */
static ALWAYS_INLINE vec half_nans_above(vec x, s16 infinity) {
    return v_add_16(v_order_16(x), v_const_16((s16)(INT16_MIN + infinity)));
}

/* Returns how many of the 2^16 integers stand for NaNs, plus 1 for the one that is unused. */
static ALWAYS_INLINE s16 half_nan_count(s16 infinity) {
    return (s16)(UINT16_MAX - 2 * infinity);
}

/* Returns the halves as integers that end at INT16_MAX, which is +infinity. NaNs of either sign lie below all
 * other values: positive ones wrap around to INT16_MIN. */
static ALWAYS_INLINE vec half_nans_below(vec y, s16 infinity) {
    return v_add_16(v_order_16(y), v_const_16((s16)(INT16_MAX - infinity)));
}

/*
 * half_below_scalar() and half_scalar_below() return x < y, or x <= y if `or_equal`. The first is faster if y is a
 * scalar, the second if x is one.
 *
 * For NaNs to give false, NaNs on the left must be above all values, and NaNs on the right below all. So the left side
 * counts from INT16_MIN, and the right side ends at INT16_MAX.
 *
 * That makes the right side higher by half_nan_count(). One side is moved by this difference, less 1 if equality
 * counts, to compensate. This addition or subtraction saturates, so NaNs stay at their end. It is done on the side that
 * may be a scalar, because it is then done before the loop.
 */
static ALWAYS_INLINE vmask_16 half_below_scalar(vec x, vec y, s16 infinity, bool or_equal) {
    const vec places = v_const_16((s16)(half_nan_count(infinity) - or_equal));
    return v_lt_s16(half_nans_above(x, infinity), v_subs_s16(half_nans_below(y, infinity), places));
}

static ALWAYS_INLINE vmask_16 half_scalar_below(vec x, vec y, s16 infinity, bool or_equal) {
    const vec places = v_const_16((s16)(half_nan_count(infinity) - or_equal));
    return v_lt_s16(v_adds_s16(half_nans_above(x, infinity), places), half_nans_below(y, infinity));
}

/*
 * Replaces each y that is zero or subnormal by the smallest of these values (for < and >=), or by the largest
 * (for <= and >). No zero or subnormal is below the smallest or above the largest. All other halves compare
 * with these as with zero. So x needs no change.
 */
static ALWAYS_INLINE vec half_flushed(enum relation r, vec y, s16 infinity) {
    const s16 greatest = (s16)((infinity & -infinity) - 1);
    const s16 end = (s16)(r == RELATION_LT || r == RELATION_GE ? INT16_MIN + greatest : greatest);
    return v_sel_16(v_none_of_16(y, v_const_16(infinity)), v_const_16(end), y);
}

#ifndef VEC_HAS_HALF_EQUALITY
static ALWAYS_INLINE vmask_16 half_is_nan(vec x, s16 infinity) {
    return v_lt_s16(v_const_16(infinity), v_abs_16(x));
}

static ALWAYS_INLINE vmask_16 half_ordered(vec x, vec y, s16 infinity) {
    return m_not_16(m_or_16(half_is_nan(x, infinity), half_is_nan(y, infinity)));
}

/* Returns where x and y have the same bits (also of a NaN), or are both zero. Halves without any of the bits
 * `nonzero` count as zero. */
static ALWAYS_INLINE vmask_16 half_same_value(vec x, vec y, s16 nonzero) {
    if (nonzero == INT16_MAX) return v_eq_16(v_order_16(x), v_order_16(y));
    return m_or_16(v_eq_16(x, y), v_none_of_16(v_or(x, y), v_const_16(nonzero)));
}

static ALWAYS_INLINE vmask_16 half_eq(vec x, vec y, s16 infinity, s16 nonzero) {
    return m_and_16(half_same_value(x, y, nonzero), m_not_16(half_is_nan(y, infinity)));
}

static ALWAYS_INLINE vmask_16 half_lg(vec x, vec y, s16 infinity, s16 nonzero) {
    return m_and_16(m_not_16(half_same_value(x, y, nonzero)), half_ordered(x, y, infinity));
}
#endif

static ALWAYS_INLINE vmask_16 half_relation(enum relation r, vec x, vec y, s16 infinity, bool flush) {
    const s16 nonzero =
        (s16)(flush ? infinity : INT16_MAX); /* with `flush`, only bits of the exponent make a half nonzero */
    const vec z = flush ? half_flushed(r, y, infinity) : y;
    switch (r) {
    case RELATION_EQ: return half_eq(x, y, infinity, nonzero);
    case RELATION_LT: return half_below_scalar(x, z, infinity, false);
    case RELATION_LE: return half_below_scalar(x, z, infinity, true);
    case RELATION_LG: return half_lg(x, y, infinity, nonzero);
    case RELATION_ORD: return half_ordered(x, y, infinity);
    case RELATION_GT: return half_scalar_below(z, x, infinity, false);
    case RELATION_GE: return half_scalar_below(z, x, infinity, true);
    }
    return m_none_16();
}

#endif
