/* SPDX-License-Identifier: MIT */
/** @file cast_fixture.h  Source elements for the checks of pto_cast(), the model's results, and the comparison. */
#ifndef PTO_TEST_CAST_FIXTURE_H
#define PTO_TEST_CAST_FIXTURE_H

#include "model/model_cast.h"
#include "support/harness.h"
#include "support/subject.h"

enum { CAST_WIDEST = 8 };

/** Source elements for one pair of types, with a random word for each, and memory for the results. */
struct cast_fixture {
    struct rng rng;
    pto_cast_op op;
    size_t count;
    unsigned char *src; /* bits that are ignored are random */
    uint32_t *words;
    unsigned char *expected; /* the result of the whole array */
};

typedef void cast_visit(const struct subject *s, struct report *r, struct cast_fixture *w);

/** Calls `visit` for each pair of types with `count` elements. Half of them are near the values of the destination type
 * and near the midpoints between these; the others are special and random. The rounding and the overflow are
 * random. */
void cast_fixture_each(const struct subject *s, struct report *r, const char *purpose, size_t count,
                       cast_visit *visit);

/** Writes to `image` the bytes that the result of n elements from element `first` on must have. */
void cast_fixture_image(const struct cast_fixture *w, size_t first, size_t n, unsigned char *image);

/** Returns the operand random_bits for elements from `first` on, or NULL if the operation takes none. */
const void *cast_fixture_words(const struct cast_fixture *w, size_t first);

/** Compares the status and every byte of the result. `first` is the first element of the source. */
void cast_fixture_compare(struct report *r, const struct cast_fixture *w, size_t first, size_t n,
                          pto_status status, const unsigned char *expected, const unsigned char *got);

/** Sets the report's description to the operation. */
void cast_fixture_describe(struct report *r, const struct cast_fixture *w, size_t n);

#endif
