/* SPDX-License-Identifier: MIT */
/* exp for builds in which SLEEF has no SVE functions: calls NEON's kernels. It does so by functions, because a
 * constant initializer cannot read the members of another table. */
#include "core/exp.h"

static void exp_f32(const void *src, void *dst, size_t n) {
    pto_exp_neon.f32(src, dst, n);
}

static void exp_f64(const void *src, void *dst, size_t n) {
    pto_exp_neon.f64(src, dst, n);
}

const struct exp_kernels pto_exp_sve = {exp_f32, exp_f64};
