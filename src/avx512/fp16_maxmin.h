/* SPDX-License-Identifier: MIT */
/*
 * Maximum and minimum of f16 with AVX512-FP16. Part of fp16.c.
 *
 * The instructions return the second operand if both are zeros or if either is a NaN. So the two orders of
 * operands return both zeros, of which an integer minimum or maximum selects the right one. If one operand is
 * a NaN, the two orders return both operands.
 */
#include "loops/maxmin_f16.h"

/* Returns the result of the instruction in the lanes of k, and `was` elsewhere. */
static ALWAYS_INLINE vec f16_second(bool max, vec was, vmask_16 k, vec x, vec y) {
    const __m512h a = _mm512_castsi512_ph(x), b = _mm512_castsi512_ph(y), w = _mm512_castsi512_ph(was);
    return _mm512_castph_si512(max ? _mm512_mask_max_round_ph(w, k, a, b, _MM_FROUND_NO_EXC)
                                   : _mm512_mask_min_round_ph(w, k, a, b, _MM_FROUND_NO_EXC));
}

/* Combines the results of both orders of operands in the lanes of k: they are equal, or zeros of different
 * signs. The maximum is then +0, the minimum -0. */
static ALWAYS_INLINE vec f16_of_zeros(bool max, vec was, vmask_16 k, vec x, vec y) {
    return max ? _mm512_mask_min_epu16(was, k, x, y) : _mm512_mask_max_epu16(was, k, x, y);
}

static INLINE_IF_FOLDED vec f16_maxmin(unsigned what, const vec *in) {
    const bool max = (what & MAXMIN_OPS) == MAXMIN_MAX;
    const vec x = in[0], y = in[1], nan = v_const_16(INT16_MAX);
    vmask_16 x_is_not_nan, y_is_not_nan;
    vec of_x, of_y; /* the results with x and with y as the second operand */
    if ((what & PTO_PROPAGATE_NAN) != 0) {
        of_y = f16_second(max, nan, EVERY_LANE, x, y);
        of_x = f16_second(max, nan, EVERY_LANE, y, x);
        return f16_of_zeros(max, nan, v_rel_f16(RELATION_ORD, x, y), of_x, of_y);
    }
    x_is_not_nan = v_rel_f16(RELATION_ORD, x, x);
    y_is_not_nan = v_rel_f16(RELATION_ORD, y, y);
    of_x = f16_second(max, nan, x_is_not_nan, y, x);  /* x where y is a NaN */
    of_y = f16_second(max, of_x, y_is_not_nan, x, y); /* y where x is a NaN, of_x where y is a NaN */
    return f16_of_zeros(max, of_y, x_is_not_nan, of_x, of_y);
}

static NOINLINE void f16_maxmin_short(unsigned what, const struct sources *c, void *dst, size_t n) {
    maxmin_f16_few(f16_maxmin, pto_maxmin_avx512.lane[LANE_F16], what, c, dst, n);
}

void pto_maxmin_f16_avx512_fp16(unsigned what, const struct sources *c, void *dst, size_t n) {
    maxmin_f16(f16_maxmin, pto_maxmin_f16_avx512_fp16, f16_maxmin_short, pto_maxmin_avx512.lane[LANE_F16],
               what, c, dst, n);
}
