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

struct comparison {
    compare_fn *kernel;
    u64 flip; /* the complement, if all ones */
    const struct compare_entry *entry;
    u8 element_bits; /* of a and b */
    bool scalar;     /* b is one element */
    u8 basis;
};

/* How an operator is made, in one byte: from a basis relation, perhaps complemented. 0: the type has no such
 * operator. */
enum { LOWERED_TO = 0x0f, LOWERED = 0x10, LOWERED_COMPLEMENT = 0x20 };

enum { CMPS = PTO_NAN + 1, CMPS_ROOM = 32 };

/* By enum dtype_class and operator. */
extern const u8 pto_lowerings[DTYPE_CLASSES][CMPS_ROOM];

/* Have a comparison give its result in this form: the last thing that it needs before it can run. */
static inline void comparison_give(struct comparison *c, enum mask_form result) {
    const struct compare_kernels *k = c->entry->kernels;
    c->kernel = c->scalar ? k->vs[result][c->basis] : k->vv[result][c->basis];
}

/*
 * Resolve all but the form of the result. PTO_ERR_OP: the type does not have the operator; PTO_ERR_MODIFIER:
 * the type does not flush. The operator is checked first, as everywhere.
 */
static inline pto_status comparison_make(struct comparison *c, const struct pto_kernels *k,
                                         const struct dtype_info *type, pto_cmp op, bool ftz, bool scalar) {
    unsigned lowering, lane = type->lane;

    if (rare((unsigned)op >= CMPS)) return PTO_ERR_OP;
    lowering = pto_lowerings[type->class][op];
    if (rare(lowering == 0)) return PTO_ERR_OP;
    if (ftz) {
        lane = type->lane_ftz;
        if (rare(lane == LANE_NONE)) return PTO_ERR_MODIFIER;
    }
    c->entry = &k->compare[lane];
    c->flip = (lowering & LOWERED_COMPLEMENT) != 0 ? ~(u64)0 : 0;
    c->element_bits = type->bits;
    c->scalar = scalar;
    c->basis = lowering & LOWERED_TO;
    return PTO_OK;
}

/* Truth of lanes i to i + lanes - 1. The FP state must be entered. */
static inline void comparison_run(const struct comparison *c, const void *a, const void *b, size_t i,
                                  void *mask, size_t lanes) {
    const size_t at = i * (c->element_bits / 8U);
    c->kernel((const u8 *)a + at, c->scalar ? b : (const u8 *)b + at, mask, lanes, c->flip);
}

static inline fp_state compare_enter(const struct compare_entry *entry) {
    const fp_state none = {0};
    return entry->fp == FP_ANY ? none : fp_enter(entry->fp);
}

static inline void compare_leave(const struct compare_entry *entry, fp_state saved) {
    if (entry->quiet)
        fp_leave_quiet(saved);
    else
        fp_leave(saved);
}

/* A comparison with the FP state entered and left. */
pto_status pto_compare_bracketed(const struct compare_entry *entry, compare_fn *kernel, const void *a,
                                 const void *b, void *mask, size_t n, u64 flip);

/* Truth of all n lanes, the FP state being as it may. Where nothing has to be entered or left this is the
 * kernel alone, so that a short call need not save a register. */
static inline pto_status comparison_whole(const struct comparison *c, const void *a, const void *b,
                                          void *mask, size_t n) {
    const struct compare_entry *e = c->entry;
    if (rare(!e->quiet) || (e->fp != FP_ANY && rare(!fp_is(e->fp))))
        return pto_compare_bracketed(e, c->kernel, a, b, mask, n, c->flip);
    return c->kernel(a, b, mask, n, c->flip);
}

#endif
