/* SPDX-License-Identifier: MIT */
/*
 * The scaling rules, for as many blocks at once as a vector has lanes. They compute scales and factors from the
 * largest magnitudes of blocks, and factors from scales for quantizing and dequantizing. Part of scaling.h. The
 * rules are written in these operations on 32-bit words and floats, in vectors of any length. k and n are
 * scalars:
 *
 *   words, floats, masks        the types of vectors; rule_lanes() is how many lanes they have
 *   w_const(k)                  every lane = k
 *   as_words(x), as_floats(x)   the same bits as words, as floats
 *   w_add(x, k)  w_and(x, k)    x + k modulo 2^32, x & k; w_from(k, x) is k - x
 *   w_sum(x, y)                 x + y modulo 2^32
 *   w_shl(x, n)  w_shr(x, n)    shifts by n bits that insert zeros
 *   w_at_least(x, k)            the signed maximum of x and k; w_at_most(x, k) the signed minimum
 *   w_max_s(x, y)               the signed maximum; w_max_u(x, y) the unsigned maximum
 *   w_gt_u(x, k)  w_eq(x, k)    x > k, unsigned; x == k
 *   w_select(t, x, y)           x where t is true, else y; w_select_const(t, k, y) the same with k for x
 *   w_lt_u(x, y)                x < y, unsigned
 *   f_mul(x, y)  f_mul_by(x, k) f_div_by(x, k)  f_div_of(k, x)
 *                               x * y, x * k, x / k, k / x
 *   f_add(x, y)  f_sub(x, y)  f_div(x, y)
 *                               x + y, x - y, x / y
 *   f_of_tensor_code(code, type)
 *                               codes of the tensor's type, one in a word, as f32
 *   f_round_to_type(x, type)    x rounded to the tensor's type
 *   small_code_of(x, type)      cvt.rn.satfinite to e4m3 or ue5m3, a code in a word
 *   e4m3_value(c)               the value of an e4m3 code
 *   f_load_column(p, stride, type, n)
 *                               loads elements of the tensor's type that are `stride` bytes apart, as f32; at most the
 *                               next n. Other lanes are 0
 *   w_load(p, bytes, n)         loads elements of that many bytes, zero-extended; at most the next n. Other lanes are 0
 *   w_store(p, x, bytes, n)     stores the low bytes of lanes, likewise at most n
 *   w_load_padded(p, n)         loads words from memory that always has a whole vector of them
 *   w_store_padded(p, x, n)     stores words to such memory
 *   w_first(x, n)               x with all lanes from lane n on set to 0
 *   w_reduce_max(x)             the largest lane, unsigned
 */

static ALWAYS_INLINE words w_magnitude(words x) {
    return w_and(x, INT32_MAX);
}

static ALWAYS_INLINE masks w_nans(words x) {
    return w_gt_u(w_magnitude(x), F32_INFINITY);
}

/* Returns x clamped to [least, most]. A NaN of either sign is returned unchanged. */
static ALWAYS_INLINE floats clamped(floats x, float least, float most) {
    const words y = w_at_most(w_at_least(as_words(x), bits_of_float(least)), bits_of_float(most));
    return as_floats(w_select(w_nans(as_words(x)), as_words(x), y));
}

/* ---- MX: scales are powers of two, stored as ue8m0 ---- */

static ALWAYS_INLINE words exponents_less(words bits, int emax) {
    return w_at_least(w_add(w_shr(bits, 23), -(u32)emax), 0);
}

/* Rounds up to a power of two: increments the exponent if the fraction is not 0, and clears the fraction. */
static ALWAYS_INLINE words exponents_up(words bits) {
    return w_and(w_add(bits, F32_FRACTION_MASK), ~(u32)F32_FRACTION_MASK);
}

/* The codes of PTO_MX_GGUF: see field_of_log2() in scalar/scaling.c. With k = exponent field - 126, its n is 11 / 32 of
 * the largest power of two that is not above |2 k - 1|, rounded down. Adding 1.5 * 2^23 converts integers to f32.
 * Subtracting 7 / 16 and adding 2^23 rounds down: the products have the fractions 0, 1/2, 3/4, 3/8, 11/16, 11/32. */
static ALWAYS_INLINE words gguf_mx_codes(const struct scaling *s, words a) {
    const float to_float = 0x1.8p23F, to_integer = 0x1p23F;
    const words twice = w_shl(w_shr(a, 23), 1);
    const floats distance = f_sub(as_floats(w_add(twice, bits_of_float(to_float) - 253)),
                                  as_floats(w_const(bits_of_float(to_float))));
    const floats power = as_floats(w_and(as_words(distance), F32_INFINITY));
    const floats n = f_add(f_sub(f_mul_by(power, 11.0F / 32), as_floats(w_const(bits_of_float(7.0F / 16)))),
                           as_floats(w_const(bits_of_float(to_integer))));
    return exponents_less(w_sum(a, w_add(as_words(n), -bits_of_float(to_integer))), s->emax);
}

/* The codes of PTO_MX_CANN6 and PTO_MX_CANN7 for finite magnitudes. */
static ALWAYS_INLINE words cann_codes(const struct scaling *s, words a) {
    const words b = s->type == PTO_F16 ? as_words(f_round_to_type(as_floats(a), PTO_BF16)) : a;
    const u32 added = s->rule == PTO_MX_CANN6 ? CANN6_ADDED : CANN7_ADDED;
    return exponents_less(w_shl(w_add(w_shr(b, 16), added), 16), s->emax);
}

static ALWAYS_INLINE words mx_codes(const struct scaling *s, words a) {
    words b = a, c;
    switch (s->rule) {
    case PTO_MX_RCEIL:
    case PTO_MX_RCEIL_SAT:
        b = w_magnitude(as_words(f_mul_by(as_floats(a), s->rcp))); /* a NaN may have any sign */
        c = w_select(w_gt_u(b, F32_MIN_UE8M0), w_shr(exponents_up(b), 23), w_const(0));
        return w_at_most(c, s->rule == PTO_MX_RCEIL ? UE8M0_NAN : 254);
    case PTO_MX_GGUF: return gguf_mx_codes(s, a);
    case PTO_MX_CANN6:
    case PTO_MX_CANN7: return w_select_const(w_gt_u(a, F32_LARGEST), UE8M0_NAN, cann_codes(s, a));
    case PTO_MX_EVEN:
    case PTO_MX_EVEN1:
    case PTO_MX_EVEN_QUARK: b = w_add(a, (u32)1 << (22 - s->fraction_bits)); break;
    case PTO_MX_CEIL: b = exponents_up(a); break;
    default: break;
    }
    c = exponents_less(b, s->emax);
    c = w_select_const(w_gt_u(s->rule == PTO_MX_CEIL ? a : b, F32_LARGEST), UE8M0_NAN, c);
    return s->rule == PTO_MX_EVEN_QUARK
               ? w_select_const(w_gt_u(a, F32_INFINITY), UE8M0_NAN, w_at_most(c, 254))
               : c;
}

static ALWAYS_INLINE floats mx_scales(words code) {
    const words normal = w_select_const(w_eq(code, UE8M0_NAN), F32_CANONICAL_NAN, w_shl(code, 23));
    return as_floats(w_select_const(w_eq(code, 0), F32_MIN_UE8M0, normal));
}

static ALWAYS_INLINE floats mx_inverses(words code) {
    return mx_scales(w_select_const(w_eq(code, UE8M0_NAN), UE8M0_NAN, w_from(254, code)));
}

/* Returns what elements are multiplied with; for PTO_MX_GGUF, half the scale. */
static ALWAYS_INLINE floats mx_factors(const struct scaling *s, words code) {
    switch (s->rule) {
    case PTO_MX_CANN:
    case PTO_MX_CANN6:
    case PTO_MX_CANN7: return as_floats(w_select_const(w_eq(code, 0), 0, as_words(mx_inverses(code))));
    case PTO_MX_GGUF:
        return as_floats(w_select_const(w_eq(code, UE8M0_NAN), bits_of_float(0x1p127F),
                                        as_words(f_mul_by(mx_scales(code), 0.5F))));
    default: return mx_inverses(code);
    }
}

/* Returns what codes are multiplied with. The codes of PTO_MX_INT8 are integers in units of 2^-6. */
static ALWAYS_INLINE floats mx_dequantize_factors(const struct scaling *s, words code) {
    return s->rule == PTO_MX_INT8 ? f_mul_by(mx_scales(code), 0x1p-6F) : mx_scales(code);
}

/* ---- NVFP4: scales are e4m3, or ue5m3 ---- */

static ALWAYS_INLINE words e4m3_of(floats x) {
    return small_code_of(x, PTO_E4M3);
}

static ALWAYS_INLINE floats finite_at_most(floats x) {
    return as_floats(w_select_const(w_eq(as_words(x), F32_INFINITY), F32_LARGEST, as_words(x)));
}

/* Returns x, but `instead` where x is 0. */
static ALWAYS_INLINE floats replace_zero(floats x, float instead) {
    return as_floats(w_select_const(w_eq(w_magnitude(as_words(x)), 0), bits_of_float(instead), as_words(x)));
}

/* The codes of PTO_NV_GGUF. Below 2^-6 the code is the integer part of the f32 sum b * 512 + 0.5. For
 * the product one unit below 1/2, f32 rounds the sum up to 1, so the border of code 1 is one unit lower. All other
 * borders are exact. */
static ALWAYS_INLINE words gguf_nv_codes(floats a) {
    const words b = w_at_most(as_words(f_div_by(a, 6.0F)), bits_of_float(448.0F));
    const words normal = w_add(w_shr(w_add(b, (u32)1 << 19), 20), -((u32)120 << 3));
    words small = w_select_const(w_gt_u(b, bits_of_float(0x1p-10F) - 2), 1, w_const(0));
    for (u32 k = 2; k <= 7; ++k)
        small = w_select_const(w_gt_u(b, bits_of_float(((float)k - 0.5F) * 0x1p-9F) - 1), k, small);
    small = w_select(w_gt_u(b, bits_of_float(0x1p-6F) - 1), normal, small);
    return w_select_const(w_gt_u(small, (15 << 3) - 1), 0x7e, small);
}

static ALWAYS_INLINE words nv_codes(const struct scaling *s, floats a) {
    floats b;
    words code;
    switch (s->rule) {
    case PTO_NV_TE: return e4m3_of(finite_at_most(f_mul_by(a, s->scale_operand)));
    case PTO_NV_RCP: return e4m3_of(f_mul_by(f_mul_by(a, float_of_bits(RCP_6)), s->scale_operand));
    case PTO_NV_AO: return e4m3_of(clamped(f_div_by(f_div_by(a, 6.0F), s->scale_operand), 0x1p-6F, 448.0F));
    case PTO_NV_MODELOPT:
        b = replace_zero(f_div_by(a, s->scale_operand), 1.0F);
        return e4m3_of(clamped(b, 0x1p-9F, 448.0F));
    case PTO_NV_GGUF: return gguf_nv_codes(a);
    case PTO_NV_ONEDNN: return e4m3_of(f_round_to_type(clamped(f_div_by(a, 6.0F), 0.125F, 448.0F), PTO_F16));
    case PTO_NV_QUARK:
        b = replace_zero(f_round_to_type(f_div_by(a, 6.0F), s->type), QUARK_LEAST);
        return small_code_of(b, PTO_UE5M3);
    default:
        b = f_round_to_type(f_div_by(a, 6.0F), s->type);
        code = e4m3_of(f_mul_by(b, s->scale_operand));
        return w_select_const(w_eq(w_and(code, 0x7f), 0), CT_ZERO_SCALE, code);
    }
}

/* Returns the values of scales. ue5m3 has no sign; PTO_NV_GGUF ignores the sign of e4m3. */
static ALWAYS_INLINE floats nv_values(const struct scaling *s, words code) {
    words x;
    switch (s->rule) {
    case PTO_NV_GGUF:
        x = as_words(f_mul_by(as_floats(w_shl(w_and(code, 0x7f), 20)), 0x1p120F));
        return as_floats(w_select_const(w_eq(code, 0x7f), 0, x));
    case PTO_NV_QUARK:
        x = as_words(f_mul_by(as_floats(w_shl(code, 20)), 0x1p112F));
        return as_floats(w_select_const(w_eq(code, 0xff), F32_CANONICAL_NAN, x));
    default: return e4m3_value(code);
    }
}

/* Returns the smaller of x and the largest finite value, or that value for a NaN. */
static ALWAYS_INLINE floats at_most_largest(floats x) {
    const words y = w_at_most(as_words(x), F32_LARGEST);
    return as_floats(w_select_const(w_nans(as_words(x)), F32_LARGEST, y));
}

/* The factors of rules with a choice, except PTO_NV_46_MODELOPT. */
static ALWAYS_INLINE floats choice_factors(const struct scaling *s, floats v) {
    return at_most_largest(f_div_of(1.0F, f_mul_by(v, s->factor_operand)));
}

static ALWAYS_INLINE floats nv_factors(const struct scaling *s, words code) {
    const floats v = nv_values(s, code);
    const u8 choice = pto_block_rules[s->rule].choice;
    if (choice != CHOICE_NONE && choice != CHOICE_MODELOPT) return choice_factors(s, v);
    switch (s->rule) {
    case PTO_NV_TE: return finite_at_most(f_div_of(1.0F, f_mul_by(v, s->factor_operand)));
    case PTO_NV_RCP:
        return as_floats(w_select_const(w_eq(w_and(code, 0x7f), 0), 0,
                                        as_words(f_div_of(1.0F, f_mul_by(v, s->factor_operand)))));
    case PTO_NV_AO: return f_div_of(s->factor_operand, v);
    case PTO_NV_MODELOPT:
    case PTO_NV_46_MODELOPT: return f_mul_by(v, s->factor_operand);
    case PTO_NV_GGUF: return f_mul_by(v, 0.5F);
    case PTO_NV_ONEDNN: return f_div_of(1.0F, v);
    case PTO_NV_QUARK: return replace_zero(v, QUARK_LEAST);
    default: return f_div_by(v, s->factor_operand);
    }
}

static ALWAYS_INLINE floats nv_dequantize_factors(const struct scaling *s, words code) {
    const floats v = nv_values(s, code);
    switch (pto_block_rules[s->rule].level) {
    case LEVEL_A:
        if (s->rule == PTO_NV_46_MODELOPT) return f_mul_by(v, s->factor_operand);
        return s->two_level ? f_mul_by(f_mul_by(v, s->level), s->level_rcp) : v;
    case LEVEL_MULTIPLIER: return f_mul_by(v, s->level);
    default: return f_div_by(v, s->level);
    }
}

/* ---- FP8: scales are f32 ---- */

/* Returns the smallest power of two that is at least x, limited to powers of two that are normal in f32. x is not
 * negative, but a NaN may have any sign. */
static ALWAYS_INLINE floats up_to_power(floats x) {
    const words up = w_at_least(w_shr(exponents_up(w_magnitude(as_words(x))), 23), 1);
    return as_floats(w_shl(w_at_most(up, 254), 23));
}

static ALWAYS_INLINE floats te_factors(const struct scaling *s, floats floor) {
    const words a = as_words(floor);
    const u32 one = bits_of_float(1.0F);
    words r = as_words(f_div_of(s->max, floor));
    r = w_select_const(w_eq(r, F32_INFINITY), bits_of_float(s->type_max), r);
    r = w_select_const(w_eq(a, F32_INFINITY), one, w_select_const(w_eq(a, 0), one, r));
    return as_floats(s->pow2 ? w_and(r, ~(u32)F32_FRACTION_MASK) : r);
}

/* The factors of PTO_FP8_HF: 1 for a block of zeros and for one with a NaN. */
static ALWAYS_INLINE floats hf_factors(const struct scaling *s, floats a) {
    const u32 one = bits_of_float(1.0F);
    const words r = as_words(f_mul_by(f_div_of(1.0F, a), s->max));
    return as_floats(w_select_const(w_eq(as_words(a), 0), one, w_select_const(w_nans(as_words(a)), one, r)));
}

/* Returns the scales, and sets *factors to what the elements are multiplied with or divided by. */
static ALWAYS_INLINE floats fp8_scales(const struct scaling *s, floats a, floats *factors) {
    const floats floor = as_floats(w_at_least(as_words(a), bits_of_float(s->eps))); /* a NaN stays a NaN */
    floats scale;
    switch (s->rule) {
    case PTO_FP8_MUL: *factors = f_div_of(s->max, floor); return f_mul_by(floor, s->rcp);
    case PTO_FP8_TE: *factors = te_factors(s, floor); return f_div_of(1.0F, *factors);
    case PTO_FP8_HF: *factors = hf_factors(s, a); return f_div_of(1.0F, *factors);
    case PTO_FP8_AO:
    case PTO_FP8_CT:
        scale = f_round_to_type(f_div_by(floor, s->max), s->type);
        *factors = as_floats(
            w_select_const(w_eq(as_words(scale), 0), bits_of_float(s->zero_block_scale), as_words(scale)));
        return *factors;
    default:
        scale = f_div_by(floor, s->max);
        if (s->pow2) scale = up_to_power(scale);
        *factors = s->rule == PTO_FP8_RCP ? f_div_of(1.0F, scale) : scale;
        return scale;
    }
}

/* ---- the scales of blocks ---- */

static ALWAYS_INLINE size_t scale_bytes(const struct scaling *s) {
    return pto_block_rules[s->rule].family == FAMILY_FP8 ? 4 : 1;
}

/* Returns words that are all below s->product_limit if blocks with the maxima `a` are in range. For SCALE_NEAREST the
 * factor is half a scale, which must not be too small for a: then midpoints and the distances to them are exact. */
static ALWAYS_INLINE words reach_of(const struct scaling *s, floats a, floats factor) {
    words limit;
    if (s->scale_op != SCALE_NEAREST) return w_magnitude(as_words(f_mul(a, factor)));
    limit = as_words(f_mul_by(factor, 0x1p16F));
    return w_select_const(w_lt_u(limit, as_words(a)), F32_INFINITY,
                          w_select_const(w_gt_u(limit, F32_LARGEST), F32_INFINITY, w_const(0)));
}

static bool find_scales(const struct scaling *s, const u32 *maxima, size_t count, u8 *scales,
                        float *factors) {
    const size_t bytes = scale_bytes(s);
    words largest = w_const(0); /* largest magnitude of a product */
    for (size_t i = 0; i < count; i += rule_lanes()) {
        const floats a = f_of_tensor_code(w_load_padded((const u8 *)(maxima + i), count - i), s->type);
        floats factor;
        words scale;
        switch (pto_block_rules[s->rule].family) {
        case FAMILY_MX:
            scale = mx_codes(s, as_words(a));
            factor = mx_factors(s, scale);
            break;
        case FAMILY_NV:
            scale = nv_codes(s, a);
            factor = nv_factors(s, scale);
            break;
        default:
            scale = as_words(fp8_scales(s, a, &factor));
            scale = w_select_const(w_nans(scale), F32_CANONICAL_NAN, scale);
            break;
        }
        w_store(scales + i * bytes, scale, bytes, count - i);
        w_store_padded((u8 *)(factors + i), as_words(factor), count - i);
        largest = w_max_s(largest, w_first(reach_of(s, a, factor), count - i));
    }
    return w_reduce_max(largest) < bits_of_float(s->product_limit);
}

static ALWAYS_INLINE floats factors_of(const struct scaling *s, words scale) {
    switch (pto_block_rules[s->rule].family) {
    case FAMILY_MX: return mx_factors(s, scale);
    case FAMILY_NV: return nv_factors(s, scale);
    default: return s->scale_op == SCALE_MULTIPLY ? f_div_of(1.0F, as_floats(scale)) : as_floats(scale);
    }
}

static ALWAYS_INLINE floats dequantize_factors_of(const struct scaling *s, words scale) {
    switch (pto_block_rules[s->rule].family) {
    case FAMILY_MX: return mx_dequantize_factors(s, scale);
    case FAMILY_NV: return nv_dequantize_factors(s, scale);
    default: return as_floats(scale);
    }
}

static void find_factors(const struct scaling *s, const u8 *scales, size_t count, float *factors) {
    const size_t bytes = scale_bytes(s);
    for (size_t i = 0; i < count; i += rule_lanes()) {
        const words scale = w_load(scales + i * bytes, bytes, count - i);
        w_store_padded((u8 *)(factors + i), as_words(factors_of(s, scale)), count - i);
    }
}

/* Computes the factors of dequantization. Returns whether all are at least 0 and below FACTOR_LIMIT. Lanes after the
 * last scale are computed as for a scale of 0. */
static bool find_dequantize_factors(const struct scaling *s, const u8 *scales, size_t count, float *factors) {
    const size_t bytes = scale_bytes(s);
    words most =
        w_const(0); /* the largest factor, compared as unsigned bits: negative ones are above all others */
    for (size_t i = 0; i < count; i += rule_lanes()) {
        const words factor = as_words(dequantize_factors_of(s, w_load(scales + i * bytes, bytes, count - i)));
        w_store_padded((u8 *)(factors + i), factor, count - i);
        most = w_max_u(most, factor);
    }
    return w_reduce_max(most) < bits_of_float(FACTOR_LIMIT);
}
