/* SPDX-License-Identifier: MIT */
/*
 * Max, min, clamp and relu of a vector backend. Its maxmin.c includes its vec.h, defines ISA and these operations in
 * addition to the vocabulary, and then includes this file. An operation below that names a macro is optional: a backend
 * that has the operation defines it and the macro. Otherwise this file defines the operation.
 *
 *   v_max_T(x, y), v_min_T(x, y)  T u8 .. s64
 *   v_max_F(x, y), v_min_F(x, y)  F f32, f64. +0 is above -0. Results for NaNs are unspecified, except for what one of
 *                                 these macros promises:
 *                                 MAXMIN_NAN_RESULT 2: two NaNs give a NaN; 1: one NaN gives a NaN, too
 *                                 MAXMIN_IGNORES_QUIET_NAN: a quiet NaN and another value give the other value, and two
 *                                 identical NaNs give that NaN
 *   v_unless_nan_F(x, y)          x, or y where x is a NaN. MAXMIN_IGNORES_QUIET_NAN
 *   v_any_nan_F(x, y)             whether any lane of x or y is a NaN. MAXMIN_HAS_ANY_NAN, to be defined if a test
 *                                 and a branch cost less than handling NaNs in every vector
 *   v_max_second_F(x, y)          x where it is above y, else y. v_min_second_F(x, y): x where it is below y, else
 *                                 y. MAXMIN_HAS_MAX_SECOND, to be defined if each is a single instruction
 *   v_ones_above_16(x, y)         x, with all bits set where it is above y as s16. MAXMIN_HAS_ONES_ABOVE
 *   v_key_16(x)                   flips all bits except the sign where the sign bit is set. As two's complement the
 *                                 results have the order of the halves, with -0 below +0. v_key_16(v_key_16(x)) is x
 *   v_add_16(x, y)                if the vocabulary has no entries for halves
 */
#include "core/maxmin.h"
#include "loops/maxmin_bounds.h"
#include "loops/maxmin_operands.h"
#include "loops/walk.h"

#ifndef MAXMIN_NAN_RESULT
#    define MAXMIN_NAN_RESULT 3 /* results for NaNs are unspecified */
#endif

#ifdef MAXMIN_IGNORES_QUIET_NAN
enum { IGNORES_QUIET_NAN = true };
#else
enum { IGNORES_QUIET_NAN = false };
#endif

#define NAN_32   0x7fffffff
#define NAN_64   0x7fffffffffffffff
#define QUIET_64 0x0008000000000000 /* the quiet bit of a NaN of f64 */

static ALWAYS_INLINE vec vec_const_16(s16 x) {
    return v_set1_16(&x);
}

static ALWAYS_INLINE vec vec_const_32(s32 x) {
    return v_set1_32(&x);
}

static ALWAYS_INLINE vec vec_const_64(s64 x) {
    return v_set1_64(&x);
}

/* Flush subnormals to zero of the same sign. flushed_8() and flushed_64() do nothing, because only f16 and f32
 * have .ftz. */
static ALWAYS_INLINE vec flushed_16(vec x) {
    const vmask_16 small = v_eq_16(v_and(x, vec_const_16(0x7c00)), v_zero());
    return v_sel_16(small, v_and(x, vec_const_16(INT16_MIN)), x);
}

static ALWAYS_INLINE vec flushed_32(vec x) {
    const vmask_32 small = v_eq_32(v_and(x, vec_const_32(0x7f800000)), v_zero());
    return v_sel_32(small, v_and(x, vec_const_32(INT32_MIN)), x);
}

static ALWAYS_INLINE vec flushed_8(vec x) {
    return x;
}

static ALWAYS_INLINE vec flushed_64(vec x) {
    return x;
}

/* ---- halves, as integers ---- */

#ifndef MAXMIN_HAS_ONES_ABOVE
static ALWAYS_INLINE vec v_ones_above_16(vec x, vec y) {
    return v_sel_16(v_lt_s16(y, x), vec_const_16(-1), x);
}
#endif

/* Returns the constant that, added to keys modulo 2^16, moves NaNs of both signs below -infinity if `below`, else above
 * +infinity. */
static ALWAYS_INLINE s16 half_nan_offset(bool below, s16 infinity) {
    return (s16)(below ? INT16_MAX - infinity : infinity - INT16_MAX);
}

static ALWAYS_INLINE vec half_key_with_nans_at_end(bool below, s16 infinity, vec x) {
    return v_add_16(v_key_16(x), vec_const_16(half_nan_offset(below, infinity)));
}

/* Undoes half_key_with_nans_at_end() and or's in the sign. NaNs become the canonical NaN. */
static ALWAYS_INLINE vec half_from_key(bool below, s16 infinity, vec sign, vec r) {
    const s16 wrap = half_nan_offset(below, infinity);
    const vmask_16 is_nan = below ? v_lt_s16(r, vec_const_16((s16)(wrap - infinity - 1)))
                                  : v_lt_s16(vec_const_16((s16)(infinity + wrap)), r);
    const vec value = v_or(v_key_16(v_add_16(r, vec_const_16((s16)-wrap))), sign);
    return v_sel_16(is_nan, vec_const_16(INT16_MAX), value);
}

static ALWAYS_INLINE vec half_max_or_min(bool max, vec x, vec y) {
    return max ? v_max_s16(x, y) : v_min_s16(x, y);
}

/* Returns the maximum or minimum. NaNs are moved to the end of the order that never wins, or, if `nan`, to the
 * end that always wins. */
static ALWAYS_INLINE vec half_extreme_of_keys(bool max, bool nan, s16 infinity, vec sign, vec x, vec y) {
    const bool below = max != nan;
    const vec r = half_max_or_min(max, half_key_with_nans_at_end(below, infinity, x),
                                  half_key_with_nans_at_end(below, infinity, y));
    return half_from_key(below, infinity, sign, r);
}

/* Returns x clamped to [lo, hi]. Between the maximum and the minimum, NaNs are moved to the other end of the
 * order. */
static ALWAYS_INLINE vec half_clamp(unsigned flags, s16 infinity, vec x, vec lo, vec hi) {
    const bool below = (flags & PTO_PROPAGATE_NAN) == 0;
    const s16 there = (s16)(half_nan_offset(!below, infinity) - half_nan_offset(below, infinity));
    const vec up = half_max_or_min(true, half_key_with_nans_at_end(below, infinity, x),
                                   half_key_with_nans_at_end(below, infinity, lo));
    const vec r = half_max_or_min(false, v_add_16(up, vec_const_16(there)),
                                  half_key_with_nans_at_end(!below, infinity, hi));
    return half_from_key(!below, infinity, v_zero(), r);
}

static ALWAYS_INLINE vec half_extreme(bool max, unsigned flags, s16 infinity, vec x, vec y) {
    const bool nan = (flags & PTO_PROPAGATE_NAN) != 0;
    const vec sign = v_and(v_xor(x, y), vec_const_16(INT16_MIN)), magnitude = vec_const_16(INT16_MAX);
    if ((flags & PTO_XORSIGN_ABS) == 0) return half_extreme_of_keys(max, nan, infinity, v_zero(), x, y);
    return half_extreme_of_keys(max, nan, infinity, sign, v_and(x, magnitude), v_and(y, magnitude));
}

/* Returns the maximum of x and +0. As s16 the negative halves, also negative NaNs, are below zero, and the
 * other NaNs are above infinity. */
static ALWAYS_INLINE vec half_relu(unsigned flags, s16 infinity, vec x) {
    const vec r = v_max_s16(x, v_zero()), highest = vec_const_16(infinity);
    if ((flags & PTO_PROPAGATE_NAN) == 0) return v_sel_16(v_lt_s16(highest, r), v_zero(), r);
    return v_sel_16(v_lt_s16(highest, v_and(x, vec_const_16(INT16_MAX))), vec_const_16(INT16_MAX), r);
}

/*
 * Returns x clamped to scalars that are not BOUNDS_ANY. Positive x are compared with hi. Negative ones are
 * compared with lo: the larger they are as u16, the farther they are from 0.
 *
 * Without PTO_PROPAGATE_NAN a NaN becomes lo. For negative NaNs this follows from the comparison with lo.
 * Positive ones are first replaced by all ones, the bits of a negative NaN.
 */
static ALWAYS_INLINE vec half_clamp_scalars(enum bounds bounds, unsigned flags, s16 infinity, vec x, vec lo,
                                            vec hi) {
    const bool nan = (flags & PTO_PROPAGATE_NAN) != 0;
    const vec highest = vec_const_16(infinity);
    const vec down = v_min_s16(nan ? x : v_ones_above_16(x, highest), hi);
    const vec r = bounds == BOUNDS_AROUND_ZERO ? v_min_u16(down, lo) : v_max_s16(down, lo);
    if (!nan) return r;
    return v_sel_16(v_lt_s16(highest, v_and(x, vec_const_16(INT16_MAX))), vec_const_16(INT16_MAX), r);
}

/* ---- f32 and f64 ---- */

#ifndef MAXMIN_IGNORES_QUIET_NAN
static ALWAYS_INLINE vec v_unless_nan_f32(vec x, vec y) {
    return v_sel_32(v_rel_f32(RELATION_EQ, x, x), x, y);
}

static ALWAYS_INLINE vec v_unless_nan_f64(vec x, vec y) {
    return v_sel_64(v_rel_f64(RELATION_EQ, x, x), x, y);
}
#endif

#ifndef MAXMIN_HAS_ANY_NAN
static ALWAYS_INLINE bool v_any_nan_f32(vec x, vec y) {
    (void)x, (void)y;
    return true;
}

static ALWAYS_INLINE bool v_any_nan_f64(vec x, vec y) {
    (void)x, (void)y;
    return true;
}
#endif

#ifdef MAXMIN_HAS_MAX_SECOND
enum { HAS_MAX_SECOND = true };
#else
enum { HAS_MAX_SECOND = false };

static ALWAYS_INLINE vec v_max_second_f32(vec x, vec y) {
    return v_sel_32(v_rel_f32(RELATION_GT, x, y), x, y);
}

static ALWAYS_INLINE vec v_max_second_f64(vec x, vec y) {
    return v_sel_64(v_rel_f64(RELATION_GT, x, y), x, y);
}

static ALWAYS_INLINE vec v_min_second_f32(vec x, vec y) {
    return v_sel_32(v_rel_f32(RELATION_LT, x, y), x, y);
}

static ALWAYS_INLINE vec v_min_second_f64(vec x, vec y) {
    return v_sel_64(v_rel_f64(RELATION_LT, x, y), x, y);
}
#endif

static ALWAYS_INLINE vec f32_extreme_no_nan(bool max, vec x, vec y) {
    return max ? v_max_f32(x, y) : v_min_f32(x, y);
}

/* Returns r, with the canonical NaN where x is a NaN. */
static ALWAYS_INLINE vec f32_canonical(vec x, vec r) {
    if (MAXMIN_NAN_RESULT <= 2) return v_unless_nan_f32(r, vec_const_32(NAN_32));
    return v_sel_32(v_rel_f32(RELATION_EQ, x, x), r, vec_const_32(NAN_32));
}

/* Returns the maximum or minimum, with `sign` set. If one operand is a NaN, returns the other one; two NaNs give the
 * canonical NaN. To this end each NaN is first replaced by the other operand. */
static ALWAYS_INLINE vec f32_extreme_ignore_nan(bool max, vec sign, vec x, vec y) {
    vec a, b;
    if (!unlikely(v_any_nan_f32(x, y))) return v_or(f32_extreme_no_nan(max, x, y), sign);
    a = v_unless_nan_f32(x, y);
    b = v_unless_nan_f32(y, x);
    return f32_canonical(a, v_or(f32_extreme_no_nan(max, a, b), sign));
}

/* Returns the maximum or minimum, with `sign` set. If any operand is a NaN, returns the canonical NaN. */
static ALWAYS_INLINE vec f32_extreme_propagate_nan(bool max, vec sign, vec x, vec y) {
    const vec r = v_or(f32_extreme_no_nan(max, x, y), sign);
    if (MAXMIN_NAN_RESULT == 1) return v_unless_nan_f32(r, vec_const_32(NAN_32));
    return v_sel_32(v_rel_f32(RELATION_ORD, x, y), r, vec_const_32(NAN_32));
}

/* Does the same as f32_extreme_ignore_nan() without sign, for IGNORES_QUIET_NAN. Two NaNs give the canonical NaN.
 * `quiet` depends only on y, so it is computed once if y is a scalar. */
static ALWAYS_INLINE vec f32_extreme_by_quiet_nan(bool max, vec x, vec y) {
    const vec quiet = v_unless_nan_f32(y, vec_const_32(NAN_32));
    return f32_extreme_no_nan(max, v_unless_nan_f32(x, quiet), quiet);
}

static ALWAYS_INLINE vec f32_extreme(bool max, unsigned flags, vec x, vec y) {
    vec sign = v_zero();
    if (IGNORES_QUIET_NAN && (flags & (PTO_PROPAGATE_NAN | PTO_XORSIGN_ABS)) == 0)
        return f32_extreme_by_quiet_nan(max, x, y);
    if ((flags & PTO_XORSIGN_ABS) != 0) {
        sign = v_and(v_xor(x, y), vec_const_32(INT32_MIN));
        x = v_and(x, vec_const_32(INT32_MAX));
        y = v_and(y, vec_const_32(INT32_MAX));
    }
    return (flags & PTO_PROPAGATE_NAN) != 0 ? f32_extreme_propagate_nan(max, sign, x, y)
                                            : f32_extreme_ignore_nan(max, sign, x, y);
}

static ALWAYS_INLINE vec f32_relu(unsigned flags, vec x) {
    const vec r = v_max_second_f32(x, v_zero());
    if ((flags & PTO_PROPAGATE_NAN) == 0) return r;
    return v_sel_32(v_rel_f32(RELATION_EQ, x, x), r, vec_const_32(NAN_32));
}

static ALWAYS_INLINE vec f64_extreme_no_nan(bool max, vec x, vec y) {
    return max ? v_max_f64(x, y) : v_min_f64(x, y);
}

/* Returns r. Where x is a NaN, returns that NaN, made quiet. */
static ALWAYS_INLINE vec f64_quiet(vec x, vec r) {
    const vec nan = v_or(x, vec_const_64(QUIET_64));
    if (MAXMIN_NAN_RESULT <= 2) return v_unless_nan_f64(r, nan);
    return v_sel_64(v_rel_f64(RELATION_EQ, x, x), r, nan);
}

/* Returns x clamped to [lo, hi]. With IGNORES_QUIET_NAN the maximum is never a signalling NaN, so only hi must be
 * made quiet. */
static ALWAYS_INLINE vec f32_clamp(unsigned flags, vec x, vec lo, vec hi) {
    const vec up = f32_extreme(true, flags, x, lo);
    if (!IGNORES_QUIET_NAN || (flags & PTO_PROPAGATE_NAN) != 0) return f32_extreme(false, flags, up, hi);
    return f32_extreme_no_nan(false, up, v_unless_nan_f32(hi, vec_const_32(NAN_32)));
}

static ALWAYS_INLINE vec f64_extreme_by_quiet_nan(bool max, vec x, vec y) {
    const vec quiet = v_unless_nan_f64(y, v_or(y, vec_const_64(QUIET_64)));
    return f64_extreme_no_nan(max, v_unless_nan_f64(x, quiet), quiet);
}

/* Returns the maximum or minimum. If any operand is a NaN, returns the canonical NaN. */
static ALWAYS_INLINE vec f64_extreme_propagate_nan(bool max, vec x, vec y) {
    const vec r = f64_extreme_no_nan(max, x, y);
    if (MAXMIN_NAN_RESULT == 1) return v_unless_nan_f64(r, vec_const_64(NAN_64));
    return v_sel_64(v_rel_f64(RELATION_ORD, x, y), r, vec_const_64(NAN_64));
}

/* Returns the maximum or minimum. Two NaNs give the second one, made quiet, or the canonical NaN under
 * PTO_PROPAGATE_NAN. a is a NaN only where both operands are, and then it is y. */
static ALWAYS_INLINE vec f64_extreme(bool max, unsigned flags, vec x, vec y) {
    vec a, b;
    if ((flags & PTO_PROPAGATE_NAN) != 0) return f64_extreme_propagate_nan(max, x, y);
    if (IGNORES_QUIET_NAN) return f64_extreme_by_quiet_nan(max, x, y);
    if (!unlikely(v_any_nan_f64(x, y))) return f64_extreme_no_nan(max, x, y);
    a = v_unless_nan_f64(x, y);
    b = v_unless_nan_f64(y, x);
    return f64_quiet(a, f64_extreme_no_nan(max, a, b));
}

static ALWAYS_INLINE vec f64_relu(unsigned flags, vec x) {
    const vec r = v_max_second_f64(x, v_zero());
    if ((flags & PTO_PROPAGATE_NAN) == 0) return r;
    return v_sel_64(v_rel_f64(RELATION_EQ, x, x), r, vec_const_64(NAN_64));
}

/*
 * Returns whether a bound is neither a NaN nor -0. Then v_max_second_F() and v_min_second_F() are enough for a clamp.
 * If x equals lo, they return lo; if the maximum equals hi, they return the maximum. These could be the wrong zeros
 * only if a bound were -0. The maximum is never a NaN, because lo is not one.
 */
static ALWAYS_INLINE bool f32_is_plain(u32 bits) {
    return bits != (u32)1 << 31 && (bits & INT32_MAX) <= 0x7f800000;
}

static ALWAYS_INLINE bool f64_is_plain(u64 bits) {
    return bits != (u64)1 << 63 && (bits & INT64_MAX) <= 0x7ff0000000000000;
}

static ALWAYS_INLINE enum bounds f32_bounds(const u8 *lo, const u8 *hi) {
    return HAS_MAX_SECOND && f32_is_plain((u32)load_bytes(lo, 4)) && f32_is_plain((u32)load_bytes(hi, 4))
               ? BOUNDS_PLAIN
               : BOUNDS_ANY;
}

static ALWAYS_INLINE enum bounds f64_bounds(const u8 *lo, const u8 *hi) {
    return HAS_MAX_SECOND && f64_is_plain(load64(lo)) && f64_is_plain(load64(hi)) ? BOUNDS_PLAIN : BOUNDS_ANY;
}

static ALWAYS_INLINE vec f32_clamp_scalars(unsigned flags, vec x, vec lo, vec hi) {
    const vec r = v_min_second_f32(hi, v_max_second_f32(x, lo));
    if ((flags & PTO_PROPAGATE_NAN) == 0) return r;
    return v_sel_32(v_rel_f32(RELATION_EQ, x, x), r, vec_const_32(NAN_32));
}

static ALWAYS_INLINE vec f64_clamp_scalars(unsigned flags, vec x, vec lo, vec hi) {
    const vec r = v_min_second_f64(hi, v_max_second_f64(x, lo));
    if ((flags & PTO_PROPAGATE_NAN) == 0) return r;
    return v_sel_64(v_rel_f64(RELATION_EQ, x, x), r, vec_const_64(NAN_64));
}

/* ---- each lane type ---- */

#define INTEGER_CASES(X)                 MAXMIN_PLAIN(X, 0)
#define INTEGER_EXTREME(lane, max, x, y) ((max) ? v_max_##lane(x, y) : v_min_##lane(x, y))

#define LANE                      u8
#define WIDTH                     8
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) INTEGER_EXTREME(u8, max, x, y)
#define RELU(flags, x)            v_max_u8(x, v_zero())
#include "loops/maxmin.h"

#define LANE                      u16
#define WIDTH                     16
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) INTEGER_EXTREME(u16, max, x, y)
#define RELU(flags, x)            v_max_u16(x, v_zero())
#include "loops/maxmin.h"

#define LANE                      u32
#define WIDTH                     32
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) INTEGER_EXTREME(u32, max, x, y)
#define RELU(flags, x)            v_max_u32(x, v_zero())
#include "loops/maxmin.h"

#define LANE                      u64
#define WIDTH                     64
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) INTEGER_EXTREME(u64, max, x, y)
#define RELU(flags, x)            v_max_u64(x, v_zero())
#include "loops/maxmin.h"

#define LANE                      s8
#define WIDTH                     8
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) INTEGER_EXTREME(s8, max, x, y)
#define RELU(flags, x)            v_max_s8(x, v_zero())
#include "loops/maxmin.h"

#define LANE                      s16
#define WIDTH                     16
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) INTEGER_EXTREME(s16, max, x, y)
#define RELU(flags, x)            v_max_s16(x, v_zero())
#include "loops/maxmin.h"

#define LANE                      s32
#define WIDTH                     32
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) INTEGER_EXTREME(s32, max, x, y)
#define RELU(flags, x)            v_max_s32(x, v_zero())
#include "loops/maxmin.h"

#define LANE                      s64
#define WIDTH                     64
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) INTEGER_EXTREME(s64, max, x, y)
#define RELU(flags, x)            v_max_s64(x, v_zero())
#include "loops/maxmin.h"

#define LANE                                    f16
#define WIDTH                                   16
#define CASES(X)                                MAXMIN_FLAGGED(X, 0) MAXMIN_FLAGGED(X, PTO_FTZ)
#define EXTREME(max, flags, x, y)               half_extreme(max, flags, 0x7c00, x, y)
#define RELU(flags, x)                          half_relu(flags, 0x7c00, x)
#define CLAMP(flags, x, y, z)                   half_clamp(flags, 0x7c00, x, y, z)
#define CLAMP_SCALARS(bounds, flags, x, lo, hi) half_clamp_scalars(bounds, flags, 0x7c00, x, lo, hi)
#define CLASSIFY_BOUNDS(lo, hi)                 half_bounds(0x7c00, lo, hi)
#include "loops/maxmin.h"

#define LANE                                    bf16
#define WIDTH                                   16
#define CASES(X)                                MAXMIN_FLAGGED(X, 0)
#define EXTREME(max, flags, x, y)               half_extreme(max, flags, 0x7f80, x, y)
#define RELU(flags, x)                          half_relu(flags, 0x7f80, x)
#define CLAMP(flags, x, y, z)                   half_clamp(flags, 0x7f80, x, y, z)
#define CLAMP_SCALARS(bounds, flags, x, lo, hi) half_clamp_scalars(bounds, flags, 0x7f80, x, lo, hi)
#define CLASSIFY_BOUNDS(lo, hi)                 half_bounds(0x7f80, lo, hi)
#include "loops/maxmin.h"

#define LANE                                    f32
#define WIDTH                                   32
#define CASES(X)                                MAXMIN_FLAGGED(X, 0) MAXMIN_FLAGGED(X, PTO_FTZ)
#define EXTREME(max, flags, x, y)               f32_extreme(max, flags, x, y)
#define RELU(flags, x)                          f32_relu(flags, x)
#define CLAMP(flags, x, y, z)                   f32_clamp(flags, x, y, z)
#define CLAMP_SCALARS(bounds, flags, x, lo, hi) f32_clamp_scalars(flags, x, lo, hi)
#define CLASSIFY_BOUNDS(lo, hi)                 f32_bounds(lo, hi)
#include "loops/maxmin.h"

#define LANE                                    f64
#define WIDTH                                   64
#define CASES                                   MAXMIN_DOUBLE
#define EXTREME(max, flags, x, y)               f64_extreme(max, flags, x, y)
#define RELU(flags, x)                          f64_relu(flags, x)
#define CLAMP_SCALARS(bounds, flags, x, lo, hi) f64_clamp_scalars(flags, x, lo, hi)
#define CLASSIFY_BOUNDS(lo, hi)                 f64_bounds(lo, hi)
#include "loops/maxmin.h"

#define NAME(lane) CAT3(maxmin_, lane, CAT(_, ISA))
const struct maxmin_table CAT(pto_maxmin_, ISA) = {
#include "core/maxmin_rows.h"
};
#undef NAME

#define NAME(lane) CAT3(clamp_, lane, CAT(_, ISA))
const struct maxmin_table CAT(pto_clamp_, ISA) = {
#include "core/maxmin_rows.h"
};
#undef NAME

#define NAME(lane) CAT3(relu_, lane, CAT(_, ISA))
const struct maxmin_table CAT(pto_relu_, ISA) = {
#include "core/maxmin_rows.h"
};
