/* SPDX-License-Identifier: MIT */
/* Computes PTX's approximate instructions, element by element. */
#include "approximate.h"

#include "transcendental.h"

#include <math.h>

/* ---- functions of f32 ---- */

struct function {
    fast_function *fast;
    slow_function *slow;
};

static struct function function_of(enum arithmetic op) {
    switch (op) {
    case ARITHMETIC_EX2: return (struct function){pto_fast_exp2, pto_slow_exp2};
    case ARITHMETIC_LG2: return (struct function){pto_fast_log2, pto_slow_log2};
    case ARITHMETIC_SIN: return (struct function){pto_fast_sin, pto_slow_sin};
    case ARITHMETIC_COS: return (struct function){pto_fast_cos, pto_slow_cos};
    default: return (struct function){pto_fast_tanh, pto_slow_tanh};
    }
}

/* Returns whether the result is known without an evaluation, and then sets *y to the result. Otherwise *y is
 * undefined. Known are: results of special values; overflows and underflows of ex2; and results whose nearest
 * f32 is x, 1 or -1. With e = 2^-13, sin(e) and tanh(e) differ from e by less than 2^-27 e, and cos(e)
 * differs from 1 by less than 2^-26. tanh(10) differs from 1 by less than 2^-27. */
static bool is_known(enum arithmetic op, float x, float *y) {
    const float size = fabsf(x);
    if (x != x) return *y = x, true;
    switch (op) {
    case ARITHMETIC_EX2: *y = x > 130 ? INFINITY : 0; return x > 130 || x < -160;
    case ARITHMETIC_LG2: *y = x == 0 ? -INFINITY : x < 0 ? NAN : x; return x <= 0 || x == INFINITY;
    case ARITHMETIC_TANH: *y = size < 1 ? x : copysignf(1, x); return size < 0x1p-13F || size > 10;
    default:
        *y = size == INFINITY ? NAN : op == ARITHMETIC_SIN ? x : 1;
        return size < 0x1p-13F || size == INFINITY;
    }
}

/* Returns f(x) rounded to f32: to nearest, or if `to_odd` to odd, from which it can be rounded to a 16-bit
 * type. The fast result is used if all values within its error bound round to the same f32. */
static float evaluate(const struct function *f, float x, bool to_odd) {
    const double y = f->fast(x), error = 0x1p-45;
    const struct dd low = {y * (1 - error), 0}, high = {y * (1 + error), 0};
    const float a = to_odd ? dd_to_odd_f32(low) : dd_to_f32(low),
                b = to_odd ? dd_to_odd_f32(high) : dd_to_f32(high);
    if (a == b) return a;
    return to_odd ? dd_to_odd_f32(f->slow(x)) : dd_to_f32(f->slow(x));
}

/* Returns 1 / sqrt(x), correctly rounded. The value in f64 has a relative error below 2^-52, and for no f32 x
 * is the exact value that close to the middle of two f32. */
static float reciprocal_root(float x) {
    return (float)(1 / sqrt((double)x));
}

static float function_of_f32(enum arithmetic op, const struct function *f, float x, bool to_odd) {
    float y;
    if (op == ARITHMETIC_RSQRT) return reciprocal_root(x);
    return is_known(op, x, &y) ? y : evaluate(f, x, to_odd);
}

/* Returns x, or a zero of the same sign if x is subnormal. */
static float flushed(float x) {
    return fabsf(x) < 0x1p-126F ? copysignf(0, x) : x;
}

/* ---- f32, f16 and bf16 ---- */

enum { CHUNK = 256 };

static void loop_f32(enum arithmetic op, bool ftz, const unsigned char *from, unsigned char *to, size_t n) {
    const struct function f = function_of(op);
    for (size_t i = 0; i < n; i++) {
        float x;
        uint32_t bits;
        memcpy(&x, from + 4 * i, 4);
        x = function_of_f32(op, &f, ftz ? flushed(x) : x, false);
        if (ftz) x = flushed(x);
        memcpy(&bits, &x, 4);
        bits = x != x ? 0x7fffffff : bits;
        memcpy(to + 4 * i, &bits, 4);
    }
}

/* Computes n elements, at most CHUNK, of f16 or bf16. Subnormal values of bf16 are also subnormal in f32, so
 * .ftz can flush f32 values. The instructions for f16 have no .ftz. */
static pto_status chunk_16(enum arithmetic op, const struct typed_parameters *t, const unsigned char *from,
                           unsigned char *to, size_t n) {
    const struct function f = function_of(op);
    const pto_cvt_op widen = {.dst = PTO_F32, .src = t->type},
                     narrow = {.dst = t->type, .src = PTO_F32, .round = PTO_RN};
    float x[CHUNK];
    const pto_status status = pto_cvt(widen, from, x, NULL, n);
    if (status != PTO_OK) return status;
    for (size_t i = 0; i < n; i++) {
        const float y = function_of_f32(op, &f, t->ftz ? flushed(x[i]) : x[i], true);
        x[i] = t->ftz ? flushed(y) : y;
    }
    return pto_cvt(narrow, x, to, NULL, n);
}

static pto_status loop_16(enum arithmetic op, const struct typed_parameters *t, const unsigned char *from,
                          unsigned char *to, size_t n) {
    for (size_t i = 0; i < n; i += CHUNK) {
        const pto_status status = chunk_16(op, t, from + 2 * i, to + 2 * i, n - i < CHUNK ? n - i : CHUNK);
        if (status != PTO_OK) return status;
    }
    return PTO_OK;
}

/* ---- f64 ---- */

#define F64_SIGN ((uint64_t)1 << 63)
#define F64_INF  ((uint64_t)0x7ff << 52)
#define F64_HIGH ((uint64_t)0xffffffff << 32)

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

enum { LIMBS = 6 };

/* Multiplies x, an integer of LIMBS 32-bit words with the lowest word first, by y. */
static void multiply(uint32_t x[LIMBS], uint64_t y) {
    uint32_t product[LIMBS] = {0};
    for (size_t half = 0; half < 2; half++, y >>= 32) {
        uint64_t carry = 0;
        for (size_t i = 0; i + half < LIMBS; i++) {
            carry += x[i] * (y & 0xffffffff) + product[i + half];
            product[i + half] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    memcpy(x, product, sizeof product);
}

/* Returns whether middle 2^-54 is less than 1 / sqrt(m 2^-52), that is, whether middle^2 m is less than
 * 2^160. */
static bool is_below_root(uint64_t middle, uint64_t m) {
    uint32_t x[LIMBS] = {1};
    multiply(x, middle);
    multiply(x, middle);
    multiply(x, m);
    return x[5] == 0;
}

/* Returns 1 / sqrt(x), correctly rounded, for positive finite x. m 2^-52 is x times an even power of two, so
 * that it is at least 1 and less than 4. y 2^-53 is the result for m 2^-52; the loops correct y until it is
 * the nearest. */
static double reciprocal_root_64(double x) {
    const bool subnormal = x < 0x1p-1022;
    const uint64_t bits = bits_of(subnormal ? x * 0x1p54 : x);
    const int exponent = (int)(bits >> 52) - 1023, odd = exponent & 1;
    const uint64_t m = ((bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52) << odd;
    const double r = 1 / sqrt((double)m * 0x1p-52);
    uint64_t y = (uint64_t)(r * 0x1p53);
    while (!is_below_root(2 * y - 1, m)) y--;
    while (is_below_root(2 * y + 1, m)) y++;
    return scaled((double)y * 0x1p-53, -(exponent - odd) / 2 + (subnormal ? 27 : 0));
}

static uint64_t root_f64(uint64_t x) {
    if ((x & INT64_MAX) > F64_INF) return x | (uint64_t)1 << 51;
    if ((x & INT64_MAX) == 0) return x | F64_INF;
    if (x & F64_SIGN) return 0xfff8000000000000;
    return x == F64_INF ? 0 : bits_of(reciprocal_root_64(double_of(x)));
}

/* Computes an .approx.ftz instruction of f64, which uses only the high half of a finite value. Subnormal
 * values count as zeros. The low half of the result is 0, and its high half is truncated, except that all
 * NaNs become the canonical one. */
static uint64_t high_f64(enum arithmetic op, uint64_t x) {
    const uint64_t sign = x & F64_SIGN, magnitude = x & F64_HIGH & INT64_MAX;
    const bool root = op == ARITHMETIC_RSQRT_HIGH;
    uint64_t result;
    if ((x & INT64_MAX) > F64_INF) return 0x7fffffff00000000;
    if (magnitude < (uint64_t)1 << 52) return sign | F64_INF;
    if (root && sign) return 0x7fffffff00000000;
    if (magnitude == F64_INF) return sign;
    result = root ? root_f64(magnitude) : bits_of(1 / double_of(magnitude));
    return sign | (result < (uint64_t)1 << 52 ? 0 : result & F64_HIGH);
}

static void loop_f64(enum arithmetic op, const unsigned char *from, unsigned char *to, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t x;
        memcpy(&x, from + 8 * i, 8);
        x = op == ARITHMETIC_RSQRT ? root_f64(x) : high_f64(op, x);
        memcpy(to + 8 * i, &x, 8);
    }
}

pto_status pto_approximate(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                           size_t n) {
    if (t->type == PTO_F64)
        loop_f64(op, at->src[0], at->dst[0], n);
    else if (t->type == PTO_F32)
        loop_f32(op, t->ftz, at->src[0], at->dst[0], n);
    else
        return loop_16(op, t, at->src[0], at->dst[0], n);
    return PTO_OK;
}
