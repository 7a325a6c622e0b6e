/* SPDX-License-Identifier: MIT */
/* Block scaling kernels of the generic backend. */
#define ISA    generic
#define VBYTES 16
#include "loops/scaling.h"
