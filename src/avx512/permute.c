/* SPDX-License-Identifier: MIT */
/* Permutation kernels of AVX-512, which looks up lanes of 16 bits and more in tables of two vectors. */
#include "avx512/vec.h"

enum { LOOK_UP_MAX_8 = 4, LOOK_UP_MAX_16 = 4, LOOK_UP_MAX_32 = 4, LOOK_UP_MAX_64 = 4 };

/* Returns vector i of a table. */
static ALWAYS_INLINE vec part(const u8 *table, size_t i) {
    return v_load(table + i * VBYTES);
}

/* In a table of four vectors these look up the same place of both halves, and then select the half by the index. */
#define LOOK_UP(W)                                                                                           \
    static ALWAYS_INLINE vec look_up_##W(const u8 *table, size_t vectors, vec index) {                       \
        const vec upper = _mm512_set1_epi##W(VLANES_##W << 1);                                               \
        vec low, high;                                                                                       \
        if (vectors == 1) return _mm512_permutexvar_epi##W(index, part(table, 0));                           \
        low = _mm512_permutex2var_epi##W(part(table, 0), index, part(table, 1));                             \
        if (vectors == 2) return low;                                                                        \
        high = _mm512_permutex2var_epi##W(part(table, 2), index, part(table, 3));                            \
        return _mm512_mask_blend_epi##W(_mm512_test_epi##W##_mask(index, upper), low, high);                 \
    }
LOOK_UP(16)
LOOK_UP(32)
LOOK_UP(64)
#undef LOOK_UP

/* Returns the byte of the table for the index in the low byte of each word, in this low byte. The upper byte of each
 * word of `index` is 0. */
static ALWAYS_INLINE vec look_up_low_bytes(const u8 *table, size_t vectors, vec index) {
    const vec words = look_up_16(table, vectors, _mm512_srli_epi16(index, 1));
    const vec shift = _mm512_slli_epi16(v_and(index, _mm512_set1_epi16(1)), 3);
    return v_and(_mm512_srlv_epi16(words, shift), _mm512_set1_epi16(0xff));
}

static ALWAYS_INLINE vec look_up_8(const u8 *table, size_t vectors, vec index) {
    const vec even = look_up_low_bytes(table, vectors, v_and(index, _mm512_set1_epi16(0xff)));
    const vec odd = look_up_low_bytes(table, vectors, _mm512_srli_epi16(index, 8));
    return v_or(even, _mm512_slli_epi16(odd, 8));
}

#define PERMUTE_LOOKS_UP
#define ISA avx512
#include "loops/permute.h"
