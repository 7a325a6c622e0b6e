/* SPDX-License-Identifier: MIT */
/** @file slide.h  Slides a result past an operand byte by byte, to test which positions are refused. */
#ifndef PTO_TEST_SLIDE_H
#define PTO_TEST_SLIDE_H

#include "support/arena.h"
#include "support/subject.h"

enum { SLIDE_HOME = 1024 }; /* offset of the operand in the arena */

/** The sizes of the operand and of dst, which slides past it. */
struct slide {
    size_t operand_bytes;
    size_t dst_bytes;
    bool in_place; /* whether dst may have the operand's address */
};

typedef pto_status slide_call(const struct subject *s, const void *context, unsigned char *operand,
                              unsigned char *dst);

/** Makes the call once for each position of dst, from just before the operand to just after it. Checks the status and
 * the memory after each call. */
void slide_past(const struct subject *s, struct report *r, struct arena *arena, const struct slide *slide,
                slide_call *call, const void *context, const char *detail);

#endif
