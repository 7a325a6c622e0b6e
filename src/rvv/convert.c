/* SPDX-License-Identifier: MIT */
/* Of 64 bytes at most four registers of the shortest there are: the compiler sets how many lanes, so any length does. */
#define CVT_NATIVE  "rvv/convert_native.h"
#define VCVT_NATIVE "rvv/vcvt.h"

#define ISA    rvv
#define VBYTES 64
#include "loops/convert.h"
