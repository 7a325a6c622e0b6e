/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of floats of WIDTH bits (16, 32 or 64) by integer arithmetic. Part of generic/vec.h.
 *
 * Floats are converted from sign and magnitude to two's complement. Then both zeros are 0, all values that are
 * not NaN are in order, and NaNs lie above +infinity or below -infinity.
 */
#define signed_lane    CAT(s, WIDTH)
#define vmask          CAT(vmask_, WIDTH)
#define v_const        CAT(v_const_, WIDTH)
#define v_eq           CAT(v_eq_, WIDTH)
#define v_lt           CAT(v_lt_s, WIDTH)
#define signed_lanes   CAT(s_lanes_, WIDTH)
#define sign_mask      CAT(sign_mask_, WIDTH)
#define magnitude      CAT(magnitude_, WIDTH)
#define float_order    CAT(float_order_, WIDTH)
#define float_is_nan   CAT(float_is_nan_, WIDTH)
#define float_less     CAT(float_less_, WIDTH)
#define float_ordered  CAT(float_ordered_, WIDTH)
#define float_relation CAT(float_relation_, WIDTH)

static ALWAYS_INLINE vec sign_mask(vec x) {
    return (vec)((signed_lanes)x < 0);
}

static ALWAYS_INLINE vec magnitude(vec x) {
    return x & v_const(CAT3(INT, WIDTH, _MAX));
}

/* Returns the floats as two's complement integers. With `flush`, magnitudes below the smallest normal value
 * become 0. That value has a single bit, the lowest one that is set in `infinity`. */
static ALWAYS_INLINE vec float_order(vec x, signed_lane infinity, bool flush) {
    const signed_lane min_normal = (signed_lane)(infinity & -infinity);
    const vec sign = sign_mask(x), m = magnitude(x);
    const vec order = (vec)((signed_lanes)(m ^ sign) - (signed_lanes)sign);
    return flush ? order & ~v_lt(m, v_const(min_normal)) : order;
}

static ALWAYS_INLINE vmask float_is_nan(vec x, signed_lane infinity) {
    return v_lt(v_const(infinity), magnitude(x));
}

/* Returns a < b, or a <= b if `or_equal` is set. NaNs must give false. It is enough to exclude b above
 * +infinity and a below -infinity: with any other NaN the comparison is already false. */
static ALWAYS_INLINE vmask float_less(bool or_equal, vec a, vec b, signed_lane infinity) {
    const vec outside = v_lt(v_const(infinity), b) | v_lt(a, v_const((signed_lane)-infinity));
    return or_equal ? ~(v_lt(b, a) | outside) : v_lt(a, b) & ~outside;
}

static ALWAYS_INLINE vmask float_ordered(vec x, vec y, signed_lane infinity) {
    return ~(float_is_nan(x, infinity) | float_is_nan(y, infinity));
}

/* Returns relation r between floats of the format whose +infinity has the bits `infinity`. With `flush`,
 * subnormals count as zero. */
static ALWAYS_INLINE vmask float_relation(enum relation r, vec x, vec y, signed_lane infinity, bool flush) {
    const vec a = float_order(x, infinity, flush), b = float_order(y, infinity, flush);
    switch (r) {
    case RELATION_EQ: return v_eq(a, b) & ~float_is_nan(x, infinity);
    case RELATION_LT: return float_less(false, a, b, infinity);
    case RELATION_LE: return float_less(true, a, b, infinity);
    case RELATION_LG: return ~v_eq(a, b) & float_ordered(x, y, infinity);
    case RELATION_ORD: return float_ordered(x, y, infinity);
    case RELATION_GT: return float_less(false, b, a, infinity);
    case RELATION_GE: return float_less(true, b, a, infinity);
    }
    return v_zero();
}

/* ---- used by maxmin.c ---- */

/* Flips all bits except the sign where the sign bit is set. As signed integers the results have the order of
 * the floats, with -0 below +0. The function is its own inverse. */
static ALWAYS_INLINE vec CAT(v_key_, WIDTH)(vec x) {
    return x ^ magnitude(sign_mask(x));
}

#undef signed_lane
#undef vmask
#undef v_const
#undef v_eq
#undef v_lt
#undef signed_lanes
#undef sign_mask
#undef magnitude
#undef float_order
#undef float_is_nan
#undef float_less
#undef float_ordered
#undef float_relation
#undef WIDTH
