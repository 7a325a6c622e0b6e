/* SPDX-License-Identifier: MIT */
#include "core/exp.h"

/* The exp kernels of the generic backend are the scalar ones, because SLEEF has no vector functions that every
 * compiler can build. */
const struct exp_kernels pto_exp_generic = {pto_exp_f32_scalar, pto_exp_f64_scalar};
