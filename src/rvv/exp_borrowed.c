/* SPDX-License-Identifier: MIT */
#include "core/exp.h"

/* Where SLEEF has no vectors of RVV: its functions of one number, as generic has them. */
const struct exp_kernels pto_exp_rvv = {pto_exp_f32_scalar, pto_exp_f64_scalar};
