/* SPDX-License-Identifier: MIT */
/*
 * Choices that are kept between calls. Kernels have numbers, so that a choice among them fits a word that threads share. They
 * are numbered as they come; what a number stands for is written before any word that has it.
 */
#ifndef PTO_CALLS_KEPT_H
#define PTO_CALLS_KEPT_H

#include <stdatomic.h>

#include "core/kernels.h"

enum { NUMBER_BITS = 10, NUMBERED = 1 << NUMBER_BITS };

typedef _Atomic(const void *) numbered_kernel;

/* Its number among these, a new one if it has none; NUMBERED where there is no room. */
static inline size_t number_of(numbered_kernel kernels[NUMBERED], const void *kernel) {
    for (size_t i = 0; i < NUMBERED; ++i) {
        const void *there = NULL;
        if (atomic_compare_exchange_strong(&kernels[i], &there, kernel) || there == kernel) return i;
    }
    return NUMBERED;
}

static ALWAYS_INLINE const void *kernel_numbered(numbered_kernel kernels[NUMBERED], size_t number) {
    return atomic_load_explicit(&kernels[number], memory_order_relaxed);
}

/* The kernel for an op that pto_cvt takes. */
const struct cvt_kernel *pto_kept_cvt_kernel(const struct pto_kernels *k, pto_cvt_op op);

#endif
