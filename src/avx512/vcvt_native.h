/* SPDX-License-Identifier: MIT */
/* PTO's conversions of halves to f32, which have another NaN than PTX's. Part of vcvt.h. */

#define OWN_F32(src_, fp, vector)                                                                            \
    static void run_own_F32_##src_(const pto_vcvt_op *op, const struct ptx_cvt *as, const void *src,         \
                                   void *dst, size_t n) {                                                    \
        (void)op, (void)as;                                                                                  \
        LOOP(16, 2, 4,                                                                                       \
             { _mm512_storeu_ps(to, with_nan_ps(vector(load_halves(from)), (u32)vcvt_nan(PTO_F32))); })      \
    }                                                                                                        \
    static const struct vcvt_kernel own_F32_##src_ = {run_own_F32_##src_, 16, fp, false};
OWN_F32(F16, FP_ANY, f32_of_f16)
OWN_F32(BF16, FP_IEEE, f32_of_bf16) /* of which some are subnormal */

static const struct vcvt_kernel *vcvt_native(pto_vcvt_op op) {
    if (op.dst != PTO_F32) return NULL;
    return op.src == PTO_F16 ? &own_F32_F16 : op.src == PTO_BF16 ? &own_F32_BF16 : NULL;
}
