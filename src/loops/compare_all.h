/* SPDX-License-Identifier: MIT */
/* loops/compare.h for every lane type of a vector backend. */

#define LANE     u8
#define WIDTH    8
#define FLOATING 0
#include "loops/compare.h"

#define LANE     u16
#define WIDTH    16
#define FLOATING 0
#include "loops/compare.h"

#define LANE     u32
#define WIDTH    32
#define FLOATING 0
#include "loops/compare.h"

#define LANE     u64
#define WIDTH    64
#define FLOATING 0
#include "loops/compare.h"

#define LANE     s8
#define WIDTH    8
#define FLOATING 0
#include "loops/compare.h"

#define LANE     s16
#define WIDTH    16
#define FLOATING 0
#include "loops/compare.h"

#define LANE     s32
#define WIDTH    32
#define FLOATING 0
#include "loops/compare.h"

#define LANE     s64
#define WIDTH    64
#define FLOATING 0
#include "loops/compare.h"

#define LANE     f16
#define WIDTH    16
#define FLOATING 1
#include "loops/compare.h"

#define LANE     f16z
#define WIDTH    16
#define FLOATING 1
#include "loops/compare.h"

#define LANE     bf16
#define WIDTH    16
#define FLOATING 1
#include "loops/compare.h"

#define LANE     f32
#define WIDTH    32
#define FLOATING 1
#include "loops/compare.h"

#define LANE     f64
#define WIDTH    64
#define FLOATING 1
#include "loops/compare.h"
