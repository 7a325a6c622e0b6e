/* SPDX-License-Identifier: MIT */
/* The RVV backend's kernels for max, min, clamp and relu. */
#include "core/maxmin.h"

#include "rvv/maxmin_float.h"

#define ISA rvv

/* ---- integers ---- */

#define INTEGERS(w)                                                                                          \
    static ALWAYS_INLINE lanes_##w minmax_u##w(bool max, lanes_##w x, lanes_##w y, size_t vl) {              \
        return max ? __riscv_vmaxu_vv_u##w##m8(x, y, vl) : __riscv_vminu_vv_u##w##m8(x, y, vl);              \
    }                                                                                                        \
    static ALWAYS_INLINE lanes_##w minmax_s##w(bool max, lanes_##w x, lanes_##w y, size_t vl) {              \
        const vint##w##m8_t a = __riscv_vreinterpret_v_u##w##m8_i##w##m8(x);                                 \
        const vint##w##m8_t b = __riscv_vreinterpret_v_u##w##m8_i##w##m8(y);                                 \
        return __riscv_vreinterpret_v_i##w##m8_u##w##m8(max ? __riscv_vmax_vv_i##w##m8(a, b, vl)             \
                                                            : __riscv_vmin_vv_i##w##m8(a, b, vl));           \
    }
INTEGERS(8)
INTEGERS(16)
INTEGERS(32)
INTEGERS(64)
#undef INTEGERS

/* ---- f32 and f64 ---- */

FLOAT_NUMBERS(32, 4)
FLOAT_NUMBERS(64, 8)
FLOAT_STEPS(32, 4, 0x7fffffff, 0x7f800000)

#define NAN_64 0x7fffffffffffffff

/* If both operands are NaNs, the result is the second one, made quiet, or the canonical NaN under PTO_PROPAGATE_NAN. */
static ALWAYS_INLINE lanes_64 minmax_f64(bool max, unsigned flags, lanes_64 x, lanes_64 y, size_t vl) {
    const lanes_64 r = minmax_no_nan_f64(max, x, y, vl);
    if ((flags & PTO_PROPAGATE_NAN) != 0)
        return select_scalar_64(__riscv_vmor_mm_b8(nans_f64(x, vl), nans_f64(y, vl), vl), NAN_64, r, vl);
    return __riscv_vor_vx_u64m8_mu(nans_f64(r, vl), r, y, 0x0008000000000000, vl);
}

static ALWAYS_INLINE lanes_64 relu_f64(unsigned flags, lanes_64 x, size_t vl) {
    const lanes_64 r = minmax_no_nan_f64(true, x, broadcast_64(0, vl), vl);
    return (flags & PTO_PROPAGATE_NAN) != 0 ? select_scalar_64(nans_f64(x, vl), NAN_64, r, vl) : r;
}

/* ---- f16 and bf16, by integer operations ---- */

enum { F16_INFINITY = 0x7c00, BF16_INFINITY = 0x7f80, HALF_NAN = INT16_MAX };

static ALWAYS_INLINE vint16m4_t signed_half(lanes_half x) {
    return __riscv_vreinterpret_v_u16m4_i16m4(x);
}

static ALWAYS_INLINE lanes_half unsigned_half(vint16m4_t x) {
    return __riscv_vreinterpret_v_i16m4_u16m4(x);
}

/* Flips all other bits if the sign bit is set. The order of signed integers is then the order of the values, with -0
 * below +0. */
static ALWAYS_INLINE vint16m4_t half_key(vint16m4_t x, size_t vl) {
    return __riscv_vxor_vx_i16m4_mu(__riscv_vmslt_vx_i16m4_b4(x, 0, vl), x, x, INT16_MAX, vl);
}

/* Returns the number that, added to keys modulo 2^16, moves NaNs of both signs below -infinity if `below`, else above
 * +infinity. */
static ALWAYS_INLINE s16 half_nan_shift(bool below, s16 infinity) {
    return (s16)(below ? HALF_NAN - infinity : infinity - HALF_NAN);
}

static ALWAYS_INLINE vint16m4_t half_shift_nans(bool below, s16 infinity, lanes_half x, size_t vl) {
    return __riscv_vadd_vx_i16m4(half_key(signed_half(x), vl), half_nan_shift(below, infinity), vl);
}

/* Converts r, the sum of a key and half_nan_shift(), back to the format and sets `sign`. NaNs become the canonical NaN,
 * without sign. */
static ALWAYS_INLINE lanes_half half_unshift_nans(bool below, s16 infinity, lanes_half sign, vint16m4_t r,
                                                  size_t vl) {
    const s16 wrap = half_nan_shift(below, infinity);
    const truth_half is_nan = below ? __riscv_vmslt_vx_i16m4_b4(r, (s16)(wrap - infinity - 1), vl)
                                    : __riscv_vmsgt_vx_i16m4_b4(r, (s16)(infinity + wrap), vl);
    const lanes_half number = unsigned_half(half_key(__riscv_vsub_vx_i16m4(r, wrap, vl), vl));
    return select_scalar_half(is_nan, HALF_NAN, __riscv_vor_vv_u16m4(number, sign, vl), vl);
}

/* Returns the maximum or minimum, with `sign` set. NaNs are moved to the end that is never selected or, if `nan`, to
 * the end that always is. */
static ALWAYS_INLINE lanes_half half_minmax(bool max, bool nan, s16 infinity, lanes_half x, lanes_half y,
                                            lanes_half sign, size_t vl) {
    const bool below = max != nan;
    const vint16m4_t a = half_shift_nans(below, infinity, x, vl), b = half_shift_nans(below, infinity, y, vl);
    const vint16m4_t r = max ? __riscv_vmax_vv_i16m4(a, b, vl) : __riscv_vmin_vv_i16m4(a, b, vl);
    return half_unshift_nans(below, infinity, sign, r, vl);
}

/* Clamps x to lo and hi. After the maximum, NaNs are moved to the other end for the minimum. */
static ALWAYS_INLINE lanes_half clamp_half(unsigned flags, s16 infinity, lanes_half x, lanes_half lo,
                                           lanes_half hi, size_t vl) {
    const bool below = (flags & PTO_PROPAGATE_NAN) == 0;
    const s16 there = (s16)(half_nan_shift(!below, infinity) - half_nan_shift(below, infinity));
    const vint16m4_t up = __riscv_vmax_vv_i16m4(half_shift_nans(below, infinity, x, vl),
                                                half_shift_nans(below, infinity, lo, vl), vl);
    const vint16m4_t r = __riscv_vmin_vv_i16m4(__riscv_vadd_vx_i16m4(up, there, vl),
                                               half_shift_nans(!below, infinity, hi, vl), vl);
    return half_unshift_nans(!below, infinity, broadcast_half(0, vl), r, vl);
}

static ALWAYS_INLINE lanes_half minmax_half(bool max, unsigned flags, s16 infinity, lanes_half x,
                                            lanes_half y, size_t vl) {
    const bool nan = (flags & PTO_PROPAGATE_NAN) != 0;
    lanes_half sign;
    if ((flags & PTO_XORSIGN_ABS) == 0)
        return half_minmax(max, nan, infinity, x, y, broadcast_half(0, vl), vl);
    sign = __riscv_vand_vx_u16m4(__riscv_vxor_vv_u16m4(x, y, vl), (u16)INT16_MIN, vl);
    x = __riscv_vand_vx_u16m4(x, INT16_MAX, vl);
    y = __riscv_vand_vx_u16m4(y, INT16_MAX, vl);
    return half_minmax(max, nan, infinity, x, y, sign, vl);
}

/* The integer maximum with 0 replaces all values with a sign, including NaNs. Other NaNs are above infinity. */
static ALWAYS_INLINE lanes_half relu_half(unsigned flags, s16 infinity, lanes_half x, size_t vl) {
    const lanes_half r = unsigned_half(__riscv_vmax_vx_i16m4(signed_half(x), 0, vl));
    const lanes_half magnitude = __riscv_vand_vx_u16m4(x, INT16_MAX, vl);
    if ((flags & PTO_PROPAGATE_NAN) == 0)
        return select_scalar_half(__riscv_vmsgtu_vx_u16m4_b4(r, (u16)infinity, vl), 0, r, vl);
    return select_scalar_half(__riscv_vmsgtu_vx_u16m4_b4(magnitude, (u16)infinity, vl), HALF_NAN, r, vl);
}

static ALWAYS_INLINE lanes_half flush_half(lanes_half x, size_t vl) {
    const truth_half small = __riscv_vmseq_vx_u16m4_b4(__riscv_vand_vx_u16m4(x, F16_INFINITY, vl), 0, vl);
    return __riscv_vand_vx_u16m4_mu(small, x, x, (u16)INT16_MIN, vl);
}

/* ---- each lane type ---- */

#define INTEGER_CASES(X) MAXMIN_PLAIN(X, 0)

#define LANE                          u8
#define WIDTH                         8
#define KIND                          8
#define CASES                         INTEGER_CASES
#define EXTREME(max, flags, x, y, vl) minmax_u8(max, x, y, vl)
#define RELU(flags, x, vl)            minmax_u8(true, x, broadcast_8(0, vl), vl)
#define FLUSHED(x, vl)                (x)
#include "rvv/maxmin.h"

#define LANE                          u16
#define WIDTH                         16
#define KIND                          16
#define CASES                         INTEGER_CASES
#define EXTREME(max, flags, x, y, vl) minmax_u16(max, x, y, vl)
#define RELU(flags, x, vl)            minmax_u16(true, x, broadcast_16(0, vl), vl)
#define FLUSHED(x, vl)                (x)
#include "rvv/maxmin.h"

#define LANE                          u32
#define WIDTH                         32
#define KIND                          32
#define CASES                         INTEGER_CASES
#define EXTREME(max, flags, x, y, vl) minmax_u32(max, x, y, vl)
#define RELU(flags, x, vl)            minmax_u32(true, x, broadcast_32(0, vl), vl)
#define FLUSHED(x, vl)                (x)
#include "rvv/maxmin.h"

#define LANE                          u64
#define WIDTH                         64
#define KIND                          64
#define CASES                         INTEGER_CASES
#define EXTREME(max, flags, x, y, vl) minmax_u64(max, x, y, vl)
#define RELU(flags, x, vl)            minmax_u64(true, x, broadcast_64(0, vl), vl)
#define FLUSHED(x, vl)                (x)
#include "rvv/maxmin.h"

#define LANE                          s8
#define WIDTH                         8
#define KIND                          8
#define CASES                         INTEGER_CASES
#define EXTREME(max, flags, x, y, vl) minmax_s8(max, x, y, vl)
#define RELU(flags, x, vl)            minmax_s8(true, x, broadcast_8(0, vl), vl)
#define FLUSHED(x, vl)                (x)
#include "rvv/maxmin.h"

#define LANE                          s16
#define WIDTH                         16
#define KIND                          16
#define CASES                         INTEGER_CASES
#define EXTREME(max, flags, x, y, vl) minmax_s16(max, x, y, vl)
#define RELU(flags, x, vl)            minmax_s16(true, x, broadcast_16(0, vl), vl)
#define FLUSHED(x, vl)                (x)
#include "rvv/maxmin.h"

#define LANE                          s32
#define WIDTH                         32
#define KIND                          32
#define CASES                         INTEGER_CASES
#define EXTREME(max, flags, x, y, vl) minmax_s32(max, x, y, vl)
#define RELU(flags, x, vl)            minmax_s32(true, x, broadcast_32(0, vl), vl)
#define FLUSHED(x, vl)                (x)
#include "rvv/maxmin.h"

#define LANE                          s64
#define WIDTH                         64
#define KIND                          64
#define CASES                         INTEGER_CASES
#define EXTREME(max, flags, x, y, vl) minmax_s64(max, x, y, vl)
#define RELU(flags, x, vl)            minmax_s64(true, x, broadcast_64(0, vl), vl)
#define FLUSHED(x, vl)                (x)
#include "rvv/maxmin.h"

#define LANE                          f16
#define WIDTH                         16
#define KIND                          half
#define CASES(X)                      MAXMIN_FLAGGED(X, 0) MAXMIN_FLAGGED(X, PTO_FTZ)
#define EXTREME(max, flags, x, y, vl) minmax_half(max, flags, F16_INFINITY, x, y, vl)
#define CLAMP(flags, x, lo, hi, vl)   clamp_half(flags, F16_INFINITY, x, lo, hi, vl)
#define RELU(flags, x, vl)            relu_half(flags, F16_INFINITY, x, vl)
#define FLUSHED(x, vl)                flush_half(x, vl)
#include "rvv/maxmin.h"

#define LANE                          bf16
#define WIDTH                         16
#define KIND                          half
#define CASES(X)                      MAXMIN_FLAGGED(X, 0)
#define EXTREME(max, flags, x, y, vl) minmax_half(max, flags, BF16_INFINITY, x, y, vl)
#define CLAMP(flags, x, lo, hi, vl)   clamp_half(flags, BF16_INFINITY, x, lo, hi, vl)
#define RELU(flags, x, vl)            relu_half(flags, BF16_INFINITY, x, vl)
#define FLUSHED(x, vl)                (x)
#include "rvv/maxmin.h"

#define LANE                          f32
#define WIDTH                         32
#define KIND                          32
#define CASES(X)                      MAXMIN_FLAGGED(X, 0) MAXMIN_FLAGGED(X, PTO_FTZ)
#define EXTREME(max, flags, x, y, vl) minmax_f32(max, flags, x, y, vl)
#define RELU(flags, x, vl)            relu_f32(flags, x, vl)
#define FLUSHED(x, vl)                flush_f32(x, vl)
#include "rvv/maxmin.h"

#define LANE                          f64
#define WIDTH                         64
#define KIND                          64
#define CASES                         MAXMIN_DOUBLE
#define EXTREME(max, flags, x, y, vl) minmax_f64(max, flags, x, y, vl)
#define RELU(flags, x, vl)            relu_f64(flags, x, vl)
#define FLUSHED(x, vl)                (x)
#include "rvv/maxmin.h"

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
