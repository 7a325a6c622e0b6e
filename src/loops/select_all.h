/* SPDX-License-Identifier: MIT */
/* Includes WIDTH_LOOPS once for every element width. The default is loops/select.h. */

#ifndef WIDTH_LOOPS
#    define WIDTH_LOOPS "loops/select.h"
#endif

#define WIDTH 8
#include WIDTH_LOOPS

#define WIDTH 16
#include WIDTH_LOOPS

#define WIDTH 32
#include WIDTH_LOOPS

#define WIDTH 64
#include WIDTH_LOOPS

#undef WIDTH_LOOPS
