/* SPDX-License-Identifier: MIT */
/* Converts f32 to bf16, to nearest even, with the BF16 instructions of Armv8.2. These keep the payload of NaNs, so NaNs
 * are canonicalized afterwards. */
#ifndef __ARM_FEATURE_BF16_VECTOR_ARITHMETIC
#    error "this file is compiled with +bf16"
#endif

#include "neon/convert_lanes.h"

#include "core/formats.h"

static ALWAYS_INLINE uint16x8_t bf16_of(struct f32x8 x) {
    const bfloat16x8_t y = vcvtq_high_bf16_f32(vcvtq_low_bf16_f32(x.low), x.high);
    return canonicalize_half_nan(vreinterpretq_u16_bf16(y), 0x7f80);
}

static ALWAYS_INLINE void bf16_of_16(const u8 *from, u8 *to) {
    store_u16(to, bf16_of(load_f32x8(from)));
    store_u16(to + 16, bf16_of(load_f32x8(from + 32)));
}
NATIVE(BF16_F32, FP_IEEE, 16, 4, 2, bf16_of_16(from, to))

const struct cvt_kernel *pto_cvt_neon_bf16(void) {
    return &native_BF16_F32;
}
