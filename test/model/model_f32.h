/* SPDX-License-Identifier: MIT */
/**
 * @file model_f32.h
 * The f32 operations that the models of whole algorithms are made of, on bits and without the CPU's arithmetic.
 *
 * A product and a quotient are exact numbers; the f32 next to them is the code that is worth no more, while the next
 * one is worth more, or that next one: codes are multiplied with the divisor and compared. Subnormals are kept. Every NaN that comes out is 7fffffff.
 */
#ifndef PTO_TEST_MODEL_F32_H
#define PTO_TEST_MODEL_F32_H

#include "model/model_cvt.h"

enum { MODEL_F32_NAN = 0x7fffffff, MODEL_F32_INF = 0x7f800000, MODEL_F32_LARGEST = 0x7f7fffff };

/** The bits of an argument that is a float. */
uint32_t model_f32_bits(float x);

/** The same number as f32, exactly: of any format that cvt widens, and of ue8m0. */
uint32_t model_f32_widened(pto_dtype type, uint64_t code);

/** Rounded to nearest even, infinity beyond the largest; to f32 it stays as it is. A code of `type`. */
uint64_t model_f32_narrowed(pto_dtype type, uint32_t x);

/** cvt.rn.satfinite to a format of 8 bits or less. */
uint64_t model_f32_element(pto_dtype type, uint32_t x);

bool model_f32_is_nan(uint32_t x);
bool model_f32_is_zero(uint32_t x);

/** -1, 0, 1: x against y, as numbers; neither is a NaN. */
int model_f32_compare(uint32_t x, uint32_t y);

/** The smaller and the larger number, x if they are equal; a NaN in x stays. y is no NaN. */
uint32_t model_f32_at_most(uint32_t x, uint32_t y);
uint32_t model_f32_at_least(uint32_t x, uint32_t y);

/** One operation of f32, rounded once to nearest even. */
uint32_t model_f32_mul(uint32_t x, uint32_t y);
uint32_t model_f32_div(uint32_t x, uint32_t y);

/** The code of 2^e, which f32 has: e from -149 to 127. */
uint32_t model_f32_power(int e);

#endif
