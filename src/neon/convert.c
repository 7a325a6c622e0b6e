/* SPDX-License-Identifier: MIT */
/* Conversion kernels of NEON. */
#ifdef __aarch64__ /* SIMDe's emulations are no faster than the loops */
#    define CVT_NATIVE "neon/convert_native.h"
#endif

#define ISA    neon
#define VBYTES 16
#include "loops/convert.h"
