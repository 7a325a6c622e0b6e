/* SPDX-License-Identifier: MIT */
#include "core/exp.h"

/* SLEEF's functions of one number: it has none of vectors that every compiler makes. */
const struct exp_kernels pto_exp_generic = {pto_exp_f32_scalar, pto_exp_f64_scalar};
