/* SPDX-License-Identifier: MIT */
/* PTO's conversions by the kernels of PTX's, which are SVE's own; the others are NEON's. */
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

const struct vcvt_kernel *pto_vcvt_sve(pto_vcvt_op op) {
    const struct vcvt_kernel *by_ptx = vcvt_by_ptx(op);
    if (cvt_is_integer(op.dst) && cvt_is_integer(op.src)) return &integers;
    return by_ptx != NULL ? by_ptx : pto_vcvt_neon(op);
}
