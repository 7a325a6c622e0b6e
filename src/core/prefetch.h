/* SPDX-License-Identifier: MIT */
/* Software prefetching of sources. */
#ifndef PTO_CORE_PREFETCH_H
#define PTO_CORE_PREFETCH_H

#include "core/common.h"

/* The prefetch distance in bytes, and the smallest number of elements for which a call prefetches. With fewer
 * elements the source is mostly in a cache. */
enum { PREFETCH_DISTANCE = 2048, PREFETCH_MIN_ELEMENTS = 1 << 18 };

/*
 * Returns whether this CPU's hardware prefetcher is too late for loops that compute much per element. Returns true on
 * Intel CPUs: on one with 480 MiB of L3 (family 6, model 167), software prefetching cut the time of f32 to small
 * formats at 64 MiB to two thirds or less. Returns false on AMD CPUs: on a Zen 5, bf16 and f32 to e4m3 took longer with
 * software prefetching.
 */
bool pto_cpu_needs_prefetch(void);

/* Returns whether a call on n elements should prefetch its source. */
static ALWAYS_INLINE bool should_prefetch(size_t n) {
    return n >= PREFETCH_MIN_ELEMENTS && pto_cpu_needs_prefetch();
}

static ALWAYS_INLINE void prefetch(const u8 *from, size_t bytes) {
    UNROLL for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(from + i);
}

#endif
