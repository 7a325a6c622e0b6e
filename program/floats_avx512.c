/* SPDX-License-Identifier: MIT */
/* The loops of float_loops.h for CPUs with AVX-512 F, BW, DQ and VL. */
#define FLOAT_LOOPS pto_floats_avx512
#include "float_loops.h"
