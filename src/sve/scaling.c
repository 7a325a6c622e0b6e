/* SPDX-License-Identifier: MIT */
/* In vectors of any length. What loops/scaling.h has besides is in the compiler's, of the shortest that there are. */
#define ISA           sve
#define VBYTES        16
#define SCALING_LOOPS "sve/scaling_lanes.h"
#include "loops/scaling.h"
