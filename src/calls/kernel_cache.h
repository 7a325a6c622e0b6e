/* SPDX-License-Identifier: MIT */
/*
 * A cache of chosen kernels. Kernels have numbers, so that a cache entry fits a word that threads share atomically. A
 * kernel is numbered on first use. Its table entry is published before any cache word that refers to it.
 */
#ifndef PTO_CALLS_KERNEL_CACHE_H
#define PTO_CALLS_KERNEL_CACHE_H

#include <stdatomic.h>

#include "core/kernels.h"

enum { KERNEL_NUMBER_BITS = 10, KERNEL_NUMBERS = 1 << KERNEL_NUMBER_BITS };

typedef _Atomic(const void *) numbered_kernel;

/* Returns the number of `kernel`, which is a new one on first use, or KERNEL_NUMBERS if the table is full. */
static inline size_t number_of_kernel(numbered_kernel kernels[KERNEL_NUMBERS], const void *kernel) {
    for (size_t i = 0; i < KERNEL_NUMBERS; ++i) {
        const void *there = NULL;
        if (atomic_compare_exchange_strong(&kernels[i], &there, kernel) || there == kernel) return i;
    }
    return KERNEL_NUMBERS;
}

static ALWAYS_INLINE const void *kernel_by_number(numbered_kernel kernels[KERNEL_NUMBERS], size_t number) {
    return atomic_load_explicit(&kernels[number], memory_order_relaxed);
}

/* Returns the kernel of op, from the cache if it is there, or NULL if pto_cvt() does not take op. */
const struct cvt_kernel *pto_cached_cvt_kernel(const struct pto_kernels *k, pto_cvt_op op);

#endif
