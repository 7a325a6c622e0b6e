/* SPDX-License-Identifier: MIT */
/* Comparisons that must enter an FP state first. They are rare, so this is not inline in comparison.h. */
#include "calls/comparison.h"

pto_status pto_compare_bracketed(const struct compare_entry *entry, compare_fn *kernel, const void *a,
                                 const void *b, void *mask, size_t n, u64 flip) {
    const fp_state saved = compare_enter(entry);
    const pto_status status = kernel(a, b, mask, n, flip);
    compare_leave(entry, saved);
    return status;
}
