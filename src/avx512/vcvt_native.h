/* SPDX-License-Identifier: MIT */
/* AVX-512's definitions for x86/vcvt_native.h. Part of loops/vcvt.h. Some bf16 are subnormal f32, which DAZ
 * would flush. */

enum { VCVT_GRANULE = 16, VCVT_FP_F16 = FP_ANY, VCVT_FP_BF16 = FP_IEEE };

static ALWAYS_INLINE void store_vcvt(u8 *to, __m512 x) {
    _mm512_storeu_ps(to, with_nan_ps(x, (u32)vcvt_nan(PTO_F32)));
}

static ALWAYS_INLINE void vcvt_f32_from_F16(const u8 *src, u8 *dst, size_t n) {
    LOOP(VCVT_GRANULE, 2, 4, store_vcvt(to, f32_of_f16(load_halves(from)));)
}

static ALWAYS_INLINE void vcvt_f32_from_BF16(const u8 *src, u8 *dst, size_t n) {
    LOOP(VCVT_GRANULE, 2, 4, store_vcvt(to, f32_of_bf16(load_halves(from)));)
}
#include "x86/vcvt_native.h"
