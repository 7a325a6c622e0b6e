/* SPDX-License-Identifier: MIT */
/* How a conversion's loop becomes a kernel. */
#ifndef PTO_LOOPS_CONVERT_KERNEL_H
#define PTO_LOOPS_CONVERT_KERNEL_H

#include "core/kernels.h"

/* A loop and its entry in the tables. The step stands here alone, so a loop of longer steps than its callers
 * heed cannot be written down; one that counts for itself does so by the same constant. */
#define CVT_KERNEL(name, step, fp, ...)                                                                      \
    _Static_assert((size_t)(step) <= CVT_LONGEST_STEP && ((step) & ((step)-1)) == 0,                         \
                   "see struct cvt_kernel");                                                                 \
    static void run_##name(const pto_cvt_op *op, const void *src, void *dst, const void *extra, size_t n) {  \
        (void)op, (void)extra;                                                                               \
        __VA_ARGS__;                                                                                         \
    }                                                                                                        \
    static const struct cvt_kernel name = {run_##name, step, fp};

#endif
