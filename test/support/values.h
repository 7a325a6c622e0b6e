/* SPDX-License-Identifier: MIT */
/** @file values.h  Operands worth comparing: the special values of each type, and pairs mixed from them. */
#ifndef PTO_TEST_VALUES_H
#define PTO_TEST_VALUES_H

#include "support/harness.h"

enum { VALUES_MAX_SPECIALS = 64 };

/**
 * The special values of a one-lane type as bit patterns: for floating point both signs of zero, the smallest
 * and largest subnormal and normal numbers with their neighbours, one, infinity, and NaNs of either kind with
 * assorted payloads, for bf16 what has the bits of f16's infinity and its neighbours; for integers the ends of the
 * range and their neighbours. Returns how many.
 */
size_t values_special(pto_dtype type, uint64_t values[VALUES_MAX_SPECIALS]);

/** One element as bits, from and to memory at any address. */
uint64_t value_load(pto_dtype type, const void *array, size_t lane);
void value_store(pto_dtype type, void *array, size_t lane, uint64_t bits);

/** A NaN of the type; and one that is signalling. False for types without NaN. */
bool value_is_nan(pto_dtype type, uint64_t bits);
bool value_is_signalling(pto_dtype type, uint64_t bits);
bool value_is_subnormal(pto_dtype type, uint64_t bits);

/** n pairs: specials, random bits, equal ones, neighbours, and pairs that differ in one bit. Every other 1024 lanes floats
 * are hardly ever infinite, NaNs or near that. */
void values_pairs(struct rng *rng, pto_dtype type, void *a, void *b, size_t n);

/** Every special against every special: a and b take `values_cross_size` elements. */
size_t values_cross_size(pto_dtype type);
void values_cross(pto_dtype type, void *a, void *b);

#endif
