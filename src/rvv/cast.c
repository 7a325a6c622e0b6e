/* SPDX-License-Identifier: MIT */
/* The kernel of pto_cast() in RVV, in the compiler's vectors of 64 bytes, as in convert.c. */
#define ISA    rvv
#define VBYTES 64
#include "loops/cast.h"
