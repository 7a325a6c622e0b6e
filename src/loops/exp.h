/* SPDX-License-Identifier: MIT */
/*
 * The exp kernels of one ISA and their table. A backend's exp.c includes its vec.h, and before this defines ISA
 * and, F being f32 or f64 and W its 32 or 64 bits:
 *
 *   v_exp_F(x)           SLEEF's
 *   v_add_F, v_sub_F, v_mul_F
 *                        (x, y)  rounded each by itself, never fused
 *   v_max_F(x, y)        y if that is a NaN
 *   v_sub_W(x, y)        of integers
 *   v_to_exponent_W(x)   the lowest bits shifted to where F has its exponent; 0 behind them
 *   v_is_clear_W(x, y)   x & y == 0
 *   m_any_W(m)           whether some lane is on
 *   m_all_W(m)           whether every lane is
 *   VBYTES_MOST          a constant no less than VBYTES, where that is none
 */
#include "core/exp.h"

#ifndef VBYTES_MOST
#    define VBYTES_MOST VBYTES
#endif

/* Whether, tiny numbers aside, SLEEF's results are ours. */
static ALWAYS_INLINE bool exp_is_plain_f32(vec x) {
    static const float low = EXP_F32_LOW;
    return m_all_32(v_rel_f32(BASIS_GE, x, v_set1_32(&low)));
}

/* Not so at the top of f64. One comparison of magnitudes leaves out that and what is low. */
static ALWAYS_INLINE bool exp_is_plain_f64(vec x) {
    static const u64 magnitude = INT64_MAX;
    static const double furthest = -EXP_F64_LOW;
    return m_all_64(v_rel_f64(BASIS_LE, v_and(x, v_set1_64(&magnitude)), v_set1_64(&furthest)));
}

static NOINLINE vec exp_mend_top(vec x, vec y) {
    u8 in[VBYTES_MOST], out[VBYTES_MOST];
    v_store(in, x);
    v_store(out, y);
    for (size_t at = 0; at < VBYTES; at += 8) {
        double lane;
        if (!exp_f64_is_top(load64(in + at))) continue;
        memcpy(&lane, in + at, sizeof lane);
        lane = exp_f64_top(lane);
        memcpy(out + at, &lane, sizeof lane);
    }
    return v_load(out);
}

static ALWAYS_INLINE bool exp_has_top(vec x) {
    static const u64 top = EXP_F64_TOP, behind = EXP_F64_LAST + 1;
    const vec no_later = v_sel_64(v_lt_s64(x, v_set1_64(&behind)), x, v_zero());
    return !m_all_64(v_lt_s64(no_later, v_set1_64(&top)));
}

/* y = exp(x), with the one NaN that exp gives, and with the results of f64 for which SLEEF has infinity. */
static NOINLINE vec exp_mend_f32(vec x, vec y) {
    static const u32 nan = EXP_F32_NAN;
    (void)x;
    return v_sel_32(v_rel_f32(BASIS_ORD, y, y), y, v_set1_32(&nan));
}

static NOINLINE vec exp_mend_f64(vec x, vec y) {
    static const u64 nan = EXP_F64_NAN;
    y = v_sel_64(v_rel_f64(BASIS_ORD, y, y), y, v_set1_64(&nan));
    return exp_has_top(x) ? exp_mend_top(x, y) : y;
}

#define WIDTH 32
#include "loops/exp_width.h"

#define WIDTH 64
#include "loops/exp_width.h"

const struct exp_kernels CAT(pto_exp_, ISA) = {CAT(exp_f32_, ISA), CAT(exp_f64_, ISA)};
