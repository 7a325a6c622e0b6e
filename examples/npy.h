/* SPDX-License-Identifier: MIT */
/**
 * @file npy.h
 * Reads a tensor of 32-bit floats from a NumPy file (.npy).
 */
#ifndef NPY_H
#define NPY_H

#include <stddef.h>

enum { NPY_MAX_DIMS = 8 };

typedef struct npy_tensor {
    float *data; /**< n elements, the last dimension running fastest; give it back with npy_free */
    size_t n;    /**< the product of shape; 1 for a tensor of no dimensions */
    size_t dims;
    size_t shape[NPY_MAX_DIMS];
} npy_tensor;

/**
 * Read the file at path: format version 1.x or 2.x, '<f4', C order, at most NPY_MAX_DIMS dimensions, and not
 * a byte missing or left over. Returns NULL and fills *t; for any other file returns what is wrong with it,
 * and *t is empty.
 */
const char *npy_read(const char *path, npy_tensor *t);

/** Release what npy_read has filled. An empty tensor is fine. */
void npy_free(npy_tensor *t);

#endif
