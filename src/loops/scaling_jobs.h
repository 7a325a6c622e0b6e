/* SPDX-License-Identifier: MIT */
/*
 * Lists all loops over elements and their parameters, for any kind of vectors. loops/scaling_table.h defines
 * the loops.
 */
#ifndef PTO_LOOPS_SCALING_JOBS_H
#define PTO_LOOPS_SCALING_JOBS_H

#include "core/scaling.h"

static ALWAYS_INLINE size_t bits_of_elem(pto_dtype elem) {
    return elem == PTO_E2M1 ? 4 : 8;
}

/* What a loop over elements does: it quantizes (QUANTIZE), quantizes blocks that are known to be in range
 * (QUANTIZE_IN_RANGE, see scales_fn), dequantizes f16 (DEQUANTIZE_F16) or codes (DEQUANTIZE_CODES), or stores
 * products. Most fields of struct job are compile-time constants. */
enum work { QUANTIZE, QUANTIZE_IN_RANGE, DEQUANTIZE_F16, DEQUANTIZE_CODES, SCALED_PRODUCTS };

struct job {
    enum work work;
    pto_dtype type, elem;
    enum scale_op scale_op;
    bool pairs; /* neighbouring vectors have the same factors */
    /* Run-time values: use non-temporal stores for whole vectors of results; bf16 holds every product exactly;
     * how many bytes ahead of the source to prefetch. */
    bool stream, exact;
    size_t prefetch_distance;
};

static ALWAYS_INLINE bool quantizes(struct job j) {
    return j.work == QUANTIZE || j.work == QUANTIZE_IN_RANGE;
}

static ALWAYS_INLINE bool dequantizes(struct job j) {
    return j.work == DEQUANTIZE_F16 || j.work == DEQUANTIZE_CODES;
}

static ALWAYS_INLINE size_t bits_from(struct job j) {
    if (j.work == DEQUANTIZE_CODES) return bits_of_elem(j.elem);
    return j.work == DEQUANTIZE_F16 ? 16 : 8 * tensor_elem_bytes(j.type);
}

static ALWAYS_INLINE size_t bits_to(struct job j) {
    return dequantizes(j) ? 8 * tensor_elem_bytes(j.type) : quantizes(j) ? bits_of_elem(j.elem) : 32;
}

/* Returns the size of n elements in bytes. For 4-bit elements n must be even. */
static ALWAYS_INLINE size_t bytes_of_lanes(size_t n, size_t bits) {
    return bits == 4 ? n / 2 : n * (bits / 8);
}

/* Returns whether all factors are powers of two from 2^-63 to 2^64. With these every product of a code is zero
 * or normal. */
static ALWAYS_INLINE bool are_safe_powers_of_two(const float *factors, size_t count) {
    u32 other = 0;
    for (size_t i = 0; i < count; ++i)
        other |= ((bits_of_float(factors[i]) + 0x20000000) ^ 0x40000000) & 0xc07fffff;
    return other == 0;
}

typedef void lanes_fn(const struct scaling *s, const u8 *from, const float *factors, size_t block, u8 *to,
                      size_t n);

/* X(work, scale_op, type of the tensor, type of the elements) for every loop. Loops that dequantize f16 or store
 * products do not depend on the type of the elements; their entries have E4M3. */
#define EACH_TENSOR_TYPE(X, work, scale_op, elem)                                                            \
    X(work, scale_op, F16, elem) X(work, scale_op, BF16, elem) X(work, scale_op, F32, elem)
#define EACH_FP8(X, work, scale_op)                                                                          \
    EACH_TENSOR_TYPE(X, work, scale_op, E4M3) EACH_TENSOR_TYPE(X, work, scale_op, E5M2)
#define EACH_ELEM(X, work, scale_op)                                                                         \
    EACH_FP8(X, work, scale_op)                                                                              \
    EACH_TENSOR_TYPE(X, work, scale_op, E2M3)                                                                \
    EACH_TENSOR_TYPE(X, work, scale_op, E3M2) EACH_TENSOR_TYPE(X, work, scale_op, E2M1)
#define EACH_QUANTIZE_MULTIPLY(X)    EACH_ELEM(X, QUANTIZE, MULTIPLY)
#define EACH_QUANTIZE_IN_RANGE(X)    EACH_ELEM(X, QUANTIZE_IN_RANGE, MULTIPLY)
#define EACH_QUANTIZE_DIVIDE(X)      EACH_FP8(X, QUANTIZE, DIVIDE) EACH_TENSOR_TYPE(X, QUANTIZE, DIVIDE, E2M1)
#define EACH_QUANTIZE_DIVIDE_CAST(X) EACH_TENSOR_TYPE(X, QUANTIZE, DIVIDE_CAST, E4M3)
#define EACH_DEQUANTIZE_F16(X)       EACH_TENSOR_TYPE(X, DEQUANTIZE_F16, MULTIPLY, E4M3)
#define EACH_DEQUANTIZE_CODES(X)     EACH_ELEM(X, DEQUANTIZE_CODES, MULTIPLY)
#define EACH_SCALED_PRODUCTS(X)                                                                              \
    EACH_TENSOR_TYPE(X, SCALED_PRODUCTS, MULTIPLY, E4M3)                                                     \
    EACH_TENSOR_TYPE(X, SCALED_PRODUCTS, DIVIDE, E4M3) EACH_TENSOR_TYPE(X, SCALED_PRODUCTS, DIVIDE_CAST, E4M3)

#endif
