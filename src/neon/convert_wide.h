/* SPDX-License-Identifier: MIT */
/* Conversions of f64 and 64-bit integers. The instructions convert a NaN to 0, where PTX requires the integer
 * with only its top bit set. Part of convert_native.h. */

static ALWAYS_INLINE float64x2_t f64_of_f32(const u8 *p) {
    return vcvt_f64_f32(vreinterpret_f32_u8(vld1_u8(p)));
}

static ALWAYS_INLINE void store_f64(u8 *p, float64x2_t x) {
    vst1q_u8(p, vreinterpretq_u8_f64(x));
}

static ALWAYS_INLINE void store_u64(u8 *p, uint64x2_t x) {
    vst1q_u8(p, vreinterpretq_u8_u64(x));
}

static ALWAYS_INLINE void store_8_as_f64(u8 *p, struct f32x8 x) {
    store_f64(p, vcvt_f64_f32(vget_low_f32(x.low)));
    store_f64(p + 16, vcvt_high_f64_f32(x.low));
    store_f64(p + 32, vcvt_f64_f32(vget_low_f32(x.high)));
    store_f64(p + 48, vcvt_high_f64_f32(x.high));
}

/* The instructions make a NaN quiet and keep its sign and the leading bits of its payload. */
NATIVE(F64_F16, FP_IEEE, 8, 2, 8, store_8_as_f64(to, f32_of_f16(load_u16(from))))
NATIVE(F64_BF16, FP_IEEE, 8, 2, 8, store_8_as_f64(to, f32_of_bf16(load_u16(from))))
NATIVE(F64_F32, FP_IEEE, 2, 4, 8, store_f64(to, f64_of_f32(from)))
NATIVE(F32_F64_rn, FP_IEEE, 4, 8, 4,
       store_f32(to, vcvt_high_f32_f64(vcvt_f32_f64(load_f64(from)), load_f64(from + 16))))

/* ---- integers ---- */

static ALWAYS_INLINE uint64x2_t unless_nan(float64x2_t x, uint64x2_t y, u64 nan) {
    return vbslq_u64(vceqq_f64(x, x), y, vdupq_n_u64(nan));
}

static ALWAYS_INLINE int64x2_t s64_of(float64x2_t x, enum rounding r) {
    const u64 nan = (u64)1 << 63;
    switch (r) {
    case rz: return vreinterpretq_s64_u64(unless_nan(x, vreinterpretq_u64_s64(vcvtq_s64_f64(x)), nan));
    case rm: return vreinterpretq_s64_u64(unless_nan(x, vreinterpretq_u64_s64(vcvtmq_s64_f64(x)), nan));
    case rp: return vreinterpretq_s64_u64(unless_nan(x, vreinterpretq_u64_s64(vcvtpq_s64_f64(x)), nan));
    default: return vreinterpretq_s64_u64(unless_nan(x, vreinterpretq_u64_s64(vcvtnq_s64_f64(x)), nan));
    }
}

static ALWAYS_INLINE uint64x2_t u64_of(float64x2_t x, enum rounding r, u64 nan) {
    switch (r) {
    case rz: return unless_nan(x, vcvtq_u64_f64(x), nan);
    case rm: return unless_nan(x, vcvtmq_u64_f64(x), nan);
    case rp: return unless_nan(x, vcvtpq_u64_f64(x), nan);
    default: return unless_nan(x, vcvtnq_u64_f64(x), nan);
    }
}

/* The narrowing clamps 32-bit results. For s32, it also turns -2^63, the result for a NaN, into -2^31. */
#define TO_WIDE_INTEGERS(r)                                                                                  \
    NATIVE(S64_F64_##r, FP_IEEE, 2, 8, 8, store_u64(to, vreinterpretq_u64_s64(s64_of(load_f64(from), r))))   \
    NATIVE(U64_F64_##r, FP_IEEE, 2, 8, 8, store_u64(to, u64_of(load_f64(from), r, (u64)1 << 63)))            \
    NATIVE(S64_F32_##r, FP_IEEE, 2, 4, 8, store_u64(to, vreinterpretq_u64_s64(s64_of(f64_of_f32(from), r)))) \
    NATIVE(U64_F32_##r, FP_IEEE, 2, 4, 8, store_u64(to, u64_of(f64_of_f32(from), r, (u64)1 << 63)))          \
    NATIVE(S32_F64_##r, FP_IEEE, 2, 8, 4,                                                                    \
           vst1_u8(to, vreinterpret_u8_s32(vqmovn_s64(s64_of(load_f64(from), r)))))                          \
    NATIVE(U32_F64_##r, FP_IEEE, 2, 8, 4,                                                                    \
           vst1_u8(to, vreinterpret_u8_u32(vqmovn_u64(u64_of(load_f64(from), r, (u64)1 << 31)))))
TO_WIDE_INTEGERS(rn)
TO_WIDE_INTEGERS(rz)
TO_WIDE_INTEGERS(rm)
TO_WIDE_INTEGERS(rp)

NATIVE(F64_S64_rn, FP_IEEE, 2, 8, 8, store_f64(to, vcvtq_f64_s64(vreinterpretq_s64_u8(vld1q_u8(from)))))
NATIVE(F64_U64_rn, FP_IEEE, 2, 8, 8, store_f64(to, vcvtq_f64_u64(vreinterpretq_u64_u8(vld1q_u8(from)))))

/* These conversions are exact. */
NATIVE(F64_S32, FP_IEEE, 2, 4, 8, store_f64(to, vcvtq_f64_s64(vmovl_s32(vreinterpret_s32_u8(vld1_u8(from))))))
NATIVE(F64_U32, FP_IEEE, 2, 4, 8, store_f64(to, vcvtq_f64_u64(vmovl_u32(vreinterpret_u32_u8(vld1_u8(from))))))
