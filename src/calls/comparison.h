/* SPDX-License-Identifier: MIT */
/*
 * One comparison bound to a kernel of a backend: what every call that compares has in common. Inline, because
 * short calls are made of little else.
 */
#ifndef PTO_CALLS_COMPARISON_H
#define PTO_CALLS_COMPARISON_H

#include "core/fpenv.h"
#include "core/lowering.h"

struct comparison {
    compare_fn *kernel;
    u64 flip; /* the complement, if all ones */
    const struct compare_entry *entry;
    u8 element_bits; /* of a and b */
    bool scalar;     /* b is one element */
};

static inline u64 lowering_flip(const struct lowering *l) {
    return l->complement ? ~(u64)0 : 0;
}

/* The kernel that answers in this form; in the scalar form b is one element. */
static inline struct comparison bind(const struct lowering *l, const struct pto_kernels *k, bool scalar,
                                     enum mask_form result) {
    const struct compare_entry *entry = &k->compare[l->lane];
    const struct compare_kernels *kernels = entry->kernels;
    const struct comparison c = {scalar ? kernels->vs[result][l->basis] : kernels->vv[result][l->basis],
                                 lowering_flip(l), entry, l->element_bits, scalar};
    return c;
}

/* Truth of lanes i to i + lanes - 1. The FP state must be entered. */
static inline void comparison_run(const struct comparison *c, const void *a, const void *b, size_t i,
                                  void *mask, size_t lanes) {
    const size_t at = i * (c->element_bits / 8U);
    (void)c->kernel((const u8 *)a + at, c->scalar ? b : (const u8 *)b + at, mask, lanes, c->flip);
}

/* Whether there is nothing to enter or leave. */
static inline bool compare_is_ready(const struct compare_entry *entry) {
    return entry->quiet && (entry->fp == FP_ANY || fp_suits(entry->fp));
}

static inline fp_state compare_enter(const struct compare_entry *entry) {
    const fp_state none = {0};
    return compare_is_ready(entry) ? none : fp_enter(entry->fp);
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
    if (unlikely(!compare_is_ready(e))) return pto_compare_bracketed(e, c->kernel, a, b, mask, n, c->flip);
    return c->kernel(a, b, mask, n, c->flip);
}

#endif
