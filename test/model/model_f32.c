/* SPDX-License-Identifier: MIT */
#include "model/model_f32.h"
#include "model/model_number.h"

#include <string.h>

uint32_t model_f32_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* ---- to f32 and from it ---- */

uint32_t model_f32_widened(pto_dtype type, uint64_t code) {
    const pto_cvt_op op = {.dst = PTO_F32, .src = type};
    const uint32_t bits = type == PTO_F32 ? (uint32_t)code : (uint32_t)model_cvt(&op, code, 0);
    return model_f32_is_nan(bits) ? MODEL_F32_NAN : bits;
}

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
    return number_of(PTO_F32, x).kind == NAN_OF_SOME_KIND;
}

static bool is_zero(const struct number *x) {
    return x->kind == FINITE && x->m == 0;
}

bool model_f32_is_zero(uint32_t x) {
    const struct number number = number_of(PTO_F32, x);
    return is_zero(&number);
}

/** An infinity counts as a number beyond all that f32 has. */
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

/** The code times the divisor against the dividend: a significand has 24 bits, and no product more than 49. */
static int compare_multiple(uint64_t m, int q, const struct number *divisor, const struct number *dividend) {
    return number_compare(m * divisor->m, q + divisor->e, dividend->m, dividend->e);
}

/** The magnitude next to |dividend / divisor|, the even one of two; what follows the largest is infinity. */
static uint32_t nearest(const struct number *dividend, const struct number *divisor) {
    const struct format *f = number_format(PTO_F32);
    uint64_t low = 0, high = f->largest, m;
    int q, to_half;
    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        number_decode(f, middle, &m, &q);
        if (compare_multiple(m, q, divisor, dividend) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    number_decode(f, low, &m, &q);
    to_half = compare_multiple(2 * m + 1, q - 1, divisor, dividend);
    return (uint32_t)low + (to_half < 0 || (to_half == 0 && m % 2 == 1));
}

static uint32_t with_sign(bool negative, uint32_t magnitude) {
    return negative ? magnitude | 0x80000000 : magnitude;
}

uint32_t model_f32_mul(uint32_t x, uint32_t y) {
    static const struct number one = {FINITE, false, 1, 0};
    struct number a = number_of(PTO_F32, x);
    const struct number b = number_of(PTO_F32, y);
    const bool negative = a.negative != b.negative;
    if (a.kind == NAN_OF_SOME_KIND || b.kind == NAN_OF_SOME_KIND) return MODEL_F32_NAN;
    if (a.kind == INFINITE || b.kind == INFINITE)
        return is_zero(&a) || is_zero(&b) ? MODEL_F32_NAN : with_sign(negative, MODEL_F32_INF);
    a.m *= b.m;
    a.e += b.e;
    return with_sign(negative, nearest(&a, &one));
}

uint32_t model_f32_div(uint32_t x, uint32_t y) {
    const struct number a = number_of(PTO_F32, x), b = number_of(PTO_F32, y);
    const bool negative = a.negative != b.negative;
    if (a.kind == NAN_OF_SOME_KIND || b.kind == NAN_OF_SOME_KIND) return MODEL_F32_NAN;
    if (a.kind == b.kind && (a.kind == INFINITE || (is_zero(&a) && is_zero(&b)))) return MODEL_F32_NAN;
    if (a.kind == INFINITE || is_zero(&b)) return with_sign(negative, MODEL_F32_INF);
    if (b.kind == INFINITE) return with_sign(negative, 0);
    return with_sign(negative, nearest(&a, &b));
}

uint32_t model_f32_power(int e) {
    static const struct number one = {FINITE, false, 1, 0};
    const struct number power = {FINITE, false, 1, e};
    return nearest(&power, &one);
}
