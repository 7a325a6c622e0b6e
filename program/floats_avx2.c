/* SPDX-License-Identifier: MIT */
/* The loops of float_loops.h for CPUs with AVX2, FMA and F16C. */
#define FLOAT_LOOPS pto_floats_avx2
#include "float_loops.h"
