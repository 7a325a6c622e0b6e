/* SPDX-License-Identifier: MIT */
/** @file pto_running.h  Programs in text, run by tests; what goes wrong fails the test that is running. */
#ifndef PTO_TEST_PROGRAM_PTO_RUNNING_H
#define PTO_TEST_PROGRAM_PTO_RUNNING_H

#include "pto/program.h"

pto_program *program_of(const char *text, pto_program_profile profile);
void bind_array(pto_program *p, const char *name, pto_dtype type, const void *data, size_t n);
void run_lanes(pto_program *p, size_t lanes);

/** A register's n elements, which are of this type. */
const void *value_of(const pto_program *p, const char *name, pto_dtype type, size_t n);
/** The same, and they are these. */
void check_value(const pto_program *p, const char *name, pto_dtype type, const void *wanted, size_t n);

float bits_f32(uint32_t bits);
uint32_t f32_bits(float x);

/** Numbers between -8 and 8, with zeros of both signs, infinities, NaNs and subnormals among them. */
void fill_f32(const char *purpose, float *x, size_t n);
void fill_bytes(const char *purpose, void *to, size_t bytes);

#endif
