/* SPDX-License-Identifier: MIT */
/* The model of f32 arithmetic, based on exact comparisons. */
#include "model/model_f32.h"
#include "model/model_number.h"

#include <string.h>

uint32_t model_f32_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* ---- conversions to and from f32 ---- */

uint64_t model_f32_narrowed(pto_dtype type, uint32_t x) {
    const pto_cvt_op op = {.dst = type, .src = PTO_F32, .round = PTO_RN};
    return type == PTO_F32 ? x : model_cvt(&op, x, 0);
}

uint64_t model_f32_element(pto_dtype type, uint32_t x) {
    const pto_cvt_op op = {.dst = type, .src = PTO_F32, .round = PTO_RN, .satfinite = true};
    return model_cvt(&op, x, 0);
}

/* ---- comparing ---- */

bool model_f32_is_nan(uint32_t x) {
    return number_of(PTO_F32, x).kind == NOT_A_NUMBER;
}

static bool is_zero(const struct number *x) {
    return x->kind == FINITE && x->m == 0;
}

bool model_f32_is_zero(uint32_t x) {
    const struct number number = number_of(PTO_F32, x);
    return is_zero(&number);
}

/** Compares magnitudes. An infinity counts as a value above f32's range. */
static int compare_magnitudes(const struct number *x, const struct number *y) {
    enum { BEYOND = 1000 };
    if (x->kind == INFINITE || y->kind == INFINITE)
        return number_compare(1, x->kind == INFINITE ? BEYOND : 0, 1, y->kind == INFINITE ? BEYOND : 0);
    return number_compare(x->m, x->e, y->m, y->e);
}

int model_f32_compare(uint32_t x, uint32_t y) {
    const struct number a = number_of(PTO_F32, x), b = number_of(PTO_F32, y);
    if (is_zero(&a) && is_zero(&b)) return 0;
    if (a.negative != b.negative) return a.negative ? -1 : 1;
    return a.negative ? compare_magnitudes(&b, &a) : compare_magnitudes(&a, &b);
}

uint32_t model_f32_at_most(uint32_t x, uint32_t y) {
    return !model_f32_is_nan(x) && model_f32_compare(x, y) > 0 ? y : x;
}

uint32_t model_f32_at_least(uint32_t x, uint32_t y) {
    return !model_f32_is_nan(x) && model_f32_compare(x, y) < 0 ? y : x;
}

/* ---- arithmetic ---- */

/** Compares m * 2^q times the divisor with the dividend. Significands have 24 bits, so no product has more than 49. */
static int compare_multiple(uint64_t m, int q, const struct number *divisor, const struct number *dividend) {
    return number_compare(m * divisor->m, q + divisor->e, dividend->m, dividend->e);
}

/** Returns a magnitude code near |dividend / divisor|, from their leading bits. */
static uint64_t guess(struct number dividend, struct number divisor) {
    enum { SMALLEST = -149, LEAST_NORMAL = -126 };
    uint64_t m;
    int e;
    if (dividend.m == 0) return 0;
    number_normalize(&dividend.m, &dividend.e);
    number_normalize(&divisor.m, &divisor.e);
    m = dividend.m / (divisor.m >> 32);
    e = dividend.e - divisor.e - 32;
    number_normalize(&m, &e);
    if (e + 63 < SMALLEST) return 0;
    if (e + 63 < LEAST_NORMAL) return m >> (SMALLEST - e);
    return ((uint64_t)(e + 63 - LEAST_NORMAL) << 23) + (m >> 40);
}

/** Returns the largest magnitude code whose value is not above the quotient. Starts at the guess and corrects it by
 * comparing, so any guess gives the right code. */
static uint64_t largest_code_not_above(const struct number *dividend, const struct number *divisor,
                                       uint64_t *m, int *q) {
    const struct format *f = number_format(PTO_F32);
    uint64_t code = guess(*dividend, *divisor);
    if (code > f->largest) code = f->largest;
    for (number_decode(f, code, m, q); compare_multiple(*m, *q, divisor, dividend) > 0;) {
        number_decode(f, --code, m, q);
    }
    while (code < f->largest) {
        number_decode(f, code + 1, m, q);
        if (compare_multiple(*m, *q, divisor, dividend) > 0) break;
        code++;
    }
    number_decode(f, code, m, q);
    return code;
}

/** Returns the magnitude nearest to |dividend / divisor|, ties to even. The code after the largest finite value is
 * infinity. */
static uint32_t nearest(const struct number *dividend, const struct number *divisor) {
    uint64_t m;
    int q;
    const uint32_t code = (uint32_t)largest_code_not_above(dividend, divisor, &m, &q);
    const int to_half = compare_multiple(2 * m + 1, q - 1, divisor, dividend);
    return code + (to_half < 0 || (to_half == 0 && m % 2 == 1));
}

static const struct number one = {FINITE, false, 1, 0};

static uint32_t with_sign(bool negative, uint32_t magnitude) {
    return negative ? magnitude | 0x80000000 : magnitude;
}

uint32_t model_f32_mul(uint32_t x, uint32_t y) {
    struct number a = number_of(PTO_F32, x);
    const struct number b = number_of(PTO_F32, y);
    const bool negative = a.negative != b.negative;
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return MODEL_F32_NAN;
    if (a.kind == INFINITE || b.kind == INFINITE)
        return is_zero(&a) || is_zero(&b) ? MODEL_F32_NAN : with_sign(negative, MODEL_F32_INF);
    a.m *= b.m;
    a.e += b.e;
    return with_sign(negative, nearest(&a, &one));
}

uint32_t model_f32_div(uint32_t x, uint32_t y) {
    const struct number a = number_of(PTO_F32, x), b = number_of(PTO_F32, y);
    const bool negative = a.negative != b.negative;
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return MODEL_F32_NAN;
    if (a.kind == b.kind && (a.kind == INFINITE || (is_zero(&a) && is_zero(&b)))) return MODEL_F32_NAN;
    if (a.kind == INFINITE || is_zero(&b)) return with_sign(negative, MODEL_F32_INF);
    if (b.kind == INFINITE) return with_sign(negative, 0);
    return with_sign(negative, nearest(&a, &b));
}

uint32_t model_f32_widened(pto_dtype type, uint64_t code) {
    const struct number x = number_of(type, code);
    if (x.kind == NOT_A_NUMBER) return MODEL_F32_NAN;
    return with_sign(x.negative, x.kind == INFINITE ? MODEL_F32_INF : nearest(&x, &one));
}

/** Adds two finite numbers, of which x is not 0 and has the larger exponent after both are normalized. If y is so much
 * smaller that only its sign matters, it counts as one unit far below the last bit of x. */
static struct number sum_of(struct number x, struct number y) {
    enum { TOP = 63, BITS = 24, LEAST_SHIFT = 36 };
    struct number sum = {FINITE, x.negative, x.m >> (TOP + 1 - BITS), x.e + TOP + 1 - BITS};
    int shift = sum.e - (y.e + TOP + 1 - BITS);
    uint64_t small = y.m >> (TOP + 1 - BITS);
    if (shift > LEAST_SHIFT) {
        shift = LEAST_SHIFT;
        small = y.m != 0;
    }
    sum.m <<= shift;
    sum.e -= shift;
    if (x.negative == y.negative) {
        sum.m += small;
    } else if (sum.m >= small) {
        sum.m -= small;
    } else {
        sum.m = small - sum.m;
        sum.negative = y.negative;
    }
    return sum;
}

/** Adds two numbers that are not 0. */
static uint32_t add_finite(struct number a, struct number b) {
    struct number sum;
    number_normalize(&a.m, &a.e);
    number_normalize(&b.m, &b.e);
    sum = a.e >= b.e ? sum_of(a, b) : sum_of(b, a);
    return sum.m == 0 ? 0 : with_sign(sum.negative, nearest(&sum, &one));
}

uint32_t model_f32_add(uint32_t x, uint32_t y) {
    const struct number a = number_of(PTO_F32, x), b = number_of(PTO_F32, y);
    if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return MODEL_F32_NAN;
    if (a.kind == INFINITE && b.kind == INFINITE && a.negative != b.negative) return MODEL_F32_NAN;
    if (a.kind == INFINITE) return x;
    if (b.kind == INFINITE) return y;
    if (is_zero(&a) && is_zero(&b)) return x & y; /* -0 only if both are -0 */
    if (is_zero(&a)) return y;
    return is_zero(&b) ? x : add_finite(a, b);
}

uint32_t model_f32_sub(uint32_t x, uint32_t y) {
    return model_f32_add(x, y ^ 0x80000000);
}

uint32_t model_f32_abs(uint32_t x) {
    return model_f32_is_nan(x) ? MODEL_F32_NAN : x & 0x7fffffff;
}

uint32_t model_f32_power(int e) {
    const struct number power = {FINITE, false, 1, e};
    return nearest(&power, &one);
}
