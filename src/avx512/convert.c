/* SPDX-License-Identifier: MIT */
#include <immintrin.h>

#define ISA           avx512
#define VBYTES        64
#define CVT_HAS_MASKS "avx512/cvt_masks.h"
#include "../cvt_tmpl.h"
