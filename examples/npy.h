/* SPDX-License-Identifier: MIT */
/**
 * @file npy.h
 * Reads and writes arrays as NumPy files (.npy).
 */
#ifndef NPY_H
#define NPY_H

#include <stddef.h>

enum { NPY_MAX_DIMS = 8, NPY_DESCR = 8 };

typedef struct npy_tensor {
    void *data;            /**< n elements, the last dimension is contiguous; free it with npy_free */
    size_t n;              /**< the product of shape; 1 for a tensor without dimensions */
    char descr[NPY_DESCR]; /**< NumPy's name of the element type: "<f4", "|u1", "<i8", "|b1", "<V2" */
    size_t item;           /**< bytes per element: 1, 2, 4 or 8 */
    size_t dims;
    size_t shape[NPY_MAX_DIMS];
} npy_tensor;

/**
 * Reads the file at path: format version 1.x or 2.x, elements of 1 to 8 bytes in little-endian order, C order, at most
 * NPY_MAX_DIMS dimensions, and no byte missing or left over. Returns NULL and fills *t. For any other file it returns
 * what is wrong with the file, and *t is empty.
 */
const char *npy_read(const char *path, npy_tensor *t);

/** Like npy_read, but accepts only tensors of 32-bit floats, '<f4'. */
const char *npy_read_f32(const char *path, npy_tensor *t);

/** Writes a tensor to the file at path. Returns NULL, or what went wrong. */
const char *npy_write(const char *path, const npy_tensor *t);

/** Frees what npy_read has filled. An empty tensor is allowed. */
void npy_free(npy_tensor *t);

#endif
