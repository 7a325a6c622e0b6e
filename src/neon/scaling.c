/* SPDX-License-Identifier: MIT */
/* Block scaling kernels of NEON. */
#define ISA    neon
#define VBYTES 16
#include "loops/scaling.h"
