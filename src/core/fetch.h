/* SPDX-License-Identifier: MIT */
/* Memory asked for ahead of its use. */
#ifndef PTO_CORE_FETCH_H
#define PTO_CORE_FETCH_H

#include "core/common.h"

/* How far, in bytes, and the least elements of a call that does it: of fewer the source is mostly in a cache. */
enum { FETCHED_AHEAD = 2048, FETCHED_FROM = 1 << 18 };

/*
 * Whether this CPU by itself asks memory too late for what a loop reads that computes for long. Intel's are taken to, as
 * was seen on one with 480 MiB of L3 (family 6, model 167): small formats from f32 take two thirds of their time at 64 MiB
 * by asking, or less. AMD's are not: on a Zen 5 e4m3 from bf16 and f32 took longer by it.
 */
bool pto_cpu_fetches_late(void);

/* Whether a call of so many elements asks. */
static ALWAYS_INLINE bool fetches_ahead(size_t n) {
    return n >= FETCHED_FROM && pto_cpu_fetches_late();
}

static ALWAYS_INLINE void fetch(const u8 *from, size_t bytes) {
    UNROLL for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch(from + i);
}

#endif
