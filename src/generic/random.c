/* SPDX-License-Identifier: MIT */
/* Random bits of the generic backend. */
#define ISA generic
#include "loops/random.h"
