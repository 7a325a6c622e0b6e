/* SPDX-License-Identifier: MIT */
/* AVX-512's definitions for x86/vcvt_native.h. Part of loops/vcvt.h. Some bf16 are subnormal f32, which DAZ
 * would flush. */

enum { OWN_STEP = 16, OWN_FP_F16 = FP_ANY, OWN_FP_BF16 = FP_IEEE };

static ALWAYS_INLINE void store_own(u8 *to, __m512 x) {
    _mm512_storeu_ps(to, with_nan_ps(x, (u32)vcvt_nan(PTO_F32)));
}

static ALWAYS_INLINE void own_F16(const u8 *src, u8 *dst, size_t n) {
    LOOP(OWN_STEP, 2, 4, store_own(to, f32_of_f16(load_halves(from)));)
}

static ALWAYS_INLINE void own_BF16(const u8 *src, u8 *dst, size_t n) {
    LOOP(OWN_STEP, 2, 4, store_own(to, f32_of_bf16(load_halves(from)));)
}
#include "x86/vcvt_native.h"
