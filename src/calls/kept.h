/* SPDX-License-Identifier: MIT */
/*
 * A cache of chosen kernels. Kernels have numbers, so that a cache entry fits a word that threads share atomically. A
 * kernel is numbered on first use. Its table entry is published before any cache word that refers to it.
 */
#ifndef PTO_CALLS_KEPT_H
#define PTO_CALLS_KEPT_H

#include <stdatomic.h>

#include "core/kernels.h"

enum { NUMBER_BITS = 10, NUMBERED = 1 << NUMBER_BITS };

typedef _Atomic(const void *) numbered_kernel;

/* Returns the number of `kernel`, which is a new one on first use, or NUMBERED if the table is full. */
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

/* Returns the kernel of op, from the cache if it is there, or NULL if pto_cvt() does not take op. */
const struct cvt_kernel *pto_kept_cvt_kernel(const struct pto_kernels *k, pto_cvt_op op);

#endif
