/* SPDX-License-Identifier: MIT */
/* The kernels of AVX-512 that work on the codes of floats. */
#include "avx512/vec.h"

#define ISA avx512
#include "loops/classify.h"
#include "loops/small_float.h"
