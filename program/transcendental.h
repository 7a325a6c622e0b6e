/* SPDX-License-Identifier: MIT */
/*
 * 2^x, log2(x), sin(x), cos(x) and tanh(x) of f32 values in f64: each as a fast approximation with a relative error
 * below 2^-46, and as a slow one with an error below 2^-90. Neither uses libm, so all CPUs give the same results.
 */
#ifndef PTO_PROGRAM_TRANSCENDENTAL_H
#define PTO_PROGRAM_TRANSCENDENTAL_H

#include "double_double.h"

/* x must be in the range of results that the callers do not know beforehand: finite, and for each function as below. */
typedef double fast_function(double x);
typedef struct dd slow_function(double x);

fast_function pto_fast_exp2, pto_fast_log2, pto_fast_sin, pto_fast_cos, pto_fast_tanh;
slow_function pto_slow_exp2, pto_slow_log2, pto_slow_sin, pto_slow_cos, pto_slow_tanh;
/*
 * exp2: -160 to 130
 * log2: positive
 * sin, cos: magnitudes from 2^-13 on
 * tanh: magnitudes from 2^-13 to 10
 */

#endif
