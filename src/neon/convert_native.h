/* SPDX-License-Identifier: MIT */
/*
 * Conversions for which AArch64 has an instruction or a short sequence. The instructions round, flush and
 * raise flags as FPCR is set. So most kernels require its default state, or FZ if .ftz is wanted. Conversions
 * to integers contain their rounding mode, clamp, and give 0 for a NaN, as PTX requires.
 */
#include "neon/convert_lanes.h"

#include "loops/round_by_add.h"
#include "core/convert_native.h"

enum { ROUNDINGS = 4 };
enum rounding { rn, rz, rm, rp };

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

/* ---- canonical NaNs of PTX ---- */

static ALWAYS_INLINE uint16x8_t is_not_nan(struct f32x8 x) {
    return low_halves(vceqq_f32(x.low, x.low), vceqq_f32(x.high, x.high));
}

static ALWAYS_INLINE float32x4_t canonicalize_f32_nan(float32x4_t x) {
    const uint32x4_t nan = vdupq_n_u32(0x7fffffff);
    return vbslq_f32(vceqq_f32(x, x), x, vreinterpretq_f32_u32(nan));
}

static ALWAYS_INLINE uint16x8_t canonicalize_f16_nan(uint16x8_t x) {
    return canonicalize_half_nan(x, 0x7c00);
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

/*
 * Returns all ones in the lanes whose upper half is to be incremented. To nearest even, these are the lanes where the
 * sum of the lower half and the upper half's lowest bit is above 8000. With .rm and .rp, these are the negative and the
 * positive lanes, respectively, whose lower half is not 0.
 */
static ALWAYS_INLINE uint16x8_t bf16_carry(uint16x8_t high, uint16x8_t low, enum rounding r) {
    const uint16x8_t any = vtstq_u16(low, low);
    const uint16x8_t sign = vreinterpretq_u16_s16(vshrq_n_s16(vreinterpretq_s16_u16(high), 15));
    switch (r) {
    case rz: return vdupq_n_u16(0);
    case rm: return vandq_u16(any, sign);
    case rp: return vbicq_u16(any, sign);
    default: return vcgtq_u16(vqaddq_u16(low, vandq_u16(high, vdupq_n_u16(1))), vdupq_n_u16(0x8000));
    }
}

static ALWAYS_INLINE uint16x8_t bf16_of(struct f32x8 x, enum rounding r) {
    const uint16x8_t high = high_halves(x);
    const uint16x8_t low = low_halves(vreinterpretq_u32_f32(x.low), vreinterpretq_u32_f32(x.high));
    const uint16x8_t rounded = vsubq_u16(high, bf16_carry(high, low, r));
    return vbslq_u16(is_not_nan(x), rounded, vdupq_n_u16(0x7fff));
}

static ALWAYS_INLINE struct f32x8 canonicalize_nans(struct f32x8 x) {
    const struct f32x8 y = {canonicalize_f32_nan(x.low), canonicalize_f32_nan(x.high)};
    return y;
}

NATIVE(F16_F32_rn, FP_IEEE, 8, 4, 2, store_u16(to, canonicalize_f16_nan(f16_of(load_f32x8(from)))))
NATIVE(F32_F16, FP_IEEE, 8, 2, 4, store_f32x8(to, canonicalize_nans(f32_of_f16(load_u16(from)))))
NATIVE(BF16_F32_rn, FP_IEEE, 8, 4, 2, store_u16(to, bf16_of(load_f32x8(from), rn)))
NATIVE(BF16_F32_rz, FP_IEEE, 8, 4, 2, store_u16(to, bf16_of(load_f32x8(from), rz)))
NATIVE(BF16_F32_rm, FP_IEEE, 8, 4, 2, store_u16(to, bf16_of(load_f32x8(from), rm)))
NATIVE(BF16_F32_rp, FP_IEEE, 8, 4, 2, store_u16(to, bf16_of(load_f32x8(from), rp)))
NATIVE(F32_BF16, FP_ANY, 8, 2, 4, store_f32x8(to, f32_of_bf16(load_u16(from))))

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

/* ---- to integers; the narrowing clamps those of 8 and 16 bits ---- */

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

/* ---- to integral values, of which none is subnormal ---- */

static ALWAYS_INLINE float32x4_t integral(float32x4_t x, enum rounding r) {
    switch (r) {
    case rz: return vrndq_f32(x);
    case rm: return vrndmq_f32(x);
    case rp: return vrndpq_f32(x);
    default: return vrndnq_f32(x);
    }
}

static ALWAYS_INLINE float64x2_t integral_f64(float64x2_t x, enum rounding r) {
    switch (r) {
    case rz: return vrndq_f64(x);
    case rm: return vrndmq_f64(x);
    case rp: return vrndpq_f64(x);
    default: return vrndnq_f64(x);
    }
}

static ALWAYS_INLINE struct f32x8 integral_f32x8(struct f32x8 x, enum rounding r) {
    const struct f32x8 y = {integral(x.low, r), integral(x.high, r)};
    return y;
}

/* A NaN of f64 keeps its payload and becomes quiet. */
#define TO_INTEGRAL(r)                                                                                       \
    NATIVE(F32_F32_##r, FP_IEEE, 4, 4, 4, store_f32(to, canonicalize_f32_nan(integral(load_f32(from), r))))  \
    NATIVE(F64_F64_##r, FP_IEEE, 2, 8, 8,                                                                    \
           vst1q_u8(to, vreinterpretq_u8_f64(integral_f64(load_f64(from), r))))                              \
    NATIVE(F16_F16_##r, FP_IEEE, 8, 2, 2,                                                                    \
           store_u16(to, canonicalize_f16_nan(f16_of(integral_f32x8(f32_of_f16(load_u16(from)), r)))))       \
    NATIVE(BF16_BF16_##r, FP_IEEE, 8, 2, 2,                                                                  \
           store_u16(to, canonicalize_half_nan(high_halves(integral_f32x8(f32_of_bf16(load_u16(from)), r)),  \
                                               0x7f80)))
TO_INTEGRAL(rn)
TO_INTEGRAL(rz)
TO_INTEGRAL(rm)
TO_INTEGRAL(rp)

/* ---- to e4m3 and e5m2, to nearest even, by loops/round_by_add.h ---- */

static ALWAYS_INLINE uint32x4_t small_code(struct round_by_add a, float32x4_t x) {
    const uint32x4_t most = vdupq_n_u32((u32)a.largest_finite), field = vdupq_n_u32((u32)0xff << 23);
    const float32x4_t magnitude = vminq_f32(vabsq_f32(x), vreinterpretq_f32_u32(most));
    const int32x4_t own = vreinterpretq_s32_u32(vandq_u32(vreinterpretq_u32_f32(magnitude), field));
    const int32x4_t exponent = vmaxq_s32(own, vdupq_n_s32(a.smallest_normal));
    const int32x4_t power = vaddq_s32(exponent, vdupq_n_s32(a.added));
    const uint32x4_t sum = vreinterpretq_u32_f32(vaddq_f32(magnitude, vreinterpretq_f32_s32(power)));
    return vaddq_u32(sum, vshlq_u32(vreinterpretq_u32_s32(exponent), vdupq_n_s32(-(s32)a.dropped_bits)));
}

static ALWAYS_INLINE uint8x16_t low_bytes(uint16x8_t x, uint16x8_t y) {
    return vuzp1q_u8(vreinterpretq_u8_u16(x), vreinterpretq_u8_u16(y));
}

/* Signs and NaNs are inserted after narrowing to bytes. */
static ALWAYS_INLINE void to_fp8(u8 *to, pto_dtype dst, struct f32x8 x, struct f32x8 y) {
    const struct round_by_add a = round_by_add_of(cvt_format_of(dst));
    const uint16x8_t s = low_halves(small_code(a, x.low), small_code(a, x.high)),
                     t = low_halves(small_code(a, y.low), small_code(a, y.high));
    const uint8x16_t high =
        vuzp2q_u8(vreinterpretq_u8_u16(high_halves(x)), vreinterpretq_u8_u16(high_halves(y)));
    const uint8x16_t code = vbslq_u8(vdupq_n_u8(0x80), high, low_bytes(s, t));
    const u8 nan = (u8)cvt_nan_of(plain(dst, PTO_F32)).bits;
    vst1q_u8(to, vbslq_u8(low_bytes(is_not_nan(x), is_not_nan(y)), code, vdupq_n_u8(nan)));
}

#define TO_SMALL(dst_)                                                                                       \
    NATIVE(dst_##_F32, FP_IEEE, 16, 4, 1, to_fp8(to, PTO_##dst_, load_f32x8(from), load_f32x8(from + 32)))   \
    NATIVE(dst_##_F16, FP_IEEE, 16, 2, 1,                                                                    \
           to_fp8(to, PTO_##dst_, f32_of_f16(load_u16(from)), f32_of_f16(load_u16(from + 16))))              \
    NATIVE(dst_##_BF16, FP_IEEE, 16, 2, 1,                                                                   \
           to_fp8(to, PTO_##dst_, f32_of_bf16(load_u16(from)), f32_of_bf16(load_u16(from + 16))))
TO_SMALL(E4M3)
TO_SMALL(E5M2)

/* ---- from e4m3 and e5m2, which is exact ---- */

/* The bits of a code, moved to where an f16 has them, are a value that is too small by a factor of 2^8. This
 * holds for subnormal values, too. After the multiplication NaNs are 480. */
static ALWAYS_INLINE struct f32x8 f32_of_e4m3(const u8 *from) {
    const uint16x8_t laid = vreinterpretq_u16_s16(vshll_n_s8(vreinterpret_s8_u8(vld1_u8(from)), 7));
    const struct f32x8 x = f32_of_f16(vandq_u16(laid, vdupq_n_u16(0xbf80)));
    const float32x4_t up = vdupq_n_f32(256), limit = vdupq_n_f32(480);
    const float32x4_t nan = vreinterpretq_f32_u32(vdupq_n_u32(0x7fffffff));
    const float32x4_t low = vmulq_f32(x.low, up), high = vmulq_f32(x.high, up);
    const struct f32x8 y = {vbslq_f32(vcageq_f32(low, limit), nan, low),
                            vbslq_f32(vcageq_f32(high, limit), nan, high)};
    return y;
}

static ALWAYS_INLINE uint16x8_t f16_of_e5m2(const u8 *from) {
    return canonicalize_f16_nan(vshll_n_u8(vld1_u8(from), 8));
}

NATIVE(F32_E4M3, FP_IEEE, 8, 1, 4, store_f32x8(to, f32_of_e4m3(from)))
NATIVE(F16_E4M3, FP_IEEE, 8, 1, 2, store_u16(to, canonicalize_f16_nan(f16_of(f32_of_e4m3(from)))))
NATIVE(BF16_E4M3, FP_IEEE, 8, 1, 2, store_u16(to, high_halves(f32_of_e4m3(from))))
NATIVE(F32_E5M2, FP_IEEE, 8, 1, 4, store_f32x8(to, canonicalize_nans(f32_of_f16(f16_of_e5m2(from)))))
NATIVE(F16_E5M2, FP_ANY, 8, 1, 2, store_u16(to, f16_of_e5m2(from)))
NATIVE(BF16_E5M2, FP_IEEE, 8, 1, 2,
       store_u16(to, high_halves(canonicalize_nans(f32_of_f16(f16_of_e5m2(from))))))

#include "neon/convert_wide.h"

/* ---- tables ---- */

#define NATIVE_KERNEL(dst_, src_) &native_##dst_##_##src_
#define SAME(dst_, src_)                                                                                     \
    [PTO_##dst_][PTO_##src_] = {NATIVE_KERNEL(dst_, src_), NATIVE_KERNEL(dst_, src_),                        \
                                NATIVE_KERNEL(dst_, src_), NATIVE_KERNEL(dst_, src_)}
#define NEAREST(dst_, src_) [PTO_##dst_][PTO_##src_] = {&native_##dst_##_##src_##_rn}
#define ROW(dst_, src_)                                                                                      \
    [PTO_##dst_][PTO_##src_] = {&native_##dst_##_##src_##_rn, &native_##dst_##_##src_##_rz,                  \
                                &native_##dst_##_##src_##_rm, &native_##dst_##_##src_##_rp}
#define SMALL(dst_, src_) [PTO_##dst_][PTO_##src_] = NATIVE_KERNEL(dst_, src_)

static const struct cvt_kernel *const natives[CVT_TYPES][CVT_TYPES][ROUNDINGS] = {
    NEAREST(F16, F32), SAME(F32, F16),    ROW(BF16, F32), SAME(F32, BF16), SAME(F64, F32), NEAREST(F32, F64),
    NEAREST(F32, S32), NEAREST(F32, U32), SAME(F32, S16), SAME(F32, U16),  SAME(F32, S8),  SAME(F32, U8),
    ROW(S32, F32),     ROW(U32, F32),     ROW(S16, F32),  ROW(U16, F32),   ROW(S8, F32),   ROW(U8, F32),
    ROW(F32, F32),     ROW(F64, F64),     ROW(F16, F16),  ROW(BF16, BF16), ROW(S64, F64),  ROW(U64, F64),
    ROW(S64, F32),     ROW(U64, F32),     ROW(S32, F64),  ROW(U32, F64),   SAME(F64, S32), SAME(F64, U32),
    NEAREST(F64, S64), NEAREST(F64, U64), SAME(F64, F16), SAME(F64, BF16)};

/* Kernels for ops without modifiers. */
static const struct cvt_kernel *const small_kernels[CVT_TYPES][CVT_TYPES] = {
    SMALL(E4M3, F32),  SMALL(E4M3, F16),  SMALL(E4M3, BF16), SMALL(E5M2, F32),
    SMALL(E5M2, F16),  SMALL(E5M2, BF16), SMALL(F32, E4M3),  SMALL(F16, E4M3),
    SMALL(BF16, E4M3), SMALL(F32, E5M2),  SMALL(F16, E5M2),  SMALL(BF16, E5M2)};

static const struct cvt_kernel *native_kernel(pto_cvt_op op) {
    const struct cvt_kernel *small = small_kernels[op.dst][op.src];
    if (small != NULL && is_plain(op)) return small;
    return is_native(op) && op.round != PTO_RS ? natives[op.dst][op.src][rounding_index[op.round]] : NULL;
}
