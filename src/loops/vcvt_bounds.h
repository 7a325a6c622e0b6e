/* SPDX-License-Identifier: MIT */
/* What PTO's forms make bounds and NaNs of, for backends that round in f32 by the instructions' own rounding. */
#ifndef PTO_LOOPS_VCVT_BOUNDS_H
#define PTO_LOOPS_VCVT_BOUNDS_H

#include "core/vcvt.h"
#include "loops/convert_bounds.h"

static ALWAYS_INLINE bool vcvt_stays_finite(pto_dtype dst, bool sat) {
    return sat || cvt_format_of(dst).specials == SPECIALS_NONE;
}

/* PTO's overflow comes after rounding with an unbounded exponent. So what overflows is brought to the first number that
 * the format lacks, whose code is the infinity's; in e4m3 that is the NaN's, which has no sign here. */
static ALWAYS_INLINE u32 vcvt_bound_of(pto_dtype dst, bool sat) {
    const struct adder a = adder_of(cvt_format_of(dst));
    return (u32)a.largest + (vcvt_stays_finite(dst, sat) ? 0 : (u32)1 << a.cut);
}

static ALWAYS_INLINE u64 vcvt_nan_of(pto_dtype dst, bool sat) {
    return vcvt_stays_finite(dst, sat) ? 0 : vcvt_nan(dst);
}

enum { E4M3_OVERFLOW = 0xff, E4M3_NAN = 0x7f };

#endif
