/* SPDX-License-Identifier: MIT */
#include "pto_ggml.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pto/block.h>

/* A type of ggml, in libpto's terms. A block of ggml has `elements` elements and `bytes` bytes. */
struct type {
    pto_block_op op;
    pto_pack_layout layout;
    int64_t elements;
    size_t bytes;
};

static struct type mxfp4(void) {
    return (struct type){.op = {.wide = PTO_F32,
                                .elem = PTO_E2M1,
                                .rule = PTO_MX_GGUF,
                                .round = PTO_RN,
                                .block_rows = 1,
                                .block_cols = 32},
                         .layout = PTO_PACK_GGUF_MXFP4,
                         .elements = 32,
                         .bytes = 17};
}

static struct type nvfp4(void) {
    return (struct type){.op = {.wide = PTO_F32,
                                .elem = PTO_E2M1,
                                .rule = PTO_NV_GGUF,
                                .round = PTO_RN,
                                .block_rows = 1,
                                .block_cols = 16},
                         .layout = PTO_PACK_GGUF_NVFP4,
                         .elements = 64,
                         .bytes = 36};
}

/* The calls of libpto work on this many elements at a time. Their codes and scales are on the stack, in 4.5 KiB. */
enum { AT_ONCE = 8192, CODE_BYTES = AT_ONCE / 2, MOST_SCALES = AT_ONCE / 16 };

static void require(pto_status status) {
    if (status == PTO_OK) return;
    fprintf(stderr, "pto_ggml: %s\n", pto_strerror(status));
    abort();
}

static void quantize(struct type t, const float *x, unsigned char *y, int64_t k) {
    assert(k % t.elements == 0);
    for (int64_t left = k / t.elements * t.elements; left > 0; left -= AT_ONCE) {
        const size_t n = (size_t)(left < AT_ONCE ? left : AT_ONCE);
        unsigned char codes[CODE_BYTES], scales[MOST_SCALES];
        require(pto_block_quantize(t.op, x, 0, 1, n, codes, 0, scales, 0, NULL));
        require(pto_block_pack(t.layout, codes, 0, scales, 0, 1, n, y));
        x += n;
        y += n / (size_t)t.elements * t.bytes;
    }
}

/* Replaces each code 8, which is -0, by 0: ggml reads it as +0. */
static void clear_negative_zeros(unsigned char *codes, size_t bytes) {
    const uint64_t low = 0x7777777777777777U;
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t x;
        memcpy(&x, codes + i, 8);
        x &= ((x & low) + low) | low;
        memcpy(codes + i, &x, 8);
    }
}

/* Computes the elements of blocks of MXFP4 whose scale is ff. libpto reads this scale as a NaN, and ggml as 2^128, of
 * which it multiplies the half by twice the element. */
static void dequantize_last_scale(const unsigned char *codes, const unsigned char *scales, size_t n,
                                  float *y) {
    static const float twice[8] = {0, 1, 2, 3, 4, 6, 8, 12};
    for (size_t i = 0; i < n; ++i) {
        const unsigned code = codes[i / 2] >> (i % 2 * 4) & 15U;
        if (scales[i / 32] == 0xff) y[i] = twice[code & 7U] * (code < 8 ? 0x1p127F : -0x1p127F);
    }
}

static void dequantize(struct type t, const unsigned char *x, float *y, int64_t k) {
    assert(k % t.elements == 0);
    for (int64_t left = k / t.elements * t.elements; left > 0; left -= AT_ONCE) {
        const size_t n = (size_t)(left < AT_ONCE ? left : AT_ONCE), blocks = n / (size_t)t.elements;
        unsigned char codes[CODE_BYTES], scales[MOST_SCALES];
        require(pto_block_unpack(t.layout, x, 1, n, codes, 0, scales, 0));
        clear_negative_zeros(codes, n / 2);
        require(pto_block_dequantize(t.op, codes, 0, scales, 0, 1, n, y, 0));
        if (t.layout == PTO_PACK_GGUF_MXFP4 && memchr(scales, 0xff, blocks) != NULL)
            dequantize_last_scale(codes, scales, n, y);
        x += blocks * t.bytes;
        y += n;
    }
}

/* Quantizes rows as one, and returns their bytes. */
static size_t quantize_rows(struct type t, const float *src, void *dst, int64_t nrows, int64_t n_per_row) {
    assert(n_per_row % t.elements == 0);
    quantize(t, src, dst, nrows * n_per_row);
    return (size_t)nrows * ((size_t)n_per_row * t.bytes / (size_t)t.elements);
}

void pto_ggml_quantize_row_mxfp4(const float *x, void *y, int64_t k) {
    quantize(mxfp4(), x, y, k);
}

void pto_ggml_quantize_row_nvfp4(const float *x, void *y, int64_t k) {
    quantize(nvfp4(), x, y, k);
}

void pto_ggml_dequantize_row_mxfp4(const void *x, float *y, int64_t k) {
    dequantize(mxfp4(), x, y, k);
}

void pto_ggml_dequantize_row_nvfp4(const void *x, float *y, int64_t k) {
    dequantize(nvfp4(), x, y, k);
}

size_t pto_ggml_quantize_mxfp4(const float *src, void *dst, int64_t nrows, int64_t n_per_row,
                               const float *imatrix) {
    (void)imatrix;
    return quantize_rows(mxfp4(), src, dst, nrows, n_per_row);
}

size_t pto_ggml_quantize_nvfp4(const float *src, void *dst, int64_t nrows, int64_t n_per_row,
                               const float *imatrix) {
    (void)imatrix;
    return quantize_rows(nvfp4(), src, dst, nrows, n_per_row);
}
