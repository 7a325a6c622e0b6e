/* SPDX-License-Identifier: MIT */
/* The loop of native conversions, and loads and stores of NEON vectors. Included at the head of
 * convert_native.h and bf16.c. */
#ifndef PTO_NEON_CONVERT_LANES_H
#define PTO_NEON_CONVERT_LANES_H

#include <arm_neon.h>

#include "loops/convert_kernel.h"

enum { NATIVE_GRANULE = 16 };

/* Defines a kernel that runs the statements for each group of `lanes` elements. `from` and `to` point to the
 * group's source and destination, whose elements have `in` and `out` bytes. */
#define NATIVE(name, fp, lanes, in, out, ...)                                                                \
    _Static_assert(NATIVE_GRANULE % (lanes) == 0, "a granule must be a whole number of groups");             \
    CVT_KERNEL(                                                                                              \
        native_##name, NATIVE_GRANULE, fp, for (size_t i = 0; i < n; i += NATIVE_GRANULE) {                  \
            UNROLL for (size_t k = 0; k < NATIVE_GRANULE; k += (lanes)) {                                    \
                const u8 *from = (const u8 *)src + (i + k) * (in);                                           \
                u8 *to = (u8 *)dst + (i + k) * (out);                                                        \
                __VA_ARGS__;                                                                                 \
            }                                                                                                \
        })

static ALWAYS_INLINE float32x4_t load_f32(const u8 *p) {
    return vreinterpretq_f32_u8(vld1q_u8(p));
}

static ALWAYS_INLINE float64x2_t load_f64(const u8 *p) {
    return vreinterpretq_f64_u8(vld1q_u8(p));
}

static ALWAYS_INLINE uint16x8_t load_u16(const u8 *p) {
    return vreinterpretq_u16_u8(vld1q_u8(p));
}

static ALWAYS_INLINE void store_f32(u8 *p, float32x4_t x) {
    vst1q_u8(p, vreinterpretq_u8_f32(x));
}

static ALWAYS_INLINE void store_u16(u8 *p, uint16x8_t x) {
    vst1q_u8(p, vreinterpretq_u8_u16(x));
}

static ALWAYS_INLINE void store_u32(u8 *p, uint32x4_t x) {
    vst1q_u8(p, vreinterpretq_u8_u32(x));
}

/* Two vectors of 32-bit lanes, as many as one vector has 16-bit lanes. */
struct f32x8 {
    float32x4_t low, high;
};

static ALWAYS_INLINE struct f32x8 load_f32x8(const u8 *p) {
    const struct f32x8 x = {load_f32(p), load_f32(p + 16)};
    return x;
}

/* Replaces NaNs of either sign by 7fff. Their magnitude is above `infinity`. */
static ALWAYS_INLINE uint16x8_t canonicalize_half_nan(uint16x8_t x, u16 infinity) {
    const uint16x8_t most = vdupq_n_u16(0x7fff);
    return vbslq_u16(vcgtq_u16(vandq_u16(x, most), vdupq_n_u16(infinity)), most, x);
}

#endif
