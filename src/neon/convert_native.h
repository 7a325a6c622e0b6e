/* SPDX-License-Identifier: MIT */
/*
 * Conversions for which AArch64 has an instruction, or arithmetic that is short. The instructions round, flush and raise
 * as FPCR says, so most kernels ask for its default state, or for FZ where .ftz is wanted; to integers they round as
 * told, clamp, and make a NaN 0, as PTX has it.
 */
#include <arm_neon.h>

#include "core/convert_choice.h"

enum { NATIVE_STEP = 16, ROUNDINGS = 4 };

/* A loop over groups of lanes: from and to are the elements at hand. */
#define NATIVE(name, fp, lanes, in, out, ...)                                                                \
    _Static_assert(NATIVE_STEP % (lanes) == 0, "a step is whole groups");                                    \
    CVT_KERNEL(                                                                                              \
        native_##name, NATIVE_STEP, fp, for (size_t i = 0; i < n; i += (lanes)) {                            \
            const u8 *from = (const u8 *)src + i * (in);                                                     \
            u8 *to = (u8 *)dst + i * (out);                                                                  \
            __VA_ARGS__;                                                                                     \
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

/* Lanes of 32 bits that fill as many of 16. */
struct f32x8 {
    float32x4_t low, high;
};

static ALWAYS_INLINE struct f32x8 load_f32x8(const u8 *p) {
    const struct f32x8 x = {load_f32(p), load_f32(p + 16)};
    return x;
}

static ALWAYS_INLINE void store_f32x8(u8 *p, struct f32x8 x) {
    store_f32(p, x.low);
    store_f32(p + 16, x.high);
}

static ALWAYS_INLINE uint16x8_t low_halves(uint32x4_t x, uint32x4_t y) {
    return vuzp1q_u16(vreinterpretq_u16_u32(x), vreinterpretq_u16_u32(y));
}

static ALWAYS_INLINE uint16x8_t high_halves(struct f32x8 x) {
    return vuzp2q_u16(vreinterpretq_u16_f32(x.low), vreinterpretq_u16_f32(x.high));
}

/* ---- NaNs become what PTX makes of them ---- */

static ALWAYS_INLINE uint16x8_t numbers(struct f32x8 x) {
    return low_halves(vceqq_f32(x.low, x.low), vceqq_f32(x.high, x.high));
}

static ALWAYS_INLINE float32x4_t with_nan(float32x4_t x) {
    const uint32x4_t nan = vdupq_n_u32(0x7fffffff);
    return vbslq_f32(vceqq_f32(x, x), x, vreinterpretq_f32_u32(nan));
}

static ALWAYS_INLINE uint16x8_t with_f16_nan(uint16x8_t x) {
    const uint16x8_t most = vdupq_n_u16(0x7fff), infinity = vdupq_n_u16(0x7c00);
    return vbslq_u16(vcgtq_u16(vandq_u16(x, most), infinity), most, x);
}

/* ---- f16 and bf16 ---- */

static ALWAYS_INLINE uint16x8_t f16_of(struct f32x8 x) {
    return vreinterpretq_u16_f16(vcvt_high_f16_f32(vcvt_f16_f32(x.low), x.high));
}

static ALWAYS_INLINE struct f32x8 f32_of_f16(uint16x8_t x) {
    const float16x8_t h = vreinterpretq_f16_u16(x);
    const struct f32x8 y = {vcvt_f32_f16(vget_low_f16(h)), vcvt_high_f32_f16(h)};
    return y;
}

static ALWAYS_INLINE struct f32x8 f32_of_bf16(uint16x8_t x) {
    const struct f32x8 y = {vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(x), 16)),
                            vreinterpretq_f32_u32(vshll_high_n_u16(x, 16))};
    return y;
}

/* What is cut off, and the last digit that is not, are together above a half where it must go up. */
static ALWAYS_INLINE uint16x8_t bf16_of(struct f32x8 x) {
    const uint16x8_t high = high_halves(x);
    const uint16x8_t low = low_halves(vreinterpretq_u32_f32(x.low), vreinterpretq_u32_f32(x.high));
    const uint16x8_t rest = vqaddq_u16(low, vandq_u16(high, vdupq_n_u16(1)));
    const uint16x8_t rounded = vsubq_u16(high, vcgtq_u16(rest, vdupq_n_u16(0x8000)));
    return vbslq_u16(numbers(x), rounded, vdupq_n_u16(0x7fff));
}

static ALWAYS_INLINE struct f32x8 with_nans(struct f32x8 x) {
    const struct f32x8 y = {with_nan(x.low), with_nan(x.high)};
    return y;
}

NATIVE(F16_F32_rn, FP_IEEE, 8, 4, 2, store_u16(to, with_f16_nan(f16_of(load_f32x8(from)))))
NATIVE(F32_F16, FP_IEEE, 8, 2, 4, store_f32x8(to, with_nans(f32_of_f16(load_u16(from)))))
NATIVE(BF16_F32_rn, FP_IEEE, 8, 4, 2, store_u16(to, bf16_of(load_f32x8(from))))
NATIVE(F32_BF16, FP_ANY, 8, 2, 4, store_f32x8(to, f32_of_bf16(load_u16(from))))

/* ---- f64: a NaN keeps what it can of its payload, as the instruction has it ---- */

NATIVE(F64_F32, FP_IEEE, 2, 4, 8,
       vst1q_u8(to, vreinterpretq_u8_f64(vcvt_f64_f32(vreinterpret_f32_u8(vld1_u8(from))))))
NATIVE(F32_F64_rn, FP_IEEE, 4, 8, 4,
       store_f32(to, vcvt_high_f32_f64(vcvt_f32_f64(load_f64(from)), load_f64(from + 16))))

/* ---- from integers ---- */

static ALWAYS_INLINE void f32_of_s16(u8 *to, int16x8_t x) {
    store_f32(to, vcvtq_f32_s32(vmovl_s16(vget_low_s16(x))));
    store_f32(to + 16, vcvtq_f32_s32(vmovl_high_s16(x)));
}

static ALWAYS_INLINE void f32_of_u16(u8 *to, uint16x8_t x) {
    store_f32(to, vcvtq_f32_u32(vmovl_u16(vget_low_u16(x))));
    store_f32(to + 16, vcvtq_f32_u32(vmovl_high_u16(x)));
}

NATIVE(F32_S32_rn, FP_IEEE, 4, 4, 4, store_f32(to, vcvtq_f32_s32(vreinterpretq_s32_u8(vld1q_u8(from)))))
NATIVE(F32_U32_rn, FP_IEEE, 4, 4, 4, store_f32(to, vcvtq_f32_u32(vreinterpretq_u32_u8(vld1q_u8(from)))))
NATIVE(F32_S16, FP_IEEE, 8, 2, 4, f32_of_s16(to, vreinterpretq_s16_u16(load_u16(from))))
NATIVE(F32_U16, FP_IEEE, 8, 2, 4, f32_of_u16(to, load_u16(from)))
NATIVE(F32_S8, FP_IEEE, 8, 1, 4, f32_of_s16(to, vmovl_s8(vreinterpret_s8_u8(vld1_u8(from)))))
NATIVE(F32_U8, FP_IEEE, 8, 1, 4, f32_of_u16(to, vmovl_u8(vld1_u8(from))))

/* ---- to integers; the narrower ones are clamped on the way ---- */

enum rounding { rn, rz, rm, rp };

static ALWAYS_INLINE int32x4_t s32_of(float32x4_t x, enum rounding r) {
    switch (r) {
    case rz: return vcvtq_s32_f32(x);
    case rm: return vcvtmq_s32_f32(x);
    case rp: return vcvtpq_s32_f32(x);
    default: return vcvtnq_s32_f32(x);
    }
}

static ALWAYS_INLINE uint32x4_t u32_of(float32x4_t x, enum rounding r) {
    switch (r) {
    case rz: return vcvtq_u32_f32(x);
    case rm: return vcvtmq_u32_f32(x);
    case rp: return vcvtpq_u32_f32(x);
    default: return vcvtnq_u32_f32(x);
    }
}

static ALWAYS_INLINE int16x8_t s16_of(struct f32x8 x, enum rounding r) {
    return vqmovn_high_s32(vqmovn_s32(s32_of(x.low, r)), s32_of(x.high, r));
}

static ALWAYS_INLINE uint16x8_t u16_of(struct f32x8 x, enum rounding r) {
    return vqmovn_high_u32(vqmovn_u32(u32_of(x.low, r)), u32_of(x.high, r));
}

#define TO_INTEGERS(r)                                                                                       \
    NATIVE(S32_F32_##r, FP_IEEE, 4, 4, 4, store_u32(to, vreinterpretq_u32_s32(s32_of(load_f32(from), r))))   \
    NATIVE(U32_F32_##r, FP_IEEE, 4, 4, 4, store_u32(to, u32_of(load_f32(from), r)))                          \
    NATIVE(S16_F32_##r, FP_IEEE, 8, 4, 2, store_u16(to, vreinterpretq_u16_s16(s16_of(load_f32x8(from), r)))) \
    NATIVE(U16_F32_##r, FP_IEEE, 8, 4, 2, store_u16(to, u16_of(load_f32x8(from), r)))                        \
    NATIVE(S8_F32_##r, FP_IEEE, 8, 4, 1,                                                                     \
           vst1_u8(to, vreinterpret_u8_s8(vqmovn_s16(s16_of(load_f32x8(from), r)))))                         \
    NATIVE(U8_F32_##r, FP_IEEE, 8, 4, 1, vst1_u8(to, vqmovn_u16(u16_of(load_f32x8(from), r))))
TO_INTEGERS(rn)
TO_INTEGERS(rz)
TO_INTEGERS(rm)
TO_INTEGERS(rp)

/* ---- the choice ---- */

#define OWN(dst_, src_) &native_##dst_##_##src_
#define SAME(dst_, src_)                                                                                     \
    [PTO_##dst_][PTO_##src_] = {OWN(dst_, src_), OWN(dst_, src_), OWN(dst_, src_), OWN(dst_, src_)}
#define NEAREST(dst_, src_) [PTO_##dst_][PTO_##src_] = {&native_##dst_##_##src_##_rn}
#define ROW(dst_)                                                                                            \
    [PTO_##dst_][PTO_F32] = {&native_##dst_##_F32_rn, &native_##dst_##_F32_rz, &native_##dst_##_F32_rm,      \
                             &native_##dst_##_F32_rp}

static const struct cvt_kernel *const natives[CVT_TYPES][CVT_TYPES][ROUNDINGS] = {
    NEAREST(F16, F32), SAME(F32, F16),    NEAREST(BF16, F32),
    SAME(F32, BF16),   SAME(F64, F32),    NEAREST(F32, F64),
    NEAREST(F32, S32), NEAREST(F32, U32), SAME(F32, S16),
    SAME(F32, U16),    SAME(F32, S8),     SAME(F32, U8),
    ROW(S32),          ROW(U32),          ROW(S16),
    ROW(U16),          ROW(S8),           ROW(U8)};

static const struct cvt_kernel *native(pto_cvt_op op) {
    return is_native(op) && op.round != PTO_RS ? natives[op.dst][op.src][rounding_index[op.round]] : NULL;
}
