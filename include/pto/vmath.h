/* SPDX-License-Identifier: MIT */
/**
 * @file vmath.h
 * Mathematical functions. They exist if libpto was built with SLEEF (CMake option PTO_SLEEF). An installation without
 * SLEEF does not have this header; inside such a build PTO_NO_VMATH is defined.
 *
 * @code
 * const double x[3] = {0, 1, -INFINITY};
 * double y[3];
 * if (pto_vexp(PTO_F64, x, PTO_NO_MASK, y, 3) != PTO_OK) return 1;
 * assert(y[0] == 1 && y[1] > 2.718281828459 && y[1] < 2.718281828460 && y[2] == 0);
 * @endcode
 */
#ifndef PTO_VMATH_H
#define PTO_VMATH_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PTO_NO_VMATH
/**
 * dst[i] = m[i] ? e to the power src[i] : +0, for i < n.
 *
 * src, dst: n elements each. m: n lanes, or PTO_NO_MASK for every lane. Types: PTO_F16, PTO_BF16, PTO_F32 and PTO_F64.
 *
 * Results of PTO_F32 and PTO_F64 are at most 1.0 ULP from the exact value. Results of PTO_F16 and PTO_BF16 are the
 * exact value correctly rounded; subnormal results are kept. Every backend gives the same bits. The rounding is to
 * nearest, whatever the caller's rounding mode. Overflow gives +Inf, from the first x whose result is not finite:
 * 0x1.62e43p+6 (f32), 0x1.62e42fefa39fp+9 (f64). exp(-Inf) is +0. exp of a zero or a subnormal is 1, and takes no
 * longer than other values; a subnormal result takes less than twice as long. A NaN gives the canonical NaN: 7fff (f16,
 * bf16), 7fffffff (f32), 7ff8000000000000 (f64). Lanes that are off have no effect.
 *
 * Semantics: pto.vexp as the PTO compare-and-select page uses it; PTO has it for f16 and f32. The values of f32 and f64
 * are those of SLEEF's deterministic u10 family, which gives the same bits with every vector length and without FMA.
 * Just below the overflow of f64 they differ, because the results of SLEEF 3.5.1 become infinite too early.
 *
 * In place: dst may be src.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_MASK, PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vexp(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n);
#endif

#ifdef __cplusplus
}
#endif
#endif
