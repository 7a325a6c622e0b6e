/* SPDX-License-Identifier: MIT */
/* From words of f32 to integers of up to 32 bits, in every rounding. Included after vrounding.h. */
#ifndef PTO_LOOPS_VCVT_INTEGER_H
#define PTO_LOOPS_VCVT_INTEGER_H

#include "loops/vrounding.h"

/* Source magnitudes above `clamp_above` become `limit`, or `limit_negative` if the source is negative. Magnitudes of
 * integer results above `cap`, or `cap_negative` for negative results, become that value. */
struct vcvt_bounds {
    u32 limit, limit_negative;
    u32 cap, cap_negative;
    u32 clamp_above;
};

static ALWAYS_INLINE struct vcvt_bounds vcvt_bounds_of(pto_vcvt_op op, unsigned dst_bits) {
    const bool is_signed = cvt_is_signed(op.dst);
    struct vcvt_bounds b;
    b.limit = (u32)low_bits(is_signed ? dst_bits - 1 : dst_bits);
    b.limit_negative = is_signed ? (u32)1 << (dst_bits - 1) : 0;
    b.cap = op.sat ? b.limit : ~(u32)0;
    b.cap_negative = op.sat ? b.limit_negative : ~(u32)0;
    b.clamp_above = (op.sat ? power_of_2_32(32) : infinity_bits_32()) - 1;
    return b;
}

/* Returns shifted << left, modulo 2^32, for any `left`. A shift by 31 takes two steps, see MAX_SHIFT in
 * convert_vector.h. */
static ALWAYS_INLINE u32v vshift_left(u32v shifted, u32v left) {
    const u32v c = shifted << v_min_u32(left, v_const_32(MAX_SHIFT_32));
    return v_sel_32(v_gt_u32(left, v_const_32(31)), v_const_32(0),
                    v_sel_32(v_gt_u32(left, v_const_32(MAX_SHIFT_32)), c + c, c));
}

/* Returns the significand of x as an integer, rounded where x has bits below 1. This is the magnitude of the
 * integer result, except that values of 2^24 and more must still be shifted left. */
static ALWAYS_INLINE u32v vcvt_significand(u32v x, const struct vrounding *r) {
    const u32v magnitude = magnitude_of_32(x);
    const u32v exponent =
        v_minus_1_32((u32v)v_max_s32((s32v)(magnitude >> FRACTION_32), (s32v)v_const_32(1)));
    const u32v right = (u32v)v_clamp_32(BIAS_32 + FRACTION_32 - 1 - (s32v)exponent, 0, MAX_SHIFT_32);
    return vround_shift(magnitude - (exponent << FRACTION_32), right, sign_mask_of_32(x), r);
}

static ALWAYS_INLINE u32v vcvt_to_integer(u32v x, const struct vcvt_bounds *b, const struct vrounding *r) {
    const u32v sign = sign_mask_of_32(x), magnitude = magnitude_of_32(x);
    const s32v more = (s32v)(magnitude >> FRACTION_32) - (BIAS_32 + FRACTION_32);
    const u32v left = (u32v)v_max_s32(more, (s32v)v_const_32(0));
    const u32v c =
        v_min_u32(vshift_left(vcvt_significand(x, r), left), by_sign_32(sign, b->cap, b->cap_negative));
    const u32v bounded = v_sel_32(v_gt_u32(magnitude, v_const_32(b->clamp_above)),
                                  by_sign_32(sign, b->limit, b->limit_negative), c);
    const vmask_32 is_nan = v_gt_u32(magnitude, v_const_32(infinity_bits_32()));
    return v_sel_32(is_nan, v_const_32(0), (bounded ^ sign) - sign);
}

#endif
