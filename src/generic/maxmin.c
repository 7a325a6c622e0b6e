/* SPDX-License-Identifier: MIT */
#define ISA generic
#include "generic/maxmin.h"
