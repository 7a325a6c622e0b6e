/* SPDX-License-Identifier: MIT */
/* The kernel of pto_cast() in AVX-512. */
#include <immintrin.h>
#define CVT_ISA          "avx512/convert_isa.h"
#define CAST_LOAD_F16(p) ((u32v)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(p))))

#define ISA    avx512
#define VBYTES 64
#include "loops/cast.h"
