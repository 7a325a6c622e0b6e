/* SPDX-License-Identifier: MIT */
/* Loops of integers for CPUs with AVX-512 F, BW, DQ and VL. */
#define INTEGER_LOOPS pto_integers_avx512
#include "integer_loops.h"
