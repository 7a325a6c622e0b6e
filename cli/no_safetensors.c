/* SPDX-License-Identifier: MIT */
/* Replaces safetensors.c in builds without jansson. Each function reports that jansson is missing. */
#include "safetensors.h"

static bool not_here(char wrong[TENSOR_WRONG]) {
    return tensor_wrong(
        wrong, "this command was made without jansson (Debian: libjansson-dev), which safetensors need");
}

bool safetensors_read(const char *path, const char *name, struct tensor *t, char wrong[TENSOR_WRONG]) {
    (void)path, (void)name, (void)t;
    return not_here(wrong);
}

bool safetensors_write(const char *path, const struct tensor *tensors, size_t count,
                       char wrong[TENSOR_WRONG]) {
    (void)path, (void)tensors, (void)count;
    return not_here(wrong);
}
