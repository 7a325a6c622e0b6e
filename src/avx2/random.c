/* SPDX-License-Identifier: MIT */
/* Random bits (Philox) of AVX2. */
#include "core/common.h"

#define VBYTES  32
#define VECTORS 3

typedef u64 u64v __attribute__((vector_size(VBYTES)));

static ALWAYS_INLINE u64v v_first_blocks(void) {
    return (u64v){0, 2, 1, 3};
}

#include "x86/random.h"

#define ISA avx2
#include "loops/random.h"
