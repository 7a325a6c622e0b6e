/* SPDX-License-Identifier: MIT */
/** @file vcvt_layout.h  Memory for calls of vcvt, and a call that checks its result and the memory around it. */
#ifndef PTO_TEST_VCVT_LAYOUT_H
#define PTO_TEST_VCVT_LAYOUT_H

#include "support/vcvt_fixture.h"

/** Guarded memory for each operand, the expected bytes, and the truth values of the mask. */
struct vcvt_layout {
    struct guarded src, dst, mask;
    unsigned char *expected, *truth;
};

void vcvt_layout_open(struct vcvt_layout *l);
void vcvt_layout_close(struct vcvt_layout *l);

/** The addresses of the operands of one call. */
struct vcvt_places {
    unsigned char *src, *dst, *mask;
};

/** Places each operand beside a guard page. */
struct vcvt_places vcvt_layout_beside(const struct vcvt_layout *l, const struct vcvt_fixture *w, size_t n,
                                      pto_mask_kind kind, enum place place);

/** Makes one call with a random mask, or without a mask if places->mask is NULL. Compares the result and checks the
 * margins around it. */
void vcvt_layout_run(const struct subject *s, struct report *r, struct vcvt_fixture *w, struct vcvt_layout *l,
                     const struct vcvt_places *places, pto_mask_kind kind, size_t n);

#endif
