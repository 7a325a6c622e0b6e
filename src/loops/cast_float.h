/* SPDX-License-Identifier: MIT */
/* From words of f32 to floats, of formats that are known only at run time. Part of cast.h. */

/* The results that a rounded code may be replaced by. Those of negative sources include their sign. */
struct cast_results {
    u32 limit; /* a code without sign above it overflows */
    u32 overflow, overflow_negative;
    u32 infinity, infinity_negative; /* for infinite sources */
    u32 nan;
    u32 sign_shift, sign;  /* where the sign goes; `sign` is 0 if the format has none */
    bool has_own_infinity; /* whether infinities give other results than values that are too large */
    bool has_one_zero;     /* a result of -0 becomes +0 */
};

static u32 cast_signed(pto_dtype dst, u64 code) {
    const bool is_positive =
        cast_has_no_sign(dst) || (code == cast_nan(dst) && cvt_format_of(dst).specials != SPECIALS_NONE);
    return (u32)(is_positive ? code : code | cast_sign(dst));
}

static struct cast_results cast_results_of(pto_cast_op op) {
    const u64 infinity = op.overflow == PTO_OVERFLOW_SATURATE ? cast_largest(op.dst) : cast_infinity(op.dst);
    struct cast_results r;
    r.limit = (u32)(cast_largest(op.dst) >> cast_unused_below(op.dst));
    r.overflow = (u32)cast_overflow(op, false);
    r.overflow_negative = cast_signed(op.dst, cast_overflow(op, true));
    r.infinity = (u32)infinity;
    r.infinity_negative = cast_signed(op.dst, infinity);
    r.nan = (u32)cast_nan(op.dst);
    r.sign = cast_has_no_sign(op.dst) ? 0 : (u32)cast_sign(op.dst);
    r.sign_shift = 0;
    while (r.sign != 0 && r.sign << r.sign_shift >> SIGN_AT_32 == 0) ++r.sign_shift;
    if (r.sign == 0) r.overflow_negative = r.overflow;
    r.has_own_infinity = r.infinity != r.overflow || r.infinity_negative != r.overflow_negative;
    r.has_one_zero = op.dst == PTO_HIF8 || cvt_has_one_zero(cvt_format_of(op.dst));
    return r;
}

/* Completes a rounded code of a source x: adds the sign, and replaces what is too large. `below` is the number of
 * unused bits below the code. */
static ALWAYS_INLINE u32v cast_finish(u32v code, u32v x, const struct cast_results *r, u32 below) {
    const u32v magnitude = magnitude_of_32(x), sign = sign_mask_of_32(x);
    const vmask_32 too_large = v_gt_u32(code, v_const_32(r->limit));
    u32v sign_bit = (x >> r->sign_shift) & r->sign, y;
    if (r->has_one_zero) sign_bit = v_sel_32(v_lt_u32(code, v_const_32(1)), v_const_32(0), sign_bit);
    y = v_sel_32(too_large, by_sign_32(sign, r->overflow, r->overflow_negative), code << below | sign_bit);
    if (r->has_own_infinity)
        y = v_sel_32(v_gt_u32(magnitude, v_const_32(infinity_bits_32() - 1)),
                     by_sign_32(sign, r->infinity, r->infinity_negative), y);
    return v_sel_32(v_gt_u32(magnitude, v_const_32(infinity_bits_32())), v_const_32(r->nan), y);
}

/* ---- to nearest even, by floating-point addition ---- */

/*
 * Rounds by adding a power of two to the magnitude: that whose last significand bit is the destination's last bit. The
 * bits of the sum minus the bits of the power are the rounded significand. It needs the FP state FP_IEEE, but subnormal
 * operands may be flushed: they are too small to change a sum.
 */
struct cast_nearest {
    u32 most; /* larger magnitudes become this one, so that no sum overflows; it overflows in the destination, too */
    u32 smallest; /* the smallest normal value */
    u32 add;      /* added to the exponent field of a value, gives that of the power */
    u32 shift;    /* bits by which f32's exponent field lies above the destination's */
};

/* Returns whether sums for this format cannot overflow. */
static bool cast_adds(struct cvt_format f) {
    const int largest = (int)low_bits(f.exponent_bits) - f.bias; /* not less than the largest exponent */
    return f.exponent_bits != 0 && largest + 2 + FRACTION_32 < BIAS_32;
}

static struct cast_nearest cast_nearest_of(struct cvt_format f) {
    const int largest = (int)low_bits(f.exponent_bits) - f.bias;
    struct cast_nearest p;
    p.most = power_of_2_32(largest + 1);
    p.smallest = power_of_2_32(1 - f.bias);
    p.shift = FRACTION_32 - (u32)f.fraction_bits;
    p.add = p.shift << FRACTION_32;
    return p;
}

static ALWAYS_INLINE u32v cast_round_nearest(u32v x, const struct cast_nearest *p) {
    typedef float floats __attribute__((vector_size(VBYTES)));
    const u32v magnitude = v_min_u32(magnitude_of_32(x), v_const_32(p->most));
    const u32v own = magnitude & infinity_bits_32();
    const u32v exponent = (u32v)v_max_s32((s32v)own, (s32v)v_const_32(p->smallest)),
               power = exponent + p->add;
    const u32v sum = (u32v)((floats)magnitude + (floats)power);
    return (sum - power) + ((exponent - p->smallest) >> p->shift);
}

/* Loads elements as words of f32. A signalling NaN may raise a flag. */
static ALWAYS_INLINE u32v cast_load(pto_dtype type, const u8 *p) {
#ifdef CAST_LOAD_F16
    if (type == PTO_F16) return CAST_LOAD_F16(p);
#endif
    if (type == PTO_BF16) return v_load_32(p, 2, false) << 16;
    return load_float_32(p, type);
}

static ALWAYS_INLINE void cast_to_nearest(size_t out, pto_dtype src_type, pto_cast_op op, const u8 *src,
                                          u8 *dst, size_t n) {
    const struct cast_results r = cast_results_of(op);
    const struct cast_nearest p = cast_nearest_of(cvt_format_of(op.dst));
    const size_t in = element_bytes(src_type);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = cast_load(src_type, src + in * i);
        v_store_32(dst + out * i, cast_finish(cast_round_nearest(x, &p), x, &r, 0), out);
    }
}

/* ---- in any rounding, by integer arithmetic ---- */

static ALWAYS_INLINE u32v cast_round_any(u32v x, const struct vrounding *r, struct cvt_format to) {
    const u32v sign = sign_mask_of_32(x);
    const struct unpacked_32 d = unpack_32(magnitude_of_32(x), FRACTION_32 - (u32)to.fraction_bits, to);
    return d.exponent + vround_shift(d.m, d.cut, sign, r);
}

static ALWAYS_INLINE void cast_to_any(size_t out, pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(op.dst);
    const struct cast_results r = cast_results_of(op);
    const struct vrounding rounding = vrounding_of(cast_vrnd(op.round));
    const u32 below = cast_unused_below(op.dst), keep = r.sign != 0 ? ~(u32)0 : ~(u32)0 >> 1;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(words + 4 * i, 4, false) & keep;
        v_store_32(dst + out * i, cast_finish(cast_round_any(x, &rounding, to), x, &r, below), out);
    }
}

static NOINLINE void cast_to_f8_nearest(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    cast_to_nearest(1, PTO_F32, op, words, dst, n);
}

static NOINLINE void cast_f16_to_f8_nearest(pto_cast_op op, const u8 *src, u8 *dst, size_t n) {
    cast_to_nearest(1, PTO_F16, op, src, dst, n);
}

static NOINLINE void cast_bf16_to_f8_nearest(pto_cast_op op, const u8 *src, u8 *dst, size_t n) {
    cast_to_nearest(1, PTO_BF16, op, src, dst, n);
}

/* Returns the loop to 8 bits that reads elements of this type: f32, f16 or bf16. */
static cast_loop *nearest_loop(pto_dtype src) {
    return src == PTO_F16    ? cast_f16_to_f8_nearest
           : src == PTO_BF16 ? cast_bf16_to_f8_nearest
                             : cast_to_f8_nearest;
}

static NOINLINE void cast_to_f16_nearest(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    cast_to_nearest(2, PTO_F32, op, words, dst, n);
}

static NOINLINE void cast_to_f8(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    cast_to_any(1, op, words, dst, n);
}

static NOINLINE void cast_to_f16(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    cast_to_any(2, op, words, dst, n);
}

static NOINLINE void cast_to_f32(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    cast_to_any(4, op, words, dst, n);
}

/* ---- in a random rounding ---- */

/* Returns m >> cut, plus 1 if the sum of `random` and the leading 32 bits that are cut off carries. m has at most 24
 * bits, and at least one bit is cut off. */
static ALWAYS_INLINE u32v shift_randomly(u32v m, u32v cut, u32v random) {
    const u32v left = (u32v)v_clamp_32((s32v)(CAST_RANDOM_BITS - cut), 0, MAX_SHIFT_32 + 1);
    const u32v right = (u32v)v_clamp_32((s32v)(cut - CAST_RANDOM_BITS), 0, MAX_SHIFT_32);
    const u32v rest = m << left >> right;
    return (m >> v_min_u32(cut, v_const_32(MAX_SHIFT_32))) +
           v_sel_32(v_gt_u32(rest, ~random), v_const_32(1), v_const_32(0));
}

static ALWAYS_INLINE u32v cast_round_randomly(u32v x, u32v random, struct cvt_format to) {
    const u32 rebias = (u32)(BIAS_32 - to.bias), cut = FRACTION_32 - (u32)to.fraction_bits;
    const u32v magnitude = magnitude_of_32(x);
    const u32v own = (u32v)v_max_s32((s32v)(magnitude >> FRACTION_32), (s32v)v_const_32(1)) - 1;
    const u32v exponent = (u32v)v_max_s32((s32v)own, (s32v)v_const_32(rebias));
    return ((exponent - rebias) << to.fraction_bits) +
           shift_randomly(magnitude - (own << FRACTION_32), exponent - own + cut, random);
}

static ALWAYS_INLINE void cast_randomly(size_t out, pto_cast_op op, const u8 *words, const u8 *random,
                                        u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(op.dst);
    const struct cast_results r = cast_results_of(op);
    const u32 below = cast_unused_below(op.dst), keep = r.sign != 0 ? ~(u32)0 : ~(u32)0 >> 1;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(words + 4 * i, 4, false) & keep;
        const u32v code = cast_round_randomly(x, v_load_32(random + 4 * i, 4, false), to);
        v_store_32(dst + out * i, cast_finish(code, x, &r, below), out);
    }
}

static NOINLINE void cast_to_f8_randomly(pto_cast_op op, const u8 *words, const u8 *random, u8 *dst,
                                         size_t n) {
    cast_randomly(1, op, words, random, dst, n);
}

static NOINLINE void cast_to_f16_randomly(pto_cast_op op, const u8 *words, const u8 *random, u8 *dst,
                                          size_t n) {
    cast_randomly(2, op, words, random, dst, n);
}

static NOINLINE void cast_to_tf32_randomly(pto_cast_op op, const u8 *words, const u8 *random, u8 *dst,
                                           size_t n) {
    cast_randomly(4, op, words, random, dst, n);
}

/* Returns the loop to a type that is described as a format, and has fewer fraction bits than f32. Otherwise NULL. */
static random_loop *random_loop_of(pto_dtype dst) {
    const struct cvt_format f = cvt_format_of(dst);
    if (f.exponent_bits == 0 || f.fraction_bits >= FRACTION_32) return NULL;
    switch (element_bytes(dst)) {
    case 1: return cast_to_f8_randomly;
    case 2: return cast_to_f16_randomly;
    default: return cast_to_tf32_randomly;
    }
}

/* ---- ue8m0 ---- */

/* Rounds off the fraction of a magnitude; the exponent field that remains is the code. From 2^-127 (code 0) to 2^-126
 * (code 1), where f32 is subnormal, twice the distance from 2^-127 is the fraction. Smaller magnitudes get code 0. */
static NOINLINE void cast_to_ue8m0(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    const struct cast_results r = cast_results_of(op);
    const struct vrounding rounding = vrounding_of(cast_vrnd(op.round));
    const u32 smallest = 0x00400000; /* 2^-127 */
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v m = magnitude_of_32(v_load_32(words + 4 * i, 4, false));
        const vmask_32 is_subnormal = v_lt_u32(m, v_const_32(power_of_2_32(-126)));
        const u32v tail = (u32v)v_max_s32((s32v)(m - smallest), (s32v)v_const_32(0)) << 1;
        const u32v code =
            vround_shift(v_sel_32(is_subnormal, tail, m), v_const_32(FRACTION_32), v_const_32(0), &rounding);
        v_store_32(dst + i, cast_finish(code, m, &r, 0), 1);
    }
}

/* The same to nearest even. */
static NOINLINE void cast_to_ue8m0_nearest(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    const struct cast_results r = cast_results_of(op);
    const u32 smallest = 0x00400000, half = 0x003fffff;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v m = magnitude_of_32(v_load_32(words + 4 * i, 4, false));
        const u32v tail = (u32v)v_max_s32((s32v)(m - smallest), (s32v)v_const_32(0)) << 1;
        const u32v bits = v_sel_32(v_lt_u32(m, v_const_32(power_of_2_32(-126))), tail, m);
        const u32v code = (bits + half + ((bits >> FRACTION_32) & 1)) >> FRACTION_32;
        v_store_32(dst + i, cast_finish(code, m, &r, 0), 1);
    }
}

/* ---- hif8 ---- */

/* Returns the code, without sign, or one above all others if x is too large. */
static ALWAYS_INLINE u32v cast_round_hif8(u32v x, const struct vrounding *r) {
    const u32 above[4] = {0, 1, 3, 7};
    const u32v magnitude = magnitude_of_32(x), own = magnitude >> FRACTION_32;
    const u32v exponent = (u32v)v_max_s32((s32v)own, (s32v)v_const_32(HIF8_MIN_EXPONENT));
    const u32v size =
        v_sel_32(v_gt_u32(exponent, v_const_32(BIAS_32)), exponent - BIAS_32, BIAS_32 - exponent);
    const vmask_32 is_power = v_lt_u32(exponent, v_const_32(HIF8_FRACTIONAL));
    const u32v fraction_bits = v_sel_32(is_power, v_const_32(0), hif8_fields_of(size, above).fraction_bits);
    const u32v cut = v_min_u32(FRACTION_32 - fraction_bits + (exponent - own), v_const_32(MAX_SHIFT_32));
    const u32v hidden =
        v_sel_32(v_lt_u32(own, v_const_32(1)), v_const_32(0), v_const_32((u32)1 << FRACTION_32));
    const u32v m = (magnitude & (u32)low_bits(FRACTION_32)) | hidden;
    /* A power of two has an odd significand, 1. Where its code is even, 1 is added, so that a tie goes to the even
     * code, and subtracted again after rounding. */
    const u32v flip = v_sel_32(is_power, (exponent - HIF8_MIN_EXPONENT) & 1, v_const_32(0));
    const u32v c = vround_shift(m + (flip << cut), cut, sign_mask_of_32(x), r) - flip;
    const u32v rounded = exponent + (c >> fraction_bits >> 1);
    const u32v code = hif8_code(rounded, c & v_minus_1_32(v_const_32(1) << fraction_bits));
    const u32v finite = v_sel_32(v_lt_u32(c, v_const_32(1)), v_const_32(0), code);
    const vmask_32 too_large = v_gt_u32(rounded, v_const_32(HIF8_MAX_EXPONENT));
    return v_sel_32(
        too_large, v_const_32(HIF8_TOO_LARGE),
        v_sel_32(v_lt_u32(finite ^ HIF8_INFINITY, v_const_32(1)), v_const_32(HIF8_TOO_LARGE), finite));
}

static NOINLINE void cast_to_hif8(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    const struct vrounding rounding = vrounding_of(cast_vrnd(op.round));
    struct cast_results r = cast_results_of(op);
    r.limit = HIF8_TOO_LARGE - 1;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(words + 4 * i, 4, false);
        v_store_32(dst + i, cast_finish(cast_round_hif8(x, &rounding), x, &r, 0), 1);
    }
}

/* ---- hif8 to nearest even, by floating-point addition, as in cast_round_nearest() ---- */

static ALWAYS_INLINE u32v abs_32(u32v x) {
    return (u32v)v_max_s32((s32v)x, (s32v)-x);
}

/* Returns `bits` in lanes where y > k, else 0. As signed lanes, none of them is negative. */
static ALWAYS_INLINE u32v bits_if_above(u32v y, u32 k, u32 bits) {
    return (u32v)((s32v)y > (s32v)v_const_32(k)) & bits;
}

/* Returns the magnitude as a float, rounded to a value of hif8 or to 2^16. Significands have 3 fraction bits for
 * exponents from -3 to 3, 2 up to exponents of magnitude 7, 1 up to magnitude 15, and none below -15. There, ties
 * between powers of two go to the even code: if the lower code is even, the added power gets an odd last bit. */
static ALWAYS_INLINE u32v cast_hif8_value(u32v magnitude) {
    typedef float floats __attribute__((vector_size(VBYTES)));
    const u32 unit = (u32)1 << FRACTION_32, least = (u32)HIF8_MIN_EXPONENT << FRACTION_32;
    const u32v limited = v_min_u32(magnitude, v_const_32(power_of_2_32(16)));
    const u32v exponent = (u32v)v_max_s32((s32v)(limited & infinity_bits_32()), (s32v)v_const_32(least));
    const u32v size = abs_32(exponent - power_of_2_32(0));
    const u32v more = bits_if_above(size, 3 * unit, unit) + bits_if_above(size, 7 * unit, unit);
    const u32v flip = bits_if_above(size, 15 * unit, unit), odd = (flip & ~exponent) >> FRACTION_32;
    const u32v power = exponent + (FRACTION_32 - 3) * unit + more + flip + odd;
    return (u32v)((floats)((floats)limited + (floats)power) - (floats)power);
}

/* Returns the code of a value of hif8, or one above all others if it is too large. The magnitude of an exponent,
 * without its leading bit, precedes the fraction bits in a code. */
static ALWAYS_INLINE u32v cast_hif8_code(u32v value) {
    const u32 unit = (u32)1 << FRACTION_32, below_least = (u32)(HIF8_MIN_EXPONENT - 1) << FRACTION_32;
    const u32v exponent = value & infinity_bits_32(), relative = exponent - power_of_2_32(0);
    const u32v negative = sign_mask_of_32(relative), size = abs_32(relative);
    const u32v fraction = value & (unit - 1);
    const u32v above_3 = bits_if_above(size, 3 * unit, 1), above_7 = bits_if_above(size, 7 * unit, 1);
    const u32v above_1 = bits_if_above(size, unit, 8);
    const u32v field = (size | fraction) >> (FRACTION_32 - 3 + above_3 + above_7);
    const u32v first = 8 + above_1 + ((above_3 + above_7) << 5),
               code = first + field + (negative & (8 + above_1));
    const u32v power = (u32v)v_max_s32((s32v)(exponent - below_least), (s32v)v_const_32(0)) >> FRACTION_32;
    const u32v too_large = bits_if_above(value, power_of_2_32(15) + unit / 2 - 1, HIF8_TOO_LARGE);
    return v_sel_32(v_lt_u32(value, v_const_32(power_of_2_32(-15))), power, code | too_large);
}

static NOINLINE void cast_to_hif8_nearest(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    struct cast_results r = cast_results_of(op);
    r.limit = HIF8_TOO_LARGE - 1;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(words + 4 * i, 4, false);
        v_store_32(dst + i, cast_finish(cast_hif8_code(cast_hif8_value(magnitude_of_32(x))), x, &r, 0), 1);
    }
}
