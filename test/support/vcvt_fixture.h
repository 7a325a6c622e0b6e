/* SPDX-License-Identifier: MIT */
/** @file vcvt_fixture.h  What the checkers of vcvt share: source elements with the model's answers, and
 * comparing. An operation from a type to itself is vtrc. */
#ifndef PTO_TEST_VCVT_FIXTURE_H
#define PTO_TEST_VCVT_FIXTURE_H

#include "support/cvt_values.h"
#include "support/subject.h"
#include "model/model_vcvt.h"

enum { VCVT_WIDEST = 8, VCVT_OFFSETS = 64, VCVT_PARTS = 4, VCVT_OPS_ROOM = 512 };

/** Every operation that is legal, then those of vtrc. Returns how many. */
size_t vcvt_operations(pto_vcvt_op ops[VCVT_OPS_ROOM]);

bool vcvt_is_vtrc(const pto_vcvt_op *op);

/** Source elements of one type, and the model's answers for one operation at a time. */
struct vcvt_fixture {
    struct cvt_values in;
    struct rng rng;
    pto_vcvt_op op;
    bool first_of_pair; /* the first operation between its two types */
    int part;           /* or MODEL_WHOLE */
    uint64_t *codes;    /* the answer for each element */
};

typedef void vcvt_visit(const struct subject *s, struct report *r, struct vcvt_fixture *w);

/** For each source type some `count` elements (0: all there are), and for each operation with that source call
 * `visit`; with `parts` once for each part that the operation has, otherwise once for the whole. */
void vcvt_fixture_each(const struct subject *s, struct report *r, const char *purpose, size_t count,
                       bool parts, vcvt_visit *visit);

/** The call that the fixture stands for. */
pto_status vcvt_fixture_call(const struct subject *s, const struct vcvt_fixture *w, const void *src,
                             pto_mask mask, void *dst, size_t n);

/** How many bytes source and result have. */
size_t vcvt_fixture_source_bytes(const struct vcvt_fixture *w, size_t n);
size_t vcvt_fixture_result_bytes(const struct vcvt_fixture *w, size_t n);

/** The result of a call whose source begins with element `first`; truth by source element. */
void vcvt_fixture_image(const struct vcvt_fixture *w, size_t first, size_t n, const unsigned char *truth,
                        unsigned char *image);

/** Status and every byte of the result. */
void vcvt_fixture_compare(struct report *r, const struct vcvt_fixture *w, size_t n, pto_status status,
                          const unsigned char *expected, const unsigned char *got);

/** Name the operation in the report, which spells it when there is a mismatch. */
void vcvt_fixture_describe(struct report *r, const struct vcvt_fixture *w, size_t n, const char *detail);

/** The kinds that go with the source, in turn; -1 in the place of one: no mask. */
int vcvt_kind_in_turn(const struct vcvt_fixture *w, size_t turn);

#endif
