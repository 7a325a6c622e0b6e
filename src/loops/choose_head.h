/* SPDX-License-Identifier: MIT */
/* Starts a long run of a choose kernel, so that the rest is aligned. All kernels of a file share this
 * function. */
#ifndef PTO_LOOPS_CHOOSE_HEAD_H
#define PTO_LOOPS_CHOOSE_HEAD_H

#include "loops/walk.h"

/* Computes `head` bytes of the result of `choose`, then the lanes after them. */
static NOINLINE void choose_after_head(choose_fn *choose, size_t element_bytes, size_t head,
                                       const struct sources *c, void *dst, size_t n) {
    const struct sources after = walk_after(WALK_OPERANDS, c, head);
    const size_t lanes = head / element_bytes;
    choose(c, dst, lanes);
    choose(&after, (u8 *)dst + head, n - lanes);
}

#endif
