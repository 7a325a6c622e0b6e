/* SPDX-License-Identifier: MIT */
/* The kernels of SVE that work on the codes of floats. */
enum { VBYTES = 16 };

#define ISA sve
#include "loops/classify_plain.h"
#include "loops/small_float.h"
