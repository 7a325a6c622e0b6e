/* SPDX-License-Identifier: MIT */
/*
 * The kernels for CPUs with Zvfh: comparisons, max, min, clamp and relu of f16, and conversions between f16 and f32.
 * Such a CPU uses the RVV backend's other kernels unchanged. fcsr must be in its default state or have the rounding of
 * the conversion.
 */
#ifndef __riscv_zvfh
#    error "this file is compiled with _zvfh"
#endif

#define RVV_BY_FP16
#include "core/maxmin.h"
#include "loops/convert_kernel.h"
#include "rvv/convert_wide.h"
#include "rvv/maxmin_float.h"
#include "rvv/rounding.h"

#define ISA rvv_fp16

/* ---- comparisons ---- */

#define LANE     f16
#define WIDTH    16
#define FLOATING 1
#include "rvv/compare.h"

#define LANE     f16z
#define WIDTH    16
#define FLOATING 1
#include "rvv/compare.h"

/* ---- maxima ---- */

FLOAT_NUMBERS(16, 2)
FLOAT_STEPS(16, 2, HALF_NAN, F16_SPECIAL)

#define LANE                          f16
#define WIDTH                         16
#define KIND                          16
#define CASES(X)                      MAXMIN_FLAGGED(X, 0) MAXMIN_FLAGGED(X, PTO_FTZ)
#define EXTREME(max, flags, x, y, vl) minmax_f16(max, flags, x, y, vl)
#define RELU(flags, x, vl)            relu_f16(flags, x, vl)
#define FLUSHED(x, vl)                flush_f16(x, vl)
#include "rvv/maxmin.h"

void pto_maxmin_f16_rvv_fp16(unsigned what, const struct sources *c, void *dst, size_t n) {
    maxmin_f16_rvv_fp16(what, c, dst, n);
}

/* ---- conversions ---- */

static ALWAYS_INLINE void wide_f16_of_f32(const struct cvt_params *f, const u8 *src, u8 *dst, bool whole,
                                          size_t vl) {
    const vuint32m8_t x = group_32m8(src, whole, vl);
    const vfloat16m4_t r = __riscv_vfncvt_f_f_w_f16m4(__riscv_vreinterpret_v_u32m8_f32m8(x), vl);
    const vuint16m4_t bits = __riscv_vreinterpret_v_f16m4_u16m4(r);
    (void)f;
    put_group_16m4(dst, __riscv_vmerge_vxm_u16m4(bits, HALF_NAN, wide_nans_of(x, vl), vl), whole, vl);
}

static ALWAYS_INLINE void wide_f32_of_f16(const struct cvt_params *f, const u8 *src, u8 *dst, bool whole,
                                          size_t vl) {
    const vfloat16m4_t x = __riscv_vreinterpret_v_u16m4_f16m4(group_16m4(src, whole, vl));
    const vbool4_t is_nan = __riscv_vmfne_vv_f16m4_b4(x, x, vl);
    const vuint32m8_t r = __riscv_vreinterpret_v_f32m8_u32m8(__riscv_vfwcvt_f_f_v_f32m8(x, vl));
    (void)f;
    put_group_32m8(dst, __riscv_vmerge_vxm_u32m8(r, F32_NAN, is_nan, vl), whole, vl);
}

static ALWAYS_INLINE struct cvt_params form_of(pto_dtype dst, pto_dtype src) {
    const struct cvt_params f = {.dst = dst, .src = src};
    return f;
}
CVT_KERNEL(turned_F16_F32, 1, FP_IEEE, set_rounding(op->round),
           each_wide_32(wide_f16_of_f32, form_of(PTO_F16, PTO_F32), src, dst, n),
           set_rounding(PTO_ROUND_NONE))
CVT_KERNEL(exact_F32_F16, 1, FP_IEEE, each_wide_32(wide_f32_of_f16, form_of(PTO_F32, PTO_F16), src, dst, n))

const struct cvt_kernel *pto_cvt_rvv_fp16(pto_cvt_op op) {
    if (op.round == PTO_RS || op.scale != PTO_SCALE_NONE) return NULL;
    if (op.dst == PTO_F16 && op.src == PTO_F32 && cvt_modifiers(op) == 0) return &turned_F16_F32;
    return op.dst == PTO_F32 && op.src == PTO_F16 && is_native(op) ? &exact_F32_F16 : NULL;
}
