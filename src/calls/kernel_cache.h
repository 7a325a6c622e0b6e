/* SPDX-License-Identifier: MIT */
/*
 * Helpers for caches of chosen kernels. A cache entry must fit a word that threads share atomically, so it holds a
 * kernel's number instead of its address. A kernel gets its number on first use. Its entry in the table of numbered
 * kernels is published before any cache word that has the number.
 */
#ifndef PTO_CALLS_KERNEL_CACHE_H
#define PTO_CALLS_KERNEL_CACHE_H

#include <stdatomic.h>

#include "core/kernels.h"

enum { KERNEL_NUMBER_BITS = 10, KERNEL_NUMBERS = 1 << KERNEL_NUMBER_BITS };

typedef _Atomic(const void *) numbered_kernel;

/* Returns the number of `kernel`, and gives it one on first use. Returns KERNEL_NUMBERS if the table is full. */
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

/* Returns the kernel of op, from the cache of pto_cvt() or newly chosen. Returns NULL if pto_cvt() does not take op. */
const struct cvt_kernel *pto_cached_cvt_kernel(const struct pto_kernels *k, pto_cvt_op op);

#endif
