/* SPDX-License-Identifier: MIT */
/* select_tmpl.h for every element width of a vector backend. */

#define WIDTH 8
#include "select_tmpl.h"

#define WIDTH 16
#include "select_tmpl.h"

#define WIDTH 32
#include "select_tmpl.h"

#define WIDTH 64
#include "select_tmpl.h"
