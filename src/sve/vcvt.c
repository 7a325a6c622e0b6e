/* SPDX-License-Identifier: MIT */
/* PTO's conversions by the kernels of PTX's, which are SVE's own, and those of hif8; the others are NEON's. */
#include "sve/hif8.h"

#define ISA        sve
#define NAME(name) CAT3(name, _, ISA)
#define VBYTES     16 /* of the pass over NaNs */
#include "loops/vcvt_by_ptx.h"

/* Integers to integers, clamped or cut. */
static void run_integers(const pto_vcvt_op *op, const void *src, void *dst, size_t n) {
    const pto_cvt_op as = {.dst = op->dst, .src = op->src, .sat = vcvt_clamps(*op)};
    pto_cvt_sve(as)->run(&as, src, dst, NULL, n);
}
static const struct vcvt_kernel integers = {run_integers, PTX_STEP, FP_ANY};

/* hif8 both ways. What overflows is brought to what is rounded to the code of infinity, or just below that. */
static ALWAYS_INLINE struct form hif8_form(pto_dtype src, const pto_vcvt_op *op) {
    const u32 infinity = (F32_BIAS + HIF8_TOP) << HALF_FRACTION | 1 << (HALF_FRACTION - 1);
    const struct form f = {
        .dst = PTO_HIF8, .src = src, .nan = op->sat ? 0 : vcvt_nan(PTO_HIF8), .code = infinity - op->sat};
    return f;
}

#define HIF8(name, fp, call)                                                                                 \
    static void run_##name(const pto_vcvt_op *op, const void *src, void *dst, size_t n) {                    \
        (void)op;                                                                                            \
        call;                                                                                                \
    }                                                                                                        \
    static const struct vcvt_kernel name = {run_##name, 1, fp};
HIF8(hif8_of_f32, FP_IEEE, each_four(hif8_of, hif8_form(PTO_F32, op), src, NULL, dst, n))
HIF8(hif8_of_f16, FP_IEEE, each_four(hif8_of, hif8_form(PTO_F16, op), src, NULL, dst, n))
HIF8(hif8_to_f32, FP_ANY, each_hif8(PTO_F32, src, dst, n))
HIF8(hif8_to_f16, FP_IEEE, each_hif8(PTO_F16, src, dst, n))

static const struct vcvt_kernel *hif8_kernel(pto_vcvt_op op) {
    if (op.dst == PTO_HIF8) return op.src == PTO_F32 ? &hif8_of_f32 : &hif8_of_f16;
    if (op.src == PTO_HIF8) return op.dst == PTO_F32 ? &hif8_to_f32 : &hif8_to_f16;
    return NULL;
}

const struct vcvt_kernel *pto_vcvt_sve(pto_vcvt_op op) {
    const struct vcvt_kernel *hif8 = hif8_kernel(op), *by_ptx = vcvt_by_ptx(op);
    if (hif8 != NULL) return hif8;
    if (cvt_is_integer(op.dst) && cvt_is_integer(op.src)) return &integers;
    return by_ptx != NULL ? by_ptx : pto_vcvt_neon(op);
}
