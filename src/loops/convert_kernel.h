/* SPDX-License-Identifier: MIT */
/* Defines a conversion kernel from a loop. */
#ifndef PTO_LOOPS_CONVERT_KERNEL_H
#define PTO_LOOPS_CONVERT_KERNEL_H

#include "core/kernels.h"

/* Defines run_NAME, which runs the given statement, and NAME, its struct cvt_kernel. Callers pass multiples of
 * `granule` elements. `granule` is written only here, where it is checked against CVT_MAX_GRANULE. A loop that
 * needs the value itself must use the same constant. */
#define CVT_KERNEL(name, granule, fp, ...)                                                                   \
    _Static_assert((size_t)(granule) <= CVT_MAX_GRANULE && ((granule) & ((granule)-1)) == 0,                 \
                   "a granule must be a power of two, at most CVT_MAX_GRANULE");                             \
    static void run_##name(const pto_cvt_op *op, const void *src, void *dst, const void *extra, size_t n) {  \
        (void)op, (void)extra;                                                                               \
        __VA_ARGS__;                                                                                         \
    }                                                                                                        \
    static const struct cvt_kernel name = {run_##name, granule, fp};

#endif
