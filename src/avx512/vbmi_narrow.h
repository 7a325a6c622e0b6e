/* SPDX-License-Identifier: MIT */
/*
 * bf16 to e4m3 and e5m2, in lanes of bytes. Of 64 elements the first 32 are the even bytes and the others the odd ones,
 * which loads that are a byte apart give without a shift. Part of vbmi.c.
 *
 * Sixteen binades (e4m3), or 32 (e5m2), to either side of 2 have 8 bits of a bf16 that tell them apart, digits
 * included: a code is these plus a constant, plus 1 or not by the digits that are cut off. Subnormal codes are looked
 * up by these bits and whether any digit behind them is set. What is below their range becomes zero, and for what is
 * above it, up to NaNs, the kernel that knows everything takes the stretch.
 */

struct narrow_format {
    unsigned digits, cut;   /* of a code, and of a bf16 behind them */
    unsigned lowest;        /* exponent field of the least numbers that do not become zero */
    unsigned normal;        /* of those that become normal */
    unsigned first, behind; /* those that are told apart */
    u8 largest;
};

static ALWAYS_INLINE struct narrow_format narrow_format_of(pto_dtype type) {
    const struct cvt_format to = cvt_format_of(type), from = cvt_format_of(PTO_BF16);
    struct narrow_format f;
    f.digits = to.fraction_bits;
    f.cut = from.fraction_bits - f.digits;
    f.normal = (unsigned)(from.bias - to.bias) + 1;
    f.lowest = f.normal - f.digits - 1;
    f.first = 128 - (128U >> f.digits);
    f.behind = 128 + (128U >> f.digits);
    f.largest = (u8)cvt_max_code(to);
    return f;
}

/* By the lowest 6 bits of a lower byte, which are the digits that are cut off and one more at least. */
static ALWAYS_INLINE bytes cut_off(struct narrow_format f, bytes lower) {
    return lower & (u8)low_bits(f.cut);
}

static ALWAYS_INLINE bytes rounding_table(struct narrow_format f, bool to_nearest) {
    const bytes lower = t_count(), rest = cut_off(f, lower), is_odd = T_IF((lower & (u8)(1U << f.cut)) != 0);
    const u8 half = (u8)(1U << (f.cut - 1)), constant = (u8)((128 - f.normal + 1) << f.digits);
    const bytes up = T_IF(rest > half) | (T_IF(rest == half) & is_odd);
    return (to_nearest ? up & 1 : b_all(0)) + constant;
}

enum { STICKY = 0x20 };

static ALWAYS_INLINE bytes sticky_table(struct narrow_format f) {
    return T_IF(cut_off(f, t_count()) != 0) & STICKY;
}

/* By kept digits, the last two bits of the exponent above them, and STICKY. */
static ALWAYS_INLINE bytes subnormal_table(struct narrow_format f, bool to_nearest) {
    const bytes index = t_count(), binade = index >> f.digits & 3, is_sticky = T_IF((index & STICKY) != 0);
    const bytes kept = (index & (u8)low_bits(f.digits)) | (u8)(1U << f.digits);
    bytes table = b_all(0);
    UNROLL for (unsigned below = 1; below <= 4; ++below) { /* the smallest normal binade */
        const u8 half = (u8)(1U << (below - 1));
        const bytes code = kept >> below, rest = kept & (u8)low_bits(below);
        const bytes more = is_sticky | T_IF((code & 1) != 0);
        const bytes up = T_IF(rest > half) | (T_IF(rest == half) & more);
        const bytes is_here = T_IF(binade == (u8)((f.normal - below) & 3));
        table = t_select(is_here, to_nearest ? code + (up & 1) : code, table);
    }
    return table;
}

static ALWAYS_INLINE __mmask64 from_unsigned(bytes x, unsigned least) {
    return _mm512_cmpge_epu8_mask((__m512i)x, (__m512i)b_all(least));
}

static ALWAYS_INLINE __mmask64 from_signed(__mmask64 k, bytes x, unsigned least) {
    return _mm512_mask_cmpge_epi8_mask(k, (__m512i)x, (__m512i)b_all(least));
}

static ALWAYS_INLINE bool narrow(pto_dtype type, bool to_nearest, const u8 *src, u8 *dst, size_t n) {
    const struct narrow_format f = narrow_format_of(type);
    const bytes rounding = rounding_table(f, to_nearest), sticky = sticky_table(f),
                subnormals = subnormal_table(f, to_nearest);
    const bytes odd = (bytes)((byte_pairs){0} + (u16)0xff00);
    const bytes order = ((t_count() << 1) & (VBYTES - 1)) | t_count() >> 5;
    bytes most = b_all(0);
    for (size_t i = 0; i < n; i += VBMI_STEP) {
        const u8 *from = src + 2 * i;
        const bytes lower = b_pick(odd, b_load(from + VBYTES - 1), b_load(from));
        const bytes upper = b_pick(odd, b_load(from + VBYTES), b_load(from + 1));
        const bytes kept =
            b_pick(b_all(low_bits(8 - f.cut)), b_right(lower, f.cut), b_left(upper, 8 - f.cut));
        const bytes even_exponent = upper + upper;
        const bytes index = b_pick(b_all(low_bits(f.digits + 2)), kept, look_up_64(sticky, lower));
        const __mmask64 is_subnormal = ~from_signed(~(__mmask64)0, kept, (f.normal - 128) << f.digits);
        const bool is_even = f.lowest % 2 == 0;
        __mmask64 is_large = from_unsigned(even_exponent, is_even ? f.lowest : f.first);
        bytes code = kept + look_up_64(rounding, lower);
        if (!is_even) is_large = from_signed(is_large, kept, (f.lowest - 128) << f.digits);
        code = (bytes)_mm512_mask_permutexvar_epi8((__m512i)code, is_subnormal, (__m512i)index,
                                                   (__m512i)subnormals);
        code = (bytes)_mm512_maskz_min_epu8(is_large, (__m512i)code, (__m512i)b_all(f.largest));
        code = b_pick(b_all(0x80), upper, code);
        b_store(dst + i, look_up_64(code, order));
        most = (bytes)_mm512_max_epu8((__m512i)most, (__m512i)even_exponent);
    }
    return from_unsigned(most, f.behind) == 0;
}
