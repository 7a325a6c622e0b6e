/* SPDX-License-Identifier: MIT */
/* The model of PTX cvt. "Conversions" in docs/semantics.md has the rules; some comments name its subsections. */
#include "model/model_cvt.h"
#include "model/model_number.h"

#include <string.h>

/* ---- values of codes ---- */

/** s2f6 is an 8-bit integer in units of 2^-6. */
enum { S2F6_UNIT = -6 };

static struct number s2f6_value(uint64_t bits) {
    struct number x = number_of_integer(PTO_S8, bits);
    x.e = S2F6_UNIT;
    return x;
}

static struct number value_of(pto_dtype type, uint64_t bits) {
    return type == PTO_S2F6 ? s2f6_value(bits) : number_of(type, bits);
}

int model_cvt_exponent(pto_dtype type, uint64_t bits) {
    struct number x = value_of(type, bits);
    if (x.kind != FINITE || x.m == 0) return 0;
    number_normalize(&x.m, &x.e);
    return x.e + 63;
}

/* ---- rounding ---- */

/** Whether x is rounded to the upper one of its neighbours m * 2^q (at most x) and (m + 1) * 2^q. */
static bool chooses_upper(const struct number *x, uint64_t m, int q, pto_round round, uint32_t r, int k) {
    const int to_half = number_compare(x->m, x->e, 2 * m + 1, q - 1);
    const bool exact = number_compare(x->m, x->e, m, q) == 0;
    switch (round) {
    case PTO_RZ:
    case PTO_RZI: return false;
    case PTO_RM:
    case PTO_RMI: return x->negative && !exact;
    case PTO_RP:
    case PTO_RPI: return !x->negative && !exact;
    case PTO_RNA: return to_half >= 0;
    case PTO_RS: /* choose the upper one if x + r * 2^-k ulp reaches it */
        return number_compare(x->m, x->e, ((m + 1) << k) - r, q - k) >= 0;
    default: return to_half > 0 || (to_half == 0 && m % 2 == 1);
    }
}

/** Returns the magnitude code of the rounded value, or one more than MAX_NORM's code if it overflows. */
static uint64_t round_to_code(const struct format *f, const struct number *x, pto_round round, uint32_t r) {
    const int k = f->type == PTO_F16 ? 13 : 16;
    const uint64_t guess = number_guess(f, x->m, x->e);
    uint64_t low = 0, high = f->largest; /* the value of `low` is at most x */
    uint64_t m;
    int q;
    while (low < high) {
        const uint64_t code = number_next_probe(low, high, guess);
        number_decode(f, code, &m, &q);
        if (number_compare(m, q, x->m, x->e) <= 0)
            low = code;
        else
            high = code - 1;
    }
    number_decode(f, low, &m, &q);
    /* ue8m0 has no zero: values below its smallest become the smallest. */
    if (f->type == PTO_UE8M0 && number_compare(x->m, x->e, m, q) < 0) return 0;
    return low + chooses_upper(x, m, q, round, r, k);
}

/** Rounds x, whose exponent e is negative, to an integer. Finds its neighbours by search. */
static uint64_t round_to_integer(const struct number *x, pto_round round) {
    const uint64_t guess = x->e > -64 ? x->m >> -x->e : 0;
    uint64_t low = 0, high = x->m; /* x->m is an upper bound, because e is negative */
    while (low < high) {
        const uint64_t middle = number_next_probe(low, high, guess);
        if (number_compare(middle, 0, x->m, x->e) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    return low + chooses_upper(x, low, 0, round, 0, 0);
}

/** Rounds x to an integral value. */
static struct number integral(struct number x, pto_round round) {
    if (x.kind != FINITE || x.e >= 0) return x;
    x.m = round_to_integer(&x, round);
    x.e = 0;
    return x;
}

/* ---- to an integer ---- */

static uint64_t to_integer(const pto_cvt_op *op, struct number x) {
    const int width = model_code_bits(op->dst);
    if (x.kind == NOT_A_NUMBER) return op->src == PTO_F64 || width == 64 ? (uint64_t)1 << (width - 1) : 0;
    if (number_is_integer(op->src) && !op->sat)
        return number_low_bits(x.negative ? number_negated(x.m) : x.m, width);
    x = integral(x, op->round);
    return number_clamped(op->dst, &x);
}

/** Rounds x to a multiple of 2^-6 and returns its s2f6 code. A NaN becomes the largest value. */
static uint64_t to_s2f6(const pto_cvt_op *op, struct number x) {
    if (x.kind == NOT_A_NUMBER) return number_limit(PTO_S8, false);
    x.e -= S2F6_UNIT;
    x = integral(x, op->round);
    if (op->relu && x.negative) return 0;
    return number_clamped(PTO_S8, &x);
}

/* ---- which NaN: docs/semantics.md, "NaN" ---- */

static uint64_t tf32_nan(const pto_cvt_op *op, uint64_t bits) {
    uint64_t code = bits & 0xffffe000;
    if (op->round != PTO_RNA) return 0x7fffe000; /* as on an H100: of 19 bits, all except the sign are 1 */
    /* As in NVIDIA's emitted code: a payload that is only in the low 13 bits is lost. */
    return op->satfinite ? code - 0x2000 : code;
}

static uint64_t f32_nan(const pto_cvt_op *op, uint64_t bits) {
    switch (op->src) {
    case PTO_F32: return op->round == PTO_ROUND_NONE && !op->ftz ? bits : 0x7fffffff;
    case PTO_BF16: return op->ftz ? 0x7fffffff : bits << 16;
    case PTO_F64: return (bits >> 63 << 31) | 0x7fc00000 | (bits >> 29 & 0x7fffff);
    default: return 0x7fffffff;
    }
}

static uint64_t f64_nan(const pto_cvt_op *op, uint64_t bits) {
    const uint64_t quiet = 0x7ff8000000000000;
    if (op->src == PTO_F64) return op->round == PTO_ROUND_NONE ? bits : bits | quiet;
    if (op->ftz) return 0x7fffffffe0000000;
    switch (op->src) {
    case PTO_F16: return (bits >> 15 << 63) | quiet | (bits & 0x3ff) << 42;
    case PTO_BF16: return (bits >> 15 << 63) | quiet | (bits & 0x7f) << 45;
    default: return (bits >> 31 << 63) | quiet | (bits & 0x7fffff) << 29;
    }
}

/** For an f64 source an H100 preserves the sign and the payload bits that fit. All other sources give one NaN. */
static uint64_t f16_nan(const pto_cvt_op *op, uint64_t bits) {
    return op->src == PTO_F64 ? (bits >> 63 << 15) | 0x7e00 | (bits >> 42 & 0x3ff) : 0x7fff;
}

static uint64_t bf16_nan(const pto_cvt_op *op, uint64_t bits) {
    return op->src == PTO_F64 ? (bits >> 63 << 15) | 0x7fc0 | (bits >> 45 & 0x7f) : 0x7fff;
}

static uint64_t nan_result(const pto_cvt_op *op, uint64_t bits) {
    if (op->sat) return 0;
    switch (op->dst) {
    case PTO_TF32: return tf32_nan(op, bits);
    case PTO_F32: return f32_nan(op, bits);
    case PTO_F64: return f64_nan(op, bits);
    case PTO_F16: return f16_nan(op, bits);
    case PTO_BF16: return bf16_nan(op, bits);
    default: return number_format(op->dst)->nan;
    }
}

/* ---- to a float ---- */

/** Whether .ftz makes the result of f64 -> f32 zero. Values from 2^-127 on are rounded one binade
 * higher, where f32 has all 24 significand bits. Smaller values cannot round up to 2^-126. */
static bool f64_flushes(const struct number *x, pto_round round) {
    const uint64_t double_normal = 0x01000000; /* 2^-125, twice the smallest normal number */
    struct number doubled = *x;
    doubled.e += 1;
    if (x->kind != FINITE || number_compare(x->m, x->e, 1, -126) >= 0) return false;
    if (number_compare(x->m, x->e, 1, -127) < 0) return true;
    return round_to_code(number_format(PTO_F32), &doubled, round, 0) < double_normal;
}

/** Whether the result is flushed to zero. */
static bool flushes(const pto_cvt_op *op, const struct number *x) {
    if (!op->ftz || x->kind != FINITE) return false;
    if (op->src == PTO_F64) return f64_flushes(x, op->round);
    if (op->src == PTO_F32 && op->dst == PTO_F16) return false;
    return number_compare(x->m, x->e, 1, -126) < 0;
}

static bool is_integral_mode(pto_round round) {
    return round == PTO_RNI || round == PTO_RZI || round == PTO_RMI || round == PTO_RPI;
}

/** Returns the magnitude code, after overflow and .satfinite. */
static uint64_t float_magnitude(const pto_cvt_op *op, const struct format *f, struct number x, uint32_t r) {
    uint64_t code;
    if (is_integral_mode(op->round)) x = integral(x, op->round);
    code = x.kind == INFINITE ? f->largest + 1 : round_to_code(f, &x, op->round, r);
    if (code <= f->largest) return code;
    return op->satfinite || !f->infinity ? f->largest : f->infinity;
}

/** Applies .relu and .sat to a code that is not a NaN. */
static uint64_t bounded(const pto_cvt_op *op, const struct format *f, uint64_t code) {
    const bool negative = (code & number_sign(f)) != 0;
    if ((op->relu || op->sat) && negative) return 0;
    return op->sat && code > f->one ? f->one : code;
}

/** Applies .pzo to a code that is not a NaN. The code of minus zero is just the sign bit. */
static uint64_t positive_zero(const struct format *f, uint64_t code) {
    return code == number_sign(f) ? 0 : code;
}

static uint64_t to_float(const pto_cvt_op *op, struct number x, uint64_t bits, uint32_t r) {
    const struct format *f = number_format(op->dst);
    uint64_t code;
    if (x.kind == NOT_A_NUMBER) return nan_result(op, bits);
    if (flushes(op, &x)) x.m = 0;
    if (number_is_unsigned(op->dst)) x.negative = false;
    code = float_magnitude(op, f, x, r);
    code = bounded(op, f, code | (x.negative ? number_sign(f) : 0));
    if (op->pzo) code = positive_zero(f, code);
    return op->dst == PTO_TF32 ? code << 13 : code;
}

/* ---- scales: docs/semantics.md, "Scales" ---- */

/** Whether the source is flushed to a zero of its sign before it is scaled. n1 does that to subnormal sources, whatever
 * the scale is. */
static bool is_flushed_first(const pto_cvt_op *op, const struct number *x) {
    if (op->scale != PTO_SCALE_N1 || x->kind != FINITE) return false;
    return number_compare(x->m, x->e, 1, 1 - number_format(op->src)->bias) < 0;
}

/** Applies the scale: from a small type to bf16 it multiplies, to a small type it divides. */
static struct number scaled(const pto_cvt_op *op, struct number x, uint32_t scale) {
    const int exponent = (int)(scale & 0xff) - 127;
    if ((scale & 0xff) == 0xff) x.kind = NOT_A_NUMBER;
    x.e += op->dst == PTO_BF16 ? exponent : -exponent;
    return x;
}

/* ---- composed pairs ---- */

static bool is_small(pto_dtype type) {
    return type == PTO_E4M3 || type == PTO_E5M2 || type == PTO_E2M3 || type == PTO_E3M2 || type == PTO_E2M1;
}

/** Returns the intermediate type, from the table at pto_cvt() in convert.h. It is the source type if PTX has one
 * instruction: for small types from bf16 except with .rs, and to bf16 with .rn. */
static pto_dtype intermediate_type(const pto_cvt_op *op) {
    if (op->src == PTO_BF16 && is_small(op->dst) && op->round == PTO_RS) return PTO_F32;
    if (is_small(op->src) && op->dst == PTO_F32) return PTO_F16;
    if (is_small(op->src) && op->dst == PTO_BF16 && op->round != PTO_RN) return PTO_F16;
    if (op->src == PTO_UE8M0 && op->dst == PTO_F32) return PTO_BF16;
    return op->src;
}

static uint64_t one_instruction(const pto_cvt_op *op, uint64_t bits, uint32_t extra) {
    struct number x = value_of(op->src, bits);
    if (op->scale != PTO_SCALE_NONE) {
        if (is_flushed_first(op, &x)) x.m = 0;
        x = scaled(op, x, extra);
    }
    if (op->dst == PTO_S2F6) return to_s2f6(op, x);
    if (!number_is_integer(op->dst)) return to_float(op, x, bits, extra);
    if (op->src == PTO_F32 && flushes(op, &x)) x.m = 0;
    return to_integer(op, x);
}

uint64_t model_cvt(const pto_cvt_op *op, uint64_t bits, uint32_t extra) {
    const pto_dtype intermediate = intermediate_type(op);
    bits = number_low_bits(bits, model_code_bits(op->src));
    if (intermediate != op->src) {
        const pto_cvt_op first = {.dst = intermediate, .src = op->src};
        pto_cvt_op second = *op;
        second.src = intermediate;
        return one_instruction(&second, one_instruction(&first, bits, 0), extra);
    }
    return one_instruction(op, bits, extra);
}

/* ---- random bits: docs/semantics.md, "Random bits of .rs" ---- */

/** Returns which bit of the word is bit j of the random number for the element at `place` in its group. */
static unsigned origin(pto_dtype dst, size_t place, unsigned j) {
    const bool upper = place >= 2; /* PTX's elements a and b take bits from P, e and f from Q */
    const unsigned at = place % 2 ? 15 - j : j;
    switch (dst) {
    case PTO_F16:
    case PTO_BF16: return place == 0 ? j : 16 + j;
    case PTO_E2M1: /* P is bytes 3 and 1, Q bytes 2 and 0 */
        if (upper) return at < 8 ? 8 + at : 24 + (at - 8);
        return at < 8 ? at : 16 + (at - 8);
    default: return upper ? 16 + at : at;
    }
}

size_t model_cvt_group(const pto_cvt_op *op) {
    if (op->round != PTO_RS) return 1;
    return op->dst == PTO_F16 || op->dst == PTO_BF16 ? 2 : 4;
}

static uint32_t random_bits(const pto_cvt_op *op, const void *rbits, size_t lane) {
    const size_t group = model_cvt_group(op);
    const unsigned k = op->dst == PTO_F16 ? 13 : 16;
    uint32_t word, r = 0;
    memcpy(&word, (const unsigned char *)rbits + lane / group * sizeof word, sizeof word);
    for (unsigned j = 0; j < k; j++) {
        r |= (word >> origin(op->dst, lane % group, j) & 1) << j;
    }
    return r;
}

/** Returns the scale byte of an element. n1 has one byte for each pair of elements, n2 one for each element. In a
 * packed word the low half is element 2k. */
static uint32_t scale_byte(const pto_cvt_op *op, const void *scales, size_t lane) {
    return ((const unsigned char *)scales)[op->scale == PTO_SCALE_N1 ? lane / 2 : lane];
}

uint32_t model_cvt_extra(const pto_cvt_op *op, const void *extra, size_t lane) {
    if (op->round == PTO_RS) return random_bits(op, extra, lane);
    return op->scale != PTO_SCALE_NONE ? scale_byte(op, extra, lane) : 0;
}

size_t model_cvt_extra_bytes(const pto_cvt_op *op, size_t n) {
    if (op->round == PTO_RS) return n / model_cvt_group(op) * sizeof(uint32_t);
    if (op->scale == PTO_SCALE_N1) return n / 2 + n % 2;
    return op->scale == PTO_SCALE_N2 ? n : 0;
}

/* ---- memory layouts ---- */

int model_code_bits(pto_dtype type) {
    switch (type) {
    case PTO_U8:
    case PTO_S8:
    case PTO_E4M3:
    case PTO_E5M2:
    case PTO_UE8M0:
    case PTO_S2F6:
    case PTO_UE5M3:
    case PTO_HIF8:
    case PTO_E4M3FNUZ:
    case PTO_E5M2FNUZ:
    case PTO_E4M3B11FNUZ:
    case PTO_E4M3IEEE:
    case PTO_E3M4:
    case PTO_BFP8:
    case PTO_BINARY8P3SE:
    case PTO_BINARY8P4SE: return 8;
    case PTO_U16:
    case PTO_S16:
    case PTO_F16:
    case PTO_BF16: return 16;
    case PTO_E2M3:
    case PTO_E3M2: return 6;
    case PTO_E2M1:
    case PTO_E1M2:
    case PTO_U4:
    case PTO_S4:
    case PTO_BFP4: return 4;
    case PTO_U2:
    case PTO_S2: return 2;
    case PTO_U32:
    case PTO_S32:
    case PTO_F32:
    case PTO_TF32: return 32;
    default: return 64;
    }
}

/** The size in bytes of an element that does not share its bytes. */
static size_t bytes_of(pto_dtype type) {
    return (size_t)(model_code_bits(type) + 7) / 8;
}

size_t model_cvt_bytes(pto_dtype type, size_t n) {
    const size_t each = 8 / (size_t)model_code_bits(type); /* elements that share a byte */
    return each > 1 ? n / each + (n % each != 0) : n * bytes_of(type);
}

uint64_t model_cvt_load(pto_dtype type, const void *array, size_t lane) {
    const unsigned char *bytes = array;
    const size_t size = bytes_of(type);
    uint64_t code = 0;
    if (model_code_bits(type) == 4) return bytes[lane / 2] >> lane % 2 * 4 & 15;
    if (model_code_bits(type) == 2) return bytes[lane / 4] >> lane % 4 * 2 & 3;
    for (size_t i = 0; i < size; i++) {
        code |= (uint64_t)bytes[lane * size + i] << 8 * i;
    }
    return number_low_bits(code, model_code_bits(type));
}

void model_cvt_store(pto_dtype type, void *array, size_t lane, uint64_t code) {
    unsigned char *bytes = array;
    const size_t size = bytes_of(type);
    if (model_code_bits(type) == 4) {
        bytes[lane / 2] |= (unsigned char)(code << lane % 2 * 4);
        return;
    }
    if (model_code_bits(type) == 2) {
        bytes[lane / 4] |= (unsigned char)(code << lane % 4 * 2);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        bytes[lane * size + i] = (unsigned char)(code >> 8 * i);
    }
}
