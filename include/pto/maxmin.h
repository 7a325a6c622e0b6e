/* SPDX-License-Identifier: MIT */
/**
 * @file maxmin.h
 * Maximum, minimum, clamp and ReLU, lane by lane, with the rules of PTX's max and min.
 *
 * @code
 * // If one operand is a NaN, the other one results. With PTO_PROPAGATE_NAN the NaN results. +0 is greater than -0.
 * const float x[4] = {1, NAN, -0.0F, NAN}, y[4] = {2, 5, 0.0F, NAN}, lo = 0, hi = 6;
 * float out[4];
 * if (pto_vmax(PTO_F32, 0, pto_in_array(x), pto_in_array(y), out, 4) != PTO_OK) return 1;
 * assert(out[0] == 2 && out[1] == 5 && !signbit(out[2]) && isnan(out[3]));
 * if (pto_vmax(PTO_F32, PTO_PROPAGATE_NAN, pto_in_array(x), pto_in_array(y), out, 4) != PTO_OK) return 1;
 * assert(isnan(out[1]));
 *
 * // ReLU6 in one pass, in place.
 * float z[3] = {-1, 3, 7};
 * if (pto_vclamp(PTO_F32, 0, pto_in_array(z), pto_in_scalar(&lo), pto_in_scalar(&hi), z, 3) != PTO_OK) return 1;
 * assert(z[0] == 0 && z[1] == 3 && z[2] == 6);
 * @endcode
 */
#ifndef PTO_MAXMIN_H
#define PTO_MAXMIN_H

#include "select.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * dst[i] = max(a[i], b[i]) for i < n.
 *
 * a, b: each is an array of n elements of type t, or one scalar. dst: n elements.
 *
 * Types: the integers U8 to U64 and S8 to S64, F16, BF16, F32, F64, and the small floats (see pto_dtype). Untyped bits
 * have no order.
 *
 * Floats: +0 is larger than -0. If exactly one operand is a NaN, quiet or signalling, the result is the other one. If
 * both are NaNs, the result is the canonical NaN, 7fff for F16 and BF16, 7fffffff for F32, 80 for small floats without
 * -0, 7f for other small floats. For F64 it is b[i] made quiet, with the sign and payload of b[i].
 *
 * | flag              | types        | effect                                                                     |
 * | ----------------- | ------------ | -------------------------------------------------------------------------- |
 * | PTO_PROPAGATE_NAN | all floats   | PTX .NaN: if any operand is a NaN, the result is the canonical NaN. PTX    |
 * |                   |              | has no .NaN for F64; the result there is 7fffffffffffffff                  |
 * | PTO_FTZ           | F16 F32      | PTX .ftz: a subnormal operand or result becomes zero of its sign           |
 * | PTO_XORSIGN_ABS   | F16 BF16 F32 | PTX .xorsign.abs: the magnitudes are compared; the result, unless it is    |
 * |                   |              | the canonical NaN, is negative if the signs of a and b differ              |
 *
 * Semantics: PTX ISA, max. PTO's vmax and vmin propagate NaNs: use PTO_PROPAGATE_NAN.
 *
 * In place: dst may be a or b, and may start at the address of a scalar.
 *
 * Caches: on x86, a result of 16 MiB or more that is not in place is written with non-temporal stores.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_MODIFIER (a flag that the type does not take),
 * PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_vmax(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n);

/** dst[i] = min(a[i], b[i]) for i < n; -0 is smaller than +0. Everything else is as for pto_vmax(). */
PTO_CALL pto_status pto_vmin(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n);

/**
 * dst[i] = min(max(x[i], lo[i]), hi[i]) for i < n, in one pass over memory: limits x to lo .. hi. Where lo is above hi,
 * the result is hi.
 *
 * x, lo, hi: each is an array of n elements of type t, or one scalar. Both steps are those of pto_vmax() and pto_vmin()
 * with the same flags. So without PTO_PROPAGATE_NAN a NaN in x becomes lo, and a NaN in lo or hi sets no bound.
 * PTO_XORSIGN_ABS gives PTO_ERR_MODIFIER.
 *
 * In place: dst may be any of the three, and may start at the address of a scalar. Everything else is as for
 * pto_vmax().
 */
PTO_CALL pto_status pto_vclamp(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                               size_t n);

/**
 * dst[i] = max(x[i], +0) for i < n: negative values and -0 become +0. A NaN becomes +0 too, or the canonical NaN with
 * PTO_PROPAGATE_NAN.
 *
 * x, dst: n elements of type t; dst may be x. PTO_XORSIGN_ABS gives PTO_ERR_MODIFIER. Everything else is as for
 * pto_vmax().
 */
PTO_CALL pto_status pto_vrelu(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n);

#ifdef __cplusplus
}
#endif
#endif
