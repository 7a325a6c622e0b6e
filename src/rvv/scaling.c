/* SPDX-License-Identifier: MIT */
/* Block scaling in RVV, with the loops over elements of rvv/scaling_lanes.h. The rest of loops/scaling.h uses the
 * compiler's vectors of 64 bytes. */
#define ISA           rvv
#define VBYTES        64
#define SCALING_LOOPS "rvv/scaling_lanes.h"
#include "loops/scaling.h"
