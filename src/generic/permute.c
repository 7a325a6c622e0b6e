/* SPDX-License-Identifier: MIT */
/* Permutation kernels of the generic backend. */
#define ISA generic
#include "loops/permute.h"
