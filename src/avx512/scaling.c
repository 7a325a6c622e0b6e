/* SPDX-License-Identifier: MIT */
/* Block scaling kernels of AVX-512. */
#include <immintrin.h>

#define ISA         avx512
#define VBYTES      64
#define CVT_ISA     "avx512/convert_isa.h"
#define SCALING_ISA "avx512/scaling_isa.h"
#include "loops/scaling.h"
