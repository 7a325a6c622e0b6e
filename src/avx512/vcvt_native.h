/* SPDX-License-Identifier: MIT */
/* Part of vcvt.h: see x86/vcvt_native.h. Of bf16 some are subnormal, which DAZ would flush. */

enum { OWN_STEP = 16, OWN_FP_F16 = FP_ANY, OWN_FP_BF16 = FP_IEEE };

static ALWAYS_INLINE void own_F16(const u8 *from, u8 *to) {
    _mm512_storeu_ps(to, with_nan_ps(f32_of_f16(load_halves(from)), (u32)vcvt_nan(PTO_F32)));
}

static ALWAYS_INLINE void own_BF16(const u8 *from, u8 *to) {
    _mm512_storeu_ps(to, with_nan_ps(f32_of_bf16(load_halves(from)), (u32)vcvt_nan(PTO_F32)));
}
#include "x86/vcvt_native.h"
