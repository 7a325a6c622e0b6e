/* SPDX-License-Identifier: MIT */
/* What has no loops of its own for SVE yet is done by NEON, which every CPU with SVE has. */
#include "core/scaling.h"

const struct scaling_kernels *pto_scaling_sve(void) {
    return pto_scaling_neon();
}
