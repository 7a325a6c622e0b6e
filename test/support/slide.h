/* SPDX-License-Identifier: MIT */
/** @file slide.h  A result that slides past an operand, byte by byte: where it may lie and where not. */
#ifndef PTO_TEST_SLIDE_H
#define PTO_TEST_SLIDE_H

#include "support/arena.h"
#include "support/subject.h"

enum { SLIDE_HOME = 1024 }; /* the operand's place in the arena */

/** Where dst lies against the operand that it slides past. */
struct slide {
    size_t operand_bytes;
    size_t dst_bytes;
    bool in_place; /* whether the very same address is allowed */
};

typedef pto_status slide_call(const struct subject *s, const void *context, unsigned char *operand,
                              unsigned char *dst);

/** Call with dst from just before the operand to just behind it, and check status and memory each time. */
void slide_past(const struct subject *s, struct report *r, struct arena *arena, const struct slide *slide,
                slide_call *call, const void *context, const char *detail);

#endif
