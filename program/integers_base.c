/* SPDX-License-Identifier: MIT */
/* Loops of integers for every CPU that the compiler's flags allow. */
#define INTEGER_LOOPS pto_integers_base
#include "integer_loops.h"
