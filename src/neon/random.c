/* SPDX-License-Identifier: MIT */
#define ISA neon
#include "loops/random.h"
