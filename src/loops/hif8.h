/* SPDX-License-Identifier: MIT */
/* PTO's hif8 in vectors of f32. Included after convert_vector.h. */
#ifndef PTO_LOOPS_HIF8_H
#define PTO_LOOPS_HIF8_H

#include "core/vcvt.h"

/* The fields of a hif8, which depend on the magnitude of the exponent: 0, 1, 2 to 3, 4 to 7, or 8 to 15.
 * hif8_fields_of() compares x with the four bounds `above` to find the case. x and the bounds are either magnitudes of
 * exponents, or codes. */
struct hif8_fields {
    u32v first;         /* the first code, without sign, that has such an exponent */
    u32v top;           /* the exponent's sign bit; the bits below it are the rest of its magnitude */
    u32v fraction_bits; /* how many bits the fraction has */
};

static ALWAYS_INLINE struct hif8_fields hif8_fields_of(u32v x, const u32 above[4]) {
    struct hif8_fields f = {v_const_32(8), v_const_32(0), v_const_32(3)};
    const u32 first[4] = {16, 32, 64, 96}, fraction_bits[4] = {3, 3, 2, 1};
    UNROLL
    for (u32 k = 0; k < 4; ++k) {
        const vmask_32 is_above = v_gt_u32(x, v_const_32(above[k]));
        f.first = v_sel_32(is_above, v_const_32(first[k]), f.first);
        f.top = v_sel_32(is_above, v_const_32((u32)1 << k), f.top);
        f.fraction_bits = v_sel_32(is_above, v_const_32(fraction_bits[k]), f.fraction_bits);
    }
    return f;
}

/* Exponent fields of f32: of the smallest value, of the smallest exponent with fraction bits, and of the
 * largest exponent. */
enum { HIF8_MIN_EXPONENT = BIAS_32 - 22, HIF8_FRACTIONAL = BIAS_32 - 15, HIF8_MAX_EXPONENT = BIAS_32 + 15 };

static ALWAYS_INLINE u32v hif8_to_f32(u32v code) {
    const u32 above[4] = {15, 31, 63, 95};
    const u32v magnitude = code & 0x7f, sign = code >> 7 << SIGN_AT_32;
    const struct hif8_fields f = hif8_fields_of(magnitude, above);
    const u32v field = (magnitude - f.first) >> f.fraction_bits, size = f.top | (field & v_minus_1_32(f.top));
    const vmask_32 is_negative = v_gt_u32(field & f.top, v_const_32(0));
    const u32v exponent = BIAS_32 + v_sel_32(is_negative, -size, size);
    const u32v fraction = (magnitude << (FRACTION_32 - f.fraction_bits)) & (u32)low_bits(FRACTION_32);
    u32v x = exponent << FRACTION_32 | fraction;
    x = v_sel_32(v_lt_u32(magnitude, v_const_32(8)), (magnitude + (HIF8_MIN_EXPONENT - 1)) << FRACTION_32, x);
    x = v_sel_32(v_lt_u32(magnitude, v_const_32(1)), v_const_32(0), x);
    x = v_sel_32(v_lt_u32(magnitude ^ HIF8_INFINITY, v_const_32(1)), v_const_32(infinity_bits_32()), x) |
        sign;
    return v_sel_32(v_lt_u32(code ^ 0x80, v_const_32(1)), v_const_32((u32)vcvt_nan(PTO_F32)), x);
}

/* Returns the code, without sign, of a value with this exponent field of f32 and these fraction bits. */
static ALWAYS_INLINE u32v hif8_code(u32v exponent, u32v fraction) {
    const u32 above[4] = {0, 1, 3, 7};
    const vmask_32 is_large = v_gt_u32(exponent, v_const_32(BIAS_32 - 1));
    const u32v size = v_sel_32(is_large, exponent - BIAS_32, BIAS_32 - exponent);
    const struct hif8_fields f = hif8_fields_of(size, above);
    const u32v field = v_sel_32(is_large, v_const_32(0), f.top) | (size & v_minus_1_32(f.top));
    const u32v code = f.first + (field << f.fraction_bits);
    return v_sel_32(v_lt_u32(exponent, v_const_32(HIF8_FRACTIONAL)), exponent - (HIF8_MIN_EXPONENT - 1),
                    code + fraction);
}

/* Rounds to nearest, ties away from zero. A carry out of the significand gives a power of two, whose fraction
 * is zero. */
static ALWAYS_INLINE u32v f32_to_hif8(u32v x, u32 infinity, u32 nan) {
    const u32 above[4] = {0, 1, 3, 7};
    const u32v magnitude = magnitude_of_32(x), own = magnitude >> FRACTION_32;
    const u32v exponent = (u32v)v_max_s32((s32v)own, (s32v)v_const_32(HIF8_MIN_EXPONENT));
    const u32v size =
        v_sel_32(v_gt_u32(exponent, v_const_32(BIAS_32)), exponent - BIAS_32, BIAS_32 - exponent);
    const u32v fraction_bits = v_sel_32(v_lt_u32(exponent, v_const_32(HIF8_FRACTIONAL)), v_const_32(0),
                                        hif8_fields_of(size, above).fraction_bits);
    const u32v cut = v_min_u32(FRACTION_32 - fraction_bits + (exponent - own), v_const_32(MAX_SHIFT_32));
    const u32v m = (magnitude & (u32)low_bits(FRACTION_32)) | (u32)1 << FRACTION_32;
    const u32v c = (m + (v_const_32(1) << cut >> 1)) >> cut, rounded = exponent + (c >> fraction_bits >> 1);
    u32v code = hif8_code(rounded, c & v_minus_1_32(v_const_32(1) << fraction_bits));
    code = v_sel_32(v_gt_u32(rounded, v_const_32(HIF8_MAX_EXPONENT)), v_const_32(HIF8_INFINITY), code);
    code = v_sel_32(v_lt_u32(code ^ HIF8_INFINITY, v_const_32(1)), v_const_32(infinity), code);
    code = v_sel_32(v_lt_u32(c, v_const_32(1)), v_const_32(0), code | (sign_mask_of_32(x) & 0x80));
    return v_sel_32(v_gt_u32(magnitude, v_const_32(infinity_bits_32())), v_const_32(nan), code);
}

#endif
