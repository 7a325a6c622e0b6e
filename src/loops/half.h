/* SPDX-License-Identifier: MIT */
/*
 * Relations of f16 and bf16, in integers and so in any FP state, for vocabulary.h. The right-hand side may be a
 * scalar: what depends on it alone is done before the loop.
 */
#ifndef PTO_LOOPS_HALF_H
#define PTO_LOOPS_HALF_H

/*
 * From the least integer on, numbers take 2 * infinity + 1 of the 2^16, from -infinity on; NaNs of either sign are
 * what is above.
 */
static ALWAYS_INLINE vec half_from_least(vec x, s16 infinity) {
    return v_add_16(v_order_16(x), v_const_16((s16)(INT16_MIN + infinity)));
}

/* How many integers NaNs take, all but one of them used. */
static ALWAYS_INLINE s16 half_nans(s16 infinity) {
    return (s16)(UINT16_MAX - 2 * infinity);
}

/* Numbers moved up by as many, until NaNs wrap round to what is now free below them. */
static ALWAYS_INLINE vec half_above_nans(vec y, s16 infinity) {
    return v_add_16(v_order_16(y), v_const_16((s16)(INT16_MAX - infinity)));
}

/*
 * x < y, or x <= y. At the left NaNs shall be above all numbers, and at the right below: the left is counted from
 * the least integer on, the right stands higher by the NaNs' places. Before they are compared one side makes up
 * for that, but for one place where equals count, and saturates, so that NaNs stay at their end. Either side can; a
 * scalar does it before the loop.
 */
static ALWAYS_INLINE vmask_16 half_below_scalar(vec x, vec y, s16 infinity, bool or_equal) {
    const vec places = v_const_16((s16)(half_nans(infinity) - or_equal));
    return v_lt_s16(half_from_least(x, infinity), v_subs_s16(half_above_nans(y, infinity), places));
}

static ALWAYS_INLINE vmask_16 half_scalar_below(vec x, vec y, s16 infinity, bool or_equal) {
    const vec places = v_const_16((s16)(half_nans(infinity) - or_equal));
    return v_lt_s16(v_adds_s16(half_from_least(x, infinity), places), half_above_nans(y, infinity));
}

/*
 * A y that counts as zero becomes the least half that does, for < and >=, or the greatest, for <= and >: of all
 * that do none is below the one or above the other. To other halves they all are as zero is, so that x needs no
 * change.
 */
static ALWAYS_INLINE vec half_flushed(enum basis r, vec y, s16 infinity) {
    const s16 greatest = (s16)((infinity & -infinity) - 1);
    const s16 end = (s16)(r == BASIS_LT || r == BASIS_GE ? INT16_MIN + greatest : greatest);
    return v_sel_16(v_none_of_16(y, v_const_16(infinity)), v_const_16(end), y);
}

#ifndef VEC_HAS_HALF_EQUALITY
static ALWAYS_INLINE vmask_16 half_is_nan(vec x, s16 infinity) {
    return v_lt_s16(v_const_16(infinity), v_abs_16(x));
}

static ALWAYS_INLINE vmask_16 half_ordered(vec x, vec y, s16 infinity) {
    return m_not_16(m_or_16(half_is_nan(x, infinity), half_is_nan(y, infinity)));
}

/* The same bits, those of a NaN too; or both zero, which have none of the bits `nonzero`. */
static ALWAYS_INLINE vmask_16 half_alike(vec x, vec y, s16 nonzero) {
    if (nonzero == INT16_MAX) return v_eq_16(v_order_16(x), v_order_16(y));
    return m_or_16(v_eq_16(x, y), v_none_of_16(v_or(x, y), v_const_16(nonzero)));
}

static ALWAYS_INLINE vmask_16 half_eq(vec x, vec y, s16 infinity, s16 nonzero) {
    return m_and_16(half_alike(x, y, nonzero), m_not_16(half_is_nan(y, infinity)));
}

static ALWAYS_INLINE vmask_16 half_lg(vec x, vec y, s16 infinity, s16 nonzero) {
    return m_and_16(m_not_16(half_alike(x, y, nonzero)), half_ordered(x, y, infinity));
}
#endif

static ALWAYS_INLINE vmask_16 half_relation(enum basis r, vec x, vec y, s16 infinity, bool flush) {
    const s16 nonzero =
        (s16)(flush ? infinity : INT16_MAX); /* a subnormal has other bits of the significand */
    const vec z = flush ? half_flushed(r, y, infinity) : y;
    switch (r) {
    case BASIS_EQ: return half_eq(x, y, infinity, nonzero);
    case BASIS_LT: return half_below_scalar(x, z, infinity, false);
    case BASIS_LE: return half_below_scalar(x, z, infinity, true);
    case BASIS_LG: return half_lg(x, y, infinity, nonzero);
    case BASIS_ORD: return half_ordered(x, y, infinity);
    case BASIS_GT: return half_scalar_below(z, x, infinity, false);
    case BASIS_GE: return half_scalar_below(z, x, infinity, true);
    }
    return m_none_16();
}

#endif
