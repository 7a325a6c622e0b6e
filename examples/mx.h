/* SPDX-License-Identifier: MIT */
/**
 * @file mx.h
 * Tensors in the MX formats of the OCP (Microscaling Formats 1.0) with pto_cvt, to copy from: narrow floats,
 * and for each block of 32 of them, neighbours in memory, a scale in ue8m0, which is a power of two.
 *
 * The scale is as the specification has it: the exponent of the block's largest magnitude, less that of the
 * format's largest value, so that both have the same exponent; elements beyond that value are clamped to it.
 *  - A block of zeros has the least scale, 2^-127, and stays zeros of their signs.
 *  - A block whose scale would be less than 2^-127 gets that one, and loses what is too small for it.
 *  - A NaN or an infinity makes its whole block NaN, by the scale: a choice made here.
 *  - The last block may be short.
 */
#ifndef MX_H
#define MX_H

#include <pto/pto.h>

enum { MX_BLOCK = 32 };

typedef struct mx_tensor {
    pto_dtype type; /**< of the elements: PTO_E4M3, PTO_E5M2 or PTO_E2M1 */
    size_t n;
    uint8_t *elements; /**< mx_element_bytes; e2m1 lies two per byte */
    uint8_t *scales;   /**< mx_blocks */
} mx_tensor;

/** Blocks of n elements. */
size_t mx_blocks(size_t n);

/** Bytes of n elements without the scales. */
size_t mx_element_bytes(pto_dtype type, size_t n);

/**
 * q = x: fills q's elements and scales; its type, n and room are the caller's. scratch: n + mx_blocks(n)
 * floats. Returns PTO_OK or PTO_ERR_TYPE.
 */
pto_status mx_quantize(const float *x, float *scratch, const mx_tensor *q);

/** y = q. scratch: mx_blocks(q->n) floats. Returns PTO_OK or PTO_ERR_TYPE. */
pto_status mx_dequantize(const mx_tensor *q, float *scratch, float *y);

#endif
