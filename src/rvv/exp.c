/* SPDX-License-Identifier: MIT */
#include "core/exp.h"

/* SLEEF's functions of one number, as generic has them. */
const struct exp_kernels pto_exp_rvv = {pto_exp_f32_scalar, pto_exp_f64_scalar};
