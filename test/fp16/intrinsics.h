/* SPDX-License-Identifier: MIT */
/**
 * @file intrinsics.h
 * AVX512-FP16 for compilations of src/avx512/fp16.c that shall run where the CPU has none: the compiler is told to
 * include this first. It defines those intrinsics which that file uses, in AVX-512BW's vectors.
 */
#ifndef PTO_TEST_FP16_INTRINSICS_H
#define PTO_TEST_FP16_INTRINSICS_H

#include <immintrin.h>

#include "fp16/vcmpph.h"

#ifndef __AVX512FP16__
#    define __AVX512FP16__ 1
#endif

static inline __mmask32 fp16_compare(__mmask32 k, __m512i x, __m512i y, unsigned predicate) {
    uint16_t a[FP16_LANES], b[FP16_LANES];
    _mm512_storeu_si512(a, x);
    _mm512_storeu_si512(b, y);
    return fp16_vcmpph(k, a, b, predicate);
}

/* An instruction that suppresses no exception would raise flags, which is not emulated: no negative size. */
#undef _mm512_castsi512_ph
#undef _mm512_mask_cmp_round_ph_mask
#define _mm512_castsi512_ph(x) (x)
#define _mm512_mask_cmp_round_ph_mask(k, x, y, predicate, rounding)                                          \
    fp16_compare(k, x, y, (predicate) + 0 * sizeof(char[(rounding) == _MM_FROUND_NO_EXC ? 1 : -1]))

#endif
