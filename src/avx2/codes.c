/* SPDX-License-Identifier: MIT */
/* The kernels of AVX2 that work on the codes of floats. */
#include "avx2/vec.h"

#define ISA avx2
#include "loops/classify.h"
#include "loops/small_float.h"
