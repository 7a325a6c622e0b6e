/* SPDX-License-Identifier: MIT */
/* Runs a comparison that must enter an FP state first. Such comparisons are rare, so this function is not inline in
 * comparison.h. */
#include "calls/comparison.h"

pto_status pto_compare_bracketed(const struct compare_entry *entry, compare_fn *kernel, const void *a,
                                 const void *b, void *mask, size_t n, u64 flip) {
    const fp_state saved = compare_enter(entry);
    const pto_status status = kernel(a, b, mask, n, flip);
    compare_leave(entry, saved);
    return status;
}
