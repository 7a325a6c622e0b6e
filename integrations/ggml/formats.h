/* SPDX-License-Identifier: MIT */
/* The types that the tests compare, with the functions of pto_ggml.h and those of a library of ggml. */
#ifndef FORMATS_H
#define FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void quantize_row(const float *x, void *y, int64_t k);
typedef void dequantize_row(const void *x, float *y, int64_t k);
typedef size_t quantize_rows(const float *x, void *y, int64_t nrows, int64_t n_per_row, const float *imatrix);

/* The functions for one type, of ggml or of pto_ggml.h. */
struct functions {
    quantize_row *quantize;
    dequantize_row *dequantize;
    quantize_rows *quantize_rows;
};

/* A type. A block has `elements` elements, `bytes` bytes and `scales` scales, which precede the codes. */
struct format {
    const char *name;
    size_t elements, bytes, scales;
    struct functions ours, theirs;
};

enum { FORMATS = 2, MXFP4 = 0, NVFP4 = 1, MOST_ELEMENTS = 64, MOST_BYTES = 36 };

/* Loads the functions of ggml from the shared library `path`. Ends the program if one is missing. */
void load_formats(const char *path, struct format formats[FORMATS]);

/* Returns the next 64 random bits. */
uint64_t random_bits(uint64_t *state);

/* Returns the f32 with these bits. */
float float_of(uint32_t bits);

/* Fills x with normally distributed values. */
void fill_normal(float *x, size_t n, uint64_t *state);

/* Returns `bytes` bytes. Ends the program if there is no memory. */
void *allocate(size_t bytes);

#endif
