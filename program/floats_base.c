/* SPDX-License-Identifier: MIT */
/* The loops of float_loops.h for every CPU that the compiler's flags allow. */
#define FLOAT_LOOPS pto_floats_base
#include "float_loops.h"
