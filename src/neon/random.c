/* SPDX-License-Identifier: MIT */
/* Random bits (Philox) of NEON. */
#define ISA neon
#include "loops/random.h"
