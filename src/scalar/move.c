/* SPDX-License-Identifier: MIT */
/* Scalar reference implementation of compress and expand. */
#include "core/move.h"

#define KERNELS(width)                                                                                       \
    static size_t compress_##width(const void *src, const void *bits, void *dst, size_t n) {                 \
        const u8 *const end = compress_rest((width) / 8, src, bits, dst, 0, n);                              \
        return (size_t)(end - (u8 *)dst) / ((width) / 8);                                                    \
    }                                                                                                        \
    static size_t expand_##width(const void *src, const void *bits, void *dst, size_t n) {                   \
        const u8 *const end = expand_rest((width) / 8, src, bits, dst, 0, n);                                \
        return (size_t)(end - (const u8 *)src) / ((width) / 8);                                              \
    }
KERNELS(8)
KERNELS(16)
KERNELS(32)
KERNELS(64)
#undef KERNELS

const struct move_kernels pto_move_scalar = {{compress_8, compress_16, compress_32, compress_64},
                                             {expand_8, expand_16, expand_32, expand_64}};
