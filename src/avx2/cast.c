/* SPDX-License-Identifier: MIT */
/* The kernel of pto_cast() in AVX2. */
#include <immintrin.h>
#define CVT_ISA             "avx2/convert_isa.h"
#define CAST_NARROW         pto_cast_narrow_avx2
#define CAST_NARROW_TO_HIF8 narrow_to_hif8
#define CAST_LOOK_UP        look_up_vectors
#define CAST_LOAD_F16(p)    ((u32v)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(p))))

#define ISA    avx2
#define VBYTES 32
#include "core/common.h"

#include "avx2/bytes.h"
#include "x86/cast_hif8.h"
#include "x86/cast_look_up.h"

#include "loops/cast.h"
