/* SPDX-License-Identifier: MIT */
/* What has no loops of its own for SVE yet is done by NEON, which every CPU with SVE has. */
#include "core/kernels.h"
#include "core/scaling.h"
#include "core/vcvt.h"

const struct vcvt_kernel *pto_vcvt_sve(pto_vcvt_op op) {
    return pto_vcvt_neon(op);
}

const struct scaling_kernels *pto_scaling_sve(void) {
    return pto_scaling_neon();
}
