/* SPDX-License-Identifier: MIT */
/*
 * Converts the formats of 8 bits and less to bf16 in byte lanes, optionally multiplied by ue8m0 scales. Exponents
 * and fractions are computed separately and are interleaved to 16-bit words at the end. Part of AVX2's and
 * AVX-512's convert_native.h, whose bytes.h defines a vector type `bytes` of VBYTES bytes and
 *
 *   b_load(p), b_store(p, x)       load and store at any alignment
 *   b_nibbles(p)                   VBYTES codes of e2m1, each in a byte of its own
 *   b_for_interleave(x)            x permuted so that b_low and b_high return bytes in order
 *   b_low(a, b), b_high(a, b)      the bytes of a and b interleaved: the first half and the second half
 *   b_table(t), b_look_up(t, i)    a table of 16 entries; the entries at the low 4 bits of each i, which is below 128
 *   b_min(a, b)                    the minimum; b_sub_saturated(a, b): a - b, saturated at 0
 *   b_select_bits(bits, yes, no)   the bits of `yes` where `bits` is 1, those of `no` elsewhere
 *   b_zero_if_negative(x, sign)    x, but 0 in each byte where the top bit of `sign` is set
 *   b_greater(a, b), b_any(truth)  a > b, which | can combine; whether any byte is true
 *
 * and those of x86/bytes.h. C's operators work on each byte.
 */

/*
 * Two tables that are indexed by the significand of a code, including the hidden bit of normal values. b_bf16_fractions
 * has the significand bits after the leading one, aligned to bf16's fraction field. b_exponent_deficits has what to
 * subtract from the exponent: `top` if the leading one is the lowest bit, one less for each higher bit. Its entry for
 * zero is 255, so that the saturating subtraction gives the exponent 0.
 */
static ALWAYS_INLINE bytes b_bf16_fractions(void) {
    return b_table(
        _mm_setr_epi8(0, 0, 0, 0x40, 0, 0x20, 0x40, 0x60, 0, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70));
}

static ALWAYS_INLINE bytes b_exponent_deficits(unsigned fraction_bits, unsigned top) {
    const s8 a = (s8)top, b = (s8)(top - 1), c = (s8)(top - 2);
    if (fraction_bits == 3) return b_table(_mm_setr_epi8(-1, a, b, b, c, c, c, c, c, c, c, c, c, c, c, c));
    if (fraction_bits == 2) return b_table(_mm_setr_epi8(-1, a, b, b, b, b, b, b, 0, 0, 0, 0, 0, 0, 0, 0));
    return b_table(_mm_setr_epi8(-1, a, a, a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

static ALWAYS_INLINE bytes b_codes(const u8 *p, pto_dtype type) {
    return b_for_interleave(type == PTO_E2M1 ? b_nibbles(p) : b_load(p));
}

/*
 * Converts n codes of `type`; multiplies them by `scales` if `scaled`. The exponent field of a result is the scale plus
 * `exponent_offset`, minus the entry of b_exponent_deficits, plus the exponent field of the code. No product overflows
 * or becomes subnormal if the scale plus `exponent_offset`, modulo 256, is at least `smallest_sum`: scales that are too
 * large wrap to less than that. If any of VBYTES elements has another scale, or is an infinity or a NaN, the
 * generic kernel converts all of them.
 */
static ALWAYS_INLINE void small_to_bf16(pto_dtype type, bool scaled, const pto_cvt_op *op, const u8 *src,
                                        u8 *dst, const u8 *scales, size_t n) {
    const struct cvt_format from = cvt_format_of(type);
    const unsigned fraction_bits = from.fraction_bits, at_sign = (unsigned)from.exponent_bits + fraction_bits;
    const unsigned max_exponent = (unsigned)cvt_max_code(from) >> fraction_bits,
                   top = max_exponent + fraction_bits;
    const unsigned exponent_offset = max_exponent - (unsigned)from.bias + 1, smallest_sum = top + 1;
    const size_t in_bits = type == PTO_E2M1 ? 4 : 8;
    const bytes deficits = b_exponent_deficits(fraction_bits, top), fractions = b_bf16_fractions();
    const bytes unscaled_exponents =
        b_sub_saturated(b_const(UE8M0_BIAS + exponent_offset), deficits); /* exponents without scales */
    for (size_t i = 0; i < n; i += VBYTES) {
        const u8 *from_here = src + i / 8 * in_bits;
        const bytes code = b_codes(from_here, type);
        const bytes magnitude = code & (u8)low_bits(at_sign);
        const bytes index =
            b_min(magnitude, (code & (u8)low_bits(fraction_bits)) | (u8)(1U << fraction_bits));
        const bytes field = b_right(magnitude, fraction_bits) & (u8)low_bits(from.exponent_bits);
        const bytes sign = b_left(code, 7 - (at_sign < 8 ? at_sign : 7));
        const bytes fraction = b_look_up(fractions, index);
        bytes exponent, lower, upper;
        bytes_truth needs_generic = (bytes_truth){0};
        if (scaled) {
            const bytes scale = b_for_interleave(b_load(scales + i)) + (u8)exponent_offset;
            exponent = b_sub_saturated(scale, b_look_up(deficits, index) - field);
            needs_generic = b_greater(b_const(smallest_sum), scale);
        } else {
            exponent = b_look_up(unscaled_exponents, index) + field;
        }
        if (from.specials != SPECIALS_NONE)
            needs_generic |= b_greater(magnitude, b_const((unsigned)cvt_max_code(from)));
        if ((scaled || from.specials != SPECIALS_NONE) && unlikely(b_any(needs_generic))) {
            generic_kernel(*op)->run(op, from_here, dst + 2 * i, scaled ? scales + i : NULL, VBYTES);
            continue;
        }
        lower = b_select_bits(b_const(0x80), b_left(exponent, 7), fraction);
        upper = b_right(exponent, 1) & 0x7f;
        if (at_sign < 8) upper = b_select_bits(b_const(0x80), sign, upper);
        if (op->relu) {
            lower = b_zero_if_negative(lower, sign);
            upper = b_zero_if_negative(upper, sign);
        }
        b_store(dst + 2 * i, b_low(lower, upper));
        b_store(dst + 2 * i + VBYTES, b_high(lower, upper));
    }
}

/* ---- kernels ---- */

#define BF16_FROM(X)                                                                                         \
    X(E4M3)                                                                                                  \
    X(E5M2)                                                                                                  \
    X(E2M3)                                                                                                  \
    X(E3M2)                                                                                                  \
    X(E2M1)                                                                                                  \
    X(UE5M3)

#define WIDEN(src_)                                                                                          \
    CVT_KERNEL(widen_##src_, VBYTES, FP_ANY, small_to_bf16(PTO_##src_, false, op, src, dst, NULL, n))        \
    CVT_KERNEL(scaled_widen_##src_, VBYTES, FP_ANY, small_to_bf16(PTO_##src_, true, op, src, dst, extra, n))
BF16_FROM(WIDEN)

#define WIDENS(src_) [PTO_##src_] = {&widen_##src_, &scaled_widen_##src_},

/* Returns the kernel for op, or NULL if there is none here. bf16 holds every source value exactly, so the
 * kernels also serve .rz, .rm and .rp, which composed pairs take. */
static const struct cvt_kernel *widen_kernel(pto_cvt_op op) {
    static const struct cvt_kernel *const kernels[CVT_TYPES][2] = {BF16_FROM(WIDENS)};
    return op.dst == PTO_BF16 ? kernels[op.src][op.scale != PTO_SCALE_NONE] : NULL;
}
