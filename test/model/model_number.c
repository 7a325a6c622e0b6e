/* SPDX-License-Identifier: MIT */
/* Exact numbers, and the values of codes. */
#include "model/model_number.h"

/* ---- exact numbers ---- */

void number_normalize(uint64_t *m, int *e) {
#if defined(__GNUC__)
    const int zeros = __builtin_clzll(*m);
    *m <<= zeros;
    *e -= zeros;
#else
    for (; *m >> 63 == 0; *m <<= 1) {
        --*e;
    }
#endif
}

int number_compare(uint64_t m, int e, uint64_t n, int f) {
    if (m == 0 || n == 0) return (m != 0) - (n != 0);
    number_normalize(&m, &e);
    number_normalize(&n, &f);
    if (e != f) return e < f ? -1 : 1;
    return (m > n) - (m < n);
}

/* ---- formats ---- */

static const struct format formats[] = {
    {PTO_F64, 11, 52, 1023, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7fffffffe0000000, 0x3ff0000000000000},
    {PTO_F32, 8, 23, 127, 0x7f7fffff, 0x7f800000, 0x7fffffff, 0x3f800000},
    {PTO_TF32, 8, 10, 127, 0x3fbff, 0x3fc00, 0, 0}, /* the upper 19 bits; NaN: see tf32_nan */
    {PTO_F16, 5, 10, 15, 0x7bff, 0x7c00, 0x7fff, 0x3c00},
    {PTO_BF16, 8, 7, 127, 0x7f7f, 0x7f80, 0x7fff, 0x3f80},
    {PTO_E5M2, 5, 2, 15, 0x7b, 0x7c, 0x7f, 0},
    {PTO_E4M3, 4, 3, 7, 0x7e, 0, 0x7f, 0},
    {PTO_E3M2, 3, 2, 3, 0x1f, 0, 0x1f, 0},
    {PTO_E2M3, 2, 3, 1, 0x1f, 0, 0x1f, 0},
    {PTO_E2M1, 2, 1, 1, 0x7, 0, 0x7, 0},
    {PTO_E1M2, 1, 2, 1, 0x7, 0, 0, 0},
    {PTO_UE8M0, 8, 0, 127, 0xfe, 0xff, 0xff, 0},
    {PTO_UE5M3, 5, 3, 15, 0xfe, 0xff, 0xff, 0}, /* overflow gives a NaN, like ue8m0 */
    {PTO_E4M3FNUZ, 4, 3, 8, 0x7f, 0, 0x80, 0},
    {PTO_E5M2FNUZ, 5, 2, 16, 0x7f, 0, 0x80, 0},
    {PTO_E4M3B11FNUZ, 4, 3, 11, 0x7f, 0, 0x80, 0},
    {PTO_E4M3IEEE, 4, 3, 7, 0x77, 0x78, 0x7f, 0},
    {PTO_E3M4, 3, 4, 3, 0x6f, 0x70, 0x7f, 0},
    {PTO_BINARY8P3SE, 5, 2, 16, 0x7e, 0x7f, 0x80, 0},
    {PTO_BINARY8P4SE, 4, 3, 8, 0x7e, 0x7f, 0x80, 0},
};

const struct format *number_format(pto_dtype type) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].type == type) return &formats[i];
    }
    return NULL;
}

bool number_is_unsigned(pto_dtype type) {
    return type == PTO_UE8M0 || type == PTO_UE5M3;
}

uint64_t number_sign(const struct format *f) {
    return number_is_unsigned(f->type) ? 0 : (uint64_t)1 << (f->exponent_bits + f->fraction_bits);
}

void number_decode(const struct format *f, uint64_t code, uint64_t *m, int *q) {
    const uint64_t hidden = (uint64_t)1 << f->fraction_bits;
    const int exponent = (int)(code >> f->fraction_bits);
    *m = code & (hidden - 1);
    if (f->type == PTO_UE8M0 || exponent != 0) *m += hidden;
    *q = (exponent != 0 || f->type == PTO_UE8M0 ? exponent : 1) - f->bias - f->fraction_bits;
}

uint64_t number_guess(const struct format *f, uint64_t m, int e) {
    int exponent, shift;
    uint64_t code;
    if (m == 0) return 0;
    number_normalize(&m, &e);
    exponent = e + 63 + f->bias;
    shift = 63 - f->fraction_bits + (exponent < 1 ? 1 - exponent : 0);
    if (shift > 63) return 0;
    if (exponent >= 1 << f->exponent_bits) return f->largest;
    code = m >> shift; /* for normal values this includes the leading 1, which adds 1 to the exponent field */
    if (exponent > 1) code += (uint64_t)(exponent - 1) << f->fraction_bits;
    return code < f->largest ? code : f->largest;
}

uint64_t number_next_probe(uint64_t low, uint64_t high, uint64_t guess) {
    if (low < guess && guess <= high) return guess;
    if (low == guess) return guess + 1;
    return low + (high - low + 1) / 2;
}

bool number_has_one_zero(pto_dtype type) {
    return type == PTO_E4M3FNUZ || type == PTO_E5M2FNUZ || type == PTO_E4M3B11FNUZ ||
           type == PTO_BINARY8P3SE || type == PTO_BINARY8P4SE;
}

static bool is_nan(const struct format *f, uint64_t magnitude) {
    if (f->infinity) return number_is_unsigned(f->type) ? magnitude == f->nan : magnitude > f->infinity;
    return f->type == PTO_E4M3 && magnitude == f->nan;
}

/* ---- integers ---- */

bool number_is_signed(pto_dtype type) {
    return type == PTO_S8 || type == PTO_S16 || type == PTO_S32 || type == PTO_S64 || type == PTO_S4 ||
           type == PTO_S2;
}

bool number_is_integer(pto_dtype type) {
    return number_is_signed(type) || type == PTO_U8 || type == PTO_U16 || type == PTO_U32 ||
           type == PTO_U64 || type == PTO_U4 || type == PTO_U2;
}

uint64_t number_low_bits(uint64_t bits, int count) {
    return count >= 64 ? bits : bits & (((uint64_t)1 << count) - 1);
}

uint64_t number_negated(uint64_t magnitude) {
    return ~magnitude + 1;
}

struct number number_of_integer(pto_dtype type, uint64_t bits) {
    const int width = model_code_bits(type);
    struct number x = {FINITE, false, number_low_bits(bits, width), 0};
    if (number_is_signed(type) && x.m >> (width - 1)) {
        x.negative = true;
        x.m = number_low_bits(number_negated(x.m), width);
    }
    return x;
}

uint64_t number_limit(pto_dtype type, bool negative) {
    const int width = model_code_bits(type);
    if (!number_is_signed(type)) return negative ? 0 : number_low_bits(UINT64_MAX, width);
    return ((uint64_t)1 << (width - 1)) - !negative;
}

uint64_t number_clamped(pto_dtype type, const struct number *x) {
    const uint64_t most = number_limit(type, x->negative);
    uint64_t m = x->m;
    if (x->kind == INFINITE || number_compare(x->m, x->e, most, 0) > 0)
        m = most;
    else
        for (int i = 0; i < x->e; i++) {
            m *= 2;
        }
    return number_low_bits(x->negative ? number_negated(m) : m, model_code_bits(type));
}

/* ---- values of codes ---- */

struct number number_of(pto_dtype type, uint64_t bits) {
    const struct format *f = number_format(type);
    struct number x = {FINITE, false, 0, 0};
    uint64_t magnitude;
    if (number_is_integer(type)) return number_of_integer(type, bits);
    bits = number_low_bits(bits, model_code_bits(type));
    magnitude = number_low_bits(bits, f->exponent_bits + f->fraction_bits);
    x.negative = (bits & number_sign(f)) != 0;
    number_decode(f, magnitude, &x.m, &x.e);
    if (is_nan(f, magnitude) || (number_has_one_zero(type) && bits == f->nan))
        x.kind = NOT_A_NUMBER;
    else if (f->infinity && magnitude == f->infinity && !number_is_unsigned(type))
        x.kind = INFINITE;
    return x;
}
