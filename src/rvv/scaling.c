/* SPDX-License-Identifier: MIT */
/* In groups of registers of any length. What loops/scaling.h has besides is in the compiler's vectors. */
#define ISA           rvv
#define VBYTES        64
#define SCALING_LOOPS "rvv/scaling_lanes.h"
#include "loops/scaling.h"
