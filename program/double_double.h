/* SPDX-License-Identifier: MIT */
/* Numbers with about 100 significand bits, as sums of two f64, computed without fma. The FP state must be the
 * default one. */
#ifndef PTO_PROGRAM_DOUBLE_DOUBLE_H
#define PTO_PROGRAM_DOUBLE_DOUBLE_H

#include <stdint.h>
#include <string.h>

/* hi + lo; lo is at most half a unit in the last place of hi. */
struct dd {
    double hi, lo;
};

/* Returns x + y exactly. */
static inline struct dd dd_of_sum(double x, double y) {
    const double sum = x + y, back = sum - x;
    return (struct dd){sum, (x - (sum - back)) + (y - back)};
}

/* Returns x * y exactly, as a sum of products of the 26-bit halves of x and y. */
static inline struct dd dd_of_product(double x, double y) {
    const double split = 0x1p27 + 1, sx = split * x, sy = split * y;
    const double xh = sx - (sx - x), yh = sy - (sy - y), xl = x - xh, yl = y - yh, product = x * y;
    return (struct dd){product, ((xh * yh - product) + xh * yl + xl * yh) + xl * yl};
}

static inline struct dd dd_add(struct dd x, struct dd y) {
    const struct dd high = dd_of_sum(x.hi, y.hi), low = dd_of_sum(x.lo, y.lo);
    const struct dd sum = dd_of_sum(high.hi, high.lo + low.hi);
    return dd_of_sum(sum.hi, sum.lo + low.lo);
}

static inline struct dd dd_negative(struct dd x) {
    return (struct dd){-x.hi, -x.lo};
}

static inline struct dd dd_multiply(struct dd x, struct dd y) {
    const struct dd p = dd_of_product(x.hi, y.hi);
    return dd_of_sum(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi));
}

static inline struct dd dd_divide(struct dd x, struct dd y) {
    const double first = x.hi / y.hi;
    const struct dd rest = dd_add(x, dd_negative(dd_multiply(y, (struct dd){first, 0})));
    const double second = rest.hi / y.hi;
    const struct dd rest2 = dd_add(rest, dd_negative(dd_multiply(y, (struct dd){second, 0})));
    const struct dd quotient = dd_of_sum(first, second);
    return dd_of_sum(quotient.hi, quotient.lo + rest2.hi / y.hi);
}

/* Returns x * 2^power. 2^power and the result must be normal values of f64. */
static inline double scaled(double x, int power) {
    const uint64_t bits = (uint64_t)(1023 + power) << 52;
    double factor;
    memcpy(&factor, &bits, sizeof factor);
    return x * factor;
}

/* Returns x.hi + x.lo as f32, rounded to odd: truncated, and the last bit of an inexact result is 1. */
static inline float dd_to_odd_f32(struct dd x) {
    const float r = (float)x.hi;
    const double rest = (x.hi - r) + x.lo; /* has the sign of x.hi + x.lo - r */
    uint32_t bits;
    float odd;
    if (rest == 0 || r - r != 0) return r;
    memcpy(&bits, &r, sizeof bits);
    bits = (bits - ((rest < 0) == (x.hi > 0))) | 1;
    memcpy(&odd, &bits, sizeof odd);
    return odd;
}

/* Returns x.hi + x.lo as f32, rounded to nearest even. The sum is first rounded to odd as f64. */
static inline float dd_to_f32(struct dd x) {
    uint64_t bits;
    double odd = x.hi;
    if (x.lo == 0 || x.hi - x.hi != 0) return (float)x.hi;
    memcpy(&bits, &x.hi, sizeof bits);
    bits = (bits - ((x.lo < 0) == (x.hi > 0))) | 1;
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
}

#endif
