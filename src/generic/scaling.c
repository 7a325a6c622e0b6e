/* SPDX-License-Identifier: MIT */
#define ISA    generic
#define VBYTES 16
#include "loops/scaling.h"
