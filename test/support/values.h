/* SPDX-License-Identifier: MIT */
/** @file values.h  Operands for comparisons: the special values of each type, and pairs of them and of random
 * values. */
#ifndef PTO_TEST_VALUES_H
#define PTO_TEST_VALUES_H

#include "support/harness.h"

enum { VALUES_MAX_SPECIALS = 64 };

/** Fills in the special values of a one-lane type as bit patterns and returns how many there are.
 * Floating point, with both signs: zero; the smallest and largest subnormal and normal values with their
 * neighbours; one; infinity; NaNs of both kinds with various payloads. For bf16 also the bits of f16's infinity
 * and its neighbours.
 * Integers: the ends of the range and their neighbours. */
size_t values_special(pto_dtype type, uint64_t values[VALUES_MAX_SPECIALS]);

/** Loads and stores one element as bits, at any address. */
uint64_t value_load(pto_dtype type, const void *array, size_t lane);
void value_store(pto_dtype type, void *array, size_t lane, uint64_t bits);

/** Whether the bits are a NaN of the type, and whether they are a signalling NaN. Both are false for types without
 * NaN. */
bool value_is_nan(pto_dtype type, uint64_t bits);
bool value_is_signalling(pto_dtype type, uint64_t bits);
bool value_is_subnormal(pto_dtype type, uint64_t bits);

/** Fills in n pairs: specials, random bits, equal values, neighbours, and pairs that differ in one bit. In every
 * second stretch of 1024 lanes, floats are rarely infinities, NaNs or large values. */
void values_pairs(struct rng *rng, pto_dtype type, void *a, void *b, size_t n);

/** Fills a and b with all pairs of special values. They need values_cross_size() elements. */
size_t values_cross_size(pto_dtype type);
void values_cross(pto_dtype type, void *a, void *b);

#endif
