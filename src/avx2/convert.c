/* SPDX-License-Identifier: MIT */
/* Conversion kernels of AVX2. */
#include <immintrin.h>
#define CVT_ISA     "avx2/convert_isa.h"
#define CVT_NATIVE  "avx2/convert_native.h"
#define VCVT_NATIVE "avx2/vcvt_native.h"

#define ISA    avx2
#define VBYTES 32
#include "loops/convert.h"
