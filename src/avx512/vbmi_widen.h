/* SPDX-License-Identifier: MIT */
/* Converts the formats of 8 bits and less to bf16, without or with ue8m0 scales, and without scales to f32 and f16.
 * Part of vbmi.c. */

/* Exponents and fractions of the codes of a format. Codes have 7 bits without their sign, or at most 6 with
 * it. */
struct code_parts {
    bytes leading_bit; /* position of the leading bit, counted from the lowest bit of the format */
    bytes fraction;    /* the 7 bits after it */
    bytes is_zero, is_nan, is_infinite;
};

static ALWAYS_INLINE struct code_parts parts_of_codes(struct cvt_format f, bytes code) {
    const unsigned fraction_bits = f.fraction_bits, at_sign = f.exponent_bits + fraction_bits;
    const bytes magnitude = code & (u8)low_bits(at_sign), rest = magnitude & (u8)low_bits(fraction_bits);
    const bytes is_subnormal = T_MASK((magnitude >> fraction_bits) == 0);
    const bytes leading_bit = (T_MASK(rest > 1) & 1) + (T_MASK(rest > 3) & 1);
    const bytes shifted = t_select(T_MASK(leading_bit == 2), rest << 5,
                                   t_select(T_MASK(leading_bit == 1), rest << 6, rest << 7));
    const bytes is_special = T_MASK(magnitude > (u8)cvt_max_code(f)),
                infinite = T_MASK(magnitude == (u8)cvt_inf_code(f));
    struct code_parts d;
    d.leading_bit =
        t_select(is_subnormal, leading_bit, (magnitude >> fraction_bits) + (u8)(fraction_bits - 1));
    d.fraction = t_select(is_subnormal, shifted, rest << (7 - fraction_bits)) & 0x7f;
    d.is_zero = T_MASK(magnitude == 0);
    d.is_infinite = f.specials == SPECIALS_IEEE ? infinite : b_const(0);
    d.is_nan = is_special & ~d.is_infinite;
    return d;
}

/* Returns whether a code with its sign can index a table of 64 entries. */
static ALWAYS_INLINE bool fits_64(struct cvt_format f) {
    return f.exponent_bits + f.fraction_bits < 6;
}

/* Returns the codes shifted so that their sign is the top bit of a byte. */
static ALWAYS_INLINE bytes sign_of_codes(struct cvt_format f, bytes code) {
    return code << (7 - f.exponent_bits - f.fraction_bits);
}

static ALWAYS_INLINE bytes load_codes(pto_dtype type, const u8 *src, size_t i) {
    return type == PTO_E2M1 ? b_nibbles(src + i / 2) : b_load(src + i);
}

/* ---- without scales ---- */

/* A 16-bit type, bf16 or f16, in which every nonzero finite code of `f` is a normal value. */
struct half_layout {
    struct cvt_format f;
    unsigned fraction_bits; /* of the 16-bit type */
    unsigned least;         /* exponent field, in the 16-bit type, of the smallest positive value of f */
};

static ALWAYS_INLINE struct half_layout half_layout(pto_dtype type, struct cvt_format f) {
    const struct cvt_format to = cvt_format_of(type);
    return (struct half_layout){f, to.fraction_bits, (unsigned)(to.bias + 1 - f.bias) - f.fraction_bits};
}

/*
 * Returns the table of the upper bytes. Its top bit is the sign for formats that fit 64 entries; for others it
 * marks a NaN.
 */
static ALWAYS_INLINE struct table_128 upper_bytes(struct half_layout h) {
    const struct cvt_format f = h.f;
    struct table_128 table = {t_iota(), t_iota() + 64};
    bytes *half[2] = {&table.low, &table.high};
    UNROLL for (int k = 0; k < 2; ++k) {
        const bytes code = *half[k];
        const struct code_parts d = parts_of_codes(f, code);
        const bytes exponent = d.leading_bit + (u8)h.least;
        const bytes number = h.fraction_bits == 7 ? exponent >> 1 : exponent << 2 | d.fraction >> 5;
        *half[k] =
            t_select(d.is_zero, b_const(0), t_select(d.is_nan | d.is_infinite, b_const(0x7f), number)) |
            ((fits_64(f) ? sign_of_codes(f, code) : d.is_nan) & 0x80);
    }
    return table;
}

static ALWAYS_INLINE struct table_128 lower_bytes(struct half_layout h) {
    struct table_128 table = {t_iota(), t_iota() + 64};
    bytes *half[2] = {&table.low, &table.high};
    UNROLL for (int k = 0; k < 2; ++k) {
        const struct code_parts d = parts_of_codes(h.f, *half[k]);
        const bytes number =
            h.fraction_bits == 7 ? (d.leading_bit + (u8)h.least) << 7 | d.fraction : d.fraction << 3;
        *half[k] =
            t_select(d.is_zero, b_const(0),
                     t_select(d.is_nan, b_const(0xff), t_select(d.is_infinite, b_const(0x80), number)));
    }
    return table;
}

/* Returns x with the sign, or without one if the top bit of x marks a NaN. Bit by bit this is c ? b & ~a : a, where a
 * is x, b is `sign`, and c is 0x80. */
static ALWAYS_INLINE bytes with_sign(bytes sign, bytes x) {
    return (bytes)_mm512_ternarylogic_epi32((__m512i)x, (__m512i)sign, (__m512i)b_const(0x80), 0x58);
}

/* The tables of both bytes of the 16-bit results. */
struct half_tables {
    struct table_128 upper, lower;
};

static ALWAYS_INLINE struct half_tables half_tables(pto_dtype type, struct cvt_format f) {
    const struct half_layout h = half_layout(type, f);
    return (struct half_tables){upper_bytes(h), lower_bytes(h)};
}

/* The 16-bit results for the lower and the upper half of each 16 bytes of codes. */
struct half_words {
    bytes low, high;
};

static ALWAYS_INLINE struct half_words halves_of_codes(struct cvt_format f, struct half_tables tables,
                                                       bytes code) {
    const bytes upper =
        fits_64(f) ? look_up_64(tables.upper.low, code) : with_sign(code, look_up_128(tables.upper, code));
    const bytes lower = fits_64(f) ? look_up_64(tables.lower.low, code) : look_up_128(tables.lower, code);
    return (struct half_words){b_low(lower, upper), b_high(lower, upper)};
}

static ALWAYS_INLINE void widen(pto_dtype dst_type, pto_dtype src_type, const u8 *src, u8 *dst, size_t n) {
    const struct cvt_format f = cvt_format_of(src_type);
    const struct half_tables tables = half_tables(dst_type, f);
    for (size_t i = 0; i < n; i += VBMI_GRANULE) {
        const struct half_words x =
            halves_of_codes(f, tables, b_for_interleave(load_codes(src_type, src, i)));
        b_store(dst + 2 * i, x.low);
        b_store(dst + 2 * i + VBYTES, x.high);
    }
}

/* ---- to f32: its upper half is a bf16; its lower half is zero, except in a NaN ---- */

static ALWAYS_INLINE void store_f32_of_bf16(struct cvt_format f, u8 *p, bytes words) {
    const __m512i upper = (__m512i)words;
    const __mmask32 is_nan =
        f.specials == SPECIALS_NONE ? 0 : _mm512_cmpeq_epi16_mask(upper, _mm512_set1_epi16(INT16_MAX));
    const __m512i lower = f.specials == SPECIALS_NONE ? _mm512_setzero_si512() : _mm512_movm_epi16(is_nan);
    b_store(p, (bytes)_mm512_unpacklo_epi16(lower, upper));
    b_store(p + VBYTES, (bytes)_mm512_unpackhi_epi16(lower, upper));
}

static ALWAYS_INLINE void widen_f32(pto_dtype type, const u8 *src, u8 *dst, size_t n) {
    const struct cvt_format f = cvt_format_of(type);
    const struct half_tables tables = half_tables(PTO_BF16, f);
    for (size_t i = 0; i < n; i += VBMI_GRANULE) {
        const struct half_words x =
            halves_of_codes(f, tables, b_for_interleave_twice(load_codes(type, src, i)));
        store_f32_of_bf16(f, dst + 4 * i, x.low);
        store_f32_of_bf16(f, dst + 4 * i + (size_t)2 * VBYTES, x.high);
    }
}

/* ---- with scales ---- */

/*
 * The exponent field of a result is the scale plus added_to_scale(), minus the code's entry of
 * exponent_deficits_of(). The top bit of the sum is set if the scale is handled here. The entry is CODE_HANDLED
 * plus how far the leading bit of the code is below that of the largest one. The entry of zero is 255, so that
 * the saturating subtraction gives 0. The entry of a NaN or an infinity is 0. No other entry
 * lacks the bit CODE_HANDLED.
 */
enum { CODE_HANDLED = 0x40 };

static ALWAYS_INLINE unsigned max_leading_bit(struct cvt_format f) {
    return (unsigned)(cvt_max_code(f) >> f.fraction_bits) + f.fraction_bits - 1;
}

static ALWAYS_INLINE unsigned added_to_scale(struct cvt_format f) {
    return CODE_HANDLED + (unsigned)(cvt_max_code(f) >> f.fraction_bits) - (unsigned)f.bias;
}

static ALWAYS_INLINE struct table_128 exponent_deficits_of(struct cvt_format f) {
    struct table_128 table = {t_iota(), t_iota() + 64};
    bytes *half[2] = {&table.low, &table.high};
    UNROLL for (int k = 0; k < 2; ++k) {
        const struct code_parts d = parts_of_codes(f, *half[k]);
        const bytes number = (u8)(CODE_HANDLED + max_leading_bit(f)) - d.leading_bit;
        *half[k] = t_select(d.is_zero, b_const(0xff), t_select(d.is_nan | d.is_infinite, b_const(0), number));
    }
    return table;
}

/*
 * The lower byte of a result has the fraction in its upper 7 bits and the sign in its lowest bit; the upper
 * byte is the exponent. Rotating the 16 bits right by one puts all in place. The fractions of 7-bit codes are
 * looked up in 64 entries. The index has the fraction bits, the sign, and the exponent bits folded over one
 * another: one of these is set unless all exponent bits are 0.
 */
static ALWAYS_INLINE unsigned fraction_index_exponent_bits(struct cvt_format f) {
    return 0x1fU - (unsigned)low_bits(f.fraction_bits);
}

static ALWAYS_INLINE bytes fraction_index(struct cvt_format f, bytes code) {
    const bytes sign_and_upper = b_right(code, 2) & (u8)(0x20 | fraction_index_exponent_bits(f));
    return fits_64(f) ? code
                      : (bytes)_mm512_ternarylogic_epi32((__m512i)sign_and_upper, (__m512i)code,
                                                         (__m512i)b_const(0x1f), 0xf8); /* a | (b & c) */
}

static ALWAYS_INLINE bytes fractions_and_sign(struct cvt_format f) {
    const bytes index = t_iota();
    const bytes is_normal =
        T_MASK((index & (u8)fraction_index_exponent_bits(f)) != 0) & (u8)(1U << f.fraction_bits);
    const bytes code = fits_64(f) ? index : (index & (u8)low_bits(f.fraction_bits)) | is_normal;
    const bytes sign = fits_64(f) ? sign_of_codes(f, index) : index << 2;
    return parts_of_codes(f, code).fraction << 1 | sign >> 7;
}

static ALWAYS_INLINE void store_rotated(u8 *p, bytes x) {
    b_store(p, (bytes)_mm512_shrdi_epi16((__m512i)x, (__m512i)x, 1));
}

static ALWAYS_INLINE bool widen_scaled(pto_dtype type, const u8 *src, u8 *dst, const u8 *scales, size_t n) {
    const struct cvt_format f = cvt_format_of(type);
    const struct table_128 exponent_deficits = exponent_deficits_of(f);
    const bytes fractions = fractions_and_sign(f);
    bytes handled_scales = b_const(0xff), handled_codes = b_const(0xff);
    for (size_t i = 0; i < n; i += (size_t)2 * VBMI_GRANULE) {
        const size_t at[2] = {i, i + VBMI_GRANULE < n ? i + VBMI_GRANULE : i};
        bytes scale[2], less[2];
        UNROLL for (int k = 0; k < 2; ++k) {
            u8 *to = dst + 2 * at[k];
            const bytes code = b_for_interleave(load_codes(type, src, at[k]));
            const bytes fraction = look_up_64(fractions, fraction_index(f, code));
            bytes exponent;
            scale[k] = b_for_interleave(b_load(scales + at[k])) + (u8)added_to_scale(f);
            less[k] =
                fits_64(f) ? look_up_64(exponent_deficits.low, code) : look_up_128(exponent_deficits, code);
            exponent = b_sub_saturated(scale[k], less[k]);
            store_rotated(to, b_low(fraction, exponent));
            store_rotated(to + VBYTES, b_high(fraction, exponent));
        }
        handled_scales = and_three(handled_scales, scale[0], scale[1]);
        if (f.specials != SPECIALS_NONE) handled_codes = and_three(handled_codes, less[0], less[1]);
    }
    return every_top_bit(handled_scales & b_left(handled_codes, 1));
}

/* ---- kernels ---- */

#define WIDEN_FROM(X)                                                                                        \
    X(E4M3)                                                                                                  \
    X(E5M2)                                                                                                  \
    X(E2M3)                                                                                                  \
    X(E3M2)                                                                                                  \
    X(E2M1)

#define WIDEN(src_)                                                                                          \
    CVT_KERNEL(widen_##src_, VBMI_GRANULE, FP_ANY, widen(PTO_BF16, PTO_##src_, src, dst, n))                 \
    CVT_KERNEL(widen_f32_##src_, VBMI_GRANULE, FP_ANY, widen_f32(PTO_##src_, src, dst, n))                   \
    static ALWAYS_INLINE bool try_##src_(const u8 *src, u8 *dst, const u8 *scales, size_t n) {               \
        return widen_scaled(PTO_##src_, src, dst, scales, n);                                                \
    }                                                                                                        \
    CVT_KERNEL(scaled_widen_##src_, VBMI_GRANULE, FP_ANY,                                                    \
               try_in_chunks(try_##src_, PTO_BF16, PTO_##src_, op, src, dst, extra, n))
WIDEN_FROM(WIDEN)

/* e5m2 is not in this list: it is the upper byte of an f16, and its subnormal values are subnormal f16. */
#define WIDEN_F16(src_)                                                                                      \
    CVT_KERNEL(widen_f16_##src_, VBMI_GRANULE, FP_ANY, widen(PTO_F16, PTO_##src_, src, dst, n))
WIDEN_F16(E4M3)
WIDEN_F16(E2M3)
WIDEN_F16(E3M2)
WIDEN_F16(E2M1)

enum widening { TO_BF16, TO_BF16_SCALED, TO_F32, WIDENINGS };

#define WIDENS(src_)                                                                                         \
    [PTO_##src_] = {                                                                                         \
        [TO_BF16] = &widen_##src_, [TO_BF16_SCALED] = &scaled_widen_##src_, [TO_F32] = &widen_f32_##src_},

/*
 * Returns the kernel for op, or NULL if there is none here. Results are exact, so .rz, .rm and .rp, which
 * composed pairs take, change nothing. Neither does .satfinite with scales, because products that overflow
 * are not handled here.
 */
static const struct cvt_kernel *widen_kernel(pto_cvt_op op) {
    static const struct cvt_kernel *const kernels[CVT_TYPES][WIDENINGS] = {WIDEN_FROM(WIDENS)};
    static const struct cvt_kernel *const to_f16[CVT_TYPES] = {[PTO_E4M3] = &widen_f16_E4M3,
                                                               [PTO_E2M3] = &widen_f16_E2M3,
                                                               [PTO_E3M2] = &widen_f16_E3M2,
                                                               [PTO_E2M1] = &widen_f16_E2M1};
    const unsigned modifiers = cvt_modifiers(op);
    if (op.dst == PTO_F16) return modifiers == 0 ? to_f16[op.src] : NULL;
    if (modifiers == 0) return kernels[op.src][op.dst == PTO_F32 ? TO_F32 : TO_BF16];
    if (op.dst == PTO_F32) return NULL;
    return (modifiers & ~(unsigned)CVT_SATFINITE) == CVT_N2 ? kernels[op.src][TO_BF16_SCALED] : NULL;
}
