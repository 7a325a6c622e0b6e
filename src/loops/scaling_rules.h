/* SPDX-License-Identifier: MIT */
/*
 * The scaling rules, for as many blocks at once as a vector has lanes. They compute scales and factors from the
 * largest magnitudes of blocks, and factors from scales for quantizing and dequantizing. Part of scaling.h. The
 * rules are written in these operations on 32-bit words and floats, in vectors of any length. k and n are
 * scalars:
 *
 *   words, floats, truths       the types of vectors; rule_lanes() is how many lanes they have
 *   w_const(k)                    every lane = k
 *   w_of(x), f_of(x)            the same bits as words, as floats
 *   w_add(x, k)  w_and(x, k)    x + k modulo 2^32, x & k; w_from(k, x) is k - x
 *   w_shl(x, n)  w_shr(x, n)    shifts by n bits that insert zeros
 *   w_least(x, k)  w_most(x, k) the signed maximum and minimum of x and k
 *   w_larger(x, y)              the signed maximum; w_highest(x, y) the unsigned maximum
 *   w_above(x, k)  w_is(x, k)   x > k, unsigned; x == k
 *   w_pick(t, x, y)             x where t is true, else y; w_put(t, k, y) the same with k for x
 *   f_mul(x, y)  f_mul_by(x, k) f_div_by(x, k)  f_div_of(k, x)
 *                               x * y, x * k, x / k, k / x
 *   f_of_wide(code, wide)       codes of the tensor's type, one in a word, as f32
 *   f_as_wide(x, wide)          x rounded to the tensor's type
 *   e4m3_of(x)  e4m3_value(c)   cvt.rn.satfinite to e4m3, a code in a word, and the value of such a code
 *   w_load(p, bytes, n)         loads elements of that many bytes, zero-extended; at most the next n. Other lanes are 0
 *   w_store(p, x, bytes, n)     stores the low bytes of lanes, likewise at most n
 *   w_load_spare(p, n)          loads words from memory that always has a whole vector of them
 *   w_store_spare(p, x, n)      stores words to such memory
 *   w_first(x, n)               x with all lanes from lane n on set to 0
 *   w_largest(x)                the largest lane, unsigned
 */

static ALWAYS_INLINE words w_magnitude(words x) {
    return w_and(x, INT32_MAX);
}

static ALWAYS_INLINE truths w_nans(words x) {
    return w_above(w_magnitude(x), F32_INFINITY);
}

/* ---- MX: scales are powers of two, stored as ue8m0 ---- */

static ALWAYS_INLINE words exponents_less(words bits, int emax) {
    return w_least(w_add(w_shr(bits, 23), -(u32)emax), 0);
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
        b = w_of(f_mul_by(f_of(a), s->rcp));
        c = w_pick(w_above(b, F32_TINIEST_SCALE), w_shr(exponents_up(b), 23), w_const(0));
        return w_most(c, s->rule == PTO_MX_RCEIL ? UE8M0_NAN : 254);
    case PTO_MX_EVEN:
    case PTO_MX_EVEN1: b = w_add(a, (u32)1 << (22 - s->digits)); break;
    case PTO_MX_CEIL: b = exponents_up(a); break;
    default: break;
    }
    c = exponents_less(b, s->emax);
    return w_put(w_above(s->rule == PTO_MX_CEIL ? a : b, F32_LARGEST), UE8M0_NAN, c);
}

static ALWAYS_INLINE floats mx_scales(words code) {
    const words normal = w_put(w_is(code, UE8M0_NAN), F32_CANONICAL_NAN, w_shl(code, 23));
    return f_of(w_put(w_is(code, 0), F32_TINIEST_SCALE, normal));
}

static ALWAYS_INLINE floats mx_inverses(words code) {
    return mx_scales(w_put(w_is(code, UE8M0_NAN), UE8M0_NAN, w_from(254, code)));
}

/* ---- NVFP4: scales are e4m3 ---- */

static ALWAYS_INLINE floats finite_at_most(floats x) {
    return f_of(w_put(w_is(w_of(x), F32_INFINITY), F32_LARGEST, w_of(x)));
}

/* Returns x clamped to [least, most]. A NaN of either sign is returned unchanged. */
static ALWAYS_INLINE floats clamped(floats x, float least, float most) {
    const words y = w_most(w_least(w_of(x), bits_of_float(least)), bits_of_float(most));
    return f_of(w_pick(w_nans(w_of(x)), w_of(x), y));
}

static ALWAYS_INLINE words nv_codes(const struct scaling *s, floats a) {
    floats b;
    words code;
    switch (s->rule) {
    case PTO_NV_TE: return e4m3_of(finite_at_most(f_mul_by(a, s->up)));
    case PTO_NV_RCP: return e4m3_of(f_mul_by(f_mul_by(a, float_of_bits(RCP_6)), s->up));
    case PTO_NV_AO: return e4m3_of(clamped(f_div_by(f_div_by(a, 6.0F), s->up), 0x1p-6F, 448.0F));
    case PTO_NV_MODELOPT:
        b = f_div_by(a, s->up);
        b = f_of(w_put(w_is(w_magnitude(w_of(b)), 0), bits_of_float(1.0F), w_of(b)));
        return e4m3_of(clamped(b, 0x1p-9F, 448.0F));
    default:
        b = f_as_wide(f_div_by(a, 6.0F), s->wide);
        code = e4m3_of(f_mul_by(b, s->up));
        return w_put(w_is(w_and(code, 0x7f), 0), CT_ZERO_SCALE, code);
    }
}

static ALWAYS_INLINE floats nv_factors(const struct scaling *s, words code) {
    const floats v = e4m3_value(code);
    switch (s->rule) {
    case PTO_NV_TE: return finite_at_most(f_div_of(1.0F, f_mul_by(v, s->down)));
    case PTO_NV_RCP:
        return f_of(w_put(w_is(w_and(code, 0x7f), 0), 0, w_of(f_div_of(1.0F, f_mul_by(v, s->down)))));
    case PTO_NV_AO: return f_div_of(s->down, v);
    case PTO_NV_MODELOPT: return f_mul_by(v, s->down);
    default: return f_div_by(v, s->down);
    }
}

static ALWAYS_INLINE floats nv_back(const struct scaling *s, words code) {
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
    const words up = w_least(w_shr(exponents_up(w_of(x)), 23), 1);
    return f_of(w_shl(w_most(up, 254), 23));
}

static ALWAYS_INLINE floats te_factors(const struct scaling *s, floats floor) {
    const words a = w_of(floor);
    const u32 one = bits_of_float(1.0F);
    words r = w_of(f_div_of(s->max, floor));
    r = w_put(w_is(r, F32_INFINITY), bits_of_float(s->top), r);
    r = w_put(w_is(a, F32_INFINITY), one, w_put(w_is(a, 0), one, r));
    return f_of(s->pow2 ? w_and(r, ~(u32)F32_FRACTION_MASK) : r);
}

/* Returns the scales, and sets *factors to what the elements are multiplied with or divided by. */
static ALWAYS_INLINE floats fp8_scales(const struct scaling *s, floats a, floats *factors) {
    const floats floor = f_of(w_least(w_of(a), bits_of_float(s->eps))); /* a NaN stays a NaN */
    floats scale;
    switch (s->rule) {
    case PTO_FP8_MUL: *factors = f_div_of(s->max, floor); return f_mul_by(floor, s->rcp);
    case PTO_FP8_TE: *factors = te_factors(s, floor); return f_div_of(1.0F, *factors);
    case PTO_FP8_CT:
        scale = f_as_wide(f_div_by(a, s->max), s->wide);
        *factors = f_of(w_put(w_is(w_of(scale), 0), bits_of_float(s->least), w_of(scale)));
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
        const floats a = f_of_wide(w_load_spare((const u8 *)(maxima + i), count - i), s->wide);
        floats factor;
        words scale;
        switch (pto_block_rules[s->rule].family) {
        case FAMILY_MX:
            scale = mx_codes(s, w_of(a));
            factor = mx_inverses(scale);
            break;
        case FAMILY_NV:
            scale = nv_codes(s, a);
            factor = nv_factors(s, scale);
            break;
        default:
            scale = w_of(fp8_scales(s, a, &factor));
            scale = w_put(w_nans(scale), F32_CANONICAL_NAN, scale);
            break;
        }
        w_store(scales + i * bytes, scale, bytes, count - i);
        w_store_spare((u8 *)(factors + i), w_of(factor), count - i);
        largest = w_larger(largest, w_first(w_magnitude(w_of(f_mul(a, factor))), count - i));
    }
    return w_largest(largest) < bits_of_float(s->tame);
}

static ALWAYS_INLINE floats factors_of(const struct scaling *s, words scale) {
    switch (pto_block_rules[s->rule].family) {
    case FAMILY_MX: return mx_inverses(scale);
    case FAMILY_NV: return nv_factors(s, scale);
    default: return s->step == STEP_TIMES ? f_div_of(1.0F, f_of(scale)) : f_of(scale);
    }
}

static ALWAYS_INLINE floats back_of(const struct scaling *s, words scale) {
    switch (pto_block_rules[s->rule].family) {
    case FAMILY_MX: return mx_scales(scale);
    case FAMILY_NV: return nv_back(s, scale);
    default: return f_of(scale);
    }
}

static void find_factors(const struct scaling *s, const u8 *scales, size_t count, float *factors) {
    const size_t bytes = scale_bytes(s);
    for (size_t i = 0; i < count; i += rule_lanes()) {
        const words scale = w_load(scales + i * bytes, bytes, count - i);
        w_store_spare((u8 *)(factors + i), w_of(factors_of(s, scale)), count - i);
    }
}

/* Computes the factors for dequantizing. Lanes after the last scale are computed as for a scale of 0. */
static bool find_back(const struct scaling *s, const u8 *scales, size_t count, float *factors) {
    const size_t bytes = scale_bytes(s);
    words most =
        w_const(0); /* the highest bits of a factor, unsigned: negative factors are above all others */
    for (size_t i = 0; i < count; i += rule_lanes()) {
        const words factor = w_of(back_of(s, w_load(scales + i * bytes, bytes, count - i)));
        w_store_spare((u8 *)(factors + i), factor, count - i);
        most = w_highest(most, factor);
    }
    return w_largest(most) < bits_of_float(TAME_FACTOR);
}
