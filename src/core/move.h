/* SPDX-License-Identifier: MIT */
/* The kernels that gather the lanes of a mask and that spread them again. Only programs that call them link them. */
#ifndef PTO_CORE_MOVE_H
#define PTO_CORE_MOVE_H

#include "core/kernels.h"

/*
 * compress: copies the elements of src whose bit is 1 to dst, in order, and returns how many these are. dst has that
 * many elements. dst may be src.
 * expand: copies the first elements of src, in order, to the lanes of dst whose bit is 1, and returns how many these
 * are. src has that many elements.
 *
 * n is the number of bits. Bits after them are ignored.
 */
typedef size_t move_fn(const void *src, const void *bits, void *dst, size_t n);

struct move_kernels {
    move_fn *compress[WIDTHS], *expand[WIDTHS];
};

extern const struct move_kernels pto_move_scalar, pto_move_avx2, pto_move_avx512, pto_move_sve, pto_move_rvv;
extern const struct move_kernels pto_move_neon NEON_EXTRA;

/* Returns the number of ones in the first n bits. */
static inline size_t count_bits(const u8 *bits, size_t n) {
    size_t count = 0, i = 0;
    for (; i + 64 <= n; i += 64) count += (size_t)__builtin_popcountll(load64(bits + i / 8));
    if (i < n)
        count += (size_t)__builtin_popcountll(load_bytes(bits + i / 8, (n - i + 7) / 8) & low_bits(n - i));
    return count;
}

static ALWAYS_INLINE bool bit_at(const u8 *bits, size_t i) {
    return (bits[i / 8] >> i % 8 & 1) != 0;
}

/* Compress and expand lanes `from` to n - 1, one at a time. They return where the packed elements end. */
static ALWAYS_INLINE u8 *compress_rest(size_t bytes, const u8 *src, const u8 *bits, u8 *out, size_t from,
                                       size_t n) {
    for (size_t i = from; i < n; ++i) {
        if (!bit_at(bits, i)) continue;
        store_bytes(out, load_bytes(src + i * bytes, bytes), bytes);
        out += bytes;
    }
    return out;
}

static ALWAYS_INLINE const u8 *expand_rest(size_t bytes, const u8 *in, const u8 *bits, u8 *dst, size_t from,
                                           size_t n) {
    for (size_t i = from; i < n; ++i) {
        if (!bit_at(bits, i)) continue;
        store_bytes(dst + i * bytes, load_bytes(in, bytes), bytes);
        in += bytes;
    }
    return in;
}

#endif
