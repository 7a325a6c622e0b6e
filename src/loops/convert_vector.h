/* SPDX-License-Identifier: MIT */
/*
 * Conversions of one vector of elements, without branches. Float sources are given as the bits of f32 (WORD 32)
 * or f64 (WORD 64), which hold every narrower format exactly. An op's rounding and modifiers are given as masks
 * and bounds, which are the same for all elements. Include with WORD and VBYTES (the size of a vector in bytes)
 * defined. Outside this file every name below ends in the word's width.
 *
 * All of this is integer arithmetic, except for conversions of integers to float that are exact. So it runs in
 * any FP state.
 */
#define word      CAT(u, WORD)
#define uvec      CAT3(u, WORD, v)
#define svec      CAT3(s, WORD, v)
#define vmask     CAT(vmask_, WORD)
#define VLANES    CAT(VLANES_, WORD)
#define v_const   CAT(v_const_, WORD)
#define v_lt_u    CAT(v_lt_u, WORD)
#define v_gt_u    CAT(v_gt_u, WORD)
#define v_sel     CAT(v_sel_, WORD)
#define v_min_u   CAT(v_min_u, WORD)
#define v_min_s   CAT(v_min_s, WORD)
#define v_max_s   CAT(v_max_s, WORD)
#define v_clamp   CAT(v_clamp_, WORD)
#define v_minus_1 CAT(v_minus_1_, WORD)
#define v_load    CAT(v_load_, WORD)
#define v_store   CAT(v_store_, WORD)
#define u8s       CAT(u8s_, WORD)
#define u16s      CAT(u16s_, WORD)
#define u32s      CAT(u32s_, WORD)
#define s8s       CAT(s8s_, WORD)
#define s16s      CAT(s16s_, WORD)
#define s32s      CAT(s32s_, WORD)
#define words     CAT(words_, WORD)

#define FRACTION                       CAT(FRACTION_, WORD)
#define BIAS                           CAT(BIAS_, WORD)
#define SIGN_AT                        CAT(SIGN_AT_, WORD)
#define EXCESS_BITS                    CAT(EXCESS_BITS_, WORD)
#define MAX_SHIFT                      CAT(MAX_SHIFT_, WORD)
#define infinity_bits                  CAT(infinity_bits_, WORD)
#define power_of_2                     CAT(power_of_2_, WORD)
#define sign_mask_of                   CAT(sign_mask_of_, WORD)
#define magnitude_of                   CAT(magnitude_of_, WORD)
#define sign_bit_of                    CAT(sign_bit_of_, WORD)
#define by_sign                        CAT(by_sign_, WORD)
#define rounding                       CAT(rounding_, WORD)
#define rounding_of                    CAT(rounding_of_, WORD)
#define round_add                      CAT(round_add_, WORD)
#define exact_float                    CAT(exact_float_, WORD)
#define widen                          CAT(widen_, WORD)
#define to_odd                         CAT(to_odd_, WORD)
#define from_integer                   CAT(from_integer_, WORD)
#define flush_of                       CAT(flush_of_, WORD)
#define narrow                         CAT(narrow_, WORD)
#define narrow_of                      CAT(narrow_of_, WORD)
#define unpacked                       CAT(unpacked_, WORD)
#define unpack                         CAT(unpack_, WORD)
#define round_magnitude                CAT(round_magnitude_, WORD)
#define round_magnitude_stochastically CAT(round_magnitude_stochastically_, WORD)
#define align_to                       CAT(align_to_, WORD)
#define finish_code                    CAT(finish_code_, WORD)
#define integral_rounding              CAT(integral_rounding_, WORD)
#define integral_rounding_of           CAT(integral_rounding_of_, WORD)
#define make_integral                  CAT(make_integral_, WORD)
#define to_integer                     CAT(to_integer_, WORD)
#define to_integer_of                  CAT(to_integer_of_, WORD)
#define load_float                     CAT(load_float_, WORD)
#define float_to_float                 CAT(float_to_float_, WORD)
#define float_to_integral              CAT(float_to_integral_, WORD)
#define float_to_integer               CAT(float_to_integer_, WORD)
#define saturated                      CAT(saturated_, WORD)
#define integer_to_float               CAT(integer_to_float_, WORD)
#define integer_to_integer             CAT(integer_to_integer_, WORD)

#include "loops/vector_types.h"

enum {
    FRACTION = WORD == 32 ? 23 : 52,
    BIAS = WORD == 32 ? 127 : 1023,
    SIGN_AT = WORD - 1,
    EXCESS_BITS = WORD - 1 - FRACTION, /* by how many bits an integer may be longer than a significand */
    /* The largest shift count, which moves out all significand bits. For SSE2, clang computes 2^count for a variable
     * shift by converting a float to an integer. With a count of WORD - 1, the result would exceed the range of
     * integers, which raises a flag. */
    MAX_SHIFT = WORD - 2
};

/* infinity_bits() and power_of_2() return bits of the working format. */
static ALWAYS_INLINE word infinity_bits(void) {
    return (word)(2 * BIAS + 1) << FRACTION;
}

static ALWAYS_INLINE word power_of_2(int exponent) {
    return (word)(BIAS + exponent) << FRACTION;
}

/* Returns all ones for a negative value, else 0. In all compilers that have these vectors, the right shift copies the
 * sign. */
static ALWAYS_INLINE uvec sign_mask_of(uvec x) {
    // cppcheck-suppress shiftTooManyBitsSigned
    return (uvec)((svec)x >> SIGN_AT);
}

static ALWAYS_INLINE uvec magnitude_of(uvec x) {
    return x & ~((word)1 << SIGN_AT);
}

static ALWAYS_INLINE uvec sign_bit_of(uvec x) {
    return x & ((word)1 << SIGN_AT);
}

/* Returns `negative` where the sign mask is all ones, else `positive`. */
static ALWAYS_INLINE uvec by_sign(uvec sign, word positive, word negative) {
    return positive == negative ? v_const(positive) : (sign & (positive ^ negative)) ^ positive;
}

/* ---- rounding ---- */

/* How to round a right shift by sh: a bias is added before the shift. With ones = 2^sh - 1, the bias is half of
 * `ones` to round to nearest, all of it to round away from zero, and nothing to truncate. */
struct rounding {
    word nearest; /* 1: the bias is half of `ones`, else all of it */
    word even;    /* 1: the last bit that remains is added as well, so that ties go to even */
    /* For positive and for negative values: all ones to add the bias, 0 to truncate. */
    word bias_mask, bias_mask_negative;
};

static ALWAYS_INLINE struct rounding rounding_of(pto_round round) {
    const bool nearest = round == PTO_ROUND_NONE || round == PTO_RN || round == PTO_RNI;
    const bool up = round == PTO_RP || round == PTO_RPI, down = round == PTO_RM || round == PTO_RMI;
    struct rounding r;
    r.nearest = r.even = nearest;
    r.bias_mask = nearest || up ? ~(word)0 : 0;
    r.bias_mask_negative = nearest || down ? ~(word)0 : 0;
    return r;
}

/* Returns what to add to m before it is shifted right by sh, 0 <= sh <= MAX_SHIFT. */
static ALWAYS_INLINE uvec round_add(uvec m, uvec sh, uvec sign, const struct rounding *r) {
    const uvec ones = v_minus_1(v_const(1) << sh);
    return ((ones >> r->nearest) & by_sign(sign, r->bias_mask, r->bias_mask_negative)) +
           ((m >> sh) & ones & r->even);
}

/* ---- into the working format ---- */

/* Returns an integer as a float. The result must be exact: the integer has at most 24 (f32) or 53 (f64)
 * significant bits. */
static ALWAYS_INLINE uvec exact_float(uvec m) {
#if WORD == 32
    typedef float floats __attribute__((vector_size(VBYTES)));
    return (uvec) __builtin_convertvector((svec)m, floats);
#else
    /* Each half becomes the low bits of a double that has a leading 1 of the right weight, and this 1 is
     * subtracted again. When rounding down, the sum of two zeros is -0, so the sign is cleared. */
    typedef double doubles __attribute__((vector_size(VBYTES)));
    const doubles low = (doubles)((m & 0xffffffff) | 0x4330000000000000);
    const doubles high = (doubles)((m >> 32) | 0x4530000000000000);
    return magnitude_of((uvec)((low - 0x1p52) + (high - 0x1p84)));
#endif
}

/* Returns a code of a narrower format in the working format. */
static ALWAYS_INLINE uvec widen(uvec code, struct cvt_format from) {
    const word bits = (word)from.exponent_bits + from.fraction_bits,
               cut = FRACTION - (word)from.fraction_bits;
    const uvec magnitude = code & (word)low_bits(bits), sign = code >> bits << SIGN_AT;
    const word bias = (word)(BIAS - from.bias) << FRACTION, first_normal = (word)1 << from.fraction_bits;
    const word unit = (word)(from.bias + from.fraction_bits - 1)
                      << FRACTION; /* a subnormal code counts units of 2^-(bias + fraction_bits - 1) */
    uvec x = (magnitude << cut) + bias;
    if (bits + 1 + cut == WORD) return code << cut;
    x = v_sel(v_lt_u(magnitude, v_const(first_normal)), exact_float(magnitude) - unit, x);
    x = v_sel(v_lt_u(magnitude, v_const(1)), v_const(0), x);
    if (from.specials == SPECIALS_IEEE)
        x = v_sel(v_gt_u(magnitude, v_const((word)cvt_max_code(from))), x | infinity_bits(), x);
    if (from.specials == SPECIALS_NAN)
        x = v_sel(v_gt_u(magnitude, v_const((word)cvt_max_code(from))), v_const(~(word)0 >> 1), x);
    return x | sign;
}

/* Returns a magnitude as the bits of a float, rounded to odd: the last bit is 1 if any bit was cut off.
 * Rounding this once more, to a format with at least two significand bits less, gives the same result as
 * rounding the integer. */
static ALWAYS_INLINE uvec to_odd(uvec m) {
    const vmask is_long = v_gt_u(m, v_const(((word)2 << FRACTION) - 1));
    const uvec cut = (m >> EXCESS_BITS) | v_min_u(m & (((word)1 << EXCESS_BITS) - 1), v_const(1));
    return exact_float(v_sel(is_long, cut, m)) +
           v_sel(is_long, v_const((word)EXCESS_BITS << FRACTION), v_const(0));
}

/* Returns a magnitude rounded to the working format. */
static ALWAYS_INLINE uvec from_integer(uvec m, uvec sign, const struct rounding *r) {
    const svec bits = (svec)(exact_float(m >> EXCESS_BITS) >> FRACTION) - (BIAS - 1 - EXCESS_BITS);
    const uvec sh = (uvec)v_clamp(bits - (FRACTION + 1), 0, EXCESS_BITS);
    const uvec rest = m & v_minus_1(v_const(1) << sh), keep = m >> sh;
    return exact_float(keep + ((rest + round_add(m, sh, sign, r)) >> sh)) + (sh << FRACTION);
}

/* ---- from floating point to floating point ---- */

/* Parameters of a conversion to a narrower format. Values are codes of the destination, unless noted
 * otherwise. */
struct narrow {
    struct rounding round;
    word flush, flush_negative;       /* source magnitudes below this count as zero */
    word limit;                       /* a magnitude above it overflows */
    word overflow, overflow_negative; /* results of a positive and of a negative overflow */
    word infinity;                    /* the result for an infinite source */
    word nan, nan_keep;               /* the result for a NaN is nan | (aligned source bits & nan_keep) */
    word sign;                        /* the sign bit, or 0 if results have no sign */
    word clear_negative;              /* all ones to make negative results zero, else 0 */
    bool no_negative_zero;            /* a result of -0 becomes +0 */
};

/* Sets which source magnitudes count as zero. f32 <- f64 with .ftz flushes what is below 2^-126 after rounding
 * to 24 significand bits with an unbounded exponent. */
static ALWAYS_INLINE void flush_of(struct narrow *p, pto_cvt_op op) {
    const word smallest = power_of_2(-126);
    p->flush = p->flush_negative = 0;
    if (!op.ftz || op.dst == PTO_F16) return;
    p->flush = p->flush_negative = smallest;
    if (op.src == PTO_F64) {
        const word rounding_up = smallest - ((word)1 << 29) + 1, to_nearest = smallest - ((word)1 << 28);
        if (op.round == PTO_RN) p->flush = p->flush_negative = to_nearest;
        if (op.round == PTO_RP) p->flush = rounding_up;
        if (op.round == PTO_RM) p->flush_negative = rounding_up;
    }
}

static ALWAYS_INLINE struct narrow narrow_of(pto_cvt_op op, struct cvt_format to) {
    const struct cvt_nan nan = cvt_nan_of(op);
    const word max = (word)cvt_max_code(to), one = (word)cvt_one_code(to);
    const word inf = to.specials == SPECIALS_NONE ? max : max + 1; /* ue5m3: the NaN */
    const bool unsigned_result = op.sat || op.relu;
    struct narrow p;
    p.round = rounding_of(op.round);
    flush_of(&p, op);
    p.limit = op.sat ? one : max;
    p.infinity = op.sat ? one : op.satfinite ? max : inf;
    p.overflow = op.round == PTO_RZ || op.round == PTO_RM ? max : inf;
    p.overflow_negative = op.round == PTO_RZ || op.round == PTO_RP ? max : inf;
    if (op.sat || op.satfinite) p.overflow = p.overflow_negative = p.infinity;
    p.sign = unsigned_result ? 0 : (word)1 << (to.exponent_bits + to.fraction_bits);
    p.clear_negative = unsigned_result ? ~(word)0 : 0;
    p.no_negative_zero = op.pzo;
    p.nan = (word)nan.bits;
    p.nan_keep = nan.keeps_payload ? p.sign | (word)low_bits(to.fraction_bits) : 0;
    return p;
}

/*
 * A magnitude split for a destination format:
 *
 *   m         the significand as an integer
 *   cut       how many of its lowest bits are cut off, at most MAX_SHIFT
 *   exponent  the exponent field of the destination minus 1, but at least 0, shifted into place
 *
 * Because the field is at least 0, more bits are cut off for subnormals. The code is `exponent` plus the bits
 * of m that remain, with the hidden bit. A carry out of these increments the exponent, as it should.
 */
struct unpacked {
    uvec m, cut, exponent;
};

static ALWAYS_INLINE struct unpacked unpack(uvec magnitude, word cut, struct cvt_format to) {
    const word rebias = (word)(BIAS - to.bias);
    const uvec exponent = v_minus_1((uvec)v_max_s((svec)(magnitude >> FRACTION), (svec)v_const(1)));
    const uvec wanted = (uvec)v_max_s((svec)exponent, (svec)v_const(rebias));
    struct unpacked d;
    d.m = magnitude - (exponent << FRACTION);
    d.cut = v_min_u(wanted - exponent + cut, v_const(MAX_SHIFT));
    d.exponent = (wanted - rebias) << to.fraction_bits;
    return d;
}

static ALWAYS_INLINE uvec round_magnitude(uvec magnitude, uvec sign, const struct rounding *r,
                                          struct cvt_format to) {
    const word cut = (word)(FRACTION - to.fraction_bits);
    struct unpacked d;
    if (cut == 0) return magnitude;
    if (to.bias == BIAS) return (magnitude + round_add(magnitude, v_const(cut), sign, r)) >> cut;
    d = unpack(magnitude, cut, to);
    return d.exponent + ((d.m + round_add(d.m, d.cut, sign, r)) >> d.cut);
}

/* Returns the magnitude rounded stochastically: k random bits are added to the leading k bits that are cut
 * off. */
static ALWAYS_INLINE uvec round_magnitude_stochastically(uvec magnitude, uvec random, word k,
                                                         struct cvt_format to) {
    const struct unpacked d = unpack(magnitude, (word)(FRACTION - to.fraction_bits) - k, to);
    return d.exponent + (((d.m >> d.cut) + random) >> k);
}

/* Returns the source's sign and leading fraction bits at their positions in the destination. */
static ALWAYS_INLINE uvec align_to(uvec x, struct cvt_format to) {
    const word cut = (word)(FRACTION - to.fraction_bits);
    const word down = (word)(SIGN_AT - (to.exponent_bits + to.fraction_bits));
    return ((x >> cut) & (word)low_bits(to.fraction_bits)) | (sign_bit_of(x) >> down);
}

/* Completes a rounded code: applies overflow and the sign, and replaces the results for an infinite or NaN
 * source x. */
static ALWAYS_INLINE uvec finish_code(uvec code, uvec x, const struct narrow *p, struct cvt_format to) {
    const uvec magnitude = magnitude_of(x), sign = sign_mask_of(x);
    const vmask is_nan = v_gt_u(magnitude, v_const(infinity_bits()));
    uvec sign_bit = sign & p->sign;
    if (p->overflow == p->infinity && p->overflow == p->overflow_negative && p->overflow == p->limit) {
        code = v_min_u(code, v_const(p->limit));
    } else {
        code = v_sel(v_gt_u(code, v_const(p->limit)), by_sign(sign, p->overflow, p->overflow_negative), code);
        code = v_sel(v_gt_u(magnitude, v_const(infinity_bits() - 1)), v_const(p->infinity), code);
    }
    if (p->no_negative_zero) sign_bit = v_sel(v_lt_u(code, v_const(1)), v_const(0), sign_bit);
    code = (code & ~(sign & p->clear_negative)) | sign_bit;
    return v_sel(is_nan, (align_to(x, to) & p->nan_keep) | p->nan, code);
}

static ALWAYS_INLINE uvec narrow(uvec x, const struct narrow *p, struct cvt_format to) {
    const uvec sign = sign_mask_of(x), whole = magnitude_of(x);
    const uvec flush = by_sign(sign, p->flush, p->flush_negative);
    const uvec magnitude = v_sel(v_lt_u(whole, flush), v_const(0), whole);
    return finish_code(round_magnitude(magnitude, sign, &p->round, to), x, p, to);
}

/* ---- to an integral value in the working format ---- */

struct integral_rounding {
    struct rounding round;
    /* Bounds for positive and negative values whose magnitude is below 1: above its bound it becomes 1, else 0. */
    word one_above, one_above_negative;
};

static ALWAYS_INLINE struct integral_rounding integral_rounding_of(pto_round round) {
    const word never = ~(word)0, half = power_of_2(-1);
    struct integral_rounding p;
    p.round = rounding_of(round);
    p.one_above = round == PTO_RNI ? half : round == PTO_RPI ? 0 : never;
    p.one_above_negative = round == PTO_RNI ? half : round == PTO_RMI ? 0 : never;
    return p;
}

static ALWAYS_INLINE uvec make_integral(uvec x, const struct integral_rounding *p) {
    const uvec sign = sign_mask_of(x), magnitude = magnitude_of(x), one = v_const(power_of_2(0));
    const svec exponent = (svec)(magnitude >> FRACTION);
    const uvec sh = (uvec)v_clamp(BIAS + FRACTION - exponent, 0, FRACTION),
               ones = v_minus_1(v_const(1) << sh);
    const uvec large = (magnitude + round_add(magnitude, sh, sign, &p->round)) & ~ones;
    const uvec above = by_sign(sign, p->one_above, p->one_above_negative);
    const uvec small = v_sel(v_gt_u(magnitude, above), one, v_const(0));
    return v_sel(v_lt_u(magnitude, one), small, large) | sign_bit_of(x);
}

/* ---- from floating point to integers ---- */

struct to_integer {
    struct rounding round;
    word flush;                 /* source magnitudes below this count as zero */
    word limit, limit_negative; /* largest magnitudes of positive and negative results */
    word nan;
};

static ALWAYS_INLINE struct to_integer to_integer_of(pto_cvt_op op, unsigned dst_bits) {
    const bool is_signed = cvt_is_signed(op.dst);
    struct to_integer p;
    p.round = rounding_of(op.round);
    p.flush = cvt_flushes_sources(op) ? power_of_2(-126) : 0;
    p.limit = (word)low_bits(is_signed ? dst_bits - 1 : dst_bits);
    p.limit_negative = is_signed ? (word)1 << (dst_bits - 1) : 0;
    p.nan = (word)cvt_integer_nan(op, dst_bits);
    return p;
}

static ALWAYS_INLINE uvec to_integer(uvec x, const struct to_integer *p) {
    const uvec sign = sign_mask_of(x), whole = magnitude_of(x);
    const uvec magnitude = v_sel(v_lt_u(whole, v_const(p->flush)), v_const(0), whole);
    const uvec exponent = v_minus_1((uvec)v_max_s((svec)(magnitude >> FRACTION), (svec)v_const(1)));
    const uvec m = magnitude - (exponent << FRACTION);
    const svec sh = BIAS + FRACTION - 1 - (svec)exponent;
    const uvec right = (uvec)v_clamp(sh, 0, MAX_SHIFT), left = (uvec)v_clamp(-sh, 0, EXCESS_BITS);
    const vmask too_large = v_gt_u(magnitude, v_const(power_of_2(WORD) - 1));
    const uvec limit = by_sign(sign, p->limit, p->limit_negative);
    const uvec c = ((m + round_add(m, right, sign, &p->round)) >> right) << left;
    const uvec result = v_min_u(v_sel(too_large, limit, c), limit);
    return v_sel(v_gt_u(magnitude, v_const(infinity_bits())), v_const(p->nan), (result ^ sign) - sign);
}

/* ---- loads and loops ---- */

/* In these loops n is a multiple of VLANES. The loops are inlined where the types are compile-time constants. */

static ALWAYS_INLINE uvec load_float(const u8 *p, pto_dtype type) {
    const uvec code = v_load(p, element_bytes(type), false);
    if (type == PTO_UE8M0) { /* code 0 is 2^-127, a subnormal; code 255 becomes bf16's NaN */
        const uvec power = (uvec)v_max_s((svec)(code << 23), (svec)v_const(0x00400000));
        return v_sel(v_gt_u(code, v_const(0xfe)), v_const(0x7fff0000), power);
    }
    if (type == PTO_S2F6) {
        const uvec steps = v_load(p, 1, true), sign = sign_mask_of(steps); /* in units of 1/64 */
        const uvec m = (steps ^ sign) - sign;
        return v_sel(v_lt_u(m, v_const(1)), m, exact_float(m) - ((word)6 << FRACTION)) | sign_bit_of(sign);
    }
    return widen(type == PTO_E2M3 || type == PTO_E3M2 ? code & 0x3f : code, cvt_format_of(type));
}

static ALWAYS_INLINE void float_to_float(pto_dtype dst_type, pto_dtype src_type, pto_cvt_op op, const u8 *src,
                                         u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const struct narrow p = narrow_of(op, to);
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    const bool is_done = src_type == PTO_UE8M0 && dst_type == PTO_F32 && !op.ftz; /* also its NaN */
    for (size_t i = 0; i < n; i += VLANES) {
        const uvec loaded = load_float(src + in * i, src_type);
        const uvec x = dst_type == PTO_UE5M3 ? magnitude_of(loaded) : loaded;
        v_store(dst + out * i, is_done ? x : narrow(x, &p, to), out);
    }
}

/* Rounds to an integral value first. The conversion to `type` that follows is exact. */
static ALWAYS_INLINE void float_to_integral(pto_dtype type, pto_cvt_op op, const u8 *src, u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(type);
    const struct narrow p = narrow_of(op, to);
    const struct integral_rounding whole = integral_rounding_of(op.round);
    const size_t bytes = element_bytes(type);
    for (size_t i = 0; i < n; i += VLANES) {
        const uvec x = load_float(src + bytes * i, type);
        const vmask flushed = v_lt_u(magnitude_of(x), v_const(p.flush));
        const uvec y = make_integral(v_sel(flushed, sign_bit_of(x), x), &whole);
        v_store(dst + bytes * i, narrow(y, &p, to), bytes);
    }
}

static ALWAYS_INLINE void float_to_integer(size_t out, pto_dtype src_type, pto_cvt_op op, const u8 *src,
                                           u8 *dst, size_t n) {
    const struct to_integer p = to_integer_of(op, 8 * (unsigned)out);
    const size_t in = element_bytes(src_type);
    for (size_t i = 0; i < n; i += VLANES)
        v_store(dst + out * i, to_integer(load_float(src + in * i, src_type), &p), out);
}

/* Returns a float of the working format from its magnitude and sign. The only modifier that matters is .sat. */
static ALWAYS_INLINE uvec saturated(uvec magnitude, uvec sign, bool sat) {
    const word drop = sat ? ~(word)0 : 0, sign_bit = ((word)1 << SIGN_AT) & ~drop;
    const uvec least = v_min_u(magnitude, v_const(sat ? power_of_2(0) : ~(word)0));
    return (least & ~(sign & drop)) | (sign & sign_bit);
}

static ALWAYS_INLINE void integer_to_float(pto_dtype dst_type, pto_dtype src_type, pto_cvt_op op,
                                           const u8 *src, u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const struct narrow p = narrow_of(op, to);
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    const bool fits = 8 * in <= FRACTION + 1;
    for (size_t i = 0; i < n; i += VLANES) {
        const uvec x = v_load(src + in * i, in, cvt_is_signed(src_type));
        const uvec sign = cvt_is_signed(src_type) ? sign_mask_of(x) : v_const(0), m = (x ^ sign) - sign;
        uvec y;
        if (to.fraction_bits == FRACTION)
            y = saturated(fits ? exact_float(m) : from_integer(m, sign, &p.round), sign, op.sat);
        else
            y = narrow((fits ? exact_float(m) : to_odd(m)) | sign_bit_of(sign), &p, to);
        v_store(dst + out * i, y, out);
    }
}

/* With .sat, clamps to the range that both types hold. Then truncates. */
static ALWAYS_INLINE void integer_to_integer(size_t out, pto_dtype src_type, pto_cvt_op op, const u8 *src,
                                             u8 *dst, size_t n) {
    const bool from_signed = cvt_is_signed(src_type), to_signed = cvt_is_signed(op.dst);
    const size_t in = element_bytes(src_type);
    const unsigned bits = 8 * (unsigned)out - (to_signed ? 1 : 0), max_bits = WORD - (from_signed ? 1 : 0);
    const word all = (word)low_bits(max_bits), most = op.sat && bits < max_bits ? (word)low_bits(bits) : all;
    const word lowest = (word)1 << (WORD - 1);
    const word least = !op.sat ? lowest : !to_signed ? 0 : bits < WORD - 1 ? ~(word)0 << bits : lowest;
    UNROLL_4 for (size_t i = 0; i < n; i += VLANES) {
        uvec x = v_load(src + in * i, in, from_signed);
        if (from_signed)
            x = (uvec)v_min_s(v_max_s((svec)x, (svec)v_const(least)), (svec)v_const(most));
        else
            x = v_min_u(x, v_const(most));
        v_store(dst + out * i, x, out);
    }
}

#undef word
#undef uvec
#undef svec
#undef vmask
#undef VLANES
#undef v_const
#undef v_lt_u
#undef v_gt_u
#undef v_sel
#undef v_min_u
#undef v_min_s
#undef v_max_s
#undef v_clamp
#undef v_minus_1
#undef v_load
#undef v_store
#undef u8s
#undef u16s
#undef u32s
#undef s8s
#undef s16s
#undef s32s
#undef words
#undef FRACTION
#undef BIAS
#undef SIGN_AT
#undef EXCESS_BITS
#undef MAX_SHIFT
#undef infinity_bits
#undef power_of_2
#undef sign_mask_of
#undef magnitude_of
#undef sign_bit_of
#undef by_sign
#undef rounding
#undef rounding_of
#undef round_add
#undef exact_float
#undef widen
#undef to_odd
#undef from_integer
#undef flush_of
#undef narrow
#undef narrow_of
#undef unpacked
#undef unpack
#undef round_magnitude
#undef round_magnitude_stochastically
#undef align_to
#undef finish_code
#undef integral_rounding
#undef integral_rounding_of
#undef make_integral
#undef to_integer
#undef to_integer_of
#undef load_float
#undef float_to_float
#undef float_to_integral
#undef float_to_integer
#undef saturated
#undef integer_to_float
#undef integer_to_integer
#undef WORD
