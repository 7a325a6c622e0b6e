/* SPDX-License-Identifier: MIT */
/* Names for code that AVX2 and AVX-512 share. It differs only in the size of a vector, VBYTES. */
#ifndef PTO_X86_WIDTH_H
#define PTO_X86_WIDTH_H

#include "core/common.h"

#include <immintrin.h>

#if VBYTES == 64
#    define WIDE(operation) _mm512_##operation
typedef __m512i wide;
typedef __m512 wide_floats;
#else
#    define WIDE(operation) _mm256_##operation
typedef __m256i wide;
typedef __m256 wide_floats;
#endif

/* Returns a vector of copies of x. */
static ALWAYS_INLINE wide wide_of_128(__m128i x) {
#if VBYTES == 64
    return _mm512_broadcast_i32x4(x);
#else
    return _mm256_broadcastsi128_si256(x);
#endif
}

#endif
