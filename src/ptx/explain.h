/* SPDX-License-Identifier: MIT */
/* What is wrong with a form, and how to say it: for pto_cvt_explain and its like, and for the parsers, which
 * point at the word. */
#ifndef PTO_PTX_EXPLAIN_H
#define PTO_PTX_EXPLAIN_H

#include "pto/compare.h"
#include "ptx/cvt_forms.h"

enum cvt_fault_kind {
    CVT_FINE,
    CVT_BAD_DST, /* no cvt has this destination; BAD_SRC: no cvt this source */
    CVT_BAD_SRC,
    CVT_BAD_PAIR,
    CVT_BAD_SPELLING, /* PTX has the pair, but not as x1, x2 or x4 as it is written */
    CVT_BAD_ROUND,
    CVT_BAD_FLAGS
};

/* Of the flags: those that the nearest legal form has and this one has not, and the other way round. */
struct cvt_fault {
    enum cvt_fault_kind kind;
    unsigned missing, excess;
};

/* In this spelling; NULL: in any, and composed pairs are fine. */
struct cvt_fault pto_cvt_find_fault(pto_cvt_op op, const struct cvt_spelling *spelling);

/* The fault in words and, where there is room, what would be legal. */
void pto_cvt_say_fault(struct sink *s, pto_cvt_op op, const struct cvt_spelling *spelling,
                       const struct cvt_fault *fault);

/* The same of set and, with op.dtype == op.stype and the word "setp", of setp. `status` is what is wrong. */
void pto_set_say_fault(struct sink *s, const char *word, pto_set_op op, pto_status status);

#endif
