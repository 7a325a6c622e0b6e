/* SPDX-License-Identifier: MIT */
#define ISA rvv
#include "generic/maxmin.h"
