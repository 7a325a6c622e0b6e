/* SPDX-License-Identifier: MIT */
/** @file vcvt_fixture.h  What the checkers of vcvt share: source elements with the model's results, and the
 * comparison. An operation with two equal types is vtrc. */
#ifndef PTO_TEST_VCVT_FIXTURE_H
#define PTO_TEST_VCVT_FIXTURE_H

#include "support/cvt_values.h"
#include "support/subject.h"
#include "model/model_vcvt.h"

enum { VCVT_WIDEST = 8, VCVT_OFFSETS = 64, VCVT_PARTS = 4, VCVT_OPS_MAX = 512 };

/** Returns in `ops` every legal operation, including those of vtrc. Returns how many there are. */
size_t vcvt_operations(pto_vcvt_op ops[VCVT_OPS_MAX]);

bool vcvt_is_vtrc(const pto_vcvt_op *op);

/** Source elements of one type, and the model's results for one operation at a time. */
struct vcvt_fixture {
    struct cvt_values in;
    struct rng rng;
    pto_vcvt_op op;
    bool first_of_pair; /* whether it is the first operation for its two types */
    int part;           /* a part, or MODEL_WHOLE */
    uint64_t *codes;    /* the result for each element */
};

typedef void vcvt_visit(const struct subject *s, struct report *r, struct vcvt_fixture *w);

/** Opens a fixture for each source type, with `count` elements, or with all if count is 0. Calls `visit` for each
 * operation that has this source type: if `parts` is true, once for each part that the operation has, else once with
 * part MODEL_WHOLE. */
void vcvt_fixture_each(const struct subject *s, struct report *r, const char *purpose, size_t count,
                       bool parts, vcvt_visit *visit);

/** Makes the call that the fixture describes. */
pto_status vcvt_fixture_call(const struct subject *s, const struct vcvt_fixture *w, const void *src,
                             pto_mask mask, void *dst, size_t n);

/** The size in bytes of the source and of the result. */
size_t vcvt_fixture_source_bytes(const struct vcvt_fixture *w, size_t n);
size_t vcvt_fixture_result_bytes(const struct vcvt_fixture *w, size_t n);

/** Writes to `image` the bytes that the result of a call must have whose source begins with element `first`. `truth`
 * has the mask's value for each source element. */
void vcvt_fixture_image(const struct vcvt_fixture *w, size_t first, size_t n, const unsigned char *truth,
                        unsigned char *image);

/** Compares the status and every byte of the result. */
void vcvt_fixture_compare(struct report *r, const struct vcvt_fixture *w, size_t n, pto_status status,
                          const unsigned char *expected, const unsigned char *got);

/** Sets the report's description to the operation, which is only spelled out for a mismatch. */
void vcvt_fixture_describe(struct report *r, const struct vcvt_fixture *w, size_t n, const char *detail);

/** Returns a mask kind that fits the source, or -1 for a call without a mask. Successive values of `turn` select all
 * of these in a cycle. */
int vcvt_kind_in_turn(const struct vcvt_fixture *w, size_t turn);

#endif
