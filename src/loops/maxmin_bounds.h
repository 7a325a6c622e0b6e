/* SPDX-License-Identifier: MIT */
/* What is known about the two scalar bounds of a clamp. Kernels get it in one integer with the operation. Each
 * lane type defines what its values mean. */
#ifndef PTO_LOOPS_MAXMIN_BOUNDS_H
#define PTO_LOOPS_MAXMIN_BOUNDS_H

#include "core/common.h"

enum bounds { BOUNDS_ANY = 0, BOUNDS_PLAIN = 64, BOUNDS_AROUND_ZERO = 128, EVERY_BOUNDS = 192 };

/*
 * Returns BOUNDS_PLAIN if both bounds are positive and lo <= hi. Their order is then that of two's complement,
 * with negative halves below them. Returns BOUNDS_AROUND_ZERO if lo is negative and hi is positive. Otherwise,
 * or if a bound is a NaN, returns BOUNDS_ANY. Zeros count by their sign.
 */
static ALWAYS_INLINE enum bounds half_bounds(s16 infinity, const u8 *at_lo, const u8 *at_hi) {
    const s16 lo = (s16)load_bytes(at_lo, 2), hi = (s16)load_bytes(at_hi, 2);
    if (hi < 0 || hi > infinity) return BOUNDS_ANY;
    if (lo >= 0) return lo <= hi ? BOUNDS_PLAIN : BOUNDS_ANY;
    return (lo & INT16_MAX) <= infinity ? BOUNDS_AROUND_ZERO : BOUNDS_ANY;
}

#endif
