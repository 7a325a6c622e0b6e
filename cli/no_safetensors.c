/* SPDX-License-Identifier: MIT */
/* Replaces safetensors.c in builds without jansson. Each function reports that jansson is missing. */
#include "safetensors.h"

static bool report_missing(char error[TENSOR_ERROR_SIZE]) {
    return tensor_error(
        error, "this command was made without jansson (Debian: libjansson-dev), which safetensors need");
}

bool safetensors_read(const char *path, const char *name, struct tensor *t, char error[TENSOR_ERROR_SIZE]) {
    (void)path, (void)name, (void)t;
    return report_missing(error);
}

bool safetensors_write(const char *path, const struct tensor *tensors, size_t count,
                       char error[TENSOR_ERROR_SIZE]) {
    (void)path, (void)tensors, (void)count;
    return report_missing(error);
}
