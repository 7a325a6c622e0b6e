/* SPDX-License-Identifier: MIT */
/* exp for builds in which SLEEF has no RVV functions: uses SLEEF's scalar functions, like the generic backend. */
#include "core/exp.h"

const struct exp_kernels pto_exp_rvv = {pto_exp_f32_scalar, pto_exp_f64_scalar};
