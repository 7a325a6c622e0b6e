/* SPDX-License-Identifier: MIT */
/* Random bits (Philox) of AVX2. */
#include "core/common.h"

#include <immintrin.h>

#define VBYTES  32
#define VECTORS 3

typedef u64 u64v __attribute__((vector_size(VBYTES)));

static ALWAYS_INLINE u64v v_mul_low32(u64v x, u32 m) {
    return (u64v)_mm256_mul_epu32((__m256i)x, _mm256_set1_epi64x(m));
}

static ALWAYS_INLINE u64v v_low_halves(u64v x, u64v y) {
    return (u64v)_mm256_unpacklo_epi64((__m256i)x, (__m256i)y);
}

static ALWAYS_INLINE u64v v_high_halves(u64v x, u64v y) {
    return (u64v)_mm256_unpackhi_epi64((__m256i)x, (__m256i)y);
}

static ALWAYS_INLINE u64v v_first_blocks(void) {
    return (u64v){0, 2, 1, 3};
}

#include "x86/random.h"

#define ISA avx2
#include "loops/random.h"
