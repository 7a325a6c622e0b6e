/* SPDX-License-Identifier: MIT */
/** @file cvt_examples.h  Known results of cvt: for single elements, and for whole registers with .rs. */
#ifndef PTO_TEST_CVT_EXAMPLES_H
#define PTO_TEST_CVT_EXAMPLES_H

#include "support/cvt_forms.h"

enum { CVT_EXAMPLES = 591, CVT_EXAMPLES_RS = 6 };

struct cvt_example {
    const struct cvt_form *form; /* NULL if the form is not in cvt_forms */
    uint64_t input, output;
    uint32_t scale; /* the scale byte, for a form with a scale */
};

/** Example number i of CVT_EXAMPLES. */
struct cvt_example cvt_example(size_t i);

/** One instruction with .rs whose inputs are all equal. `output` is the packed destination register. */
struct cvt_example_rs {
    const char *form;
    uint32_t input, rbits, output;
};
extern const struct cvt_example_rs cvt_examples_rs[CVT_EXAMPLES_RS];

/** Returns the form with exactly this text, or NULL. */
const struct cvt_form *cvt_form_named(const char *text, size_t length);

#endif
