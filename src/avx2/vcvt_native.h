/* SPDX-License-Identifier: MIT */
/* AVX2's definitions for x86/vcvt_native.h. Part of loops/vcvt.h. */

enum { VCVT_GRANULE = NATIVE_GRANULE, VCVT_FP_F16 = FP_IEEE, VCVT_FP_BF16 = FP_IEEE };

static ALWAYS_INLINE void store_vcvt_32(u8 *to, struct ps_32 x, bool may_have_nan, int mode) {
    (void)mode;
    store_ps_32(to, may_have_nan ? with_canonical_nans(x, (s32)vcvt_nan(PTO_F32)) : x);
}

DEFINE_FIXUP(vcvt_f32_from_F16, ROUND_RN, group_of_f16, 2, store_vcvt_32, 4)
DEFINE_FIXUP(vcvt_f32_from_BF16, ROUND_RN, group_of_bf16, 2, store_vcvt_32, 4)

static ALWAYS_INLINE void vcvt_f32_from_F16(const u8 *src, u8 *dst, size_t n) {
    convert_groups(group_of_f16, store_vcvt_32, fix_up_vcvt_f32_from_F16, ROUND_RN, 2, 4, src, dst, n);
}

static ALWAYS_INLINE void vcvt_f32_from_BF16(const u8 *src, u8 *dst, size_t n) {
    convert_groups(group_of_bf16, store_vcvt_32, fix_up_vcvt_f32_from_BF16, ROUND_RN, 2, 4, src, dst, n);
}
#include "x86/vcvt_native.h"
