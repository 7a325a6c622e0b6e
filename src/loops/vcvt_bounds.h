/* SPDX-License-Identifier: MIT */
/* Bounds in f32, and NaNs, of PTO's conversions, for backends that round with the rounding modes of their
 * instructions. */
#ifndef PTO_LOOPS_VCVT_BOUNDS_H
#define PTO_LOOPS_VCVT_BOUNDS_H

#include "core/vcvt.h"
#include "loops/convert_bounds.h"

static ALWAYS_INLINE bool vcvt_stays_finite(pto_dtype dst, bool sat) {
    return sat || cvt_format_of(dst).specials == SPECIALS_NONE;
}

/* Returns the magnitude, as f32 bits, that sources are clamped to. PTO overflows after rounding with an
 * unbounded exponent. So sources that overflow are clamped to the first value that the format lacks, whose code
 * is that of infinity. In e4m3 that code is a NaN, which has no sign here. */
static ALWAYS_INLINE u32 vcvt_bound_of(pto_dtype dst, bool sat) {
    const struct round_by_add a = round_by_add_of(cvt_format_of(dst));
    return (u32)a.largest_finite + (vcvt_stays_finite(dst, sat) ? 0 : (u32)1 << a.dropped_bits);
}

static ALWAYS_INLINE u64 vcvt_nan_of(pto_dtype dst, bool sat) {
    return vcvt_stays_finite(dst, sat) ? 0 : vcvt_nan(dst);
}

enum { E4M3_OVERFLOW = 0xff, E4M3_NAN = 0x7f };

#endif
