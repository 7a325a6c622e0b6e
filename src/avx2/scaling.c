/* SPDX-License-Identifier: MIT */
/* Block scaling kernels of AVX2. */
#include <immintrin.h>
#define CVT_ISA     "avx2/convert_isa.h"
#define SCALING_ISA "avx2/scaling_isa.h"

#define ISA    avx2
#define VBYTES 32
#include "loops/scaling.h"
