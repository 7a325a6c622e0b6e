/* SPDX-License-Identifier: MIT */
/* Maximum and minimum of f16 with the FP16 instructions of Armv8.2. Part of fp16.c. */
#include "loops/maxmin_f16.h"

static ALWAYS_INLINE vec f16_unless_nan(vec x, vec y) {
    return v_sel_16(v_rel_f16(RELATION_EQ, x, x), x, y);
}

/* The instructions return a NaN if either operand is one. They order +0 above -0. */
static ALWAYS_INLINE vec f16_max_or_min(bool max, vec x, vec y) {
    return vreinterpretq_u8_f16(max ? vmaxq_f16(F16(x), F16(y)) : vminq_f16(F16(x), F16(y)));
}

/* Without PTO_PROPAGATE_NAN, each NaN is replaced by the other operand first. */
static INLINE_IF_FOLDED vec f16_maxmin(unsigned what, const vec *in) {
    const bool max = (what & MAXMIN_OPS) == MAXMIN_MAX, nan_wins = (what & PTO_PROPAGATE_NAN) != 0;
    const vec x = nan_wins ? in[0] : f16_unless_nan(in[0], in[1]),
              y = nan_wins ? in[1] : f16_unless_nan(in[1], in[0]);
    return f16_unless_nan(f16_max_or_min(max, x, y), v_const_16(INT16_MAX));
}

static NOINLINE void f16_maxmin_short(unsigned what, const struct sources *c, void *dst, size_t n) {
    maxmin_f16_few(f16_maxmin, pto_maxmin_neon.lane[LANE_F16], what, c, dst, n);
}

void pto_maxmin_f16_neon_fp16(unsigned what, const struct sources *c, void *dst, size_t n) {
    maxmin_f16(f16_maxmin, pto_maxmin_f16_neon_fp16, f16_maxmin_short, pto_maxmin_neon.lane[LANE_F16], what,
               c, dst, n);
}
