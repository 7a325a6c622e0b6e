/* SPDX-License-Identifier: MIT */
/* Finds what is wrong with a form and describes it, for pto_cvt_explain() and similar functions, and for the parsers,
 * which also report the word at fault. */
#ifndef PTO_PTX_EXPLAIN_H
#define PTO_PTX_EXPLAIN_H

#include "pto/compare.h"
#include "ptx/cvt_forms.h"

enum cvt_fault_kind {
    CVT_FINE,
    CVT_BAD_DST,      /* no cvt has this destination type */
    CVT_BAD_SRC,      /* no cvt has this source type */
    CVT_BAD_PAIR,     /* no cvt has this pair of types */
    CVT_BAD_SPELLING, /* the pair is legal, but not with x1, x2 and x4 as written */
    CVT_BAD_ROUND,    /* the pair does not take this rounding */
    CVT_BAD_FLAGS     /* with this rounding, modifiers are missing or superfluous */
};

/* For CVT_BAD_FLAGS: the modifiers that the nearest legal form requires and op lacks (`missing`), and those that op has
 * and that form does not allow (`excess`). */
struct cvt_fault {
    enum cvt_fault_kind kind;
    unsigned missing, excess;
};

/* Returns what is wrong with op in this spelling. If `spelling` is NULL, every spelling and the composed pairs are
 * legal. */
struct cvt_fault pto_cvt_find_fault(pto_cvt_op op, const struct cvt_spelling *spelling);

/* Writes in words what is wrong with op and, if the text has space for it, what would be legal. */
void pto_cvt_write_fault(struct sink *s, pto_cvt_op op, const struct cvt_spelling *spelling,
                         const struct cvt_fault *fault);

/* Does the same for an illegal set or, with op.dtype == op.stype, an illegal setp. `word` is "set" or "setp", and
 * `status` is the status of op. */
void pto_set_write_fault(struct sink *s, const char *word, pto_set_op op, pto_status status);

#endif
