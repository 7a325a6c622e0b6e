/* SPDX-License-Identifier: MIT */
/*
 * One comparison resolved to a kernel of the active backend: what every call that compares has in common.
 * Inline, because short calls are made of little else.
 */
#ifndef PTO_SRC_COMPARISON_H
#define PTO_SRC_COMPARISON_H

#include "dtype.h"
#include "fpenv.h"
#include "pto/types.h"

/* Which operands are arrays and which one element: a and b, a alone, b alone. */
enum operand_form { FORM_VV, FORM_VS, FORM_SV };

struct comparison {
    compare_fn *kernel;
    u64 flip; /* the complement, if all ones */
    const struct compare_entry *entry;
    u8 element_bytes; /* of a and b */
    u8 form;          /* enum operand_form */
    u8 swap;          /* the kernel takes (b, a) */
    u8 basis;
};

/* How an operator is made: a basis relation, perhaps complemented. */
struct lowering {
    u8 legal, basis, complement;
};

enum { CMPS = PTO_NAN + 1 };

/* By enum dtype_class and operator. */
extern const struct lowering pto_lowerings[DTYPE_CLASSES][CMPS];

/* a R b is b R' a. */
static inline unsigned mirrored(unsigned basis) {
    switch (basis) {
    case BASIS_LT: return BASIS_GT;
    case BASIS_LE: return BASIS_GE;
    case BASIS_GT: return BASIS_LT;
    case BASIS_GE: return BASIS_LE;
    default: return basis;
    }
}

/* Have a comparison, otherwise complete, give its result in this form. */
static inline void comparison_give(struct comparison *c, enum mask_form result) {
    const struct compare_kernels *k = c->entry->kernels;
    c->kernel = c->form == FORM_VV ? k->vv[result][c->basis] : k->vs[result][c->basis];
}

/*
 * Resolve. PTO_ERR_OP: the type does not have the operator; PTO_ERR_MODIFIER: the type does not flush.
 * The operator is checked first, as everywhere.
 */
static inline pto_status comparison_make(struct comparison *c, const struct pto_kernels *k,
                                         const struct dtype_info *type, pto_cmp op, bool ftz,
                                         enum operand_form form, enum mask_form result) {
    struct lowering l;
    unsigned basis;

    if ((unsigned)op >= CMPS) return PTO_ERR_OP;
    l = pto_lowerings[type->class][op];
    if (!l.legal) return PTO_ERR_OP;
    if (ftz && type->lane_ftz == LANE_NONE) return PTO_ERR_MODIFIER;
    basis = l.basis;
    /* Kernels of two vectors have no GT and GE, those of a scalar have it on the right. */
    c->swap = form == FORM_SV || (form == FORM_VV && (basis == BASIS_GT || basis == BASIS_GE));
    if (c->swap) basis = mirrored(basis);
    c->entry = &k->compare[ftz ? type->lane_ftz : type->lane];
    c->flip = -(u64)l.complement;
    c->element_bytes = type->bits / 8;
    c->form = (u8)form;
    c->basis = (u8)basis;
    comparison_give(c, result);
    return PTO_OK;
}

/* Truth of lanes i to i + lanes - 1. The FP state must be entered. */
static inline void comparison_run(const struct comparison *c, const void *a, const void *b, size_t i,
                                  void *mask, size_t lanes) {
    const u8 *x = c->form == FORM_SV ? a : (const u8 *)a + i * c->element_bytes;
    const u8 *y = c->form == FORM_VS ? b : (const u8 *)b + i * c->element_bytes;
    c->kernel(c->swap ? y : x, c->swap ? x : y, mask, lanes, c->flip);
}

static inline fp_state comparison_enter(const struct comparison *c) {
    fp_state none = {0};
    return c->entry->fp == FP_ANY ? none : fp_enter(c->entry->fp);
}

static inline void comparison_leave(const struct comparison *c, fp_state saved) {
    if (c->entry->fp == FP_ANY) return;
    if (c->entry->quiet)
        fp_leave_quiet(saved, c->entry->fp);
    else
        fp_leave(saved);
}

#endif
