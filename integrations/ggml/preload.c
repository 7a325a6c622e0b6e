/* SPDX-License-Identifier: MIT */
/* Gives the functions of pto_ggml.h the names that they have in ggml. In a shared library that is loaded with
 * LD_PRELOAD, they take the place of those of libggml-base.so, also in its table of types. */
#include "pto_ggml.h"

void quantize_row_mxfp4_ref(const float *x, void *y, int64_t k);
void quantize_row_nvfp4_ref(const float *x, void *y, int64_t k);
void dequantize_row_mxfp4(const void *x, float *y, int64_t k);
void dequantize_row_nvfp4(const void *x, float *y, int64_t k);

void quantize_row_mxfp4_ref(const float *x, void *y, int64_t k) {
    pto_ggml_quantize_row_mxfp4(x, y, k);
}

void quantize_row_nvfp4_ref(const float *x, void *y, int64_t k) {
    pto_ggml_quantize_row_nvfp4(x, y, k);
}

void dequantize_row_mxfp4(const void *x, float *y, int64_t k) {
    pto_ggml_dequantize_row_mxfp4(x, y, k);
}

void dequantize_row_nvfp4(const void *x, float *y, int64_t k) {
    pto_ggml_dequantize_row_nvfp4(x, y, k);
}
