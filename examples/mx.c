/* SPDX-License-Identifier: MIT */
#include "mx.h"

#include <string.h>

/* Codes of ue8m0: 2^(code - 127), and the last one is NaN. */
enum { SCALE_NAN = 255 };

/* The exponent of the largest value: 448, 57344, 6. */
static int largest_exponent(pto_dtype type) {
    if (type == PTO_E4M3) return 8;
    if (type == PTO_E5M2) return 15;
    return 2;
}

static bool is_element(pto_dtype type) {
    return type == PTO_E4M3 || type == PTO_E5M2 || type == PTO_E2M1;
}

size_t mx_blocks(size_t n) {
    return n / MX_BLOCK + (n % MX_BLOCK != 0);
}

size_t mx_element_bytes(pto_dtype type, size_t n) {
    return pto_dtype_bits(type) == 4 ? n / 2 + n % 2 : n;
}

static size_t block_length(size_t n, size_t block) {
    size_t left = n - block * MX_BLOCK;
    return left < MX_BLOCK ? left : MX_BLOCK;
}

/* The largest magnitude. As integers, bits of floats without their sign are in the order of the floats, with
 * infinity above all numbers and the NaNs above infinity: so neither is overlooked. */
static float magnitude(const float *x, size_t n) {
    int32_t most = 0;
    float result;
    for (size_t i = 0; i < n; ++i) {
        int32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bits &= 0x7fffffff;
        most = bits > most ? bits : most;
    }
    memcpy(&result, &most, sizeof result);
    return result;
}

/* Towards zero, a magnitude becomes the power of two at or below it, infinity and NaN become NaN. */
static pto_status find_scales(const float *x, float *magnitudes, const mx_tensor *q) {
    const pto_cvt_op to_scale = {.dst = PTO_UE8M0, .src = PTO_F32, .round = PTO_RZ};
    const int largest = largest_exponent(q->type);
    const size_t blocks = mx_blocks(q->n);
    pto_status status;

    for (size_t b = 0; b < blocks; ++b) magnitudes[b] = magnitude(x + b * MX_BLOCK, block_length(q->n, b));
    status = pto_cvt(to_scale, magnitudes, q->scales, NULL, blocks);
    for (size_t b = 0; b < blocks && status == PTO_OK; ++b) {
        const int code = q->scales[b];
        if (code != SCALE_NAN) q->scales[b] = (uint8_t)(code > largest ? code - largest : 0);
    }
    return status;
}

static pto_status read_scales(const mx_tensor *q, float *scales) {
    const pto_cvt_op from_scale = {.dst = PTO_F32, .src = PTO_UE8M0};
    return pto_cvt(from_scale, q->scales, scales, NULL, mx_blocks(q->n));
}

pto_status mx_quantize(const float *x, float *scratch, const mx_tensor *q) {
    const pto_cvt_op to_element = {.dst = q->type, .src = PTO_F32, .round = PTO_RN, .satfinite = true};
    const size_t blocks = mx_blocks(q->n);
    float *scales = scratch, *scaled = scratch + blocks;
    pto_status status = is_element(q->type) ? PTO_OK : PTO_ERR_TYPE;

    if (status == PTO_OK) status = find_scales(x, scales, q);
    if (status == PTO_OK) status = read_scales(q, scales);
    if (status != PTO_OK) return status;
    for (size_t b = 0; b < blocks; ++b) {
        /* Exact, and so are the products, but for what is far too small for the format anyhow. */
        const float inverse = 1.0F / scales[b];
        const float *from = x + b * MX_BLOCK;
        float *to = scaled + b * MX_BLOCK;
        const size_t length = block_length(q->n, b);
        for (size_t i = 0; i < length; ++i) to[i] = from[i] * inverse;
    }
    return pto_cvt(to_element, scaled, q->elements, NULL, q->n);
}

pto_status mx_dequantize(const mx_tensor *q, float *scratch, float *y) {
    const pto_cvt_op from_element = {.dst = PTO_F32, .src = q->type};
    const size_t blocks = mx_blocks(q->n);
    pto_status status = is_element(q->type) ? PTO_OK : PTO_ERR_TYPE;

    if (status == PTO_OK) status = read_scales(q, scratch);
    if (status == PTO_OK) status = pto_cvt(from_element, q->elements, y, NULL, q->n);
    if (status != PTO_OK) return status;
    for (size_t b = 0; b < blocks; ++b) {
        const float scale = scratch[b];
        float *block = y + b * MX_BLOCK;
        const size_t length = block_length(q->n, b);
        for (size_t i = 0; i < length; ++i) block[i] *= scale; /* exact */
    }
    return PTO_OK;
}
