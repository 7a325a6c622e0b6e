/* SPDX-License-Identifier: MIT */
/* The SVE backend's kernels for max, min, clamp and relu. */
#include "core/maxmin.h"

#include "loops/maxmin_bounds.h"
#include "sve/walk.h"

#define ISA sve

/* ---- integers ---- */

#define INTEGERS(lane)                                                                                       \
    static ALWAYS_INLINE svuint8_t minmax_##lane(bool max, svuint8_t a, svuint8_t b) {                       \
        const sv##lane##_lanes x = svreinterpret_##lane##_u8(a), y = svreinterpret_##lane##_u8(b);           \
        return svreinterpret_u8(max ? svmax_x(svptrue_b8(), x, y) : svmin_x(svptrue_b8(), x, y));            \
    }
INTEGERS(u8)
INTEGERS(u16)
INTEGERS(u32)
INTEGERS(u64)
INTEGERS(s8)
INTEGERS(s16)
INTEGERS(s32)
INTEGERS(s64)
#undef INTEGERS

/* ---- floats ---- */

#define LANE     f16
#define WIDTH    16
#define NAN_BITS 0x7fff
#define SMALLEST (float16_t)0x1p-14f
#include "sve/maxmin_float.h"

#define LANE     f32
#define WIDTH    32
#define NAN_BITS 0x7fffffff
#define SMALLEST 0x1p-126f
#include "sve/maxmin_float.h"

#define LANE     f64
#define WIDTH    64
#define NAN_BITS 0x7fffffffffffffff
#define SMALLEST 0x1p-1022
#include "sve/maxmin_float.h"

/* ---- f16 and bf16 clamped between scalars, by integer operations ---- */

enum { F16_INFINITY = 0x7c00, HALF_NAN = 0x7fff };

/* Works like half_clamp_scalars() of loops/maxmin_all.h. hi limits positive values. lo limits negative values, of which
 * the largest as u16 is the farthest from 0. Unless NaNs propagate, a NaN becomes lo: a negative NaN is limited like
 * other negative values, and a positive NaN is first replaced by a negative one, 0xffff. */
static ALWAYS_INLINE svuint8_t between_half(enum bounds bounds, unsigned flags, s16 infinity, svuint8_t a,
                                            svuint8_t lo, svuint8_t hi) {
    const svbool_t all = svptrue_b16();
    const bool nan = (flags & PTO_PROPAGATE_NAN) != 0;
    const svint16_t x = svreinterpret_s16(a);
    const svint16_t taken = nan ? x : svdup_n_s16_m(x, svcmpgt(all, x, infinity), -1);
    const svint16_t down = svmin_x(all, taken, svreinterpret_s16(hi));
    const svint16_t r = bounds == BOUNDS_AROUND_ZERO
                            ? svreinterpret_s16(svmin_x(all, svreinterpret_u16(down), svreinterpret_u16(lo)))
                            : svmax_x(all, down, svreinterpret_s16(lo));
    if (!nan) return svreinterpret_u8(r);
    return svreinterpret_u8(svdup_n_s16_m(r, svcmpgt(all, magnitude_16(x), infinity), HALF_NAN));
}

/* ---- bf16, by integer operations, because its kernels run in any FP state ---- */

/* Flips all other bits if the sign bit is set. The order of signed integers is then the order of the values, with -0
 * below +0. */
static ALWAYS_INLINE svint16_t bf16_key(svint16_t x) {
    return sveor_m(svcmplt(svptrue_b16(), x, 0), x, INT16_MAX);
}

/* Returns the number that, added to keys modulo 2^16, moves NaNs of both signs below -infinity if `below`, else above
 * +infinity. */
static ALWAYS_INLINE s16 bf16_nan_shift(bool below) {
    return below ? HALF_NAN - BF16_INFINITY : BF16_INFINITY - HALF_NAN;
}

static ALWAYS_INLINE svint16_t bf16_shift_nans(bool below, svint16_t x) {
    return svadd_x(svptrue_b16(), bf16_key(x), bf16_nan_shift(below));
}

/* Converts r, the sum of a key and bf16_nan_shift(), back to bf16 and sets `sign`. NaNs become the canonical NaN,
 * without sign. */
static ALWAYS_INLINE svint16_t bf16_unshift_nans(bool below, svint16_t sign, svint16_t r) {
    const svbool_t all = svptrue_b16();
    const s16 wrap = bf16_nan_shift(below);
    const svbool_t is_nan = below ? svcmplt(all, r, (s16)(wrap - BF16_INFINITY - 1))
                                  : svcmpgt(all, r, (s16)(BF16_INFINITY + wrap));
    const svint16_t number = svorr_x(all, bf16_key(svsub_x(all, r, wrap)), sign);
    return svsel(is_nan, svdup_n_s16(HALF_NAN), number);
}

/* Returns the maximum or minimum, with `sign` set. NaNs are moved to the end that is never selected or, if `nan`, to
 * the end that always is. */
static ALWAYS_INLINE svint16_t bf16_minmax(bool max, bool nan, svint16_t sign, svint16_t x, svint16_t y) {
    const bool below = max != nan;
    const svint16_t a = bf16_shift_nans(below, x), b = bf16_shift_nans(below, y);
    return bf16_unshift_nans(below, sign, max ? svmax_x(svptrue_b16(), a, b) : svmin_x(svptrue_b16(), a, b));
}

/* Clamps x to lo and hi. After the maximum, NaNs are moved to the other end for the minimum. */
static ALWAYS_INLINE svuint8_t clamp_bf16(unsigned flags, svuint8_t x, svuint8_t lo, svuint8_t hi) {
    const svbool_t all = svptrue_b16();
    const bool below = (flags & PTO_PROPAGATE_NAN) == 0;
    const s16 there = (s16)(bf16_nan_shift(!below) - bf16_nan_shift(below));
    const svint16_t up = svmax_x(all, bf16_shift_nans(below, svreinterpret_s16(x)),
                                 bf16_shift_nans(below, svreinterpret_s16(lo)));
    const svint16_t r = svmin_x(all, svadd_x(all, up, there), bf16_shift_nans(!below, svreinterpret_s16(hi)));
    return svreinterpret_u8(bf16_unshift_nans(!below, svdup_n_s16(0), r));
}

static ALWAYS_INLINE svuint8_t minmax_bf16(bool max, unsigned flags, svuint8_t a, svuint8_t b) {
    const svbool_t all = svptrue_b16();
    const bool nan = (flags & PTO_PROPAGATE_NAN) != 0;
    const svint16_t x = svreinterpret_s16(a), y = svreinterpret_s16(b);
    const svint16_t sign = svand_x(all, sveor_x(all, x, y), INT16_MIN);
    if ((flags & PTO_XORSIGN_ABS) == 0) return svreinterpret_u8(bf16_minmax(max, nan, svdup_n_s16(0), x, y));
    return svreinterpret_u8(bf16_minmax(max, nan, sign, magnitude_16(x), magnitude_16(y)));
}

/* The integer maximum with 0 replaces all values with a sign, including NaNs. Other NaNs are above infinity. */
static ALWAYS_INLINE svuint8_t relu_bf16(unsigned flags, svuint8_t a) {
    const svbool_t all = svptrue_b16();
    const svint16_t x = svreinterpret_s16(a), r = svmax_x(all, x, 0);
    if ((flags & PTO_PROPAGATE_NAN) == 0)
        return svreinterpret_u8(svsel(svcmpgt(all, r, BF16_INFINITY), svdup_n_s16(0), r));
    return svreinterpret_u8(svsel(svcmpgt(all, magnitude_16(x), BF16_INFINITY), svdup_n_s16(HALF_NAN), r));
}

/* ---- each lane type ---- */

#define INTEGER_CASES(X) MAXMIN_PLAIN(X, 0)

#define LANE                      u8
#define WIDTH                     8
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) minmax_u8(max, x, y)
#define RELU(flags, x)            minmax_u8(true, x, svdup_n_u8(0))
#define FLUSHED(x)                (x)
#include "sve/maxmin.h"

#define LANE                      u16
#define WIDTH                     16
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) minmax_u16(max, x, y)
#define RELU(flags, x)            minmax_u16(true, x, svdup_n_u8(0))
#define FLUSHED(x)                (x)
#include "sve/maxmin.h"

#define LANE                      u32
#define WIDTH                     32
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) minmax_u32(max, x, y)
#define RELU(flags, x)            minmax_u32(true, x, svdup_n_u8(0))
#define FLUSHED(x)                (x)
#include "sve/maxmin.h"

#define LANE                      u64
#define WIDTH                     64
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) minmax_u64(max, x, y)
#define RELU(flags, x)            minmax_u64(true, x, svdup_n_u8(0))
#define FLUSHED(x)                (x)
#include "sve/maxmin.h"

#define LANE                      s8
#define WIDTH                     8
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) minmax_s8(max, x, y)
#define RELU(flags, x)            minmax_s8(true, x, svdup_n_u8(0))
#define FLUSHED(x)                (x)
#include "sve/maxmin.h"

#define LANE                      s16
#define WIDTH                     16
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) minmax_s16(max, x, y)
#define RELU(flags, x)            minmax_s16(true, x, svdup_n_u8(0))
#define FLUSHED(x)                (x)
#include "sve/maxmin.h"

#define LANE                      s32
#define WIDTH                     32
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) minmax_s32(max, x, y)
#define RELU(flags, x)            minmax_s32(true, x, svdup_n_u8(0))
#define FLUSHED(x)                (x)
#include "sve/maxmin.h"

#define LANE                      s64
#define WIDTH                     64
#define CASES                     INTEGER_CASES
#define EXTREME(max, flags, x, y) minmax_s64(max, x, y)
#define RELU(flags, x)            minmax_s64(true, x, svdup_n_u8(0))
#define FLUSHED(x)                (x)
#include "sve/maxmin.h"

#define LANE                                    f16
#define WIDTH                                   16
#define CASES(X)                                MAXMIN_FLAGGED(X, 0) MAXMIN_FLAGGED(X, PTO_FTZ)
#define EXTREME(max, flags, x, y)               minmax_f16(max, flags, x, y)
#define CLAMP_SCALARS(bounds, flags, x, lo, hi) between_half(bounds, flags, F16_INFINITY, x, lo, hi)
#define CLASSIFY_BOUNDS(lo, hi)                 half_bounds(F16_INFINITY, lo, hi)
#define RELU(flags, x)                          relu_f16(flags, x)
#define FLUSHED(x)                              flush_f16(x)
#include "sve/maxmin.h"

#define LANE                                    bf16
#define WIDTH                                   16
#define CASES(X)                                MAXMIN_FLAGGED(X, 0)
#define EXTREME(max, flags, x, y)               minmax_bf16(max, flags, x, y)
#define CLAMP(flags, x, lo, hi)                 clamp_bf16(flags, x, lo, hi)
#define CLAMP_SCALARS(bounds, flags, x, lo, hi) between_half(bounds, flags, BF16_INFINITY, x, lo, hi)
#define CLASSIFY_BOUNDS(lo, hi)                 half_bounds(BF16_INFINITY, lo, hi)
#define RELU(flags, x)                          relu_bf16(flags, x)
#define FLUSHED(x)                              (x)
#include "sve/maxmin.h"

#define LANE                      f32
#define WIDTH                     32
#define CASES(X)                  MAXMIN_FLAGGED(X, 0) MAXMIN_FLAGGED(X, PTO_FTZ)
#define EXTREME(max, flags, x, y) minmax_f32(max, flags, x, y)
#define RELU(flags, x)            relu_f32(flags, x)
#define FLUSHED(x)                flush_f32(x)
#include "sve/maxmin.h"

#define LANE                      f64
#define WIDTH                     64
#define CASES                     MAXMIN_DOUBLE
#define EXTREME(max, flags, x, y) minmax_f64(max, flags, x, y)
#define RELU(flags, x)            relu_f64(flags, x)
#define FLUSHED(x)                (x)
#include "sve/maxmin.h"

#define NAME(lane) CAT3(maxmin_, lane, CAT(_, ISA))
const struct maxmin_table CAT(pto_maxmin_, ISA) = {
#include "core/maxmin_rows.h"
};
/* These tables have the same kernels, because each kernel computes all operations of its lane type. */
const struct maxmin_table CAT(pto_clamp_, ISA) = {
#include "core/maxmin_rows.h"
};
const struct maxmin_table CAT(pto_relu_, ISA) = {
#include "core/maxmin_rows.h"
};
