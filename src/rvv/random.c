/* SPDX-License-Identifier: MIT */
#define ISA rvv
#include "loops/random.h"
