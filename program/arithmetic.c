/* SPDX-License-Identifier: MIT */
/* Bit-exact PTX arithmetic on arrays of integers and floats. */
#include "arithmetic.h"

#include <math.h>
#include <string.h>

/* ---- integers ---- */

static inline uint64_t load(const void *from, size_t bytes, size_t i) {
    uint64_t x = 0;
    memcpy(&x, (const unsigned char *)from + i * bytes, bytes);
    return x;
}

static inline void store(void *to, size_t bytes, size_t i, uint64_t x) {
    memcpy((unsigned char *)to + i * bytes, &x, bytes);
}

static inline uint64_t shift_right(uint64_t a, uint32_t by, unsigned bits, bool arithmetic) {
    const uint64_t signs = arithmetic && a >> (bits - 1) != 0 ? ~(uint64_t)0 : 0;
    const uint64_t wide = bits == 64 ? a : a | signs << bits;
    if (by >= bits) return signs;
    return by == 0 ? wide : wide >> by | signs << (64 - by);
}

static inline uint64_t integer(enum arithmetic op, uint64_t a, uint64_t b, unsigned bits,
                               bool is_signed_type) {
    switch (op) {
    case ARITHMETIC_ADD: return a + b;
    case ARITHMETIC_SUB: return a - b;
    case ARITHMETIC_MUL: return a * b;
    case ARITHMETIC_NEG: return 0 - a;
    case ARITHMETIC_ABS: return a >> (bits - 1) != 0 ? 0 - a : a;
    case ARITHMETIC_SHL: return b >= bits ? 0 : a << b;
    default: return shift_right(a, (uint32_t)b, bits, is_signed_type);
    }
}

/* Callers pass constants for `op` and `bytes`, so that the compiler makes a separate loop for each combination. */
static inline void integer_loop(enum arithmetic op, size_t bytes, bool is_signed_type,
                                const struct addresses *at, size_t n) {
    const bool shift = op == ARITHMETIC_SHL || op == ARITHMETIC_SHR,
               one = op == ARITHMETIC_NEG || op == ARITHMETIC_ABS;
    for (size_t i = 0; i < n; i++) {
        const uint64_t a = load(at->src[0], bytes, i);
        const uint64_t b = one ? 0 : load(at->src[1], shift ? 4 : bytes, i);
        store(at->dst[0], bytes, i, integer(op, a, b, (unsigned)bytes * 8, is_signed_type));
    }
}

static inline void integer_loop_by_width(enum arithmetic op, size_t bytes, bool is_signed_type,
                                         const struct addresses *at, size_t n) {
    switch (bytes) {
    case 1: integer_loop(op, 1, is_signed_type, at, n); break;
    case 2: integer_loop(op, 2, is_signed_type, at, n); break;
    case 4: integer_loop(op, 4, is_signed_type, at, n); break;
    default: integer_loop(op, 8, is_signed_type, at, n); break;
    }
}

static void dispatch_integers(enum arithmetic op, size_t bytes, bool is_signed_type,
                              const struct addresses *at, size_t n) {
    switch (op) {
    case ARITHMETIC_ADD: integer_loop_by_width(ARITHMETIC_ADD, bytes, false, at, n); break;
    case ARITHMETIC_SUB: integer_loop_by_width(ARITHMETIC_SUB, bytes, false, at, n); break;
    case ARITHMETIC_MUL: integer_loop_by_width(ARITHMETIC_MUL, bytes, false, at, n); break;
    case ARITHMETIC_NEG: integer_loop_by_width(ARITHMETIC_NEG, bytes, false, at, n); break;
    case ARITHMETIC_ABS: integer_loop_by_width(ARITHMETIC_ABS, bytes, false, at, n); break;
    case ARITHMETIC_SHL: integer_loop_by_width(ARITHMETIC_SHL, bytes, false, at, n); break;
    default: integer_loop_by_width(ARITHMETIC_SHR, bytes, is_signed_type, at, n); break;
    }
}

/* ---- floating-point formats ---- */

struct format {
    pto_dtype type;
    unsigned bits;
    uint64_t infinity;   /* bits of +infinity; larger magnitudes are NaNs */
    uint64_t min_normal; /* bits of the smallest positive normal value */
    uint64_t nan;        /* bits of the canonical NaN; for f64 used only if no operand is a NaN */
    double flush_below;  /* .ftz: operands and unrounded results of smaller magnitude become zero */
};

#define F64_QUIET ((uint64_t)1 << 51)

/* `flush_below` is the smallest normal value minus half a unit in the last place of the values just below it. Values
 * between the two round to the smallest normal value. */
static struct format format_of(pto_dtype type) {
    switch (type) {
    case PTO_F16: return (struct format){type, 16, 0x7c00, 0x0400, 0x7fff, 0x1p-14 - 0x1p-26};
    case PTO_BF16: return (struct format){type, 16, 0x7f80, 0x0080, 0x7fff, 0};
    case PTO_F32: return (struct format){type, 32, 0x7f800000, 0x00800000, 0x7fffffff, 0x1p-126 - 0x1p-151};
    default: return (struct format){type, 64, 0x7ff0000000000000, 0x0010000000000000, 0xfff8000000000000, 0};
    }
}

/* ---- signs ---- */

/* GPUs compute neg and abs as the sum of zero and the operand with its new sign. NaNs come out as from any addition:
 * the canonical NaN, or for f64 the quiet operand with its old sign. */
static inline uint64_t change_sign(enum arithmetic op, uint64_t a, const struct format *f, bool ftz) {
    const uint64_t sign = (uint64_t)1 << (f->bits - 1), magnitude = a & (sign - 1);
    const uint64_t flushed = ftz && magnitude < f->min_normal ? a & sign : a;
    const uint64_t signed_result = op == ARITHMETIC_NEG ? flushed ^ sign : flushed & (sign - 1);
    if (magnitude <= f->infinity) return signed_result;
    return f->type == PTO_F64 ? a | F64_QUIET : f->nan;
}

static void change_signs(enum arithmetic op, const struct format *f, bool ftz, const struct addresses *at,
                         size_t n) {
    const size_t bytes = f->bits / 8;
    for (size_t i = 0; i < n; i++)
        store(at->dst[0], bytes, i, change_sign(op, load(at->src[0], bytes, i), f, ftz));
}

/* ---- f32 and f64 with the CPU's own operations ---- */

static inline float f32_of(enum arithmetic op, float a, float b, float c) {
    switch (op) {
    case ARITHMETIC_ADD: return a + b;
    case ARITHMETIC_SUB: return a - b;
    case ARITHMETIC_MUL: return a * b;
    default: return fmaf(a, b, c);
    }
}

static inline double f64_of(enum arithmetic op, double a, double b, double c) {
    switch (op) {
    case ARITHMETIC_ADD: return a + b;
    case ARITHMETIC_SUB: return a - b;
    case ARITHMETIC_MUL: return a * b;
    default: return fma(a, b, c);
    }
}

/* Arrays may be unaligned, so elements are loaded and stored with memcpy(). */
static inline void f32_loop(enum arithmetic op, const struct addresses *at, size_t n) {
    const unsigned char *a = at->src[0], *b = at->src[1], *c = op == ARITHMETIC_FMA ? at->src[2] : a;
    unsigned char *d = at->dst[0];
    for (size_t i = 0; i < 4 * n; i += 4) {
        uint32_t bits;
        float x, y, z;
        memcpy(&x, a + i, 4);
        memcpy(&y, b + i, 4);
        memcpy(&z, c + i, 4);
        x = f32_of(op, x, y, z);
        memcpy(&bits, &x, 4);
        bits = x != x ? 0x7fffffff : bits;
        memcpy(d + i, &bits, 4);
    }
}

/* Returns the NaN that an f64 operation gives for the operands at byte `offset`. It is the first operand in the order
 * b, c, a that is a NaN, made quiet, with its sign and payload. */
static uint64_t f64_nan(enum arithmetic op, const struct addresses *at, size_t offset) {
    static const size_t order_of_two[] = {1, 0}, order_of_three[] = {1, 2, 0};
    const size_t *order = op == ARITHMETIC_FMA ? order_of_three : order_of_two;
    const struct format f = format_of(PTO_F64);
    for (size_t k = 0; k < (op == ARITHMETIC_FMA ? 3U : 2U); k++) {
        const uint64_t bits = load((const unsigned char *)at->src[order[k]] + offset, 8, 0);
        if ((bits & INT64_MAX) > f.infinity) return bits | F64_QUIET;
    }
    return f.nan;
}

enum { CHUNK = 256 };

/* Computes n elements, at most CHUNK, from byte `offset` on. NaNs are rare, so the loop only counts them, and a second
 * loop replaces them. Until then results are in `out`: dst may be one of the operands, which f64_nan() still reads. */
static inline void f64_chunk(enum arithmetic op, const struct addresses *at, size_t offset, size_t n) {
    const unsigned char *a = (const unsigned char *)at->src[0] + offset,
                        *b = (const unsigned char *)at->src[1] + offset,
                        *c = op == ARITHMETIC_FMA ? (const unsigned char *)at->src[2] + offset : a;
    uint64_t out[CHUNK] = {0};
    unsigned nans = 0;
    for (size_t i = 0; i < n; i++) {
        double x, y, z;
        memcpy(&x, a + 8 * i, 8);
        memcpy(&y, b + 8 * i, 8);
        memcpy(&z, c + 8 * i, 8);
        x = f64_of(op, x, y, z);
        memcpy(&out[i], &x, 8);
        nans += x != x;
    }
    for (size_t i = 0; i < n && nans != 0; i++)
        if ((out[i] & INT64_MAX) > 0x7ff0000000000000) out[i] = f64_nan(op, at, offset + 8 * i);
    memcpy((unsigned char *)at->dst[0] + offset, out, 8 * n);
}

static inline void f64_loop(enum arithmetic op, const struct addresses *at, size_t n) {
    for (size_t i = 0; i < n; i += CHUNK) f64_chunk(op, at, 8 * i, n - i < CHUNK ? n - i : CHUNK);
}

/* ---- f16 and bf16, and f32 with .ftz, computed in f64 ---- */

/* Returns x + y rounded to odd: the last bit of an inexact sum is 1. If it is rounded again to a format with less
 * than half as many significand bits, the result is as if rounded once. */
static double add_to_odd(double x, double y) {
    const double sum = x + y, back = sum - x;
    const double error = (x - (sum - back)) + (y - back);
    uint64_t bits;
    if (error == 0 || isinf(sum) || sum != sum) return sum;
    memcpy(&bits, &sum, sizeof bits);
    if (bits & 1) return sum;
    bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX; /* to the neighbour in the direction of the error */
    {
        double odd;
        memcpy(&odd, &bits, sizeof odd);
        return odd;
    }
}

/* Products of two f16, bf16 or f32 values are exact in f64. */
static inline double compute_in_f64(enum arithmetic op, double a, double b, double c) {
    switch (op) {
    case ARITHMETIC_ADD: return add_to_odd(a, b);
    case ARITHMETIC_SUB: return add_to_odd(a, -b);
    case ARITHMETIC_MUL: return a * b;
    default: return add_to_odd(a * b, c);
    }
}

static pto_status widen(const struct format *f, bool ftz, const void *from, double *to, size_t n) {
    const pto_cvt_op op = {.dst = PTO_F64, .src = f->type};
    const double least = f->flush_below;
    const pto_status status = pto_cvt(op, from, to, NULL, n);
    for (size_t i = 0; ftz && status == PTO_OK && i < n; i++)
        if (fabs(to[i]) < least) to[i] = copysign(0, to[i]);
    return status;
}

static pto_status narrow(const struct format *f, bool ftz, double *from, void *to, size_t n) {
    const pto_cvt_op op = {.dst = f->type, .src = PTO_F64, .round = PTO_RN};
    for (size_t i = 0; i < n; i++) {
        if (from[i] != from[i]) from[i] = NAN;
        if (ftz && fabs(from[i]) < f->flush_below) from[i] = copysign(0, from[i]);
    }
    return pto_cvt(op, from, to, NULL, n);
}

/* Computes n elements, at most CHUNK, from element i on. */
static pto_status chunk_in_f64(enum arithmetic op, const struct format *f, bool ftz,
                               const struct addresses *at, size_t i, size_t n) {
    const size_t bytes = f->bits / 8, operands = op == ARITHMETIC_FMA ? 3 : 2;
    double in[3][CHUNK] = {{0}};
    pto_status status = PTO_OK;
    for (size_t k = 0; k < operands && status == PTO_OK; k++)
        status = widen(f, ftz, (const unsigned char *)at->src[k] + i * bytes, in[k], n);
    if (status != PTO_OK) return status;
    for (size_t k = 0; k < n; k++) in[0][k] = compute_in_f64(op, in[0][k], in[1][k], in[2][k]);
    status = narrow(f, ftz, in[0], (unsigned char *)at->dst[0] + i * bytes, n);
    for (size_t k = 0; k < n; k++) /* pto_cvt() from f64 to f32 copies NaN payloads */
        if (in[0][k] != in[0][k]) store(at->dst[0], bytes, i + k, f->nan);
    return status;
}

static pto_status loop_in_f64(enum arithmetic op, const struct format *f, bool ftz,
                              const struct addresses *at, size_t n) {
    for (size_t i = 0; i < n; i += CHUNK) {
        const pto_status status = chunk_in_f64(op, f, ftz, at, i, n - i < CHUNK ? n - i : CHUNK);
        if (status != PTO_OK) return status;
    }
    return PTO_OK;
}

/* ---- dispatch by operation and type ---- */

static void dispatch_f32(enum arithmetic op, const struct addresses *at, size_t n) {
    switch (op) {
    case ARITHMETIC_ADD: f32_loop(ARITHMETIC_ADD, at, n); break;
    case ARITHMETIC_SUB: f32_loop(ARITHMETIC_SUB, at, n); break;
    case ARITHMETIC_MUL: f32_loop(ARITHMETIC_MUL, at, n); break;
    default: f32_loop(ARITHMETIC_FMA, at, n); break;
    }
}

static void dispatch_f64(enum arithmetic op, const struct addresses *at, size_t n) {
    switch (op) {
    case ARITHMETIC_ADD: f64_loop(ARITHMETIC_ADD, at, n); break;
    case ARITHMETIC_SUB: f64_loop(ARITHMETIC_SUB, at, n); break;
    case ARITHMETIC_MUL: f64_loop(ARITHMETIC_MUL, at, n); break;
    default: f64_loop(ARITHMETIC_FMA, at, n); break;
    }
}

static pto_status dispatch_floats(enum arithmetic op, pto_dtype type, bool ftz, const struct addresses *at,
                                  size_t n) {
    const struct format f = format_of(type);
    if (op == ARITHMETIC_NEG || op == ARITHMETIC_ABS) {
        change_signs(op, &f, ftz, at, n);
        return PTO_OK;
    }
    if (f.bits == 16 || ftz) return loop_in_f64(op, &f, ftz, at, n);
    if (type == PTO_F32)
        dispatch_f32(op, at, n);
    else
        dispatch_f64(op, at, n);
    return PTO_OK;
}

pto_status pto_arithmetic(enum arithmetic op, const struct typed_parameters *typed,
                          const struct addresses *at, size_t n) {
    const pto_dtype type = typed->type;
    const pto_class class = pto_dtype_class(type);
    if (class == PTO_CLASS_FLOAT)
        return dispatch_floats(op, type, typed->ftz, at, n * typed->elements_per_lane);
    dispatch_integers(op, pto_dtype_bits(type) / 8, class == PTO_CLASS_SIGNED, at,
                      n * typed->elements_per_lane);
    return PTO_OK;
}
