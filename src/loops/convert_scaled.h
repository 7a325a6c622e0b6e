/* SPDX-License-Identifier: MIT */
/*
 * Conversions with a ue8m0 scale, a power of two. Elements are multiplied or divided by it exactly, as the bits
 * of f32, and the product is then rounded once. Part of convert.h.
 */

/* Returns `scaled`, except where m is infinite or a NaN: then m. If the scale is a NaN, the result is a NaN. */
static ALWAYS_INLINE u32v keep_specials(u32v m, u32v scale, u32v scaled) {
    const u32v y = v_sel_32(v_gt_u32(m, v_const_32(infinity_bits_32() - 1)), m, scaled);
    return v_sel_32(v_gt_u32(scale, v_const_32(UE8M0_NAN - 1)), v_const_32(0x7fffffff), y);
}

/* Returns a float, without sign, with the fraction bits of `fraction` and the field `exponent`, which may be
 * out of range. If it is too large, the result is the largest finite f32. If it is too small, the result is
 * less than half of any nonzero value of a small format. */
static ALWAYS_INLINE u32v with_exponent(u32v fraction, s32v exponent) {
    const u32v field = (u32v)v_clamp_32(exponent, 0, 255) << 23;
    return v_min_u32((fraction & 0x007fffff) | field, v_const_32(infinity_bits_32() - 1));
}

/* Returns x divided by the scale, for destinations of at most 8 bits. Subnormal x count as zero. */
static ALWAYS_INLINE u32v divide_by_scale(u32v x, u32v scale) {
    const u32v m = magnitude_of_32(x);
    const u32v y = with_exponent(m, (s32v)(m >> 23) - (s32v)scale + UE8M0_BIAS);
    const vmask_32 is_subnormal = v_lt_u32(m, v_const_32(power_of_2_32(-126)));
    return keep_specials(m, scale, v_sel_32(is_subnormal, v_const_32(0), y)) | sign_bit_of_32(x);
}

/* Loads elements as f32. Subnormals of f16 become zero, because as f32 they are normal and would not be flushed
 * later. */
static ALWAYS_INLINE u32v load_flushed(const u8 *p, pto_dtype type) {
    const struct cvt_format from = cvt_format_of(type);
    const u32 least = (u32)1 << from.fraction_bits;
    u32v code, m, x;
    if (type != PTO_F16) return load_float_32(p, type);
    code = v_load_32(p, 2, false);
    m = code & 0x7fff;
    x = (m << 13) + ((u32)(127 - from.bias) << 23);
    x = v_sel_32(v_gt_u32(m, v_const_32((u32)cvt_max_code(from))), x | infinity_bits_32(), x);
    return v_sel_32(v_lt_u32(m, v_const_32(least)), v_const_32(0), x) | (code & 0x8000) << 16;
}

/* Returns x multiplied by the scale. x has so few significand bits that even a subnormal product is exact. */
static ALWAYS_INLINE u32v multiply_by_scale(u32v x, u32v scale) {
    const u32v m = magnitude_of_32(x);
    const s32v exponent = (s32v)(m >> 23) + (s32v)scale - UE8M0_BIAS;
    const u32v digits = (m & 0x007fffff) | 0x00800000, down = (u32v)v_clamp_32(1 - exponent, 0, 31);
    const u32v normal = (m & 0x007fffff) | ((u32v)v_clamp_32(exponent, 0, 255) << 23);
    const u32v number = v_sel_32(v_gt_u32(down, v_const_32(0)), digits >> down,
                                 v_min_u32(normal, v_const_32(infinity_bits_32())));
    return keep_specials(m, scale, v_sel_32(v_lt_u32(m, v_const_32(1)), m, number)) | sign_bit_of_32(x);
}

/* Returns 64 * x divided by the scale. Subnormal x are not flushed. */
static ALWAYS_INLINE u32v s2f6_units(u32v x, u32v scale) {
    const u32v m = magnitude_of_32(x);
    const vmask_32 is_subnormal = v_lt_u32(m, v_const_32(power_of_2_32(-126)));
    const u32v counted = exact_float_32(v_sel_32(is_subnormal, m, v_const_32(0))); /* in units of 2^-149 */
    const u32v number = v_sel_32(is_subnormal, counted, m);
    const u32v less = v_sel_32(is_subnormal, v_const_32(149), v_const_32(0));
    const s32v exponent = (s32v)(number >> 23) - (s32v)less + 6 - (s32v)scale + UE8M0_BIAS;
    return keep_specials(m, scale, with_exponent(number, exponent)) | sign_bit_of_32(x);
}

/* ---- loops: one scale byte per element ---- */

static ALWAYS_INLINE void scaled_to_float(pto_dtype dst_type, pto_dtype src_type, pto_cvt_op op,
                                          const u8 *src, u8 *dst, const u8 *scales, size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const struct narrow_32 p = narrow_of_32(op, to);
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v scale = v_load_32(scales + i, 1, false);
        const u32v y = cvt_multiplies(dst_type)
                           ? multiply_by_scale(load_float_32(src + in * i, src_type), scale)
                           : divide_by_scale(load_flushed(src + in * i, src_type), scale);
        v_store_32(dst + out * i, narrow_32(dst_type == PTO_UE5M3 ? magnitude_of_32(y) : y, &p, to), out);
    }
}

static ALWAYS_INLINE void scaled_to_s2f6(pto_dtype src_type, pto_cvt_op op, const u8 *src, u8 *dst,
                                         const u8 *scales, size_t n) {
    const struct to_integer_32 p = {.round = rounding_of_32(op.round),
                                    .flush = 0,
                                    .limit = 127,
                                    .limit_negative = op.relu ? 0 : 128,
                                    .nan = (u32)cvt_nan_of(op).bits};
    const size_t in = element_bytes(src_type);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = load_float_32(src + in * i, src_type), scale = v_load_32(scales + i, 1, false);
        v_store_32(dst + i, to_integer_32(s2f6_units(x, scale), &p), 1);
    }
}

/* Stores each byte twice, for n bytes of `pairs`. */
static ALWAYS_INLINE void repeat_bytes_twice(const u8 *bytes, u8 *pairs, size_t n) {
    for (size_t i = 0; i < n; i += GRANULE) {
        const code_pairs one = __builtin_convertvector(*(const nibble_pairs *)(bytes + i / 2), code_pairs);
        *(code_pairs *)(pairs + i) = one | one << 8;
    }
}

/* Returns the scales of n elements from element i on, one byte for each. They are in `buffer`, unless `extra`
 * already has this layout. */
static ALWAYS_INLINE const u8 *scales_at(pto_cvt_scale scale, const u8 *extra, size_t i, u8 *buffer,
                                         size_t n) {
    switch (scale) {
    case PTO_SCALE_N2: return extra + i;
    case PTO_SCALE_N1: repeat_bytes_twice(extra + i / 2, buffer, n); return buffer;
    default: return memset(buffer, UE8M0_BIAS, n);
    }
}

static ALWAYS_INLINE void float_scaled(pto_dtype dst_type, pto_dtype src_type, pto_cvt_op op, const u8 *src,
                                       u8 *dst, const u8 *extra, size_t n) {
    u8 codes[CHUNK], scale_buffer[CHUNK];
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        const u8 *scales = scales_at(op.scale, extra, i, scale_buffer, lanes);
        const u8 *from = src_type == PTO_E2M1 ? codes : src + i * element_bytes(src_type);
        u8 *to = dst_type == PTO_E2M1 ? codes : dst + i * element_bytes(dst_type);
        if (src_type == PTO_E2M1) unpack_nibbles(src + i / 2, codes, lanes);
        if (dst_type == PTO_S2F6)
            scaled_to_s2f6(src_type, op, from, to, scales, lanes);
        else
            scaled_to_float(dst_type, src_type, op, from, to, scales, lanes);
        if (dst_type == PTO_E2M1) pack_nibbles(codes, dst + i / 2, lanes);
    }
}
