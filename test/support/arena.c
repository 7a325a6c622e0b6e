/* SPDX-License-Identifier: MIT */
/* Memory that a refused call must not change. */
#include "support/arena.h"

#include <string.h>

void arena_fill(struct arena *arena, const char *purpose) {
    struct rng rng;
    rng_start(&rng, purpose);
    rng_fill(&rng, arena->before, ARENA_SIZE);
    memcpy(arena->bytes, arena->before, ARENA_SIZE);
}

void arena_expect(struct report *r, struct arena *arena, pto_status got, pto_status want,
                  const char *detail) {
    r->cases++;
    r->now.detail = detail;
    report_status(r, got, want);
    if (want != PTO_OK && memcmp(arena->bytes, arena->before, ARENA_SIZE) != 0) {
        report_mismatch(r, "%s, yet something was written", status_name(got));
    }
    memcpy(arena->bytes, arena->before, ARENA_SIZE);
}
