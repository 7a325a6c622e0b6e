/* SPDX-License-Identifier: MIT */
/* The loops of WIDTH_LOOPS, if a backend has its own, else loops/select.h, for every width of elements. */

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
