/* SPDX-License-Identifier: MIT */
/* Loops of integers for CPUs with AVX2 and BMI2. */
#define INTEGER_LOOPS pto_integers_avx2
#include "integer_loops.h"
