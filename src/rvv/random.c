/* SPDX-License-Identifier: MIT */
/*
 * Random bits (Philox 4x32-10). Each lane computes one block of four words: group i of four has word i of each block,
 * and a segment store puts the words in order. A group is two registers.
 */
#include "core/random.h"

#include <riscv_vector.h>

enum { BLOCK_BYTES = 4 * RANDOM_BLOCK, COPY_BLOCKS = 64 };

/* Stores vl blocks. Version 0.11 of the intrinsics, which clang 16 has, lacks a type for four groups. */
static ALWAYS_INLINE void store_blocks(u32 *out, vuint32m2_t c0, vuint32m2_t c1, vuint32m2_t c2,
                                       vuint32m2_t c3, size_t vl) {
#if __riscv_v_intrinsic >= 12000
    __riscv_vsseg4e32_v_u32m2x4(out, __riscv_vcreate_v_u32m2x4(c0, c1, c2, c3), vl);
#else
    __riscv_vsseg4e32_v_u32m2(out, c0, c1, c2, c3, vl);
#endif
}

/* Returns the upper half of x * m, XORed with c and key. */
static ALWAYS_INLINE vuint32m2_t philox_mix(vuint32m2_t x, u32 m, vuint32m2_t c, u32 key, size_t vl) {
    const vuint32m2_t high = __riscv_vmulhu_vx_u32m2(x, m, vl);
    return __riscv_vxor_vv_u32m2(high, __riscv_vxor_vx_u32m2(c, key, vl), vl);
}

/* Computes and stores vl blocks. `first` is the lowest counter word of the first block. */
static ALWAYS_INLINE void random_group(const u32 key[2], const u32 counter[4], u32 first, u32 *out,
                                       size_t vl) {
    vuint32m2_t c0 = __riscv_vadd_vx_u32m2(__riscv_vid_v_u32m2(vl), first, vl),
                c1 = __riscv_vmv_v_x_u32m2(counter[1], vl), c2 = __riscv_vmv_v_x_u32m2(counter[2], vl),
                c3 = __riscv_vmv_v_x_u32m2(counter[3], vl);
    u32 key0 = key[0], key1 = key[1];
    UNROLL
    for (size_t r = 0; r < RANDOM_ROUNDS; ++r) {
        const vuint32m2_t even = philox_mix(c2, PHILOX_M1, c1, key0, vl);
        const vuint32m2_t odd = philox_mix(c0, PHILOX_M0, c3, key1, vl);
        c1 = __riscv_vmul_vx_u32m2(c2, PHILOX_M1, vl);
        c3 = __riscv_vmul_vx_u32m2(c0, PHILOX_M0, vl);
        c0 = even;
        c2 = odd;
        key0 += PHILOX_W0;
        key1 += PHILOX_W1;
    }
    store_blocks(out, c0, c1, c2, c3, vl);
}

/* If `out` is not aligned to words, the words are stored through a buffer, and so is an incomplete last block. */
void pto_random_rvv(const u32 key[2], const u32 counter[4], u8 *out, size_t words) {
    const bool is_aligned = (uintptr_t)out % sizeof(u32) == 0;
    u32 copy[COPY_BLOCKS * RANDOM_BLOCK], at = counter[0];
    size_t blocks = is_aligned ? words / RANDOM_BLOCK : 0, vl;
    words -= blocks * RANDOM_BLOCK;
    for (; blocks != 0; blocks -= vl) {
        vl = __riscv_vsetvl_e32m2(blocks);
        random_group(key, counter, at, (u32 *)(void *)out, vl);
        at += (u32)vl;
        out += vl * BLOCK_BYTES;
    }
    while (words != 0) {
        size_t some;
        vl = __riscv_vsetvl_e32m2(min_size((words + RANDOM_BLOCK - 1) / RANDOM_BLOCK, COPY_BLOCKS));
        some = min_size(words, vl * RANDOM_BLOCK);
        random_group(key, counter, at, copy, vl);
        memcpy(out, copy, some * sizeof copy[0]);
        at += (u32)vl;
        out += some * sizeof copy[0];
        words -= some;
    }
}
