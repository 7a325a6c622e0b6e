/* SPDX-License-Identifier: MIT */
/* The kernel of pto_cast() in the generic backend. */
#define ISA    generic
#define VBYTES 16
#include "loops/cast.h"
