/* SPDX-License-Identifier: MIT */
/** @file cvt_forms.h  The conversions that NVIDIA's assembler accepts, from data/cvt_legal.json, and the operations
 * of pto_cvt(). */
#ifndef PTO_TEST_CVT_FORMS_H
#define PTO_TEST_CVT_FORMS_H

#include <pto/pto.h>

/** One spelling of a form. */
struct cvt_form {
    pto_cvt_op op;
    int lanes;        /* 1, 2 or 4: the scalar, x2 and x4 spellings */
    const char *text; /* modifiers in PTX's order: "cvt.rn.f16x2.f32" */
};

extern const struct cvt_form cvt_forms[];
extern const size_t cvt_forms_count;

/** The PTX version and target since which a form exists, from data/cvt_since.json. */
struct cvt_since {
    const char *text;
    int isa; /* 90 for 9.0 */
    const char *target;
};

/** Returns the row with exactly this text, or NULL. */
const struct cvt_since *cvt_since_of(const char *text);

/** The operations of pto_cvt(). */
enum { CVT_OPS_MAX = 2048 };
extern pto_cvt_op cvt_ops[CVT_OPS_MAX];

/** Returns how many operations cvt_ops has. The first call fills it from the library's own list, which check_forms.c
 * compares with the model. That takes seconds under an emulator, so tests that need no list must not do it. */
size_t cvt_ops_count(void);

#endif
