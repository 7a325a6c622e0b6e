/* SPDX-License-Identifier: MIT */
/* What has no loops of its own for RVV yet is done by scalar. */
#include "core/kernels.h"
#include "core/maxmin.h"
#include "core/scaling.h"
#include "core/vcvt.h"

const struct cvt_kernel *pto_cvt_rvv(pto_cvt_op op) {
    return pto_cvt_scalar(op);
}

const struct vcvt_kernel *pto_vcvt_rvv(pto_vcvt_op op) {
    return pto_vcvt_scalar(op);
}

const struct scaling_kernels *pto_scaling_rvv(void) {
    return pto_scaling_scalar();
}

const struct maxmin_table *pto_maxmin_rvv(void) {
    return pto_maxmin_scalar();
}
