/* SPDX-License-Identifier: MIT */
#include <immintrin.h>

#define ISA     avx512
#define VBYTES  64
#define CVT_ISA "avx512/cvt_isa.h"
#include "../cvt_tmpl.h"
