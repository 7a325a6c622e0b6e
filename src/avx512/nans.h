/* SPDX-License-Identifier: MIT */
/* NaNs put right without a mask. */
#ifndef PTO_AVX512_NANS_H
#define PTO_AVX512_NANS_H

#include <immintrin.h>

#include "core/common.h"

/* Of vfixupimm, by the class of an element: NaNs of both kinds, the lowest two of its eight, leave what is there, all
 * others take the element. */
enum { NUMBERS_ALONE = 0x11111100 };

/* x, or y where x is a NaN. No flag is raised; DAZ flushes what is taken of x. */
static ALWAYS_INLINE __m512 number_or_ps(__m512 x, __m512 y) {
    return _mm512_fixupimm_round_ps(y, x, _mm512_set1_epi32(NUMBERS_ALONE), 0, _MM_FROUND_NO_EXC);
}

static ALWAYS_INLINE __m512d number_or_pd(__m512d x, __m512d y) {
    return _mm512_fixupimm_round_pd(y, x, _mm512_set1_epi64(NUMBERS_ALONE), 0, _MM_FROUND_NO_EXC);
}

#endif
