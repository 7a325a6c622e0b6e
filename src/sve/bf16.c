/* SPDX-License-Identifier: MIT */
/* The kernel for CPUs with SVE and BF16 (Armv8.2): converts f32 to bf16, rounded to nearest even, by BFCVT. */
#ifndef __ARM_FEATURE_BF16_VECTOR_ARITHMETIC
#    error "this file is compiled with +bf16"
#endif

#include "loops/convert_kernel.h"
#include "sve/convert_float.h"

/* BFCVT writes the lower half of each word. It keeps the payload of NaNs, so canonicalize_half() replaces NaNs by
 * f->nan. */
static ALWAYS_INLINE svuint16_t bf16_of_f32(const struct cvt_params *f, const struct source *p, size_t b) {
    const svbool_t all = svptrue_b32();
    const svbfloat16_t y0 = svcvt_bf16_x(all, load_f32_at(PTO_F32, p, 2 * b)),
                       y1 = svcvt_bf16_x(all, load_f32_at(PTO_F32, p, 2 * b + 1));
    return canonicalize_half(f, svuzp1(svreinterpret_u16(y0), svreinterpret_u16(y1)));
}

static ALWAYS_INLINE struct cvt_params plain_params(void) {
    const struct cvt_params f = {.dst = PTO_BF16, .src = PTO_F32, .nan = 0x7fff};
    return f;
}
CVT_KERNEL(plain_BF16_F32, 1, FP_IEEE, each_half_vector(bf16_of_f32, plain_params(), src, NULL, dst, n))

const struct cvt_kernel *pto_cvt_sve_bf16(void) {
    return &plain_BF16_F32;
}
