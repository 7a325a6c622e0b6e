/* SPDX-License-Identifier: MIT */
/**
 * @file pto.h
 * All of libpto: GPU-exact compare, select, convert and block scaling on ordinary CPUs.
 *
 * Each group of calls also has its own header. types.h begins with the rules that hold for every call.
 */
#ifndef PTO_PTO_H
#define PTO_PTO_H

#include "block.h"
#include "cast.h"
#include "compare.h"
#include "convert.h"
#include "forms.h"
#include "isa.h"
#include "lanes.h"
#include "mask.h"
#include "maxmin.h"
#include "parse.h"
#include "plan.h"
#include "preg.h"
#include "random.h"
#include "select.h"
#include "setcc.h"
#include "types.h"
#include "value.h"
#include "vcvt.h"
#include "version.h"

#ifdef __has_include
#    if __has_include(<pto/vmath.h>) /* installed only if the library has SLEEF */
#        include <pto/vmath.h>
#    endif
#endif

#endif
