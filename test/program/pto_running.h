/* SPDX-License-Identifier: MIT */
/** @file pto_running.h Helpers that run programs given as text. An error fails the running test. */
#ifndef PTO_TEST_PROGRAM_PTO_RUNNING_H
#define PTO_TEST_PROGRAM_PTO_RUNNING_H

#include "pto/program.h"

pto_program *program_of(const char *text, pto_program_profile profile);
void bind_array(pto_program *p, const char *name, pto_dtype type, const void *data, size_t n);
void run_lanes(pto_program *p, size_t lanes);

/** Returns the elements of register `name`. Fails the test if it does not have n elements of `type`. */
const void *value_of(const pto_program *p, const char *name, pto_dtype type, size_t n);
/** Fails the test if register `name` does not have n elements of `type` that are equal to `wanted`. */
void check_value(const pto_program *p, const char *name, pto_dtype type, const void *wanted, size_t n);

float bits_f32(uint32_t bits);
uint32_t f32_bits(float x);

/** Fills x with random values between -8 and 8, and with zeros of both signs, infinities, NaNs and subnormal
 * values. `purpose` seeds the random values. */
void fill_f32(const char *purpose, float *x, size_t n);
void fill_bytes(const char *purpose, void *to, size_t bytes);

#endif
