/* SPDX-License-Identifier: MIT */
/* Software prefetching of sources. */
#ifndef PTO_CORE_FETCH_H
#define PTO_CORE_FETCH_H

#include "core/common.h"

/* The prefetch distance in bytes, and the smallest number of elements for which a call prefetches. With fewer
 * elements the source is mostly in a cache. */
enum { FETCHED_AHEAD = 2048, FETCHED_FROM = 1 << 18 };

/*
 * Whether this CPU's hardware prefetcher is too late for loops that compute much per element. Intel CPUs are assumed
 * to be: on one with 480 MiB of L3 (family 6, model 167), software prefetching cut the time of f32 to small formats at
 * 64 MiB to two thirds or less. AMD CPUs are not: on a Zen 5, bf16 and f32 to e4m3 took longer with it.
 */
bool pto_cpu_fetches_late(void);

/* Whether a call on n elements prefetches. */
static ALWAYS_INLINE bool fetches_ahead(size_t n) {
    return n >= FETCHED_FROM && pto_cpu_fetches_late();
}

static ALWAYS_INLINE void fetch(const u8 *from, size_t bytes) {
    UNROLL for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(from + i);
}

#endif
