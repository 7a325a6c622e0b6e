/* SPDX-License-Identifier: MIT */
/* The definition of exp: SLEEF's functions of one number, but where core/exp.h has a better answer. */
#include "core/exp.h"

#include <sleef.h>

/* Tiny numbers and NaNs are found by one comparison of magnitudes, which lie in the upper bits once the sign
 * is shifted out. */
static u32 exp_f32(u32 bits) {
    const u32 infinity = 0x7f800000;
    float x;
    if (unlikely(2 * bits - 2 * EXP_F32_TINY_END > 2 * infinity - 2 * EXP_F32_TINY_END))
        return (bits & EXP_F32_NOT_TINY) == 0 ? EXP_F32_ONE : EXP_F32_NAN;
    memcpy(&x, &bits, sizeof x);
    x = Sleef_cinz_expf1_u10purec(x);
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static u64 exp_f64_rare(u64 bits) {
    double x;
    if ((bits & EXP_F64_NOT_TINY) == 0) return EXP_F64_ONE;
    if (2 * bits > 2 * (EXP_F64_LARGEST + 1)) return EXP_F64_NAN;
    memcpy(&x, &bits, sizeof x);
    x = exp_f64_is_top(bits) ? exp_f64_top(x) : Sleef_cinz_expd1_u10purec(x);
    return load64(&x);
}

/* Likewise, with all from EXP_F64_TOP on. */
static u64 exp_f64(u64 bits) {
    double x;
    if (unlikely(2 * bits - 2 * EXP_F64_TINY_END >= 2 * EXP_F64_TOP - 2 * EXP_F64_TINY_END))
        return exp_f64_rare(bits);
    memcpy(&x, &bits, sizeof x);
    x = Sleef_cinz_expd1_u10purec(x);
    return load64(&x);
}

void pto_exp_f32_scalar(const void *src, void *dst, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        u32 x;
        memcpy(&x, (const u8 *)src + 4 * i, sizeof x);
        x = exp_f32(x);
        memcpy((u8 *)dst + 4 * i, &x, sizeof x);
    }
}

void pto_exp_f64_scalar(const void *src, void *dst, size_t n) {
    for (size_t i = 0; i < n; ++i) store64((u8 *)dst + 8 * i, exp_f64(load64((const u8 *)src + 8 * i)));
}

const struct exp_kernels pto_exp_scalar = {pto_exp_f32_scalar, pto_exp_f64_scalar};
