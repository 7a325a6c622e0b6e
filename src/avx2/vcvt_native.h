/* SPDX-License-Identifier: MIT */
/* PTO's conversions of halves to f32, which have another NaN than PTX's. Part of vcvt.h. */

#define OWN_F32(src_, group)                                                                                 \
    static void run_own_F32_##src_(const pto_vcvt_op *op, const struct ptx_cvt *as, const void *src,         \
                                   void *dst, size_t n) {                                                    \
        (void)op, (void)as;                                                                                  \
        LOOP(NATIVE_STEP, 2, 4, store_ps_32(to, repaired(group(from), (s32)vcvt_nan(PTO_F32))))              \
    }                                                                                                        \
    static const struct vcvt_kernel own_F32_##src_ = {run_own_F32_##src_, NATIVE_STEP, FP_IEEE, false};
OWN_F32(F16, f32_of_f16)
OWN_F32(BF16, f32_of_bf16_32)

static const struct vcvt_kernel *vcvt_native(pto_vcvt_op op) {
    if (op.dst != PTO_F32) return NULL;
    return op.src == PTO_F16 ? &own_F32_F16 : op.src == PTO_BF16 ? &own_F32_BF16 : NULL;
}
