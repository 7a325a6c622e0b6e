/* SPDX-License-Identifier: MIT */
/* The kernel of pto_cast() in AVX-512. */
#include <immintrin.h>
#define CVT_ISA "avx512/convert_isa.h"

#define ISA    avx512
#define VBYTES 64
#include "loops/cast.h"
