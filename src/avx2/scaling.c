/* SPDX-License-Identifier: MIT */
#include <immintrin.h>
#define CVT_ISA     "avx2/convert_isa.h"
#define SCALING_ISA "avx2/scaling_isa.h"

#define ISA    avx2
#define VBYTES 32
#include "loops/scaling.h"
