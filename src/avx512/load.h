/* SPDX-License-Identifier: MIT */
#ifndef PTO_AVX512_LOAD_H
#define PTO_AVX512_LOAD_H

#include <immintrin.h>

#include "core/common.h"

/* gcc 12 would load what two operations use for either, and does not see what is in a register by this. */
static ALWAYS_INLINE __m512i load_once(const u8 *p) {
    __m512i x = _mm512_loadu_si512(p);
    __asm__("" : "+v"(x));
    return x;
}

#endif
