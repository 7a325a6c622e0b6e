/* SPDX-License-Identifier: MIT */
#define ISA    neon
#define VBYTES 16
#include "loops/scaling.h"
