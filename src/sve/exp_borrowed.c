/* SPDX-License-Identifier: MIT */
/* Where SLEEF has no vectors of SVE: NEON's kernels, called by way of functions here, since a constant table cannot hold
 * what another one holds. */
#include "core/exp.h"

static void exp_f32(const void *src, void *dst, size_t n) {
    pto_exp_neon.f32(src, dst, n);
}

static void exp_f64(const void *src, void *dst, size_t n) {
    pto_exp_neon.f64(src, dst, n);
}

const struct exp_kernels pto_exp_sve = {exp_f32, exp_f64};
