/* SPDX-License-Identifier: MIT */
#define ISA generic
#include "loops/random.h"
