/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes safetensors files. Such a file has 8 bytes with the length of the header, the header in JSON, and
 * the elements of all tensors one after the other. The whole header is checked before elements are read, as strictly
 * as in the format's own library.
 */
#ifndef PTO_CLI_SAFETENSORS_H
#define PTO_CLI_SAFETENSORS_H

#include "tensor.h"

/* The functions of struct tensor_format. If `name` is NULL, the file must hold exactly one tensor. */
bool safetensors_read(const char *path, const char *name, struct tensor *t, char error[TENSOR_ERROR_SIZE]);
bool safetensors_write(const char *path, const struct tensor *tensors, size_t count,
                       char error[TENSOR_ERROR_SIZE]);

/* Like safetensors_read(), from a stream that supports seeking. */
bool safetensors_read_stream(FILE *f, const char *name, struct tensor *t, char error[TENSOR_ERROR_SIZE]);

#endif
