/* SPDX-License-Identifier: MIT */
/* Permutation kernels of RVV, which gathers lanes from memory. */
#include "rvv/vector.h"

/* The largest offset in bytes is that of the last lane, and must fit a lane of W bits. */
#define MOST_LANES(W) (low_bits(W) / ((W) / 8) + 1)

/* A group has one or more vectors of `step` lanes, or a vector has whole groups. */
#define GATHER(W)                                                                                            \
    static bool gather_##W(size_t lanes, const void *src, const void *index, void *dst, size_t n) {          \
        const size_t count = min_size(lanes_of_##W(), MOST_LANES(W)), bytes = (W) / 8;                       \
        const size_t step = lanes >= count ? count : count - count % lanes;                                  \
        const size_t span = lanes >= count ? lanes : step;                                                   \
        const bool masks = (lanes & (lanes - 1)) == 0;                                                       \
        lanes_##W first;                                                                                     \
        if ((uintptr_t)src % bytes != 0 || lanes > MOST_LANES(W)) return false;                              \
        first = __riscv_vid_v_u##W##m8(step);                                                                \
        first = __riscv_vsub_vv_u##W##m8(                                                                    \
            first, __riscv_vremu_vx_u##W##m8(first, (u##W)min_size(lanes, low_bits(W)), step), step);        \
        for (size_t group = 0; group < n; group += span) {                                                   \
            const size_t end = min_size(group + span, n);                                                    \
            for (size_t at = group; at < end; at += step) {                                                  \
                const size_t vl = min_size(step, end - at);                                                  \
                lanes_##W from = load_##W((const u8 *)index + at * bytes, vl);                               \
                from = masks ? __riscv_vand_vx_u##W##m8(from, (u##W)(lanes - 1), vl)                         \
                             : __riscv_vremu_vx_u##W##m8(from, (u##W)lanes, vl);                             \
                if (lanes < count) from = __riscv_vadd_vv_u##W##m8(from, first, vl);                         \
                from = __riscv_vmul_vx_u##W##m8(from, (u##W)bytes, vl);                                      \
                store_##W((u8 *)dst + at * bytes,                                                            \
                          __riscv_vluxei##W##_v_u##W##m8((const u##W *)src + group, from, vl), vl);          \
            }                                                                                                \
        }                                                                                                    \
        return true;                                                                                         \
    }
GATHER(8)
GATHER(16)
GATHER(32)
GATHER(64)
#undef GATHER
#undef MOST_LANES

#define PERMUTE_GATHERS
#define ISA rvv
#include "loops/permute.h"
