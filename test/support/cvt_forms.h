/* SPDX-License-Identifier: MIT */
/** @file cvt_forms.h  The conversions that NVIDIA's assembler takes, from data/cvt_legal.json. */
#ifndef PTO_TEST_CVT_FORMS_H
#define PTO_TEST_CVT_FORMS_H

#include <pto/pto.h>

enum { CVT_FORMS = 901 };

/** One spelling. */
struct cvt_form {
    pto_cvt_op op;
    int lanes;        /* 1, 2 or 4: the scalar, x2 and x4 spellings */
    const char *text; /* modifiers in PTX's order: "cvt.rn.f16x2.f32" */
};

extern const struct cvt_form cvt_forms[];
extern const size_t cvt_forms_count;

/** The operations that those spell, each once; behind them, from cvt_ops_legal on, the composed ones. */
extern const pto_cvt_op cvt_ops[];
extern const size_t cvt_ops_legal;
extern const size_t cvt_ops_count;

#endif
