/* SPDX-License-Identifier: MIT */
/** @file cvt_fixture.h  What the checkers of cvt share: source elements with the model's answers, and
 * comparing. */
#ifndef PTO_TEST_CVT_FIXTURE_H
#define PTO_TEST_CVT_FIXTURE_H

#include "support/cvt_forms.h"
#include "support/cvt_values.h"
#include "support/subject.h"

/** Source elements of one type, and the model's answers for one operation at a time. */
struct cvt_fixture {
    struct cvt_values in;
    struct rng rng;
    pto_cvt_op op;
    void *extra;             /* the random bits or the scales of the operation */
    unsigned char *expected; /* from element 0 on */
};

void cvt_fixture_open(struct cvt_fixture *w, const char *purpose, const struct cvt_values *in);
void cvt_fixture_op(struct cvt_fixture *w, const pto_cvt_op *op);
void cvt_fixture_close(struct cvt_fixture *w);

/** pto_cvt's operand `extra` from this element on; NULL if the operation takes none. first is a multiple of four. */
const void *cvt_fixture_extra(const struct cvt_fixture *w, size_t first);

/** The image that converting elements first to first + n - 1 must give; first is a multiple of four. */
void cvt_fixture_image(const struct cvt_fixture *w, size_t first, size_t n, unsigned char *image);

/** Name the operation in the report, which spells it when there is a mismatch. */
void cvt_fixture_describe(struct report *r, const pto_cvt_op *op, size_t n, const char *detail);

/** Status and every byte of the result. */
void cvt_fixture_compare(struct report *r, const struct cvt_fixture *w, size_t first, size_t n,
                         pto_status status, const unsigned char *expected, const unsigned char *got);

/** The operations with this source, in the order of cvt_ops. Call `visit` for each. */
typedef void cvt_visit(const struct subject *s, struct report *r, struct cvt_fixture *w);

/** For each source type some `count` elements (0: all there are), and then for each operation with that
 * source. */
void cvt_fixture_each(const struct subject *s, struct report *r, const char *purpose, size_t count,
                      cvt_visit *visit);

#endif
