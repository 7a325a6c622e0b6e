/* SPDX-License-Identifier: MIT */
/*
 * Bit-exact PTX arithmetic on arrays of floats. Each file that includes this is compiled for another instruction set.
 * It defines FLOAT_LOOPS, the name of the function that the end of this file defines; see loops.h.
 *
 * Operations on f32 and f64 use the CPU's instructions, in the rounding mode that the caller has set. Operations on f16
 * and bf16 are computed in f32 and rounded again, to nearest even except for bf16 fma with another rounding.
 */
#include "float_vectors.h"

/* gcc does not unroll loops by itself. */
#ifdef __clang__
#    define UNROLLED
#else
#    define UNROLLED _Pragma("GCC unroll 4")
#endif

struct modifiers {
    bool ftz, sat, relu;
    pto_round round; /* bf16 fma: how the f32 result is rounded; the CPU's rounding mode is the same */
};

static ALWAYS_INLINE size_t source_count(enum arithmetic op) {
    switch (op) {
    case ARITHMETIC_FMA: return 3;
    case ARITHMETIC_ADD:
    case ARITHMETIC_SUB:
    case ARITHMETIC_MUL:
    case ARITHMETIC_COPYSIGN:
    case ARITHMETIC_DIV:
    case ARITHMETIC_DIV_APPROX: return 2;
    default: return 1;
    }
}

/* Returns x, with zeros of the same sign for values whose magnitude is below `least`. */
static ALWAYS_INLINE floats flushed_32(floats x, float least) {
    return zeros_where(less_32(magnitude_32(x), all_32(least)), x);
}

/* ---- f32 ---- */

static ALWAYS_INLINE floats copy_sign_32(floats a, floats b) {
    return (floats)((words_32)sign_32(a) | (words_32)magnitude_32(b));
}

/* Returns a / b as div.approx computes it. The GPU multiplies by the reciprocal of b, and flushes the
 * reciprocal to zero if |b| is above 2^126. */
static ALWAYS_INLINE floats divide_approximately(floats a, floats b) {
    const mask_32 large = less_32(all_32(0x1p126F), magnitude_32(b));
    return select_floats(large, a * sign_32(b), a / b);
}

static ALWAYS_INLINE floats compute_32(enum arithmetic op, floats a, floats b, floats c) {
    switch (op) {
    case ARITHMETIC_ADD: return a + b;
    case ARITHMETIC_SUB: return a - b;
    case ARITHMETIC_MUL: return a * b;
    case ARITHMETIC_FMA: return fma_32(a, b, c);
    case ARITHMETIC_DIV: return a / b;
    case ARITHMETIC_DIV_APPROX: return divide_approximately(a, b);
    case ARITHMETIC_RCP: return all_32(1) / a;
    case ARITHMETIC_SQRT: return sqrt_32(a);
    case ARITHMETIC_NEG: return (floats)((words_32)a ^ bits_32(0x80000000));
    default: return magnitude_32(a);
    }
}

/* Returns the result of compute_32() times 2^32. */
static ALWAYS_INLINE floats compute_scaled_32(enum arithmetic op, floats a, floats b, floats c) {
    const float scale = 0x1p32F;
    if (op == ARITHMETIC_RCP) return all_32(scale) / a;
    return compute_32(op, a * scale, b, c * scale);
}

/* Returns whether results of the operation below 2^-126 are exact if the operands are not subnormal. */
static ALWAYS_INLINE bool is_small_result_exact(enum arithmetic op) {
    return op == ARITHMETIC_ADD || op == ARITHMETIC_SUB || op == ARITHMETIC_NEG || op == ARITHMETIC_ABS;
}

/* Flushes results to zero: those whose magnitude, rounded to 24 bits with an unbounded exponent, is below
 * 2^-126. Such a result is below 2^-126 when it is rounded to a subnormal value, unless that rounds it up to
 * 2^-126. So only results of exactly 2^-126 are computed again times 2^32, which has 24 bits. Their scaled
 * operands do not overflow. */
static ALWAYS_INLINE floats flush_result_32(enum arithmetic op, floats r, floats a, floats b, floats c) {
    const floats size = magnitude_32(r);
    mask_32 flushed = less_32(size, all_32(0x1p-126F)), least;
    if (op == ARITHMETIC_SQRT) return r;
    if (is_small_result_exact(op)) return zeros_where(flushed, r);
    least = equal_bits_32((words_32)size, bits_32(0x00800000));
    if (any_32(least))
        flushed |= least & less_32(magnitude_32(compute_scaled_32(op, a, b, c)), all_32(0x1p-94F));
    return zeros_where(flushed, r);
}

/* Returns r clamped to [0, 1]. NaNs and -0 become +0. */
static ALWAYS_INLINE floats saturate_32(floats r) {
    return smaller_32(larger_32(r, all_32(0)), all_32(1));
}

/* Returns r, with +0 for negative values. NaNs stay NaNs. -0 becomes +0, if the CPU rounds to nearest. */
static ALWAYS_INLINE floats rectify_32(floats r) {
    return larger_32(all_32(0), r) + all_32(0);
}

static ALWAYS_INLINE floats result_32(enum arithmetic op, struct modifiers m, floats a, floats b, floats c) {
    floats r;
    if (op == ARITHMETIC_COPYSIGN) return copy_sign_32(a, b);
    if (m.ftz) {
        a = flushed_32(a, 0x1p-126F);
        b = flushed_32(b, 0x1p-126F);
        c = flushed_32(c, 0x1p-126F);
    }
    r = compute_32(op, a, b, c);
    if (m.ftz) r = flush_result_32(op, r, a, b, c);
    if (m.sat) return saturate_32(r);
    return canonical_nans_32(r);
}

/* ---- f16 and bf16 ----
 *
 * A sum of two f16 or bf16 values is first rounded to f32. The 24 bits of f32 are at least twice the 11 bits of
 * f16 plus 2, so rounding a second time gives the same as rounding once; subnormal sums are exact. A product of
 * two f16 values is exact in f32. A product of two bf16 values is exact in f32 if its magnitude is at least
 * 2^-134. Smaller products become 0 whether they are rounded once or twice. */

/* Returns x + y rounded to odd: truncated, and the last bit of an inexact sum is 1. Rounding this value to at
 * most 22 bits gives the same as rounding the exact sum. */
static ALWAYS_INLINE floats add_to_odd_32(floats x, floats y) {
    const floats sum = x + y, back = sum - x, error = (x - (sum - back)) + (y - back), zero = all_32(0);
    const words_32 bits = (words_32)sum;
    const words_32 away = ((words_32)error ^ bits) >> 31; /* 1 if |sum| is above the exact magnitude */
    const words_32 odd = select_32((less_32(error, zero) | less_32(zero, error)), (bits - away) | 1, bits);
    return (floats)odd;
}

/* x is an inexact rounding of an exact value. Returns the exact value rounded to odd. `lower` is whether the
 * magnitude of x is above the exact one. */
static ALWAYS_INLINE float to_odd(float x, bool lower) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits - lower) | 1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns a * b + c rounded to odd as f32, for bf16 values. The product is exact in f64. */
static float multiply_add_bf16(float a, float b, float c) {
    const double x = (double)a * b, y = c;
    const double sum = x + y, back = sum - x, error = (x - (sum - back)) + (y - back);
    const float r = (float)sum;
    if (error != error) return r; /* an infinity or a NaN */
    if (r != sum) return to_odd(r, fabs((double)r) > fabs(sum));
    if (error == 0) return r;
    return to_odd(r, (error < 0) == (sum > 0));
}

/* Computes results of fma again if the product of a and b overflows f32, or is so small that it can be
 * inexact. */
static ALWAYS_INLINE floats fix_products_bf16(floats r, floats a, floats b, floats c) {
    const floats product = magnitude_32(a * b), zero = all_32(0);
    const mask_32 small = less_32(product, all_32(0x1.0002p-134F)),
                  large = less_32(all_32(0x1.fffffep127F), product);
    if (!any_32(small | large)) return r;
    if (!any_32((small & less_32(zero, magnitude_32(a)) & less_32(zero, magnitude_32(b))) | large)) return r;
    for (size_t i = 0; i < LANES_32; i++)
        if (product[i] < 0x1.0002p-134F || product[i] > 0x1.fffffep127F)
            r[i] = multiply_add_bf16(a[i], b[i], c[i]);
    return r;
}

/* Returns fma results in f32 that can be rounded to `type`, to nearest even. Rounding to f32 and then to `type` differs
 * from rounding once only if the f32 is half-way between two values of `type`. For f16 below 2^-14 these have other
 * bits, but with .ftz they do not matter: it rounds at 2^-14 - 2^-26, which has the bits of a half-way value. Without
 * .ftz, rounding to odd takes about as long as a test. */
static ALWAYS_INLINE floats multiply_add_16(pto_dtype type, bool ftz, floats a, floats b, floats c) {
    floats r;
    if (HAS_FMA_VECTORS && (type == PTO_BF16 || ftz)) {
        r = fma_32(a, b, c);
        if (!any_32(equal_bits_32((words_32)r << (type == PTO_BF16 ? 16 : 19), bits_32(0x80000000))))
            return r;
    }
    r = add_to_odd_32(a * b, c);
    return type == PTO_BF16 ? fix_products_bf16(r, a, b, c) : r;
}

/* Returns the result in f32, before it is rounded to `type`. Rounding to f32 and then to bf16 in the same
 * direction gives the same as rounding once, so a directed fma needs no rounding to odd. */
static ALWAYS_INLINE floats compute_16(enum arithmetic op, pto_dtype type, struct modifiers m, floats a,
                                       floats b, floats c) {
    if (op != ARITHMETIC_FMA) return compute_32(op, a, b, c);
    return m.round == PTO_RN ? multiply_add_16(type, m.ftz, a, b, c) : fma_32(a, b, c);
}

/* Returns the result in f32 with all modifiers. Only f16 has .ftz. It flushes results that, rounded to 11
 * bits with an unbounded exponent, are below 2^-14; results from 2^-14 - 2^-26 on are rounded to 2^-14. */
static ALWAYS_INLINE floats result_16(enum arithmetic op, pto_dtype type, struct modifiers m, floats a,
                                      floats b, floats c) {
    floats r;
    if (m.ftz) {
        a = flushed_32(a, 0x1p-14F);
        b = flushed_32(b, 0x1p-14F);
        c = flushed_32(c, 0x1p-14F);
    }
    r = compute_16(op, type, m, a, b, c);
    if (m.ftz) r = flushed_32(r, 0x1p-14F - 0x1p-26F);
    if (m.sat) r = saturate_32(r);
    return m.relu ? rectify_32(r) : r;
}

/* ---- f64 ---- */

static ALWAYS_INLINE doubles compute_64(enum arithmetic op, doubles a, doubles b, doubles c) {
    switch (op) {
    case ARITHMETIC_ADD: return a + b;
    case ARITHMETIC_SUB: return a - b;
    case ARITHMETIC_MUL: return a * b;
    case ARITHMETIC_FMA: return fma_64(a, b, c);
    case ARITHMETIC_DIV: return a / b;
    case ARITHMETIC_RCP: return 1 / a;
    case ARITHMETIC_SQRT: return sqrt_64(a);
    case ARITHMETIC_NEG: return (doubles)((words_64)a ^ bits_64((uint64_t)1 << 63));
    default: return (doubles)((words_64)a & bits_64(INT64_MAX));
    }
}

static ALWAYS_INLINE doubles copy_sign_64(doubles a, doubles b) {
    const words_64 sign = bits_64((uint64_t)1 << 63);
    return (doubles)(((words_64)a & sign) | ((words_64)b & ~sign));
}

/* Replaces each NaN of r by the first operand that is a NaN, made quiet, with its sign and payload; without
 * such an operand by the quiet NaN with the sign bit and no payload. The order of the operands is a, b for
 * division, and b, c, a for other operations. */
static ALWAYS_INLINE doubles replace_nans_64(enum arithmetic op, doubles r, doubles a, doubles b, doubles c) {
    const words_64 quiet = bits_64((uint64_t)1 << 51), none = bits_64(0xfff8000000000000);
    words_64 nan = select_64(unordered_64(a), (words_64)a, none);
    if (source_count(op) > 2) nan = select_64(unordered_64(c), (words_64)c, nan);
    if (source_count(op) > 1) nan = select_64(unordered_64(b), (words_64)b, nan);
    if (op == ARITHMETIC_DIV) nan = select_64(unordered_64(a), (words_64)a, nan);
    return (doubles)select_64(unordered_64(r), nan | quiet, (words_64)r);
}

static ALWAYS_INLINE doubles result_64(enum arithmetic op, doubles a, doubles b, doubles c) {
    const doubles r = op == ARITHMETIC_COPYSIGN ? copy_sign_64(a, b) : compute_64(op, a, b, c);
    if (op == ARITHMETIC_COPYSIGN) return r;
    return any_64(unordered_64(r)) ? replace_nans_64(op, r, a, b, c) : r;
}

/* ---- loops ---- */

static ALWAYS_INLINE void compute_pair(enum arithmetic op, pto_dtype type, struct modifiers m, const void *a,
                                       const void *b, const void *c, void *d) {
    const struct pair x = type == PTO_F16 ? load_f16(a) : load_bf16(a),
                      y = type == PTO_F16 ? load_f16(b) : load_bf16(b),
                      z = type == PTO_F16 ? load_f16(c) : load_bf16(c);
    const struct pair r = {result_16(op, type, m, x.low, y.low, z.low),
                           result_16(op, type, m, x.high, y.high, z.high)};
    if (type == PTO_F16)
        store_f16(r, d);
    else
        store_bf16(r, m.round, d);
}

/* Computes VECTOR_BYTES bytes of results. If the operation has fewer than three sources, the others are the
 * first. */
static ALWAYS_INLINE void compute_vector(enum arithmetic op, pto_dtype type, struct modifiers m,
                                         const void *a, const void *b, const void *c, void *d) {
    if (type == PTO_F64) {
        const doubles r = result_64(op, load_64(a), load_64(b), load_64(c));
        memcpy(d, &r, sizeof r);
    } else if (type == PTO_F32) {
        const floats r = result_32(op, m, load_32(a), load_32(b), load_32(c));
        memcpy(d, &r, sizeof r);
    } else {
        compute_pair(op, type, m, a, b, c, d);
    }
}

/* Computes the elements that follow the last whole vector: `bytes` bytes, copied to padded vectors. */
static ALWAYS_INLINE void run_rest(enum arithmetic op, pto_dtype type, struct modifiers m,
                                   const unsigned char *a, const unsigned char *b, const unsigned char *c,
                                   unsigned char *d, size_t bytes) {
    unsigned char rest[4][VECTOR_BYTES] = {{0}};
    memcpy(rest[0], a, bytes);
    memcpy(rest[1], b, bytes);
    memcpy(rest[2], c, bytes);
    compute_vector(op, type, m, rest[0], rest[1], rest[2], rest[3]);
    memcpy(d, rest[3], bytes);
}

/* Computes n elements. Callers pass constants for `op`, `type` and most of `m`, so that the compiler makes a
 * separate loop for each combination. */
static ALWAYS_INLINE void run_loop(enum arithmetic op, pto_dtype type, struct modifiers m,
                                   const struct addresses *at, size_t n) {
    const size_t bytes = type == PTO_F64 ? 8 : type == PTO_F32 ? 4 : 2;
    const size_t all = n * bytes, whole = all - all % VECTOR_BYTES, sources = source_count(op);
    const unsigned char *a = at->src[0], *b = sources > 1 ? at->src[1] : a, *c = sources > 2 ? at->src[2] : a;
    unsigned char *d = at->dst[0];
    UNROLLED
    for (size_t i = 0; i < whole; i += VECTOR_BYTES) compute_vector(op, type, m, a + i, b + i, c + i, d + i);
    if (whole != all) run_rest(op, type, m, a + whole, b + whole, c + whole, d + whole, all - whole);
}

static ALWAYS_INLINE void run_flushing(enum arithmetic op, pto_dtype type, struct modifiers m,
                                       const struct addresses *at, size_t n) {
    if (type != PTO_BF16 && m.ftz)
        run_loop(op, type, (struct modifiers){true, m.sat, m.relu, m.round}, at, n);
    else
        run_loop(op, type, (struct modifiers){false, m.sat, m.relu, m.round}, at, n);
}

/* .sat is a modifier of sums, products and fma of f16 and f32; .relu of fma of f16 and bf16. No instruction
 * has both. */
static ALWAYS_INLINE void run_modified(enum arithmetic op, pto_dtype type, const struct typed_parameters *t,
                                       const struct addresses *at, size_t n) {
    const bool fma = op == ARITHMETIC_FMA, has_relu = fma && type != PTO_F32;
    const bool has_sat =
        type != PTO_BF16 && (fma || op == ARITHMETIC_ADD || op == ARITHMETIC_SUB || op == ARITHMETIC_MUL);
    if (type == PTO_BF16 && fma && pto_is_directed(t->round))
        run_loop(op, type, (struct modifiers){false, false, t->relu, t->round}, at, n);
    else if (has_sat && t->sat)
        run_flushing(op, type, (struct modifiers){t->ftz, true, false, PTO_RN}, at, n);
    else if (has_relu && t->relu)
        run_flushing(op, type, (struct modifiers){t->ftz, false, true, PTO_RN}, at, n);
    else
        run_flushing(op, type, (struct modifiers){t->ftz, false, false, PTO_RN}, at, n);
}

static void run_f32(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                    size_t n) {
    switch (op) {
    case ARITHMETIC_ADD: run_modified(ARITHMETIC_ADD, PTO_F32, t, at, n); break;
    case ARITHMETIC_SUB: run_modified(ARITHMETIC_SUB, PTO_F32, t, at, n); break;
    case ARITHMETIC_MUL: run_modified(ARITHMETIC_MUL, PTO_F32, t, at, n); break;
    case ARITHMETIC_FMA: run_modified(ARITHMETIC_FMA, PTO_F32, t, at, n); break;
    case ARITHMETIC_DIV: run_modified(ARITHMETIC_DIV, PTO_F32, t, at, n); break;
    case ARITHMETIC_DIV_APPROX: run_modified(ARITHMETIC_DIV_APPROX, PTO_F32, t, at, n); break;
    case ARITHMETIC_RCP: run_modified(ARITHMETIC_RCP, PTO_F32, t, at, n); break;
    case ARITHMETIC_SQRT: run_modified(ARITHMETIC_SQRT, PTO_F32, t, at, n); break;
    case ARITHMETIC_NEG: run_modified(ARITHMETIC_NEG, PTO_F32, t, at, n); break;
    case ARITHMETIC_COPYSIGN: run_modified(ARITHMETIC_COPYSIGN, PTO_F32, t, at, n); break;
    default: run_modified(ARITHMETIC_ABS, PTO_F32, t, at, n); break;
    }
}

static ALWAYS_INLINE void run_16(enum arithmetic op, pto_dtype type, const struct typed_parameters *t,
                                 const struct addresses *at, size_t n) {
    switch (op) {
    case ARITHMETIC_ADD: run_modified(ARITHMETIC_ADD, type, t, at, n); break;
    case ARITHMETIC_SUB: run_modified(ARITHMETIC_SUB, type, t, at, n); break;
    case ARITHMETIC_MUL: run_modified(ARITHMETIC_MUL, type, t, at, n); break;
    case ARITHMETIC_FMA: run_modified(ARITHMETIC_FMA, type, t, at, n); break;
    case ARITHMETIC_NEG: run_modified(ARITHMETIC_NEG, type, t, at, n); break;
    default: run_modified(ARITHMETIC_ABS, type, t, at, n); break;
    }
}

static ALWAYS_INLINE void run_f64_loop(enum arithmetic op, const struct addresses *at, size_t n) {
    run_loop(op, PTO_F64, (struct modifiers){.round = PTO_RN}, at, n);
}

static void run_f64(enum arithmetic op, const struct addresses *at, size_t n) {
    switch (op) {
    case ARITHMETIC_ADD: run_f64_loop(ARITHMETIC_ADD, at, n); break;
    case ARITHMETIC_SUB: run_f64_loop(ARITHMETIC_SUB, at, n); break;
    case ARITHMETIC_MUL: run_f64_loop(ARITHMETIC_MUL, at, n); break;
    case ARITHMETIC_FMA: run_f64_loop(ARITHMETIC_FMA, at, n); break;
    case ARITHMETIC_DIV: run_f64_loop(ARITHMETIC_DIV, at, n); break;
    case ARITHMETIC_RCP: run_f64_loop(ARITHMETIC_RCP, at, n); break;
    case ARITHMETIC_SQRT: run_f64_loop(ARITHMETIC_SQRT, at, n); break;
    case ARITHMETIC_NEG: run_f64_loop(ARITHMETIC_NEG, at, n); break;
    case ARITHMETIC_COPYSIGN: run_f64_loop(ARITHMETIC_COPYSIGN, at, n); break;
    default: run_f64_loop(ARITHMETIC_ABS, at, n); break;
    }
}

void FLOAT_LOOPS(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at, size_t n) {
    switch (t->type) {
    case PTO_F16: run_16(op, PTO_F16, t, at, n); break;
    case PTO_BF16: run_16(op, PTO_BF16, t, at, n); break;
    case PTO_F32: run_f32(op, t, at, n); break;
    default: run_f64(op, at, n); break;
    }
}
