/* SPDX-License-Identifier: MIT */
/* Elements in vectors of any length; blocks' scales in the compiler's, of the shortest that there are. */
#define ISA           sve
#define VBYTES        16
#define SCALING_LOOPS "sve/scaling_lanes.h"
#include "loops/scaling.h"
