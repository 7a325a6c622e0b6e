/* SPDX-License-Identifier: MIT */
/*
 * Kernels for PTO's vcvt from f16 and bf16 to f32, whose NaN differs from that of PTX's cvt. Part of
 * loops/vcvt.h. The including file defines OWN_STEP, OWN_FP_F16 and OWN_FP_BF16, and own_F16() and own_BF16(),
 * which convert a multiple of OWN_STEP elements.
 */

#define OWN_F32(src_)                                                                                        \
    static void run_own_F32_##src_(const pto_vcvt_op *op, const struct ptx_cvt *ptx, const void *src,        \
                                   void *dst, size_t n) {                                                    \
        (void)op, (void)ptx;                                                                                 \
        own_##src_(src, dst, n);                                                                             \
    }                                                                                                        \
    static const struct vcvt_kernel own_F32_##src_ = {run_own_F32_##src_, OWN_STEP, OWN_FP_##src_, false};
OWN_F32(F16)
OWN_F32(BF16)

static const struct vcvt_kernel *vcvt_native(pto_vcvt_op op) {
    if (op.dst != PTO_F32) return NULL;
    return op.src == PTO_F16 ? &own_F32_F16 : op.src == PTO_BF16 ? &own_F32_BF16 : NULL;
}
