/* SPDX-License-Identifier: MIT */
/* Replaces NaNs without a mask. */
#ifndef PTO_AVX512_NANS_H
#define PTO_AVX512_NANS_H

#include <immintrin.h>

#include "core/common.h"

/* The table of VFIXUPIMM, with an entry for each of the eight classes of an element. For both kinds of NaN,
 * the lowest two classes, the destination stays unchanged. For all others it becomes the element. */
enum { FIXUP_NON_NANS = 0x11111100 };

/* Returns x, or y where x is a NaN. No flag is raised. If DAZ is set, subnormal x become zero. */
static ALWAYS_INLINE __m512 unless_nan_ps(__m512 x, __m512 y) {
    return _mm512_fixupimm_round_ps(y, x, _mm512_set1_epi32(FIXUP_NON_NANS), 0, _MM_FROUND_NO_EXC);
}

static ALWAYS_INLINE __m512d unless_nan_pd(__m512d x, __m512d y) {
    return _mm512_fixupimm_round_pd(y, x, _mm512_set1_epi64(FIXUP_NON_NANS), 0, _MM_FROUND_NO_EXC);
}

#endif
