/* SPDX-License-Identifier: MIT */
/*
 * A comparison bound to a kernel of a backend, which every call that compares uses. The functions are inline, because
 * they take a large part of the time of a short call.
 */
#ifndef PTO_CALLS_COMPARISON_H
#define PTO_CALLS_COMPARISON_H

#include "core/fpenv.h"
#include "core/lowering.h"

struct comparison {
    compare_fn *kernel;
    u64 flip; /* all ones to complement the result, otherwise 0 */
    const struct compare_entry *entry;
    u8 element_bits; /* width of the elements of a and b */
    bool scalar;     /* b is a single element */
};

static inline u64 lowering_flip(const struct lowering *l) {
    return l->complement ? ~(u64)0 : 0;
}

/* Binds a lowered comparison to the kernel that writes a mask stored as `result`. `scalar` means that b is a single
 * element. */
static inline struct comparison bind(const struct lowering *l, const struct pto_kernels *k, bool scalar,
                                     enum mask_storage result) {
    const struct compare_entry *entry = &k->compare[l->lane];
    const struct compare_kernels *kernels = entry->kernels;
    const struct comparison c = {scalar ? kernels->vs[result][l->relation] : kernels->vv[result][l->relation],
                                 lowering_flip(l), entry, l->element_bits, scalar};
    return c;
}

/* Writes the results of lanes i to i + lanes - 1 to `mask`. The caller must have called compare_enter(). */
static inline void comparison_run(const struct comparison *c, const void *a, const void *b, size_t i,
                                  void *mask, size_t lanes) {
    const size_t at = i * (c->element_bits / 8U);
    (void)c->kernel((const u8 *)a + at, c->scalar ? b : (const u8 *)b + at, mask, lanes, c->flip);
}

/* Returns whether the kernels can run in the current FP state, so that fp_enter() need not be called. */
static inline bool compare_is_ready(const struct compare_entry *entry) {
    return entry->raises_no_flags && (entry->fp == FP_ANY || fp_state_matches(entry->fp));
}

static inline fp_state compare_enter(const struct compare_entry *entry) {
    const fp_state none = {0};
    return compare_is_ready(entry) ? none : fp_enter(entry->fp);
}

static inline void compare_leave(const struct compare_entry *entry, fp_state saved) {
    if (entry->raises_no_flags)
        fp_leave_without_flags(saved);
    else
        fp_leave(saved);
}

/* Enters the FP state, runs the comparison and restores the state. */
pto_status pto_compare_bracketed(const struct compare_entry *entry, compare_fn *kernel, const void *a,
                                 const void *b, void *mask, size_t n, u64 flip);

/* Writes the results of all n lanes to `mask`, in any FP state. If no state has to be entered, this is a tail call of
 * the kernel, so that a short call need not save registers. */
static inline pto_status comparison_run_all(const struct comparison *c, const void *a, const void *b,
                                            void *mask, size_t n) {
    const struct compare_entry *e = c->entry;
    if (unlikely(!compare_is_ready(e))) return pto_compare_bracketed(e, c->kernel, a, b, mask, n, c->flip);
    return c->kernel(a, b, mask, n, c->flip);
}

#endif
