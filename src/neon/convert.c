/* SPDX-License-Identifier: MIT */
#ifdef __aarch64__ /* SIMDe's renderings are no faster than the loops */
#    define CVT_NATIVE "neon/convert_native.h"
#endif

#define ISA    neon
#define VBYTES 16
#include "loops/convert.h"
