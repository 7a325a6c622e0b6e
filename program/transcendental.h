/* SPDX-License-Identifier: MIT */
/*
 * 2^x, log2(x), ln(x), sin(x), cos(x) and tanh(x) for an x that is an f32 value. Each has a slow approximation, a sum
 * of two f64 with a relative error below 2^-90. All except ln also have a fast approximation, an f64 with a relative
 * error below 2^-46. They do not use libm, so all CPUs give the same results.
 */
#ifndef PTO_PROGRAM_TRANSCENDENTAL_H
#define PTO_PROGRAM_TRANSCENDENTAL_H

#include "double_double.h"

/* x must be finite and in the range below. Outside these ranges callers know the result without an
 * evaluation. */
typedef double fast_function(double x);
typedef struct dd slow_function(double x);

fast_function pto_fast_exp2, pto_fast_log2, pto_fast_sin, pto_fast_cos, pto_fast_tanh;
slow_function pto_slow_exp2, pto_slow_log2, pto_slow_ln, pto_slow_sin, pto_slow_cos, pto_slow_tanh;
/*
 * Ranges of x:
 *   exp2      from -160 to 130
 *   log2, ln  above 0
 *   sin, cos  magnitudes of at least 2^-13
 *   tanh      magnitudes from 2^-13 to 10
 */

#endif
