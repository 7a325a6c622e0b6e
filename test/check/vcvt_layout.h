/* SPDX-License-Identifier: MIT */
/** @file vcvt_layout.h  Calls of vcvt in places of memory: their results, and what lies around them. */
#ifndef PTO_TEST_VCVT_LAYOUT_H
#define PTO_TEST_VCVT_LAYOUT_H

#include "support/vcvt_fixture.h"

/** A copy of each operand in guarded memory. */
struct vcvt_layout {
    struct guarded src, dst, mask;
    unsigned char *expected, *truth;
};

void vcvt_layout_open(struct vcvt_layout *l);
void vcvt_layout_close(struct vcvt_layout *l);

/** Where the operands of a call lie. */
struct vcvt_places {
    unsigned char *src, *dst, *mask;
};

/** Each beside a guard page. */
struct vcvt_places vcvt_layout_beside(const struct vcvt_layout *l, const struct vcvt_fixture *w, size_t n,
                                      pto_mask_kind kind, enum place place);

/** One call with n lanes that are on and off by chance, or with no mask where places->mask is NULL; its result
 * and what lies around it. */
void vcvt_layout_run(const struct subject *s, struct report *r, struct vcvt_fixture *w, struct vcvt_layout *l,
                     const struct vcvt_places *places, pto_mask_kind kind, size_t n);

#endif
