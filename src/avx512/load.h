/* SPDX-License-Identifier: MIT */
/* A load that the compiler does not duplicate. */
#ifndef PTO_AVX512_LOAD_H
#define PTO_AVX512_LOAD_H

#include <immintrin.h>

#include "core/common.h"

/* Loads a vector. The empty asm statement keeps gcc 12 from folding the load into two users, which would load
 * twice. */
static ALWAYS_INLINE __m512i load_once(const u8 *p) {
    __m512i x = _mm512_loadu_si512(p);
    __asm__("" : "+v"(x));
    return x;
}

#endif
