/* SPDX-License-Identifier: MIT */
/* The kernel of pto_cast() in NEON. */
#define ISA    neon
#define VBYTES 16
#include "loops/cast.h"
