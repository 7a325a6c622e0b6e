/* SPDX-License-Identifier: MIT */
/* Elements in groups of registers of any length; blocks' scales in the compiler's vectors of 64 bytes, at most four
 * registers of the shortest there are: the compiler sets how many lanes, so any length does. */
#define ISA           rvv
#define VBYTES        64
#define SCALING_LOOPS "rvv/scaling_lanes.h"
#include "loops/scaling.h"
