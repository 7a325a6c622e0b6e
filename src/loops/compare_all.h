/* SPDX-License-Identifier: MIT */
/* Includes LANE_LOOPS once for every lane type of a vector backend. The default is loops/compare.h. */

#ifndef LANE_LOOPS
#    define LANE_LOOPS "loops/compare.h"
#endif

#define LANE     u8
#define WIDTH    8
#define FLOATING 0
#include LANE_LOOPS

#define LANE     u16
#define WIDTH    16
#define FLOATING 0
#include LANE_LOOPS

#define LANE     u32
#define WIDTH    32
#define FLOATING 0
#include LANE_LOOPS

#define LANE     u64
#define WIDTH    64
#define FLOATING 0
#include LANE_LOOPS

#define LANE     s8
#define WIDTH    8
#define FLOATING 0
#include LANE_LOOPS

#define LANE     s16
#define WIDTH    16
#define FLOATING 0
#include LANE_LOOPS

#define LANE     s32
#define WIDTH    32
#define FLOATING 0
#include LANE_LOOPS

#define LANE     s64
#define WIDTH    64
#define FLOATING 0
#include LANE_LOOPS

#define LANE     f16
#define WIDTH    16
#define FLOATING 1
#include LANE_LOOPS

#define LANE     f16z
#define WIDTH    16
#define FLOATING 1
#include LANE_LOOPS

#define LANE     bf16
#define WIDTH    16
#define FLOATING 1
#include LANE_LOOPS

#define LANE     f32
#define WIDTH    32
#define FLOATING 1
#include LANE_LOOPS

#ifdef VEC_INTEGER_RELATIONS
#    define LANE     f32z
#    define WIDTH    32
#    define FLOATING 1
#    include LANE_LOOPS
#endif

#define LANE     f64
#define WIDTH    64
#define FLOATING 1
#include LANE_LOOPS

#undef LANE_LOOPS
