/* SPDX-License-Identifier: MIT */
/* AVX2's definitions for x86/vcvt_native.h. Part of loops/vcvt.h. */

enum { OWN_STEP = NATIVE_STEP, OWN_FP_F16 = FP_IEEE, OWN_FP_BF16 = FP_IEEE };

static ALWAYS_INLINE void store_own_32(u8 *to, struct ps_32 x, bool may_have_nan, int mode) {
    (void)mode;
    store_ps_32(to, may_have_nan ? repaired(x, (s32)vcvt_nan(PTO_F32)) : x);
}

PUT_RIGHT_BY(own_F16, ROUND_RN, group_of_f16, 2, store_own_32, 4)
PUT_RIGHT_BY(own_BF16, ROUND_RN, group_of_bf16, 2, store_own_32, 4)

static ALWAYS_INLINE void own_F16(const u8 *src, u8 *dst, size_t n) {
    each_group(group_of_f16, store_own_32, put_right_own_F16, ROUND_RN, 2, 4, src, dst, n);
}

static ALWAYS_INLINE void own_BF16(const u8 *src, u8 *dst, size_t n) {
    each_group(group_of_bf16, store_own_32, put_right_own_BF16, ROUND_RN, 2, 4, src, dst, n);
}
#include "x86/vcvt_native.h"
