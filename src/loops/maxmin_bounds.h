/* SPDX-License-Identifier: MIT */
/* What is known of the two scalars that a clamp is between, beside what is asked of it; the lane type says of what. */
#ifndef PTO_LOOPS_MAXMIN_BOUNDS_H
#define PTO_LOOPS_MAXMIN_BOUNDS_H

#include "core/common.h"

enum bounds { BOUNDS_ANY = 0, BOUNDS_PLAIN = 64, BOUNDS_APART = 128, EVERY_BOUNDS = 192 };

/*
 * Numbers alone, in order: BOUNDS_PLAIN if they are both positive, where the order of numbers and that of two's complement
 * are one and negatives below it; BOUNDS_APART if lo is negative and hi positive.
 */
static ALWAYS_INLINE enum bounds half_bounds(s16 infinity, const u8 *at_lo, const u8 *at_hi) {
    const s16 lo = (s16)load_bytes(at_lo, 2), hi = (s16)load_bytes(at_hi, 2);
    if (hi < 0 || hi > infinity) return BOUNDS_ANY;
    if (lo >= 0) return lo <= hi ? BOUNDS_PLAIN : BOUNDS_ANY;
    return (lo & INT16_MAX) <= infinity ? BOUNDS_APART : BOUNDS_ANY;
}

#endif
