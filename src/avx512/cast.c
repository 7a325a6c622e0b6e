/* SPDX-License-Identifier: MIT */
/* The kernel of pto_cast() in AVX-512. */
#include <immintrin.h>
#define CVT_ISA             "avx512/convert_isa.h"
#define CAST_NARROW         pto_cast_narrow_avx512
#define CAST_NARROW_TO_HIF8 narrow_to_hif8
#define CAST_LOOK_UP        look_up_vectors
#define CAST_LOAD_F16(p)    ((u32v)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(p))))

#define ISA    avx512
#define VBYTES 64
#include "core/common.h"

#include "avx512/bytes.h"
#include "x86/cast_hif8.h"
#include "x86/cast_look_up.h"

#include "loops/cast.h"
