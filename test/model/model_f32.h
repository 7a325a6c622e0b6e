/* SPDX-License-Identifier: MIT */
/** @file model_f32.h
 * The f32 operations that other models use, on bits, without the CPU's arithmetic. Products, quotients and sums are
 * exact numbers. The largest f32 code that is not above the result is found by multiplying codes with the divisor
 * and comparing; rounding then chooses it or the next code. Subnormals are not flushed. Every NaN result is
 * 7fffffff. */
#ifndef PTO_TEST_MODEL_F32_H
#define PTO_TEST_MODEL_F32_H

#include "model/model_cvt.h"

enum { MODEL_F32_NAN = 0x7fffffff, MODEL_F32_INF = 0x7f800000, MODEL_F32_LARGEST = 0x7f7fffff };

/** The bits of a float argument. */
uint32_t model_f32_bits(float x);

/** Converts to f32, exactly: from any format that cvt widens, and from ue8m0. */
uint32_t model_f32_widened(pto_dtype type, uint64_t code);

/** Converts an f32 to a code of `type`, rounding to nearest even; overflow gives infinity. For PTO_F32 it returns x. */
uint64_t model_f32_narrowed(pto_dtype type, uint32_t x);

/** Applies cvt.rn.satfinite to a format of at most 8 bits. */
uint64_t model_f32_element(pto_dtype type, uint32_t x);

bool model_f32_is_nan(uint32_t x);
bool model_f32_is_zero(uint32_t x);

/** Compares values: -1, 0 or 1. Neither may be a NaN. */
int model_f32_compare(uint32_t x, uint32_t y);

/** model_f32_at_most() returns the minimum, model_f32_at_least() the maximum; both return x if x and y are equal or
 * x is a NaN. y must not be a NaN. */
uint32_t model_f32_at_most(uint32_t x, uint32_t y);
uint32_t model_f32_at_least(uint32_t x, uint32_t y);

/** One f32 operation, rounded once to nearest even. */
uint32_t model_f32_mul(uint32_t x, uint32_t y);
uint32_t model_f32_div(uint32_t x, uint32_t y);
uint32_t model_f32_add(uint32_t x, uint32_t y);
uint32_t model_f32_sub(uint32_t x, uint32_t y);

/** |x|. A NaN gives the canonical NaN. */
uint32_t model_f32_abs(uint32_t x);

/** The code of 2^e, for e from -149 to 127. */
uint32_t model_f32_power(int e);

#endif
