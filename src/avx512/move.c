/* SPDX-License-Identifier: MIT */
/* Compress and expand kernels of AVX-512. VPCOMPRESSD and the like write registers: their forms that write memory are
 * slow on AMD's CPUs. */
#include "loops/move.h"

#include "x86/move.h"

static ALWAYS_INLINE void compress_step_32(const u8 *in, unsigned mask, u8 *out) {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32((__mmask16)mask, _mm512_loadu_si512(in)));
}

static ALWAYS_INLINE void compress_step_64(const u8 *in, unsigned mask, u8 *out) {
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64((__mmask8)mask, _mm512_loadu_si512(in)));
}

static ALWAYS_INLINE void expand_step_32(const u8 *in, unsigned mask, u8 *out) {
    const __m512i old = _mm512_loadu_si512(out);
    _mm512_storeu_si512(out, _mm512_mask_expand_epi32(old, (__mmask16)mask, _mm512_loadu_si512(in)));
}

static ALWAYS_INLINE void expand_step_64(const u8 *in, unsigned mask, u8 *out) {
    const __m512i old = _mm512_loadu_si512(out);
    _mm512_storeu_si512(out, _mm512_mask_expand_epi64(old, (__mmask8)mask, _mm512_loadu_si512(in)));
}

MOVE_KERNELS(8, 8)
MOVE_KERNELS(16, 8)
MOVE_KERNELS(32, 16)
MOVE_KERNELS(64, 8)

const struct move_kernels pto_move_avx512 = {{compress_8, compress_16, compress_32, compress_64},
                                             {expand_8, expand_16, expand_32, expand_64}};
