/* SPDX-License-Identifier: MIT */
/* Part of vcvt.h: see x86/vcvt_native.h. */

enum { OWN_STEP = NATIVE_STEP, OWN_FP_F16 = FP_IEEE, OWN_FP_BF16 = FP_IEEE };

static ALWAYS_INLINE void own_F16(const u8 *from, u8 *to) {
    store_ps_32(to, repaired(f32_of_f16(from), (s32)vcvt_nan(PTO_F32)));
}

static ALWAYS_INLINE void own_BF16(const u8 *from, u8 *to) {
    store_ps_32(to, repaired(f32_of_bf16_32(from), (s32)vcvt_nan(PTO_F32)));
}
#include "x86/vcvt_native.h"
