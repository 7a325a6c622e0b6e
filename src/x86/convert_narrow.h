/* SPDX-License-Identifier: MIT */
/*
 * The numbers by which AVX2 and AVX-512 round f16, bf16 and f32 to the formats of 8 bits and less, in every form but
 * .rs, in lanes of 16 bits and by integer arithmetic alone. Part of each folder's convert_narrow.h.
 *
 * A lane is a number without its sign, doubled, so that its lowest digit is always 0; the exponent field of a bf16
 * is then a byte. f32 comes as a bf16 rounded to odd, whose last digit stands for all that were cut off: digits
 * enough to be rounded once more. So does f16 over a scale. By the exponent, told from a lowest one at which
 * everything is zero, a table says what to take from the lane and how many digits to cut off then.
 */

/* Lanes are bounded by `largest`, whose exponent may be beyond the tables: the upper ones are all alike. */
enum { NARROW_ENTRIES = 8 };

struct narrow_shape {
    unsigned digits, cut; /* of a lane, below its exponent, and of those to be cut off a normal number */
    unsigned lowest;      /* the exponent field from which others are told */
    unsigned first;       /* and told so, that of the destination's smallest normal */
    unsigned largest;
    unsigned special;       /* doubled sources from here on are no numbers, or become none */
    unsigned nan, sign_bit; /* codes */
    unsigned least_scale,
        scale_span; /* the first scale, and how many are behind it, that the tables can do */
};

/* Of lanes in a format. What is not .satfinite, of ue5m3 alone, has its NaN for overflow. */
static ALWAYS_INLINE struct narrow_shape narrow_shape_of(pto_cvt_op op, struct cvt_format from) {
    const struct cvt_format to = cvt_format_of(op.dst);
    const unsigned normal = (unsigned)(from.bias - to.bias) + 1, above_zero = to.fraction_bits + 2U;
    const bool overflows = !op.satfinite && op.round != PTO_RZ;
    struct narrow_shape s;
    s.digits = from.fraction_bits + 1U;
    s.cut = s.digits - to.fraction_bits;
    s.first = normal < above_zero ? normal : above_zero;
    s.lowest = normal - s.first;
    s.largest = (((unsigned)cvt_max_code(to) + overflows) << s.cut) + ((s.first - 1) << s.digits);
    s.special =
        2 * (unsigned)cvt_inf_code(cvt_format_of(op.src == PTO_F16 ? PTO_F16 : PTO_BF16)) + op.satfinite;
    s.nan = (unsigned)cvt_canonical_nan(to);
    s.sign_bit = op.dst == PTO_UE5M3 ? 0 : 1U << (to.exponent_bits + to.fraction_bits);
    s.least_scale = UE8M0_BIAS - s.lowest;
    s.scale_span = UE8M0_NAN - 1 - (s.largest >> s.digits);
    return s;
}

struct narrow_entry {
    unsigned less, cut;
};

/*
 * To nearest, less than half of what is cut off is added, and 1 more where the last digit kept is odd. A lane shows
 * that digit where it is cut, unless nothing but the hidden digit is kept, or not even that: what is taken is odd
 * then, by which the lane's digit has no part in it. So it is for .rz: to add 1 to a lane, which is even, does nothing.
 * The hidden digit is put where it is not, in the numbers that become subnormal.
 */
static ALWAYS_INLINE struct narrow_entry narrow_entry_of(const struct narrow_shape *s, unsigned exponent,
                                                         bool rounds) {
    const unsigned own = exponent == 0 && s->lowest == 0 ? 1 : exponent; /* a subnormal f16 */
    const unsigned missing = own < s->first ? s->first - own : 0, cut = s->cut + missing;
    const unsigned hidden = (missing + 1 - s->first) << s->digits;
    const unsigned half = 1U << (cut - 1);
    struct narrow_entry e = {0, cut};
    unsigned share = 1;
    if (cut > s->digits + 1)
        e.cut = s->digits + 1;
    else if (rounds)
        share = cut < s->digits ? half : cut == s->digits ? half + 1 : half - 1;
    e.less = -(hidden + share);
    return e;
}

/* Whether pto_cvt's op is one of these. .rp is that of ue5m3; and infinite f16, which are no larger than its numbers,
 * would not be bounded. */
static ALWAYS_INLINE bool is_narrowing(pto_cvt_op op) {
    if (!cvt_is_small(op.dst) && op.dst != PTO_UE5M3) return false;
    if (op.dst == PTO_UE5M3 && op.src == PTO_F16 && op.scale == PTO_SCALE_NONE && op.satfinite) return false;
    return op.round == PTO_RN || op.round == PTO_RZ;
}
