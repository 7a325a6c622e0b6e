/* SPDX-License-Identifier: MIT */
/*
 * The exp kernels of one ISA and their table. A backend's exp.c includes its vec.h, defines ISA and the
 * operations below, and then includes this file. F is f32 or f64, and W is its width, 32 or 64:
 *
 *   v_exp_F(x)           SLEEF's exp
 *   v_add_F, v_sub_F, v_mul_F,
 *   v_div_f64            (x, y)  each rounded by itself, never fused
 *   v_max_F(x, y)        the maximum, or y if y is a NaN
 *   v_sub_W(x, y)        integer subtraction
 *   v_to_exponent_W(x)   the lowest bits shifted left to the exponent field of F, with zeros below
 *   v_is_clear_W(x, y)   (x & y) == 0
 *   m_any_W(m)           whether any lane is true
 *   m_all_W(m)           whether every lane is true
 */
#include "core/exp.h"

/* Returns whether SLEEF's results for all lanes can be used, apart from tiny x, which are handled elsewhere. */
static ALWAYS_INLINE bool exp_is_common_f32(vec x) {
    static const float low = EXP_F32_SUBNORMAL_BELOW;
    return m_all_32(v_rel_f32(RELATION_GE, x, v_set1_32(&low)));
}

/* Returns the same for f64, for which SLEEF's results for the largest x cannot be used either. One comparison of
 * magnitudes excludes the largest x and those below EXP_F64_SUBNORMAL_BELOW. */
static ALWAYS_INLINE bool exp_is_common_f64(vec x) {
    static const u64 magnitude = INT64_MAX;
    static const double furthest = -EXP_F64_SUBNORMAL_BELOW;
    return m_all_64(v_rel_f64(RELATION_LE, v_and(x, v_set1_64(&magnitude)), v_set1_64(&furthest)));
}

/* A vector version of exp_f64_near_overflow() in core/exp.h. Lanes outside the range of that function have
 * meaningless results. */
static ALWAYS_INLINE vec exp_near_overflow(vec x) {
    static const u64 last = EXP_F64_LAST_FINITE;
    static const double half = 0.5, six = 6, exp_last = EXP_F64_OF_LAST, exp_last_rest = EXP_F64_OF_LAST_REST;
    const vec d = v_sub_f64(x, v_set1_64(&last));
    const vec factor = v_add_f64(v_set1_64(&half), v_div_f64(d, v_set1_64(&six)));
    const vec below = v_add_f64(d, v_mul_f64(v_mul_f64(d, d), factor));
    const vec rest = v_add_f64(v_mul_f64(v_set1_64(&exp_last), below), v_set1_64(&exp_last_rest));
    return v_add_f64(v_set1_64(&exp_last), rest);
}

/* Return y, SLEEF's exp(x), with every NaN replaced by the only NaN that exp returns. exp_fix_up_f64() also
 * replaces the results for the largest x. */
static NOINLINE vec exp_fix_up_f32(vec x, vec y) {
    static const u32 nan = EXP_F32_NAN;
    (void)x;
    return v_sel_32(v_rel_f32(RELATION_ORD, y, y), y, v_set1_32(&nan));
}

static NOINLINE vec exp_fix_up_f64(vec x, vec y) {
    static const u64 nan = EXP_F64_NAN, top = EXP_F64_OVERFLOW_ZONE, behind = EXP_F64_LAST_FINITE + 1;
    const vec no_later = v_sel_64(v_lt_s64(x, v_set1_64(&behind)), x, v_zero());
    const vmask_64 others = v_lt_s64(no_later, v_set1_64(&top));
    y = v_sel_64(v_rel_f64(RELATION_ORD, y, y), y, v_set1_64(&nan));
    return m_all_64(others) ? y : v_sel_64(others, y, exp_near_overflow(x));
}

#define WIDTH 32
#include "loops/exp_width.h"

#define WIDTH 64
#include "loops/exp_width.h"

const struct exp_kernels CAT(pto_exp_, ISA) = {CAT(exp_f32_, ISA), CAT(exp_f64_, ISA)};
