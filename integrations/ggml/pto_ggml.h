/* SPDX-License-Identifier: MIT */
/**
 * @file pto_ggml.h
 * ggml's functions for the types MXFP4 and NVFP4, computed by libpto.
 *
 * Each function has the signature of the function of ggml whose name follows the prefix pto_ggml_, except that blocks
 * are pointers to void, as in ggml_from_float_t and ggml_to_float_t. So they fit in ggml's tables of types.
 *
 * The functions allocate no memory, have no state, and may run in several threads. Blocks and floats need no
 * alignment. Input and output must not overlap.
 */
#ifndef PTO_GGML_H
#define PTO_GGML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Quantizes k floats to blocks of MXFP4 (32 floats, 17 bytes) or NVFP4 (64 floats, 36 bytes).
 *
 * k must be a multiple of the block size; as in ggml, assert() checks this, and with NDEBUG the remaining floats are
 * ignored. If k is not positive, nothing is read or written, and x and y may be NULL. Otherwise, a NULL pointer aborts
 * the program with a message.
 */
void pto_ggml_quantize_row_mxfp4(const float *x, void *y, int64_t k);
void pto_ggml_quantize_row_nvfp4(const float *x, void *y, int64_t k);

/** Dequantizes blocks to k floats. The conditions are those of pto_ggml_quantize_row_mxfp4(). */
void pto_ggml_dequantize_row_mxfp4(const void *x, float *y, int64_t k);
void pto_ggml_dequantize_row_nvfp4(const void *x, float *y, int64_t k);

/**
 * Quantizes nrows contiguous rows of n_per_row floats. Returns the number of bytes of all rows. As in ggml, imatrix is
 * not used for these types.
 */
size_t pto_ggml_quantize_mxfp4(const float *src, void *dst, int64_t nrows, int64_t n_per_row,
                               const float *imatrix);
size_t pto_ggml_quantize_nvfp4(const float *src, void *dst, int64_t nrows, int64_t n_per_row,
                               const float *imatrix);

#ifdef __cplusplus
}
#endif
#endif
