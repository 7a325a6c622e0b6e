/* SPDX-License-Identifier: MIT */
/** @file cvt_values.h
 * Source elements to convert. For types of up to 16 bits these are all codes. For wider types they are structured
 * values (each exponent with mantissas around every midpoint, limits, NaN payloads) and random values. */
#ifndef PTO_TEST_CVT_VALUES_H
#define PTO_TEST_CVT_VALUES_H

#include "support/harness.h"
#include "model/model_cvt.h"

/** An array in memory layout. Bits that are ignored are random. Its length is a multiple of 4. */
struct cvt_values {
    pto_dtype type;
    size_t count;
    unsigned char *memory; /* from harness_allocate() */
    size_t capacity;
};

/** Creates all values, or fewer for a quick run. */
void cvt_values_open(struct cvt_values *values, pto_dtype type, bool quick);

/** Creates `count` values, chosen at random from those of a quick run. */
void cvt_values_some(struct cvt_values *values, pto_dtype type, size_t count);

void cvt_values_close(struct cvt_values *values);

/** The types that some conversion has as its source. */
enum { CVT_SOURCES = 20 };
extern const pto_dtype cvt_sources[CVT_SOURCES];

/** Fills in pto_cvt()'s operand `extra` for n elements, if the operation has one. Many values are chosen to be near a
 * limit. In every fourth random word, one element of the group gets the smallest number that rounds it up according
 * to the model, or one less. Most scales bring an element to the range of the destination, its ends or its
 * subnormals. */
void cvt_values_choose_extra(struct rng *rng, const pto_cvt_op *op, const void *source, void *extra,
                             size_t n);

#endif
