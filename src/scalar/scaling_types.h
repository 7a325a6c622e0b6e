/* SPDX-License-Identifier: MIT */
/* Conversions and f32 helpers of the scalar block scaling, and what its files call in each other. */
#ifndef PTO_SCALAR_SCALING_TYPES_H
#define PTO_SCALAR_SCALING_TYPES_H

#include "core/scaling.h"
#include "scalar/exact_value.h"

static inline unsigned width_of(pto_dtype type) {
    return is_in_nibbles(type) ? 4 : type == PTO_F32 ? 32 : type == PTO_F16 || type == PTO_BF16 ? 16 : 8;
}

/* Returns the value of a code as f32, which is exact. A NaN becomes the canonical NaN of f32. */
static inline float value_of(pto_dtype type, u64 code) {
    const struct cvt_format from = cvt_format_of(type), f32 = cvt_format_of(PTO_F32);
    const struct exact_value x = from_float(from, code);
    const u32 sign = (u32)x.negative << 31;
    if (x.kind == NOT_A_NUMBER) return float_of_bits(F32_CANONICAL_NAN);
    if (x.kind == INFINITE) return float_of_bits(sign | F32_INFINITY);
    return float_of_bits(sign | (u32)rounded_code(f32, &x, PTO_RN, 0, 0));
}

/* Returns the s2f6 code nearest to x, but never that of -2. A NaN becomes the largest value. */
static inline u64 s2f6_code_of(struct exact_value x) {
    enum { FRACTION = 6, LARGEST = 127 };
    u64 m = LARGEST;
    if (x.kind == NOT_A_NUMBER) return LARGEST;
    x.e += FRACTION;
    if (x.kind == FINITE)
        m = clamped_integer(&(struct exact_value){FINITE, false, x.m, x.e}, PTO_RN, true, 8, 0, 0);
    return signed_integer(m, x.negative, 8);
}

/* Returns the code of `value` converted to `type`, as cvt.rn does, or as cvt.rn.satfinite does if `satfinite`
 * is set. */
static inline u64 code_of(pto_dtype type, bool satfinite, float value) {
    const struct cvt_format to = cvt_format_of(type);
    const struct exact_value x = from_float(cvt_format_of(PTO_F32), bits_of_float(value));
    const u64 largest = cvt_max_code(to), over = satfinite ? largest : largest + 1;
    const u64 sign = (u64)x.negative << (to.exponent_bits + to.fraction_bits);
    u64 code;
    if (type == PTO_S2F6) return s2f6_code_of(x);
    if (x.kind == NOT_A_NUMBER) return cvt_canonical_nan(to);
    code = x.kind == INFINITE ? over : rounded_code(to, &x, PTO_RN, 0, 0);
    return sign | (code > largest ? over : code);
}

/* Returns x rounded to `type`, as f32. */
static inline float rounded_to(pto_dtype type, float x) {
    return type == PTO_F32 ? x : value_of(type, code_of(type, false, x));
}

static inline float round_to_type(const struct scaling *s, float x) {
    return rounded_to(s->type, x);
}

static inline float magnitude(float x) {
    return float_of_bits(bits_of_float(x) & INT32_MAX);
}

static inline float at_most(float x, float most) {
    return x > most ? most : x;
}

/* Returns x clamped to [least, most]. A NaN is returned unchanged. */
static inline float clamped(float x, float least, float most) {
    return x < least ? least : at_most(x, most);
}

static inline u32 e4m3_of(float x) {
    return (u32)code_of(PTO_E4M3, true, x);
}

/* Returns element i of an array of the tensor's type, as f32. */
static inline float element_at(const struct scaling *s, const u8 *x, size_t i) {
    return value_of(s->type, load_element(x, i, width_of(s->type)));
}

/* Returns the factor by which rules with a choice multiply the elements of a block whose scale has the value v. */
float pto_scalar_choice_factor(const struct scaling *s, float v);

choose_scales_fn pto_scalar_choose_scales;

#endif
