/* SPDX-License-Identifier: MIT */
/* loops/select.h for every element width of a vector backend. */

#define WIDTH 8
#include "loops/select.h"

#define WIDTH 16
#include "loops/select.h"

#define WIDTH 32
#include "loops/select.h"

#define WIDTH 64
#include "loops/select.h"
