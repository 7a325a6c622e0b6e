/* SPDX-License-Identifier: MIT */
/* Arrays in files of either format: NumPy's .npy files, and tensors of safetensors files. */
#ifndef PTO_CLI_TENSOR_H
#define PTO_CLI_TENSOR_H

#include "command.h"

#include <pto/pto.h>

enum { TENSOR_MAX_DIMS = 8, TENSOR_ERROR_SIZE = 240 };

/* An array in C order: the last index changes fastest. Two 4-bit elements share a byte, the first in its low half;
 * their number is even. */
struct tensor {
    const char *name; /* the name in a file that holds several tensors; only for writing */
    void *data;
    size_t n; /* number of elements, the product of shape */
    pto_dtype type;
    bool is_bool; /* the elements are Booleans, bytes 0 or 1; the type is PTO_U8 */
    size_t dims, shape[TENSOR_MAX_DIMS];
};

/* A file format; tensor_place.c lists them. After an error its functions return false and set `error` to the
 * message. */
struct tensor_format {
    const char *suffix;
    bool has_names; /* a file may hold several tensors, which have names */
    /* Reads a tensor into *t. The caller frees t->data. `name` may be NULL. */
    bool (*read)(const char *path, const char *name, struct tensor *t, char error[TENSOR_ERROR_SIZE]);
    /* Writes a file with all its tensors, whose names must differ. */
    bool (*write)(const char *path, const struct tensor *tensors, size_t count,
                  char error[TENSOR_ERROR_SIZE]);
};

/* The place of a tensor: FILE.npy, FILE.safetensors or FILE.safetensors:NAME. */
struct tensor_place {
    const struct tensor_format *format;
    char *path;       /* the caller frees it */
    const char *name; /* part of the parsed text, or NULL */
};

/* Parses a place. Returns false if the text has no suffix of a known format; then place->path is not allocated. */
bool tensor_place_of(const char *text, struct tensor_place *place);

/* Parses a place to write to. A file without a known suffix is a NumPy file, and - is standard output. */
void tensor_place_for_writing(const char *text, struct tensor_place *place);

/* Returns the size of all elements in bytes. */
size_t tensor_bytes(const struct tensor *t);

/* Changes the type to unsigned integers of the same width, for formats without the type. 4-bit elements become bytes
 * with two elements each. */
void tensor_as_bits(struct tensor *t);

/* Formats an error message into `error`. Returns false, which the caller can return. */
bool tensor_error(char error[TENSOR_ERROR_SIZE], const char *format, ...) PRINTF_LIKE(2, 3);

#endif
