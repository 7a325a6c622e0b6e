/* SPDX-License-Identifier: MIT */
/* Random bits (Philox) of AVX-512. */
#include "core/common.h"

#include <immintrin.h>

#define VBYTES  64
#define VECTORS 4

typedef u64 u64v __attribute__((vector_size(VBYTES)));

static ALWAYS_INLINE u64v v_mul_low32(u64v x, u32 m) {
    return (u64v)_mm512_mul_epu32((__m512i)x, _mm512_set1_epi64(m));
}

static ALWAYS_INLINE u64v v_low_halves(u64v x, u64v y) {
    return (u64v)_mm512_unpacklo_epi64((__m512i)x, (__m512i)y);
}

static ALWAYS_INLINE u64v v_high_halves(u64v x, u64v y) {
    return (u64v)_mm512_unpackhi_epi64((__m512i)x, (__m512i)y);
}

static ALWAYS_INLINE u64v v_first_blocks(void) {
    return (u64v){0, 4, 1, 5, 2, 6, 3, 7};
}

#include "x86/random.h"

#define ISA avx512
#include "loops/random.h"
