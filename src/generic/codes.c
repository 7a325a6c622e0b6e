/* SPDX-License-Identifier: MIT */
/* The kernels of the generic backend that work on the codes of floats. */
#include "generic/vec.h"

#define ISA generic
#include "loops/classify.h"
#include "loops/small_float.h"
