/* SPDX-License-Identifier: MIT */
/* Conversion kernels of the generic backend. */
#define ISA    generic
#define VBYTES 16
#include "loops/convert.h"
