/* SPDX-License-Identifier: MIT */
/** @file arena.h  Memory that a refused call must not change. */
#ifndef PTO_TEST_ARENA_H
#define PTO_TEST_ARENA_H

#include "support/harness.h"

enum { ARENA_SIZE = 4096 };

struct arena {
    unsigned char bytes[ARENA_SIZE];
    unsigned char before[ARENA_SIZE];
};

void arena_fill(struct arena *arena, const char *purpose);

/** Checks that `got` is `want` and, if it is an error, that the arena is unchanged. Then restores the arena. */
void arena_expect(struct report *r, struct arena *arena, pto_status got, pto_status want, const char *detail);

#endif
