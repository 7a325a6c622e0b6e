/* SPDX-License-Identifier: MIT */
/**
 * @file cvt_values.h
 * Source elements worth converting: every code of a type of up to 16 bits; of wider ones structured values
 * (each exponent with mantissas around every halfway point, limits, NaN payloads) and seeded random ones.
 */
#ifndef PTO_TEST_CVT_VALUES_H
#define PTO_TEST_CVT_VALUES_H

#include "support/harness.h"
#include "model/model_cvt.h"

/** An array in memory form, the bits that must be ignored being random. Its length is a multiple of four. */
struct cvt_values {
    pto_dtype type;
    size_t count;
    unsigned char *memory; /* of harness_allocate */
    size_t room;
};

/** All of them; thinned for a quick run. */
void cvt_values_open(struct cvt_values *values, pto_dtype type, bool quick);

/** `count` of them, picked at random. */
void cvt_values_some(struct cvt_values *values, pto_dtype type, size_t count);

void cvt_values_close(struct cvt_values *values);

/** The types that are a source of any conversion. */
enum { CVT_SOURCES = 20 };
extern const pto_dtype cvt_sources[CVT_SOURCES];

/**
 * pto_cvt's operand `extra` for n elements, if the operation has one, much of it aimed. Random words: one element
 * of the group gets the smallest number that rounds it up, or one less, as the model says. Scales: one element
 * comes near the numbers of the destination, its ends and its subnormals. Writes what n elements need.
 */
void cvt_values_aim(struct rng *rng, const pto_cvt_op *op, const void *source, void *extra, size_t n);

#endif
