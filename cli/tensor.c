/* SPDX-License-Identifier: MIT */
/* Sizes and types of arrays in files. */
#include "tensor.h"

#include <stdarg.h>

bool tensor_error(char error[TENSOR_ERROR_SIZE], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, TENSOR_ERROR_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

size_t tensor_bytes(const struct tensor *t) {
    const size_t bits = pto_dtype_bits(t->type);
    return bits < 8 ? t->n / (8 / bits) : t->n * (bits / 8);
}

/* Halves the size of the last dimension if it is even. Otherwise makes the tensor one-dimensional, of size n
 * / 2. */
static void halve_shape(struct tensor *t) {
    if (t->dims != 0 && t->shape[t->dims - 1] % 2 == 0) {
        t->shape[t->dims - 1] /= 2;
    } else {
        t->dims = 1;
        t->shape[0] = t->n / 2;
    }
    t->n /= 2;
}

void tensor_as_bits(struct tensor *t) {
    const size_t bits = pto_dtype_bits(t->type);
    if (bits < 8) halve_shape(t);
    t->type = bits <= 8 ? PTO_U8 : bits == 16 ? PTO_U16 : bits == 32 ? PTO_U32 : PTO_U64;
}
