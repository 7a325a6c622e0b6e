/* SPDX-License-Identifier: MIT */
/* The scalar reference implementation of pto_vpermute(). */
#include "core/permute.h"

static ALWAYS_INLINE void permute(size_t bytes, size_t lanes, const u8 *src, const u8 *index, u8 *dst,
                                  size_t n) {
    for (size_t i = 0; i < n; ++i) {
        const size_t group = i - i % lanes, from = (size_t)(load_bytes(index + i * bytes, bytes) % lanes);
        store_bytes(dst + i * bytes, load_bytes(src + (group + from) * bytes, bytes), bytes);
    }
}

static void permute_8(size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    permute(1, lanes, src, index, dst, n);
}

static void permute_16(size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    permute(2, lanes, src, index, dst, n);
}

static void permute_32(size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    permute(4, lanes, src, index, dst, n);
}

static void permute_64(size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    permute(8, lanes, src, index, dst, n);
}

const struct permute_table pto_permute_scalar = {{permute_8, permute_16, permute_32, permute_64}};
