/* SPDX-License-Identifier: MIT */
/**
 * @file intrinsics.h
 * Defines the AVX512-FP16 intrinsics that src/avx512/fp16.c uses, in terms of AVX-512BW, so that it runs on CPUs
 * without AVX512-FP16. A compiler option includes this file first.
 */
#ifndef PTO_TEST_FP16_INTRINSICS_H
#define PTO_TEST_FP16_INTRINSICS_H

#include <immintrin.h>

#include "fp16/instructions.h"

#ifndef __AVX512FP16__
#    define __AVX512FP16__ 1
#endif

static inline __mmask32 fp16_compare(__mmask32 k, __m512i x, __m512i y, unsigned predicate) {
    uint16_t a[FP16_LANES], b[FP16_LANES];
    _mm512_storeu_si512(a, x);
    _mm512_storeu_si512(b, y);
    return fp16_vcmpph(k, a, b, predicate);
}

typedef void fp16_extremes(const uint16_t *a, const uint16_t *b, uint16_t *result);

static inline __m512i fp16_extreme(fp16_extremes *instruction, __m512i was, __mmask32 k, __m512i x, __m512i y,
                                   size_t nothing) {
    uint16_t a[FP16_LANES], b[FP16_LANES], result[FP16_LANES];
    (void)nothing;
    _mm512_storeu_si512(a, x);
    _mm512_storeu_si512(b, y);
    instruction(a, b, result);
    return _mm512_mask_mov_epi16(was, k, _mm512_loadu_si512(result));
}

/* Is 0 if `rounding` suppresses exceptions. Otherwise the array size is negative, which does not compile, because
 * exception flags are not emulated. */
#define FP16_SUPPRESSED(rounding) (0 * sizeof(char[(rounding) == _MM_FROUND_NO_EXC ? 1 : -1]))

#undef _mm512_castsi512_ph
#undef _mm512_castph_si512
#undef _mm512_mask_cmp_round_ph_mask
#undef _mm512_mask_max_round_ph
#undef _mm512_mask_min_round_ph
#define __m512h                __m512i
#define _mm512_castsi512_ph(x) (x)
#define _mm512_castph_si512(x) (x)
#define _mm512_mask_cmp_round_ph_mask(k, x, y, predicate, rounding)                                          \
    fp16_compare(k, x, y, (predicate) + FP16_SUPPRESSED(rounding))
#define _mm512_mask_max_round_ph(was, k, x, y, rounding)                                                     \
    fp16_extreme(fp16_vmaxph, was, k, x, y, FP16_SUPPRESSED(rounding))
#define _mm512_mask_min_round_ph(was, k, x, y, rounding)                                                     \
    fp16_extreme(fp16_vminph, was, k, x, y, FP16_SUPPRESSED(rounding))

#endif
