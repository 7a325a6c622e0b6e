/* SPDX-License-Identifier: MIT */
/* Compress and expand kernels of SVE. COMPACT takes lanes of 32 and 64 bits, so shorter elements are loaded as 32 bits.
 * There is no inverse of it: expand finds the lanes that are on by COMPACT, and scatters to them. */
#include "sve/vector.h"

#include "core/move.h"

/* Returns the mask of the svcntb() lanes from lane i on. Lanes from n on are off. */
static ALWAYS_INLINE svbool_t block_mask(const u8 *bits, size_t i, size_t n) {
    const size_t lanes = min_size(n - i, svcntb());
    if (lanes == svcntb()) return load_predicate(bits + i / 8);
    return svand_b_z(first_bytes(lanes), load_predicate_some(bits + i / 8, (lanes + 7) / 8),
                     first_bytes(lanes));
}

/* W and V are the bits of an element and of a vector lane, `unit` is the bytes of an element, and `load`, `store` and
 * `scatter` are its intrinsics. */
#define KERNELS(W, V, load, store, scatter, unit)                                                            \
    static size_t compress_##W(const void *src, const void *bits, void *dst, size_t n) {                     \
        const u##W *in = src;                                                                                \
        u##W *out = dst;                                                                                     \
        for (size_t i = 0; i < n; i += svcntb()) {                                                           \
            const svbool_t block = block_mask(bits, i, n);                                                   \
            UNROLL                                                                                           \
            for (size_t k = 0; k < (V) / 8; ++k) {                                                           \
                const svbool_t on = expand_predicate(block, (V) / 8, k);                                     \
                const size_t some = svcntp_b##V(svptrue_b##V(), on);                                         \
                const svuint##V##_t x = load(on, in + i + k * (svcntb() * 8 / (V)));                         \
                store(svwhilelt_b##V##_u64(0, some), out, svcompact_u##V(on, x));                            \
                out += some;                                                                                 \
            }                                                                                                \
        }                                                                                                    \
        return (size_t)(out - (u##W *)dst);                                                                  \
    }                                                                                                        \
    static size_t expand_##W(const void *src, const void *bits, void *dst, size_t n) {                       \
        const u##W *in = src;                                                                                \
        u##W *out = dst;                                                                                     \
        for (size_t i = 0; i < n; i += svcntb()) {                                                           \
            const svbool_t block = block_mask(bits, i, n);                                                   \
            UNROLL                                                                                           \
            for (size_t k = 0; k < (V) / 8; ++k) {                                                           \
                const svbool_t on = expand_predicate(block, (V) / 8, k);                                     \
                const size_t some = svcntp_b##V(svptrue_b##V(), on);                                         \
                const svbool_t first = svwhilelt_b##V##_u64(0, some);                                        \
                const svuint##V##_t to = svcompact_u##V(on, svindex_u##V(0, unit));                          \
                scatter(first, out + i + k * (svcntb() * 8 / (V)), to, load(first, in));                     \
                in += some;                                                                                  \
            }                                                                                                \
        }                                                                                                    \
        return (size_t)(in - (const u##W *)src);                                                             \
    }
KERNELS(8, 32, svld1ub_u32, svst1b_u32, svst1b_scatter_u32offset_u32, 1)
KERNELS(16, 32, svld1uh_u32, svst1h_u32, svst1h_scatter_u32offset_u32, 2)
KERNELS(32, 32, svld1_u32, svst1_u32, svst1_scatter_u32offset_u32, 4)
KERNELS(64, 64, svld1_u64, svst1_u64, svst1_scatter_u64offset_u64, 8)
#undef KERNELS

const struct move_kernels pto_move_sve = {{compress_8, compress_16, compress_32, compress_64},
                                          {expand_8, expand_16, expand_32, expand_64}};
