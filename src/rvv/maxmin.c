/* SPDX-License-Identifier: MIT */
#include <riscv_vector.h>

#include "core/common.h"

/*
 * Loads and stores at any address. Where one may trap unless it is a multiple of the lanes' bytes clang makes integers of
 * some vectors, byte by byte; so bytes are copied, by RVV's own instructions, from or to a place that is such a multiple.
 */
typedef u8 vec __attribute__((vector_size(16)));

static ALWAYS_INLINE vec v_load(const void *p) {
    vec x;
    __riscv_vse8((u8 *)&x, __riscv_vle8_v_u8m1(p, sizeof x), sizeof x);
    return x;
}

static ALWAYS_INLINE void v_store(void *p, vec x) {
    __riscv_vse8(p, __riscv_vle8_v_u8m1((const u8 *)&x, sizeof x), sizeof x);
}

#define VEC_HAS_LOAD
#define ISA rvv
#include "generic/maxmin.h"
