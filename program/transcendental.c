/* SPDX-License-Identifier: MIT */
/* Evaluates exp2, log2, sin, cos and tanh by their Taylor series. */
#include "transcendental.h"

#include <stdbool.h>
#include <stddef.h>

static const struct dd ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const struct dd log2_of_e = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
static const struct dd half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

static double nearest_integer(double x) {
    const double shift = 0x1.8p52;
    return (x + shift) - shift;
}

/* ---- exponentials ---- */

/* Returns e^r - 1 for |r| <= 0.35. */
static double fast_expm1(double r) {
    double sum = 1;
    for (int n = 15; n > 1; n--) sum = 1 + r * sum / n;
    return r * sum;
}

static struct dd slow_exp(struct dd r) {
    struct dd sum = {1, 0};
    for (int n = 26; n > 0; n--)
        sum = dd_add((struct dd){1, 0}, dd_divide(dd_multiply(r, sum), (struct dd){n, 0}));
    return sum;
}

double pto_fast_exp2(double x) {
    const double k = nearest_integer(x);
    return scaled(1 + fast_expm1((x - k) * ln2.hi), (int)k);
}

struct dd pto_slow_exp2(double x) {
    const double k = nearest_integer(x);
    const struct dd power = slow_exp(dd_multiply((struct dd){x - k, 0}, ln2));
    return (struct dd){scaled(power.hi, (int)k), scaled(power.lo, (int)k)};
}

/* tanh(x) = (E - 1) / (E + 1), where E = e^(2x) = 2^k (1 + p). `less_1` is E - 1. */
double pto_fast_tanh(double x) {
    const double k = nearest_integer(2 * x * log2_of_e.hi);
    const double p = fast_expm1((2 * x - k * 0x1.62e42fefp-1) - k * 0x1.473de6af278edp-34);
    const double less_1 = scaled(p, (int)k) + (scaled(1, (int)k) - 1);
    return less_1 / (less_1 + 2);
}

struct dd pto_slow_tanh(double x) {
    const double k = nearest_integer(2 * x * log2_of_e.hi);
    const struct dd multiple = dd_multiply((struct dd){k, 0}, ln2);
    const struct dd power = slow_exp(dd_add((struct dd){2 * x, 0}, dd_negative(multiple)));
    const struct dd e = {scaled(power.hi, (int)k), scaled(power.lo, (int)k)};
    return dd_divide(dd_add(e, (struct dd){-1, 0}), dd_add(e, (struct dd){1, 0}));
}

/* ---- logarithm ---- */

/* log2(x) = k + log2(m), where x = 2^k m and m is from 1/sqrt(2) to sqrt(2). The natural logarithm of m is 2
 * (s + s^3 / 3 + s^5 / 5 + ...), where s = (m - 1) / (m + 1). */
double pto_fast_log2(double x) {
    uint64_t bits;
    int k;
    double m, s, square, sum = 0;
    memcpy(&bits, &x, sizeof bits);
    k = (int)((bits - 0x3fe6a09e667f3bcd) >> 52);
    if (k > 1023) k -= 4096; /* the difference was negative */
    m = scaled(x, -k);
    s = (m - 1) / (m + 1);
    square = s * s;
    for (int n = 23; n > 0; n -= 2) sum = 1.0 / n + square * sum;
    return k + 2 * s * sum * log2_of_e.hi;
}

/* Improves the fast approximation y: log2(x) = y + log2(1 + d), where 1 + d = x 2^-y. */
struct dd pto_slow_log2(double x) {
    const double y = pto_fast_log2(x);
    const struct dd ratio = dd_multiply((struct dd){x, 0}, pto_slow_exp2(-y));
    const struct dd d = dd_add(ratio, (struct dd){-1, 0});
    const struct dd log = dd_add(d, (struct dd){-d.hi * d.hi / 2, 0});
    return dd_add((struct dd){y, 0}, dd_multiply(log, log2_of_e));
}

struct dd pto_slow_ln(double x) {
    return dd_multiply(pto_slow_log2(x), ln2);
}

/* ---- sine and cosine ---- */

/* The angle quarter * pi / 2 + r, where |r| is at most pi / 4. */
struct angle {
    unsigned quarter;
    struct dd r;
};

enum { WORDS = 6 };

/* Sets `window` to 192 bits of 2 / pi, the highest word first. The first bit has the weight 2^-first. Bits of
 * weight 1 and more are 0. `first` must be at least -63. */
static void bits_of_two_over_pi(int first, uint32_t window[WORDS]) {
    static const uint32_t bits[] = {0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                    0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
                                    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c};
    const unsigned start = (unsigned)(first + 63), word = start / 32, shift = start % 32;
    for (unsigned i = 0; i < WORDS; i++) {
        const uint64_t two = (uint64_t)bits[word + i] << 32 | bits[word + i + 1];
        window[i] = (uint32_t)(two << shift >> 32);
    }
}

/* Returns |x| as an angle, for x = m 2^e. W is the window of bits of 2 / pi that begins with the weight
 * 2^(1-e). The low 192 bits of m W are the angle in units of 2^-190 quarter turns, modulo 4 quarter turns.
 * Bits of 2 / pi before the window only add multiples of 4 quarter turns. Bits after the window change the
 * result by less than 2^-160. */
static struct angle reduce_exactly(double x) {
    const float f = (float)(x < 0 ? -x : x);
    uint32_t bits, window[WORDS];
    uint64_t carry = 0;
    struct angle a = {0, {0, 0}};
    bool negative;
    double unit = 0x1p-190;
    memcpy(&bits, &f, sizeof bits);
    bits_of_two_over_pi((int)(bits >> 23) - 151, window);
    for (int i = WORDS - 1; i >= 0; i--) {
        carry += (uint64_t)window[i] * ((bits & 0x7fffff) | 0x800000);
        window[i] = (uint32_t)carry;
        carry >>= 32;
    }
    negative = window[0] >> 29 & 1; /* at least half a quarter turn: r is negative, from the next quarter */
    a.quarter = (window[0] >> 30) + negative;
    window[0] &= 0x3fffffff;
    if (negative) window[0] |= 0xc0000000;
    carry = negative;
    for (int i = WORDS - 1; i >= 0; i--, unit *= 0x1p32) {
        carry += negative ? ~window[i] : window[i];
        a.r = dd_add(a.r, (struct dd){(double)(uint32_t)carry * unit, 0});
        carry >>= 32;
    }
    a.r = dd_multiply(a.r, half_pi);
    if (negative) a.r = dd_negative(a.r);
    return a;
}

/* Returns |x| as an angle with r.lo = 0. pi / 2 is a sum of three parts; k, which is below 2^20, times each
 * of the first two parts is exact. */
static struct angle reduce(double x) {
    const double size = x < 0 ? -x : x, k = nearest_integer(size * 0x1.45f306dc9c883p-1);
    if (size >= 0x1p20) return reduce_exactly(x);
    return (struct angle){
        (unsigned)k, {((size - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69, 0}};
}

static double fast_series(double r, int last) {
    double sum = 1;
    for (int n = last; n > 1; n -= 2) sum = 1 - r * r * sum / (n * (n - 1));
    return sum;
}

static struct dd slow_series(struct dd r, int last) {
    const struct dd minus_square = dd_negative(dd_multiply(r, r));
    struct dd sum = {1, 0};
    for (int n = last; n > 1; n -= 2)
        sum = dd_add((struct dd){1, 0},
                     dd_divide(dd_multiply(minus_square, sum), (struct dd){(double)n * (n - 1), 0}));
    return sum;
}

/* Returns sin(quarter * pi / 2 + r), which is sin(r), cos(r), -sin(r) or -cos(r). */
static double fast_of_quarter(unsigned quarter, double r) {
    const double value = quarter % 2 ? fast_series(r, 18) : r * fast_series(r, 19);
    return quarter % 4 >= 2 ? -value : value;
}

static struct dd slow_of_quarter(unsigned quarter, struct dd r) {
    const struct dd value = quarter % 2 ? slow_series(r, 30) : dd_multiply(r, slow_series(r, 31));
    return quarter % 4 >= 2 ? dd_negative(value) : value;
}

double pto_fast_sin(double x) {
    const struct angle a = reduce(x);
    const double y = fast_of_quarter(a.quarter, a.r.hi);
    return x < 0 ? -y : y;
}

double pto_fast_cos(double x) {
    const struct angle a = reduce(x);
    return fast_of_quarter(a.quarter + 1, a.r.hi);
}

struct dd pto_slow_sin(double x) {
    const struct angle a = reduce_exactly(x);
    const struct dd y = slow_of_quarter(a.quarter, a.r);
    return x < 0 ? dd_negative(y) : y;
}

struct dd pto_slow_cos(double x) {
    const struct angle a = reduce_exactly(x);
    return slow_of_quarter(a.quarter + 1, a.r);
}
