/* SPDX-License-Identifier: MIT */
/*
 * Parameters with which AVX2 and AVX-512 round f16, bf16 and f32 to the formats of 8 bits and less. They serve every
 * rounding except .rs and .rp, in 16-bit lanes and with integer arithmetic only. Included by
 * convert_narrow.h of both folders.
 *
 * A lane is a magnitude shifted left by one bit, so its lowest bit is always 0. After this shift, the exponent field of
 * a bf16 is exactly the upper byte of the lane. f32, and f16 with a scale, are first rounded to odd to bf16: its lowest
 * bit is set if anything was cut off. bf16 has enough bits more than the formats here that the second rounding is
 * correct.
 *
 * The exponent field of a lane, relative to `lowest`, indexes a table. Its entry says what to subtract from the lane
 * and by how many bits to shift the difference right.
 */

/* Entries of the tables. Lanes are limited to `largest`, whose exponent may exceed the last index. Exponents
 * from `first_normal` on have equal entries, so such lanes use the last one. */
enum { NARROW_TABLE_SIZE = 8 };

struct narrow_params {
    unsigned exponent_shift, dropped_bits; /* bits below a lane's exponent; bits a normal result drops */
    unsigned lowest;        /* the exponent field of index 0; lanes with a lower one become zero */
    unsigned first_normal;  /* the index of the destination's smallest normal value */
    unsigned largest;       /* the upper limit of lanes, relative to `lowest` */
    unsigned special;       /* doubled sources from here on are NaNs, or infinities that become NaN */
    unsigned nan, sign_bit; /* codes of the destination */
    unsigned min_scale, scale_range; /* the tables handle scales from the first to the sum of both */
};

/* Returns the parameters for lanes of format `from`. Without .satfinite, which only conversions to ue5m3 and those of
 * pto_cast() may lack, an overflow gives the code after the largest value, except with .rz. That code is the NaN of
 * ue5m3. In the formats of narrows_as_cast() it is the result for an infinity, too. */
static ALWAYS_INLINE struct narrow_params narrow_params_of(pto_cvt_op op, struct cvt_format from) {
    const struct cvt_format to = cvt_format_of(op.dst);
    const unsigned normal = (unsigned)(from.bias - to.bias) + 1, above_zero = to.fraction_bits + 2U;
    const bool overflows = !op.satfinite && op.round != PTO_RZ;
    struct narrow_params s;
    s.exponent_shift = from.fraction_bits + 1U;
    s.dropped_bits = s.exponent_shift - to.fraction_bits;
    s.first_normal = normal < above_zero ? normal : above_zero;
    s.lowest = normal - s.first_normal;
    s.largest = (((unsigned)cvt_max_code(to) + overflows) << s.dropped_bits) +
                ((s.first_normal - 1) << s.exponent_shift);
    s.special = 2 * (unsigned)cvt_inf_code(cvt_format_of(op.src == PTO_F16 ? PTO_F16 : PTO_BF16)) +
                (op.satfinite || to.specials != SPECIALS_NAN);
    s.nan = (unsigned)cvt_canonical_nan(to);
    s.sign_bit = op.dst == PTO_UE5M3 ? 0 : 1U << (to.exponent_bits + to.fraction_bits);
    s.min_scale = UE8M0_BIAS - s.lowest;
    s.scale_range = UE8M0_NAN - 1 - (s.largest >> s.exponent_shift);
    return s;
}

struct narrow_entry {
    unsigned subtrahend, shift;
};

/*
 * Returns the table entry for an exponent that is relative to `lowest`: what to subtract from a lane, and by how many
 * bits to shift the difference right.
 *
 * To round to nearest even, half a unit in the last place is added, and 1 is subtracted if the last kept bit is even.
 * codes_of() reads that bit from the lane, and subtracts 1 only if `subtrahend` is even. If the hidden bit is the only
 * kept bit, or is cut off as well, the lane does not contain the last kept bit. `subtrahend` is then odd, so the lane's
 * bit has no effect. It is odd for .rz, too: adding 1 to a lane changes nothing, because lanes are even.
 *
 * `subtrahend` also rebiases the exponent. In values that become subnormal, it makes the hidden bit explicit.
 */
static ALWAYS_INLINE struct narrow_entry narrow_entry_of(const struct narrow_params *s, unsigned exponent,
                                                         bool rounds) {
    const unsigned effective_exponent = exponent == 0 && s->lowest == 0 ? 1 : exponent; /* subnormal f16 */
    const unsigned extra_shift =
                       effective_exponent < s->first_normal ? s->first_normal - effective_exponent : 0,
                   shift = s->dropped_bits + extra_shift;
    const unsigned rebias = (extra_shift + 1 - s->first_normal) << s->exponent_shift;
    const unsigned half = 1U << (shift - 1);
    struct narrow_entry e = {0, shift};
    unsigned bias = 1;
    if (shift > s->exponent_shift + 1)
        e.shift = s->exponent_shift + 1;
    else if (rounds)
        bias = shift < s->exponent_shift ? half : shift == s->exponent_shift ? half + 1 : half - 1;
    e.subtrahend = -(rebias + bias);
    return e;
}

/*
 * Returns whether these kernels serve op. They do not round with .rp, which ue5m3 has. f16 to ue5m3 with
 * .satfinite is excluded: the bits of f16's infinity, taken as a finite value, are below the largest ue5m3, so
 * `largest` would not limit them.
 */
static ALWAYS_INLINE bool is_narrowing(pto_cvt_op op) {
    if (!cvt_is_small(op.dst) && op.dst != PTO_UE5M3) return false;
    if (op.dst == PTO_UE5M3 && op.src == PTO_F16 && op.scale == PTO_SCALE_NONE && op.satfinite) return false;
    return op.round == PTO_RN || op.round == PTO_RZ;
}

/*
 * Sets *cvt to the op with which these kernels, without scales, give the results of a cast. Returns false if there is
 * none. A value that is too large must give the same as an infinity, and that must be the largest value or the code
 * after it, with the sign of the value. f16 lanes need a format whose exponents are all those of normal values of f16.
 */
static ALWAYS_INLINE bool narrows_as_cast(pto_cast_op op, pto_cvt_op *cvt) {
    const struct cvt_format to = cvt_format_of(op.dst);
    const bool has_one_zero = cast_nan(op.dst) == cast_sign(op.dst), is_f16 = op.src == PTO_F16;
    const u64 overflow = cast_overflow(op, false), largest = cast_largest(op.dst);
    const u64 infinity = op.overflow == PTO_OVERFLOW_SATURATE ? largest : cast_infinity(op.dst);
    *cvt = (pto_cvt_op){.dst = op.dst, .src = op.src, .round = PTO_RN, .satfinite = overflow == largest};
    cvt->pzo = has_one_zero;
    if (op.round != PTO_RN || to.exponent_bits == 0 || pto_dtypes[op.dst].bits != 8) return false;
    if (!is_f16 && op.src != PTO_BF16 && op.src != PTO_F32) return false;
    if (cast_has_no_sign(op.dst) || overflow != infinity || overflow > largest + 1) return false;
    if (overflow == cast_nan(op.dst) && !has_one_zero) return false;
    return !is_f16 || to.exponent_bits < 5;
}
