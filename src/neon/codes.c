/* SPDX-License-Identifier: MIT */
/* The kernels of NEON that work on the codes of floats. */
#include "neon/vec.h"

#define ISA neon
#include "loops/classify.h"
#include "loops/small_float.h"
