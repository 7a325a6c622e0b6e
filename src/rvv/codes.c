/* SPDX-License-Identifier: MIT */
/* The kernels of RVV that work on the codes of floats. */
enum { VBYTES = 16 };

#define ISA rvv
#include "loops/classify_plain.h"
#include "loops/small_float.h"
