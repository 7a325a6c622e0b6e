/* SPDX-License-Identifier: MIT */
/*
 * x * y + z, rounded once in the CPU's rounding mode. Processors whose baseline has FMA instructions use these. Others
 * do not call fma() and fmaf() of libm, because some C libraries round twice: musl 1.2.3 does near subnormal values of
 * f32, and wasi-libc wherever that needs a rounding mode. The functions below need no knowledge of the mode.
 */
#ifndef PTO_PROGRAM_FMA_H
#define PTO_PROGRAM_FMA_H

#include "double_double.h"
#include "loops.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA) || defined(__powerpc64__) ||                        \
    (defined(__riscv_flen) && __riscv_flen >= 64) || (defined(__loongarch_frlen) && __loongarch_frlen >= 64)

/* On POWER, gcc 12 would combine four calls into vmaddfp, which ignores the rounding mode and may flush subnormal
 * values; the asm statement prevents that. */
static ALWAYS_INLINE float fma_one(float x, float y, float z) {
    float r = fmaf(x, y, z);
#    ifdef __powerpc__
    __asm__("" : "+f"(r));
#    endif
    return r;
}

static ALWAYS_INLINE double fma_one_64(double x, double y, double z) {
    return fma(x, y, z);
}

#else

/* In f64 the product is exact. The sum is rounded to odd: truncated, and the last bit of an inexact sum is 1. Rounding
 * that to f32 gives the same as rounding once. `error` has the sign of the exact sum minus `sum` in all rounding modes,
 * because sum - larger is exact. */
static ALWAYS_INLINE float fma_one(float x, float y, float z) {
    const double product = (double)x * y, addend = z, sum = product + addend;
    const bool is_product_larger = fabs(product) > fabs(addend);
    const double larger = is_product_larger ? product : addend, other = is_product_larger ? addend : product;
    const double error = other - (sum - larger);
    double odd;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if ((error > 0 || error < 0) && bits % 2 == 0) bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
}

/* The number significand * 2^exponent, where `significand` has 128 bits. */
struct wide_number {
    uint64_t high, low;
    int exponent;
    bool is_negative;
};

static inline struct wide_number shift_left(struct wide_number x, int shift) {
    x.exponent -= shift;
    if (shift >= 64) {
        x.high = x.low;
        x.low = 0;
        shift -= 64;
    }
    if (shift == 0) return x;
    x.high = x.high << shift | x.low >> (64 - shift);
    x.low <<= shift;
    return x;
}

/* Increases the exponent. If bits that are not 0 are shifted out, the lowest bit of the result is 1. */
static inline struct wide_number shift_right(struct wide_number x, int shift) {
    uint64_t lost = 0;
    x.exponent += shift;
    if (shift >= 128) return x.low = (x.high | x.low) != 0, x.high = 0, x;
    if (shift >= 64) {
        lost = x.low;
        x.low = x.high;
        x.high = 0;
        shift -= 64;
    }
    if (shift != 0) {
        lost |= x.low << (64 - shift);
        x.low = x.low >> shift | x.high << (64 - shift);
        x.high >>= shift;
    }
    x.low |= lost != 0;
    return x;
}

/* Returns a finite x, not 0, with its significand in `high`: at least 2^62, less than 2^63. */
static inline struct wide_number wide_of(double x) {
    uint64_t bits, fraction;
    int field, zeros;
    memcpy(&bits, &x, sizeof bits);
    field = (int)(bits >> 52 & 0x7ff);
    fraction = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)(field != 0) << 52;
    zeros = __builtin_clzll(fraction) - 1;
    return (struct wide_number){fraction << zeros, 0, (field != 0 ? field : 1) - 1075 - zeros - 64,
                                bits >> 63};
}

static inline struct wide_number wide_product(struct wide_number x, struct wide_number y) {
    return (struct wide_number){high_product(false, x.high, y.high), x.high * y.high,
                                x.exponent + y.exponent + 128, x.is_negative != y.is_negative};
}

/* Returns x + y. The significands must be less than 2^127. Sums that are not exact have far more bits than f64, and the
 * lowest bit is 1. */
static inline struct wide_number wide_sum(struct wide_number x, struct wide_number y) {
    struct wide_number sum;
    bool is_subtraction = x.is_negative != y.is_negative;
    if (x.exponent < y.exponent)
        x = shift_right(x, y.exponent - x.exponent);
    else
        y = shift_right(y, x.exponent - y.exponent);
    sum = x;
    if (is_subtraction) {
        const bool is_reversed = x.high < y.high || (x.high == y.high && x.low < y.low);
        const struct wide_number larger = is_reversed ? y : x, smaller = is_reversed ? x : y;
        sum = larger;
        sum.low -= smaller.low;
        sum.high -= smaller.high + (larger.low < smaller.low);
    } else {
        sum.low += y.low;
        sum.high += y.high + (sum.low < y.low);
    }
    return sum;
}

/* Returns significand * 2^exponent rounded to f64, where `significand` is at least 2^63. One addition rounds, so the
 * CPU's rounding mode applies. */
static inline double round_64(uint64_t significand, int exponent, bool is_negative) {
    const double sign = is_negative ? -1 : 1;
    const int leading = exponent + 63, dropped = -1076 - exponent;
    if (leading >= -1022) {
        const double high = (double)(uint32_t)(significand >> 32), low = (double)(uint32_t)significand;
        const double r = sign * high * 0x1p-31 + sign * low * 0x1p-63; /* at least 1, at most 2 */
        return leading <= 1023 ? scaled(r, leading) : scaled(r, 1023) * 2;
    }
    /* a subnormal result: in units of 2^-1076, `kept` is less than 2^54, and `base` and r have a last place of 4 */
    {
        const uint64_t kept =
            dropped > 63 ? 1 : significand >> dropped | (significand << (64 - dropped) != 0 ? 1 : 0);
        const double base = sign * (double)((uint64_t)1 << 54 | (kept & ~(uint64_t)3));
        const double r = base + sign * (double)(kept & 3);
        return copysign((r - sign * 0x1p54) * 0x1p-538 * 0x1p-538, sign);
    }
}

static inline double fma_one_64(double x, double y, double z) {
    struct wide_number sum;
    int zeros;
    if (!isfinite(x) || !isfinite(y) || x == 0 || y == 0) return x * y + z;
    if (z == 0) return x * y;
    if (!isfinite(z)) return z;
    sum = wide_sum(wide_product(wide_of(x), wide_of(y)), wide_of(z));
    if ((sum.high | sum.low) == 0)
        return x * y + z; /* the product is -z, and the mode determines the zero's sign */
    zeros = sum.high != 0 ? __builtin_clzll(sum.high) : 64 + __builtin_clzll(sum.low);
    sum = shift_left(sum, zeros);
    return round_64(sum.high | (sum.low != 0), sum.exponent + 64, sum.is_negative);
}

#endif

#endif
