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
 *   w_shl(x, n)  w_shr(x, n)    shifts by n bits that insert zeros
 *   w_at_least(x, k)            the signed maximum of x and k; w_at_most(x, k) the signed minimum
 *   w_max_s(x, y)               the signed maximum; w_max_u(x, y) the unsigned maximum
 *   w_gt_u(x, k)  w_eq(x, k)    x > k, unsigned; x == k
 *   w_select(t, x, y)           x where t is true, else y; w_select_const(t, k, y) the same with k for x
 *   f_mul(x, y)  f_mul_by(x, k) f_div_by(x, k)  f_div_of(k, x)
 *                               x * y, x * k, x / k, k / x
 *   f_of_tensor_code(code, type)
 *                               codes of the tensor's type, one in a word, as f32
 *   f_round_to_type(x, type)    x rounded to the tensor's type
 *   e4m3_of(x)  e4m3_value(c)   cvt.rn.satfinite to e4m3, a code in a word, and the value of such a code
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

/* ---- MX: scales are powers of two, stored as ue8m0 ---- */

static ALWAYS_INLINE words exponents_less(words bits, int emax) {
    return w_at_least(w_add(w_shr(bits, 23), -(u32)emax), 0);
}

/* Rounds up to a power of two: increments the exponent if the fraction is not 0, and clears the fraction. */
static ALWAYS_INLINE words exponents_up(words bits) {
    return w_and(w_add(bits, F32_FRACTION_MASK), ~(u32)F32_FRACTION_MASK);
}

static ALWAYS_INLINE words mx_codes(const struct scaling *s, words a) {
    words b = a, c;
    switch (s->rule) {
    case PTO_MX_RCEIL:
    case PTO_MX_RCEIL_SAT:
        b = as_words(f_mul_by(as_floats(a), s->rcp));
        c = w_select(w_gt_u(b, F32_MIN_UE8M0), w_shr(exponents_up(b), 23), w_const(0));
        return w_at_most(c, s->rule == PTO_MX_RCEIL ? UE8M0_NAN : 254);
    case PTO_MX_EVEN:
    case PTO_MX_EVEN1: b = w_add(a, (u32)1 << (22 - s->fraction_bits)); break;
    case PTO_MX_CEIL: b = exponents_up(a); break;
    default: break;
    }
    c = exponents_less(b, s->emax);
    return w_select_const(w_gt_u(s->rule == PTO_MX_CEIL ? a : b, F32_LARGEST), UE8M0_NAN, c);
}

static ALWAYS_INLINE floats mx_scales(words code) {
    const words normal = w_select_const(w_eq(code, UE8M0_NAN), F32_CANONICAL_NAN, w_shl(code, 23));
    return as_floats(w_select_const(w_eq(code, 0), F32_MIN_UE8M0, normal));
}

static ALWAYS_INLINE floats mx_inverses(words code) {
    return mx_scales(w_select_const(w_eq(code, UE8M0_NAN), UE8M0_NAN, w_from(254, code)));
}

/* ---- NVFP4: scales are e4m3 ---- */

static ALWAYS_INLINE floats finite_at_most(floats x) {
    return as_floats(w_select_const(w_eq(as_words(x), F32_INFINITY), F32_LARGEST, as_words(x)));
}

/* Returns x clamped to [least, most]. A NaN of either sign is returned unchanged. */
static ALWAYS_INLINE floats clamped(floats x, float least, float most) {
    const words y = w_at_most(w_at_least(as_words(x), bits_of_float(least)), bits_of_float(most));
    return as_floats(w_select(w_nans(as_words(x)), as_words(x), y));
}

static ALWAYS_INLINE words nv_codes(const struct scaling *s, floats a) {
    floats b;
    words code;
    switch (s->rule) {
    case PTO_NV_TE: return e4m3_of(finite_at_most(f_mul_by(a, s->scale_operand)));
    case PTO_NV_RCP: return e4m3_of(f_mul_by(f_mul_by(a, float_of_bits(RCP_6)), s->scale_operand));
    case PTO_NV_AO: return e4m3_of(clamped(f_div_by(f_div_by(a, 6.0F), s->scale_operand), 0x1p-6F, 448.0F));
    case PTO_NV_MODELOPT:
        b = f_div_by(a, s->scale_operand);
        b = as_floats(w_select_const(w_eq(w_magnitude(as_words(b)), 0), bits_of_float(1.0F), as_words(b)));
        return e4m3_of(clamped(b, 0x1p-9F, 448.0F));
    default:
        b = f_round_to_type(f_div_by(a, 6.0F), s->type);
        code = e4m3_of(f_mul_by(b, s->scale_operand));
        return w_select_const(w_eq(w_and(code, 0x7f), 0), CT_ZERO_SCALE, code);
    }
}

static ALWAYS_INLINE floats nv_factors(const struct scaling *s, words code) {
    const floats v = e4m3_value(code);
    switch (s->rule) {
    case PTO_NV_TE: return finite_at_most(f_div_of(1.0F, f_mul_by(v, s->factor_operand)));
    case PTO_NV_RCP:
        return as_floats(w_select_const(w_eq(w_and(code, 0x7f), 0), 0,
                                        as_words(f_div_of(1.0F, f_mul_by(v, s->factor_operand)))));
    case PTO_NV_AO: return f_div_of(s->factor_operand, v);
    case PTO_NV_MODELOPT: return f_mul_by(v, s->factor_operand);
    default: return f_div_by(v, s->factor_operand);
    }
}

static ALWAYS_INLINE floats nv_dequantize_factors(const struct scaling *s, words code) {
    const floats v = e4m3_value(code);
    switch (pto_block_rules[s->rule].level) {
    case LEVEL_A: return s->two_level ? f_mul_by(f_mul_by(v, s->level), float_of_bits(RCP_2688)) : v;
    case LEVEL_MULTIPLIER: return f_mul_by(v, s->level);
    default: return f_div_by(v, s->level);
    }
}

/* ---- FP8: scales are f32 ---- */

/* Returns the smallest power of two that is at least x, limited to powers of two that are normal in f32. */
static ALWAYS_INLINE floats up_to_power(floats x) {
    const words up = w_at_least(w_shr(exponents_up(as_words(x)), 23), 1);
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

/* Returns the scales, and sets *factors to what the elements are multiplied with or divided by. */
static ALWAYS_INLINE floats fp8_scales(const struct scaling *s, floats a, floats *factors) {
    const floats floor = as_floats(w_at_least(as_words(a), bits_of_float(s->eps))); /* a NaN stays a NaN */
    floats scale;
    switch (s->rule) {
    case PTO_FP8_MUL: *factors = f_div_of(s->max, floor); return f_mul_by(floor, s->rcp);
    case PTO_FP8_TE: *factors = te_factors(s, floor); return f_div_of(1.0F, *factors);
    case PTO_FP8_CT:
        scale = f_round_to_type(f_div_by(a, s->max), s->type);
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
            factor = mx_inverses(scale);
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
        largest = w_max_s(largest, w_first(w_magnitude(as_words(f_mul(a, factor))), count - i));
    }
    return w_reduce_max(largest) < bits_of_float(s->product_limit);
}

static ALWAYS_INLINE floats factors_of(const struct scaling *s, words scale) {
    switch (pto_block_rules[s->rule].family) {
    case FAMILY_MX: return mx_inverses(scale);
    case FAMILY_NV: return nv_factors(s, scale);
    default: return s->scale_op == SCALE_MULTIPLY ? f_div_of(1.0F, as_floats(scale)) : as_floats(scale);
    }
}

static ALWAYS_INLINE floats dequantize_factors_of(const struct scaling *s, words scale) {
    switch (pto_block_rules[s->rule].family) {
    case FAMILY_MX: return mx_scales(scale);
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
