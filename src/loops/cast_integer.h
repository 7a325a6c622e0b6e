/* SPDX-License-Identifier: MIT */
/* From words of f32 to integers of up to 32 bits and to s2f6, clamped. Part of cast.h. */

static struct vcvt_bounds cast_bounds_of(bool is_signed, unsigned bits) {
    struct vcvt_bounds b;
    b.limit = b.cap = (u32)low_bits(is_signed ? bits - 1 : bits);
    b.limit_negative = b.cap_negative = is_signed ? (u32)1 << (bits - 1) : 0;
    b.clamp_above = power_of_2_32(32) - 1;
    return b;
}

/* Returns 2^shift * x. Magnitudes from 2^100 on may become others that are also out of range. Subnormals are not
 * scaled: all that matters is that they are not 0. */
static ALWAYS_INLINE u32v cast_scaled(u32v x, u32 shift) {
    const u32v magnitude = magnitude_of_32(x), most = v_const_32(power_of_2_32(100));
    const vmask_32 is_normal = v_gt_u32(magnitude, v_const_32(power_of_2_32(-126) - 1));
    const vmask_32 is_special = v_gt_u32(magnitude, v_const_32(infinity_bits_32() - 1));
    const u32v scaled =
        v_min_u32(magnitude, most) + v_sel_32(is_normal, v_const_32(shift << FRACTION_32), v_const_32(0));
    return v_sel_32(is_special, magnitude, scaled) | sign_bit_of_32(x);
}

static ALWAYS_INLINE void cast_to_integer(size_t out, pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    const bool is_s2f6 = op.dst == PTO_S2F6;
    const unsigned bits = pto_dtypes[op.dst].bits;
    const struct vcvt_bounds b = cast_bounds_of(is_s2f6 || cast_is_signed(op.dst), bits);
    const struct vrounding rounding = vrounding_of(cast_vrnd(op.round));
    const u32 shift = is_s2f6 ? 6 : 0, nan = (u32)cast_nan(op.dst), keep = (u32)low_bits(bits);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(words + 4 * i, 4, false);
        const vmask_32 is_nan = v_gt_u32(magnitude_of_32(x), v_const_32(infinity_bits_32()));
        const u32v y = vcvt_to_integer(cast_scaled(x, shift), &b, &rounding) & keep;
        v_store_32(dst + out * i, v_sel_32(is_nan, v_const_32(nan), y), out);
    }
}

/* To integers of up to 16 bits and to s2f6, to nearest even: adding 2^23 to a magnitude rounds it to an integer. Needs
 * the FP state FP_IEEE. */
static ALWAYS_INLINE void cast_to_integer_nearest(size_t out, pto_cast_op op, const u8 *words, u8 *dst,
                                                  size_t n) {
    typedef float floats __attribute__((vector_size(VBYTES)));
    const bool is_s2f6 = op.dst == PTO_S2F6;
    const unsigned bits = pto_dtypes[op.dst].bits;
    const struct vcvt_bounds b = cast_bounds_of(is_s2f6 || cast_is_signed(op.dst), bits);
    const u32 nan = (u32)cast_nan(op.dst), keep = (u32)low_bits(bits), magic = power_of_2_32(FRACTION_32);
    const u32v most = v_const_32(power_of_2_32(17)), scale = v_const_32(power_of_2_32(is_s2f6 ? 6 : 0));
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(words + 4 * i, 4, false), magnitude = magnitude_of_32(x);
        const u32v sign = sign_mask_of_32(x), scaled = (u32v)((floats)magnitude * (floats)scale);
        const u32v sum = (u32v)((floats)v_min_u32(scaled, most) + (floats)v_const_32(magic));
        const u32v c = v_min_u32(sum - magic, by_sign_32(sign, b.limit, b.limit_negative));
        const vmask_32 is_nan = v_gt_u32(magnitude, v_const_32(infinity_bits_32()));
        v_store_32(dst + out * i, v_sel_32(is_nan, v_const_32(nan), ((c ^ sign) - sign) & keep), out);
    }
}

static NOINLINE void cast_to_byte_nearest(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    cast_to_integer_nearest(1, op, words, dst, n);
}

static NOINLINE void cast_to_half_nearest(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    cast_to_integer_nearest(2, op, words, dst, n);
}

static NOINLINE void cast_to_byte(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    cast_to_integer(1, op, words, dst, n);
}

static NOINLINE void cast_to_half(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    cast_to_integer(2, op, words, dst, n);
}

static NOINLINE void cast_to_word(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    cast_to_integer(4, op, words, dst, n);
}
