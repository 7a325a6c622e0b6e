/* SPDX-License-Identifier: MIT */
/*
 * Kernels for PTO's vcvt from f16 and bf16 to f32, whose NaN differs from that of PTX's cvt. Part of loops/vcvt.h. The
 * including file defines VCVT_GRANULE, VCVT_FP_F16 and VCVT_FP_BF16, and vcvt_f32_from_F16() and vcvt_f32_from_BF16(),
 * which convert a multiple of VCVT_GRANULE elements.
 */

#define VCVT_F32(src_)                                                                                       \
    static void run_vcvt_native_F32_##src_(const pto_vcvt_op *op, const struct ptx_cvt *ptx,                 \
                                           const void *src, void *dst, size_t n) {                           \
        (void)op, (void)ptx;                                                                                 \
        vcvt_f32_from_##src_(src, dst, n);                                                                   \
    }                                                                                                        \
    static const struct vcvt_kernel vcvt_native_F32_##src_ = {run_vcvt_native_F32_##src_, VCVT_GRANULE,      \
                                                              VCVT_FP_##src_, false};
VCVT_F32(F16)
VCVT_F32(BF16)

static const struct vcvt_kernel *vcvt_native(pto_vcvt_op op) {
    if (op.dst != PTO_F32) return NULL;
    return op.src == PTO_F16 ? &vcvt_native_F32_F16 : op.src == PTO_BF16 ? &vcvt_native_F32_BF16 : NULL;
}
