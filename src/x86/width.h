/* SPDX-License-Identifier: MIT */
/* Names for code that AVX2 and AVX-512 share. It differs only in the size of a vector, VBYTES. */
#ifndef PTO_X86_WIDTH_H
#define PTO_X86_WIDTH_H

#include <immintrin.h>

#if VBYTES == 64
#    define WIDE(operation) _mm512_##operation
typedef __m512i wide;
#else
#    define WIDE(operation) _mm256_##operation
typedef __m256i wide;
#endif

#endif
