/* SPDX-License-Identifier: MIT */
/* The kernel of pto_cast() for SVE, in the compiler's vectors of 16 bytes, which are NEON's. */
#define ISA    sve
#define VBYTES 16
#include "loops/cast.h"
