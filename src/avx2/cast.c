/* SPDX-License-Identifier: MIT */
/* The kernel of pto_cast() in AVX2. */
#include <immintrin.h>
#define CVT_ISA "avx2/convert_isa.h"

#define ISA    avx2
#define VBYTES 32
#include "loops/cast.h"
