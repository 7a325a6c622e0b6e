/* SPDX-License-Identifier: MIT */
/* Max, min, clamp and relu kernels of the generic backend. */
#define ISA generic
#include "generic/maxmin.h"
