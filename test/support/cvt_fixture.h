/* SPDX-License-Identifier: MIT */
/** @file cvt_fixture.h  What the checkers of cvt share: source elements with the model's results, and the
 * comparison. */
#ifndef PTO_TEST_CVT_FIXTURE_H
#define PTO_TEST_CVT_FIXTURE_H

#include "support/cvt_forms.h"
#include "support/cvt_values.h"
#include "support/subject.h"

/** Source elements of one type, and the model's results for one operation at a time. */
struct cvt_fixture {
    struct cvt_values in;
    struct rng rng;
    pto_cvt_op op;
    void *extra;             /* the random bits or the scales of the operation */
    unsigned char *expected; /* results from element 0 on */
};

void cvt_fixture_open(struct cvt_fixture *w, const char *purpose, const struct cvt_values *in);
void cvt_fixture_op(struct cvt_fixture *w, const pto_cvt_op *op);
void cvt_fixture_close(struct cvt_fixture *w);

/** Returns pto_cvt()'s operand `extra` from element `first` on, or NULL if the operation has none. `first` is a
 * multiple of 4. */
const void *cvt_fixture_extra(const struct cvt_fixture *w, size_t first);

/** Writes to `image` the bytes that the result of elements first to first + n - 1 must have. `first` is a multiple
 * of 4. */
void cvt_fixture_image(const struct cvt_fixture *w, size_t first, size_t n, unsigned char *image);

/** Sets the report's description to the operation, which is only spelled out for a mismatch. */
void cvt_fixture_describe(struct report *r, const pto_cvt_op *op, size_t n, const char *detail);

/** Compares the status and every byte of the result. */
void cvt_fixture_compare(struct report *r, const struct cvt_fixture *w, size_t first, size_t n,
                         pto_status status, const unsigned char *expected, const unsigned char *got);

/** A function that is called for an operation. */
typedef void cvt_visit(const struct subject *s, struct report *r, struct cvt_fixture *w);

/** Opens a fixture for each source type, with `count` elements, or with all if count is 0. Calls `visit` for each
 * operation that has this source type, in the order of cvt_ops. */
void cvt_fixture_each(const struct subject *s, struct report *r, const char *purpose, size_t count,
                      cvt_visit *visit);

#endif
