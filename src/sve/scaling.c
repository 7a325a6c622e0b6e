/* SPDX-License-Identifier: MIT */
/* Block scaling in SVE, with the loops over elements of sve/scaling_lanes.h. The rest of loops/scaling.h uses the
 * compiler's vectors of 16 bytes, the shortest SVE vector. */
#define ISA           sve
#define VBYTES        16
#define SCALING_LOOPS "sve/scaling_lanes.h"
#include "loops/scaling.h"
