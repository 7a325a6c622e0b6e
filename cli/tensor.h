/* SPDX-License-Identifier: MIT */
/* Arrays in files, whichever format they have: NumPy's .npy, and the tensors of safetensors files. */
#ifndef PTO_CLI_TENSOR_H
#define PTO_CLI_TENSOR_H

#include "command.h"

#include <pto/pto.h>

enum { TENSOR_MAX_DIMS = 8, TENSOR_WRONG = 240 };

/* The last dimension runs fastest. A byte holds two elements of 4 bits, of which there is an even number, the first in its
 * low half. */
struct tensor {
    const char *name; /* within its file, where that has room for several; used by writers alone */
    void *data;
    size_t n; /* elements: the product of shape */
    pto_dtype type;
    bool truth; /* the elements are bytes 0 or 1 that stand for false and true; the type is PTO_U8 */
    size_t dims, shape[TENSOR_MAX_DIMS];
};

/* A format: a row in tensor.c. What goes wrong is put into words, and the result is false. */
struct tensor_format {
    const char *suffix;
    bool several; /* a file may hold several tensors, which have names */
    /* Fill *t, whose data is to be freed; name is NULL where none was said. */
    bool (*read)(const char *path, const char *name, struct tensor *t, char wrong[TENSOR_WRONG]);
    /* All tensors of the file; no two have the same name. */
    bool (*write)(const char *path, const struct tensor *tensors, size_t count, char wrong[TENSOR_WRONG]);
};

/* FILE.npy, FILE.safetensors or FILE.safetensors:NAME. */
struct tensor_place {
    const struct tensor_format *format;
    char *path;       /* to be freed */
    const char *name; /* within the text that was given, or NULL */
};

/* Whether the text names a file of a format that is known; only then there is something to be freed. */
bool tensor_place_of(const char *text, struct tensor_place *place);

/* The same of a file to be written: any other name is that of a file of NumPy's. */
void tensor_place_to(const char *text, struct tensor_place *place);

/* Bytes that hold the elements. */
size_t tensor_bytes(const struct tensor *t);

/* Make elements of a type that a format cannot name unsigned integers of their width, and bytes those of 4 bits. */
void tensor_as_bits(struct tensor *t);

/* Puts it into words; false, so that a reader can return it. */
bool tensor_wrong(char wrong[TENSOR_WRONG], const char *format, ...) PRINTF_LIKE(2, 3);

#endif
