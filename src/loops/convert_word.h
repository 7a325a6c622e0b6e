/* SPDX-License-Identifier: MIT */
/*
 * Conversions of one vector of elements, without a branch. Floating-point sources arrive as the bits of f32
 * (WORD 32) or f64 (WORD 64), which hold every narrower format exactly; what an op's rounding and modifiers
 * do is told in masks and bounds, the same for all elements. Include with WORD defined, after cvt_vec.h with
 * the same.
 *
 * All of it is integer arithmetic but for integer-to-float conversions that are exact, so it runs in any FP
 * state.
 */
#define E       CAT(u, WORD)
#define U       CAT3(u, WORD, v)
#define S       CAT3(s, WORD, v)
#define M       N(mask)
#define N(name) CAT3(name, _, WORD)

enum {
    N(FRACTION) = WORD == 32 ? 23 : 52,
    N(BIAS) = WORD == 32 ? 127 : 1023,
    N(SIGN_AT) = WORD - 1,
    N(SPARE) = WORD - 1 - N(FRACTION), /* how many digits an integer may have too many */
    /* Enough to shift all digits out. One more, and the float conversion from which clang makes SSE2's shifts
     * would leave the range of integers and raise a flag. */
    N(FAR) = WORD - 2
};

/* Bits of numbers in the working format. */
static ALWAYS_INLINE E N(infinity)(void) {
    return (E)(2 * N(BIAS) + 1) << N(FRACTION);
}

static ALWAYS_INLINE E N(power_of_2)(int exponent) {
    return (E)(N(BIAS) + exponent) << N(FRACTION);
}

/* All ones for a negative number. Compilers that have these vectors shift the sign in. */
static ALWAYS_INLINE U N(sign_mask)(U x) {
    // cppcheck-suppress shiftTooManyBitsSigned
    return (U)((S)x >> N(SIGN_AT));
}

static ALWAYS_INLINE U N(magnitude)(U x) {
    return x & ~((E)1 << N(SIGN_AT));
}

static ALWAYS_INLINE U N(sign_bit)(U x) {
    return x & ((E)1 << N(SIGN_AT));
}

/* One of two constants, by sign. */
static ALWAYS_INLINE U N(by_sign)(U sign, E positive, E negative) {
    return positive == negative ? N(all)(positive) : (sign & (positive ^ negative)) ^ positive;
}

/* ---- rounding ---- */

/* To cut `ones` (a number 2^sh - 1) off, add a share of it first: half of it to nearest, all of it away from
 * zero. */
struct N(rounding) {
    E nearest;               /* 1: half */
    E even;                  /* 1: and the last digit kept, so that ties go to even */
    E share, share_negative; /* all ones or zero */
};

static ALWAYS_INLINE struct N(rounding) N(rounding_of)(pto_round round) {
    const bool nearest = round == PTO_ROUND_NONE || round == PTO_RN || round == PTO_RNI;
    const bool up = round == PTO_RP || round == PTO_RPI, down = round == PTO_RM || round == PTO_RMI;
    struct N(rounding) r;
    r.nearest = r.even = nearest;
    r.share = nearest || up ? ~(E)0 : 0;
    r.share_negative = nearest || down ? ~(E)0 : 0;
    return r;
}

/* What to add to m before it is shifted right by sh, 0 <= sh <= N(FAR). */
static ALWAYS_INLINE U N(round_add)(U m, U sh, U sign, const struct N(rounding) * r) {
    const U ones = (N(all)(1) << sh) - 1;
    return ((ones >> r->nearest) & N(by_sign)(sign, r->share, r->share_negative)) +
           ((m >> sh) & ones & r->even);
}

/* ---- into the working format ---- */

/* The float of an integer that it holds exactly: below 2^24 or 2^53, or a multiple that is as short. */
static ALWAYS_INLINE U N(exact)(U m) {
#if WORD == 32
    typedef float floats __attribute__((vector_size(VBYTES)));
    return (U) __builtin_convertvector((S)m, floats);
#else
    /* Of its halves, each put below a 1 of the right weight, which is taken away again. Rounding down, the
       sum of two zeros is -0. */
    typedef double doubles __attribute__((vector_size(VBYTES)));
    const doubles low = (doubles)((m & 0xffffffff) | 0x4330000000000000);
    const doubles high = (doubles)((m >> 32) | 0x4530000000000000);
    return N(magnitude)((U)((low - 0x1p52) + (high - 0x1p84)));
#endif
}

/* A code of a narrower format. */
static ALWAYS_INLINE U N(widen)(U code, struct cvt_format from) {
    const E digits = (E)from.exponent_bits + from.fraction_bits, cut = N(FRACTION) - (E)from.fraction_bits;
    const U magnitude = code & (E)low_bits(digits), sign = code >> digits << N(SIGN_AT);
    const E bias = (E)(N(BIAS) - from.bias) << N(FRACTION), first_normal = (E)1 << from.fraction_bits;
    const E unit = (E)(from.bias + from.fraction_bits - 1) << N(FRACTION); /* subnormals count 1 / 2^this */
    U x = (magnitude << cut) + bias;
    if (digits + 1 + cut == WORD) return code << cut;
    x = N(select)(N(below)(magnitude, N(all)(first_normal)), N(exact)(magnitude) - unit, x);
    x = N(select)(N(below)(magnitude, N(all)(1)), N(all)(0), x);
    if (from.specials == SPECIALS_IEEE)
        x = N(select)(N(above)(magnitude, N(all)((E)cvt_max_code(from))), x | N(infinity)(), x);
    if (from.specials == SPECIALS_NAN)
        x = N(select)(N(above)(magnitude, N(all)((E)cvt_max_code(from))), N(all)(~(E)0 >> 1), x);
    return x | sign;
}

/* A magnitude as the bits of a float, its last digit standing for all that were cut off, if any were: to
 * round that once more, to a format with two digits less or fewer, is to round the integer. */
static ALWAYS_INLINE U N(to_odd)(U m) {
    const M is_long = N(above)(m, N(all)(((E)2 << N(FRACTION)) - 1));
    const U cut = (m >> N(SPARE)) | N(least)(m & (((E)1 << N(SPARE)) - 1), N(all)(1));
    return N(exact)(N(select)(is_long, cut, m)) +
           N(select)(is_long, N(all)((E)N(SPARE) << N(FRACTION)), N(all)(0));
}

/* A magnitude rounded to the working format. */
static ALWAYS_INLINE U N(from_integer)(U m, U sign, const struct N(rounding) * r) {
    const S digits = (S)(N(exact)(m >> N(SPARE)) >> N(FRACTION)) - (N(BIAS) - 1 - N(SPARE));
    const U sh = (U)N(clamp)(digits - (N(FRACTION) + 1), 0, N(SPARE));
    const U rest = m & ((N(all)(1) << sh) - 1), keep = m >> sh;
    return N(exact)(keep + ((rest + N(round_add)(m, sh, sign, r)) >> sh)) + (sh << N(FRACTION));
}

/* ---- from floating point to floating point ---- */

/* Everything is in the destination's code unless said otherwise. */
struct N(narrow) {
    struct N(rounding) rounding;
    E flush, flush_negative; /* source magnitudes below this count as zero */
    E limit;                 /* a magnitude above it ... */
    E over, over_negative;   /* ... becomes this, by sign; */
    E infinity;              /* ... and this if the source is infinite */
    E nan, nan_keep;         /* a NaN: these bits, and those of the source, aligned, in this mask */
    E sign, drop;            /* the sign bit, 0 if there shall be none; all ones: negative results are zero */
};

/* f32 <- f64 .ftz flushes what is below 2^-126 after rounding to 24 digits with an unbounded exponent. */
static ALWAYS_INLINE void N(flush_of)(struct N(narrow) * p, pto_cvt_op op) {
    const E smallest = N(power_of_2)(-126);
    p->flush = p->flush_negative = 0;
    if (!op.ftz || op.dst == PTO_F16) return;
    p->flush = p->flush_negative = smallest;
    if (op.src == PTO_F64) {
        const E rounding_up = smallest - ((E)1 << 29) + 1, to_nearest = smallest - ((E)1 << 28);
        if (op.round == PTO_RN) p->flush = p->flush_negative = to_nearest;
        if (op.round == PTO_RP) p->flush = rounding_up;
        if (op.round == PTO_RM) p->flush_negative = rounding_up;
    }
}

static ALWAYS_INLINE struct N(narrow) N(narrow_of)(pto_cvt_op op, struct cvt_format to) {
    const struct cvt_nan nan = cvt_nan_of(op);
    const E max = (E)cvt_max_code(to), one = (E)cvt_one_code(to);
    const E inf = to.specials == SPECIALS_IEEE ? max + 1 : max;
    const bool unsigned_result = op.sat || op.relu;
    struct N(narrow) p;
    p.rounding = N(rounding_of)(op.round);
    N(flush_of)(&p, op);
    p.limit = op.sat ? one : max;
    p.infinity = op.sat ? one : op.satfinite ? max : inf;
    p.over = op.round == PTO_RZ || op.round == PTO_RM ? max : inf;
    p.over_negative = op.round == PTO_RZ || op.round == PTO_RP ? max : inf;
    if (op.sat || op.satfinite) p.over = p.over_negative = p.infinity;
    p.sign = unsigned_result ? 0 : (E)1 << (to.exponent_bits + to.fraction_bits);
    p.drop = unsigned_result ? ~(E)0 : 0;
    p.nan = (E)nan.bits;
    p.nan_keep = nan.keep ? p.sign | (E)low_bits(to.fraction_bits) : 0;
    return p;
}

/*
 * A magnitude taken apart for a destination: its digits as an integer, how many of them (at most N(FAR))
 * lie below the destination's last one, and the destination's exponent field less one, which ends at 0, so
 * that subnormals are cut higher up. The code is then the exponent, shifted into place, plus the digits that
 * are kept, hidden one included; a carry out of them steps into the exponent as it should.
 */
struct N(digits) {
    U m, cut, exponent;
};

static ALWAYS_INLINE struct N(digits) N(digits_of)(U magnitude, E cut, struct cvt_format to) {
    const E rebias = (E)(N(BIAS) - to.bias);
    const U exponent = (U)N(most_s)((S)(magnitude >> N(FRACTION)), (S)N(all)(1)) - 1;
    const U wanted = (U)N(most_s)((S)exponent, (S)N(all)(rebias));
    struct N(digits) d;
    d.m = magnitude - (exponent << N(FRACTION));
    d.cut = N(least)(wanted - exponent + cut, N(all)(N(FAR)));
    d.exponent = (wanted - rebias) << to.fraction_bits;
    return d;
}

static ALWAYS_INLINE U N(round_magnitude)(U magnitude, U sign, const struct N(rounding) * r,
                                          struct cvt_format to) {
    const E cut = (E)(N(FRACTION) - to.fraction_bits);
    struct N(digits) d;
    if (cut == 0) return magnitude;
    if (to.bias == N(BIAS)) return (magnitude + N(round_add)(magnitude, N(all)(cut), sign, r)) >> cut;
    d = N(digits_of)(magnitude, cut, to);
    return d.exponent + ((d.m + N(round_add)(d.m, d.cut, sign, r)) >> d.cut);
}

/* The same with random bits, k of them, added to the leading digits that are cut off. */
static ALWAYS_INLINE U N(round_magnitude_randomly)(U magnitude, U random, E k, struct cvt_format to) {
    const struct N(digits) d = N(digits_of)(magnitude, (E)(N(FRACTION) - to.fraction_bits) - k, to);
    return d.exponent + (((d.m >> d.cut) + random) >> k);
}

/* The source's sign and leading digits where they lie in the destination. */
static ALWAYS_INLINE U N(aligned)(U x, struct cvt_format to) {
    const E cut = (E)(N(FRACTION) - to.fraction_bits);
    const E down = (E)(N(SIGN_AT) - (to.exponent_bits + to.fraction_bits));
    return ((x >> cut) & (E)low_bits(to.fraction_bits)) | (N(sign_bit)(x) >> down);
}

/* A code that is rounded, brought into bounds and signed. */
static ALWAYS_INLINE U N(finish)(U code, U x, const struct N(narrow) * p, struct cvt_format to) {
    const U magnitude = N(magnitude)(x), sign = N(sign_mask)(x);
    const M is_nan = N(above)(magnitude, N(all)(N(infinity)()));
    if (p->over == p->infinity && p->over == p->over_negative && p->over == p->limit) {
        code = N(least)(code, N(all)(p->limit));
    } else {
        code = N(select)(N(above)(code, N(all)(p->limit)), N(by_sign)(sign, p->over, p->over_negative), code);
        code = N(select)(N(above)(magnitude, N(all)(N(infinity)() - 1)), N(all)(p->infinity), code);
    }
    code = (code & ~(sign & p->drop)) | (sign & p->sign);
    return N(select)(is_nan, (N(aligned)(x, to) & p->nan_keep) | p->nan, code);
}

static ALWAYS_INLINE U N(narrow)(U x, const struct N(narrow) * p, struct cvt_format to) {
    const U sign = N(sign_mask)(x), whole = N(magnitude)(x);
    const U flush = N(by_sign)(sign, p->flush, p->flush_negative);
    const U magnitude = N(select)(N(below)(whole, flush), N(all)(0), whole);
    return N(finish)(N(round_magnitude)(magnitude, sign, &p->rounding, to), x, p, to);
}

/* ---- to an integral value, in the working format itself ---- */

struct N(integral) {
    struct N(rounding) rounding;
    E one_above, one_above_negative; /* magnitudes below 1: those above this become 1, the others 0 */
};

static ALWAYS_INLINE struct N(integral) N(integral_of)(pto_round round) {
    const E never = ~(E)0, half = N(power_of_2)(-1);
    struct N(integral) p;
    p.rounding = N(rounding_of)(round);
    p.one_above = round == PTO_RNI ? half : round == PTO_RPI ? 0 : never;
    p.one_above_negative = round == PTO_RNI ? half : round == PTO_RMI ? 0 : never;
    return p;
}

static ALWAYS_INLINE U N(make_integral)(U x, const struct N(integral) * p) {
    const U sign = N(sign_mask)(x), magnitude = N(magnitude)(x), one = N(all)(N(power_of_2)(0));
    const S exponent = (S)(magnitude >> N(FRACTION));
    const U sh = (U)N(clamp)(N(BIAS) + N(FRACTION) - exponent, 0, N(FRACTION)), ones = (N(all)(1) << sh) - 1;
    const U large = (magnitude + N(round_add)(magnitude, sh, sign, &p->rounding)) & ~ones;
    const U above = N(by_sign)(sign, p->one_above, p->one_above_negative);
    const U small = N(select)(N(above)(magnitude, above), one, N(all)(0));
    return N(select)(N(below)(magnitude, one), small, large) | N(sign_bit)(x);
}

/* ---- from floating point to integers ---- */

struct N(to_integer) {
    struct N(rounding) rounding;
    E flush;                 /* source magnitudes below this count as zero */
    E limit, limit_negative; /* largest magnitudes */
    E nan;
};

static ALWAYS_INLINE struct N(to_integer) N(to_integer_of)(pto_cvt_op op, unsigned dst_bits) {
    const bool is_signed = cvt_is_signed(op.dst);
    struct N(to_integer) p;
    p.rounding = N(rounding_of)(op.round);
    p.flush = cvt_flushes_source(op) ? N(power_of_2)(-126) : 0;
    p.limit = (E)low_bits(is_signed ? dst_bits - 1 : dst_bits);
    p.limit_negative = is_signed ? (E)1 << (dst_bits - 1) : 0;
    p.nan = (E)cvt_integer_nan(op, dst_bits);
    return p;
}

static ALWAYS_INLINE U N(to_integer)(U x, const struct N(to_integer) * p) {
    const U sign = N(sign_mask)(x), whole = N(magnitude)(x);
    const U magnitude = N(select)(N(below)(whole, N(all)(p->flush)), N(all)(0), whole);
    const U exponent = (U)N(most_s)((S)(magnitude >> N(FRACTION)), (S)N(all)(1)) - 1;
    const U m = magnitude - (exponent << N(FRACTION));
    const S sh = N(BIAS) + N(FRACTION) - 1 - (S)exponent;
    const U right = (U)N(clamp)(sh, 0, N(FAR)), left = (U)N(clamp)(-sh, 0, N(SPARE));
    const M too_large = N(above)(magnitude, N(all)(N(power_of_2)(WORD) - 1));
    const U limit = N(by_sign)(sign, p->limit, p->limit_negative);
    const U c = ((m + N(round_add)(m, right, sign, &p->rounding)) >> right) << left;
    const U result = N(least)(N(select)(too_large, limit, c), limit);
    return N(select)(N(above)(magnitude, N(all)(N(infinity)())), N(all)(p->nan), (result ^ sign) - sign);
}

/* ---- loads and loops: n is a multiple of the vector's lanes; types are constants where these are inlined
 * ---- */

static ALWAYS_INLINE U N(load_float)(const u8 *p, pto_dtype type) {
    const U code = N(load)(p, element_bytes(type), false);
    if (type == PTO_UE8M0) { /* 2^-127, a subnormal; bf16's NaN; a power of two */
        const U power = (U)N(most_s)((S)(code << 23), (S)N(all)(0x00400000));
        return N(select)(N(above)(code, N(all)(0xfe)), N(all)(0x7fff0000), power);
    }
    return N(widen)(type == PTO_E2M3 || type == PTO_E3M2 ? code & 0x3f : code, cvt_format_of(type));
}

static ALWAYS_INLINE void N(float_to_float)(pto_dtype dst_type, pto_dtype src_type, pto_cvt_op op,
                                            const u8 *src, u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const struct N(narrow) p = N(narrow_of)(op, to);
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    const bool is_done = src_type == PTO_UE8M0 && dst_type == PTO_F32 && !op.ftz; /* its NaN too */
    for (size_t i = 0; i < n; i += N(LANES)) {
        const U x = N(load_float)(src + in * i, src_type);
        N(store)(dst + out * i, is_done ? x : N(narrow)(x, &p, to), out);
    }
}

/* Rounded to an integral value first; what follows is exact. */
static ALWAYS_INLINE void N(float_to_integral)(pto_dtype type, pto_cvt_op op, const u8 *src, u8 *dst,
                                               size_t n) {
    const struct cvt_format to = cvt_format_of(type);
    const struct N(narrow) p = N(narrow_of)(op, to);
    const struct N(integral) whole = N(integral_of)(op.round);
    const size_t bytes = element_bytes(type);
    for (size_t i = 0; i < n; i += N(LANES)) {
        const U x = N(load_float)(src + bytes * i, type);
        const M flushed = N(below)(N(magnitude)(x), N(all)(p.flush));
        const U y = N(make_integral)(N(select)(flushed, N(sign_bit)(x), x), &whole);
        N(store)(dst + bytes * i, N(narrow)(y, &p, to), bytes);
    }
}

static ALWAYS_INLINE void N(float_to_integer)(size_t out, pto_dtype src_type, pto_cvt_op op, const u8 *src,
                                              u8 *dst, size_t n) {
    const struct N(to_integer) p = N(to_integer_of)(op, 8 * (unsigned)out);
    const size_t in = element_bytes(src_type);
    for (size_t i = 0; i < n; i += N(LANES))
        N(store)(dst + out * i, N(to_integer)(N(load_float)(src + in * i, src_type), &p), out);
}

/* To the working format itself: the only modifier that matters is .sat. */
static ALWAYS_INLINE U N(saturated)(U magnitude, U sign, bool sat) {
    const E drop = sat ? ~(E)0 : 0, sign_bit = ((E)1 << N(SIGN_AT)) & ~drop;
    const U least = N(least)(magnitude, N(all)(sat ? N(power_of_2)(0) : ~(E)0));
    return (least & ~(sign & drop)) | (sign & sign_bit);
}

static ALWAYS_INLINE void N(integer_to_float)(pto_dtype dst_type, pto_dtype src_type, pto_cvt_op op,
                                              const u8 *src, u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const struct N(narrow) p = N(narrow_of)(op, to);
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    const bool fits = 8 * in <= N(FRACTION) + 1;
    for (size_t i = 0; i < n; i += N(LANES)) {
        const U x = N(load)(src + in * i, in, cvt_is_signed(src_type));
        const U sign = cvt_is_signed(src_type) ? N(sign_mask)(x) : N(all)(0), m = (x ^ sign) - sign;
        U y;
        if (to.fraction_bits == N(FRACTION))
            y = N(saturated)(fits ? N(exact)(m) : N(from_integer)(m, sign, &p.rounding), sign, op.sat);
        else
            y = N(narrow)((fits ? N(exact)(m) : N(to_odd)(m)) | N(sign_bit)(sign), &p, to);
        N(store)(dst + out * i, y, out);
    }
}

/* Clamped to what both types hold, then cut. */
static ALWAYS_INLINE void N(integer_to_integer)(size_t out, pto_dtype src_type, pto_cvt_op op, const u8 *src,
                                                u8 *dst, size_t n) {
    const bool from_signed = cvt_is_signed(src_type), to_signed = cvt_is_signed(op.dst);
    const size_t in = element_bytes(src_type);
    const unsigned digits = 8 * (unsigned)out - (to_signed ? 1 : 0),
                   most_digits = WORD - (from_signed ? 1 : 0);
    const E all = (E)low_bits(most_digits), most = op.sat && digits < most_digits ? (E)low_bits(digits) : all;
    const E lowest = (E)1 << (WORD - 1);
    const E least = !op.sat ? lowest : !to_signed ? 0 : digits < WORD - 1 ? ~(E)0 << digits : lowest;
    for (size_t i = 0; i < n; i += N(LANES)) {
        U x = N(load)(src + in * i, in, from_signed);
        if (from_signed)
            x = (U)N(least_s)(N(most_s)((S)x, (S)N(all)(least)), (S)N(all)(most));
        else
            x = N(least)(x, N(all)(most));
        N(store)(dst + out * i, x, out);
    }
}

#undef E
#undef U
#undef S
#undef M
#undef N
#undef WORD
