/* SPDX-License-Identifier: MIT */
/* Rarely used parts of max, min and clamp kernels. All kernels of a file share them, and pass themselves as
 * `all`. */
#ifndef PTO_LOOPS_MAXMIN_OPERANDS_H
#define PTO_LOOPS_MAXMIN_OPERANDS_H

#include "core/maxmin.h"
#include "loops/walk.h"

/* Computes `head` bytes of the result, then the lanes after them. */
static NOINLINE void maxmin_after_head(maxmin_fn *all, unsigned what, size_t element_bytes, size_t head,
                                       const struct sources *c, void *dst, size_t n) {
    const struct sources after = walk_after(maxmin_operands(what), c, head);
    const size_t lanes = head / element_bytes;
    all(what, c, dst, lanes);
    all(what, &after, (u8 *)dst + head, n - lanes);
}

/* Computes the maximum or minimum of two scalars once, and fills dst with it. */
static NOINLINE void maxmin_of_scalars(maxmin_fn *all, unsigned what, size_t element_bytes,
                                       const struct sources *c, void *dst, size_t n) {
    u64 element = 0;
    all(what, c, &element, 1);
    switch (element_bytes) {
    case 1: walk_fill(1, &element, dst, n); break;
    case 2: walk_fill(2, &element, dst, n); break;
    case 4: walk_fill(4, &element, dst, n); break;
    default: walk_fill(8, &element, dst, n); break;
    }
}

#endif
