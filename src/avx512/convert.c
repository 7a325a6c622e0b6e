/* SPDX-License-Identifier: MIT */
/* Conversion kernels of AVX-512. */
#include <immintrin.h>

#define ISA         avx512
#define VBYTES      64
#define CVT_ISA     "avx512/convert_isa.h"
#define CVT_NATIVE  "avx512/convert_native.h"
#define VCVT_NATIVE "avx512/vcvt_native.h"
#include "loops/convert.h"
