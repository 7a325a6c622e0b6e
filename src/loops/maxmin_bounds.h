/* SPDX-License-Identifier: MIT */
/* Classes of the two scalar bounds of a clamp, for which there are shorter loops. A kernel gets the enum bounds ORed
 * with the operation, in its argument `what`. Each lane type defines what the values mean. */
#ifndef PTO_LOOPS_MAXMIN_BOUNDS_H
#define PTO_LOOPS_MAXMIN_BOUNDS_H

#include "core/common.h"

enum bounds { BOUNDS_ANY = 0, BOUNDS_PLAIN = 64, BOUNDS_AROUND_ZERO = 128, EVERY_BOUNDS = 192 };

/*
 * Returns BOUNDS_PLAIN if both bounds are positive and lo <= hi. Halves then compare with the bounds as signed integers
 * do, because negative halves are below both. Returns BOUNDS_AROUND_ZERO if lo is negative and hi is positive.
 * Otherwise, or if a bound is a NaN, returns BOUNDS_ANY. +0 counts as positive, and -0 as negative.
 */
static ALWAYS_INLINE enum bounds half_bounds(s16 infinity, const u8 *at_lo, const u8 *at_hi) {
    const s16 lo = (s16)load_bytes(at_lo, 2), hi = (s16)load_bytes(at_hi, 2);
    if (hi < 0 || hi > infinity) return BOUNDS_ANY;
    if (lo >= 0) return lo <= hi ? BOUNDS_PLAIN : BOUNDS_ANY;
    return (lo & INT16_MAX) <= infinity ? BOUNDS_AROUND_ZERO : BOUNDS_ANY;
}

#endif
