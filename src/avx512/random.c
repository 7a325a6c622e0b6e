/* SPDX-License-Identifier: MIT */
/* Random bits (Philox) of AVX-512. */
#include "core/common.h"

#define VBYTES  64
#define VECTORS 4

typedef u64 u64v __attribute__((vector_size(VBYTES)));

static ALWAYS_INLINE u64v v_first_blocks(void) {
    return (u64v){0, 4, 1, 5, 2, 6, 3, 7};
}

#include "x86/random.h"

#define ISA avx512
#include "loops/random.h"
