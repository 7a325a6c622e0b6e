/* SPDX-License-Identifier: MIT */
/* Compress and expand kernels of RVV. VCOMPRESS has no inverse: expand gathers by the number of ones before each
 * lane. */
#include "rvv/vector.h"

#include "core/move.h"

/* The number of ones before a lane must fit a lane of 8 bits. */
enum { MOST_LANES = 256 };

#define KERNELS(W, B)                                                                                        \
    static size_t compress_##W(const void *src, const void *bits, void *dst, size_t n) {                     \
        const size_t group = lanes_of_##W(), bytes = (W) / 8;                                                \
        u8 *out = dst;                                                                                       \
        for (size_t i = 0; i < n; i += group) {                                                              \
            const size_t vl = min_size(n - i, group);                                                        \
            const truth_##W on = __riscv_vlm_v_b##B((const u8 *)bits + i / 8, vl);                           \
            const lanes_##W x = load_##W((const u8 *)src + i * bytes, vl);                                   \
            const size_t some = __riscv_vcpop_m_b##B(on, vl);                                                \
            store_##W(out, __riscv_vcompress_vm_u##W##m8(x, on, vl), some);                                  \
            out += some * bytes;                                                                             \
        }                                                                                                    \
        return (size_t)(out - (u8 *)dst) / bytes;                                                            \
    }                                                                                                        \
    static size_t expand_##W(const void *src, const void *bits, void *dst, size_t n) {                       \
        const size_t group = min_size(lanes_of_##W(), MOST_LANES), bytes = (W) / 8;                          \
        const u8 *in = src;                                                                                  \
        for (size_t i = 0; i < n; i += group) {                                                              \
            const size_t vl = min_size(n - i, group);                                                        \
            const truth_##W on = __riscv_vlm_v_b##B((const u8 *)bits + i / 8, vl);                           \
            const size_t some = __riscv_vcpop_m_b##B(on, vl);                                                \
            const lanes_##W x = load_##W(in, some), place = __riscv_viota_m_u##W##m8(on, vl);                \
            u8 *const out = (u8 *)dst + i * bytes;                                                           \
            store_##W(out, __riscv_vrgather_vv_u##W##m8_mu(on, load_##W(out, vl), x, place, vl), vl);        \
            in += some * bytes;                                                                              \
        }                                                                                                    \
        return (size_t)(in - (const u8 *)src) / bytes;                                                       \
    }
KERNELS(8, 1)
KERNELS(16, 2)
KERNELS(32, 4)
KERNELS(64, 8)
#undef KERNELS

const struct move_kernels pto_move_rvv = {{compress_8, compress_16, compress_32, compress_64},
                                          {expand_8, expand_16, expand_32, expand_64}};
