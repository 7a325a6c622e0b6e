/* SPDX-License-Identifier: MIT */
/* The RVV backend's conversions. The compiler's vectors of 64 bytes take four registers of the minimum length of 128
 * bits, and fewer if registers are longer. The compiler sets vl, so registers of any length work. */
#define CVT_NATIVE  "rvv/convert_native.h"
#define VCVT_NATIVE "rvv/vcvt.h"

#define ISA    rvv
#define VBYTES 64
#include "loops/convert.h"
