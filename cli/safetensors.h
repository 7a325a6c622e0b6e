/* SPDX-License-Identifier: MIT */
/*
 * Files of the format safetensors: 8 bytes with the length of a header, that header, which is JSON, and the elements of
 * all tensors one after the other. The whole header is checked before an element is read, as strictly as the format's
 * own library does.
 */
#ifndef PTO_CLI_SAFETENSORS_H
#define PTO_CLI_SAFETENSORS_H

#include "tensor.h"

/* As struct tensor_format says. Without a name the file must hold one tensor alone. */
bool safetensors_read(const char *path, const char *name, struct tensor *t, char wrong[TENSOR_WRONG]);
bool safetensors_write(const char *path, const struct tensor *tensors, size_t count,
                       char wrong[TENSOR_WRONG]);

/* The same from a stream that can seek. */
bool safetensors_read_stream(FILE *f, const char *name, struct tensor *t, char wrong[TENSOR_WRONG]);

#endif
