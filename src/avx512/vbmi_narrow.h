/* SPDX-License-Identifier: MIT */
/*
 * Converts bf16 and f32 to e4m3 and e5m2 in byte lanes. 64 elements are converted at a time. As bf16 they are in two
 * vectors. Until they are stored, bytes at even positions belong to the first vector, and bytes at odd positions to the
 * second. Part of vbmi.c.
 *
 * Eight consecutive bits of a bf16, with its upper fraction bits, distinguish values near 2: 16 binades (e4m3) or 32
 * (e5m2) on either side. The code of a normal value is the sum of these bits, a constant, and 1 if the bits that are
 * cut off round up. The codes of subnormal values are in a table, which is indexed by the lowest 6 of the eight bits.
 * For a subnormal value its entry is at least the sum, and for a normal one at most the sum. So the code is the maximum
 * of both.
 *
 * Values below the binades of the table become zero. If any value is above the binades that are distinguished, or is an
 * infinity or a NaN, the AVX-512 kernel converts the chunk.
 */

struct narrow_format {
    unsigned fraction_bits, dropped_bits; /* fraction bits of a code; fraction bits of a bf16 after them */
    unsigned normal;                      /* exponent field of the smallest values that become normal */
    unsigned first_exponent; /* exponent field of the smallest values in the table; smaller ones become 0 */
    unsigned overflow_exponent; /* exponent field from which on values are no longer distinguished */
    u8 offset;                  /* how far a sum exceeds its code, so that it saturates at the largest code */
};

static ALWAYS_INLINE struct narrow_format narrow_format_of(pto_dtype type) {
    const struct cvt_format to = cvt_format_of(type), from = cvt_format_of(PTO_BF16);
    struct narrow_format f;
    f.fraction_bits = to.fraction_bits;
    f.dropped_bits = from.fraction_bits - f.fraction_bits;
    f.normal = (unsigned)(from.bias - to.bias) + 1;
    f.first_exponent = f.normal + 1 - (64U >> f.fraction_bits);
    f.overflow_exponent = 128 + (128U >> f.fraction_bits);
    f.offset = (u8)(0x7f - cvt_max_code(to));
    return f;
}

/* Returns the bits that are cut off, for each index of a table. An index is the low 6 bits of a bf16's lower
 * byte: the bits that are cut off, and at least one more. */
static ALWAYS_INLINE bytes dropped_part(struct narrow_format f) {
    return t_iota() & (u8)low_bits(f.dropped_bits);
}

static ALWAYS_INLINE bytes sticky_table(struct narrow_format f) {
    return T_MASK(dropped_part(f) != 0) & 1;
}

static ALWAYS_INLINE bytes rounding_table(struct narrow_format f, bool to_nearest) {
    const bytes rest = dropped_part(f), is_odd = T_MASK((t_iota() & (u8)(1U << f.dropped_bits)) != 0);
    const u8 half = (u8)(1U << (f.dropped_bits - 1)),
             constant = (u8)((128 - f.normal + 1) << f.fraction_bits) + f.offset;
    const bytes up = T_MASK(rest > half) | (T_MASK(rest == half) & is_odd);
    return (to_nearest ? up & 1 : b_const(0)) + constant;
}

/*
 * Returns the table of subnormal codes. Its index consists of the kept fraction bits and the lowest exponent
 * bits. When rounding to nearest, the sum is the mean, rounded up, of an entry and the sticky bit. An odd
 * entry gives the same sum with either bit. An even entry gives one more if the bit is set. Even entries are
 * for ties whose lower code is even: these round up only if any lower bit is set.
 */
static ALWAYS_INLINE bytes subnormal_table(struct narrow_format f, bool to_nearest) {
    const u8 exponents = (u8)low_bits(6 - f.fraction_bits);
    const bytes binade = t_iota() >> f.fraction_bits & exponents;
    const bytes kept = (t_iota() & (u8)low_bits(f.fraction_bits)) | (u8)(1U << f.fraction_bits);
    bytes table = b_const(to_nearest ? 2 * f.offset - 1 : f.offset);
    UNROLL for (unsigned below = 1; below <= f.fraction_bits + 1;
                ++below) { /* up to the smallest normal binade */
        const u8 half = (u8)(1U << (below - 1));
        const bytes code = kept >> below, rest = kept & (u8)low_bits(below), is_half = T_MASK(rest == half);
        const bytes is_odd = T_MASK((code & 1) != 0), up = T_MASK(rest > half) | (is_half & is_odd);
        const bytes sum = code + (up & 1) + f.offset, is_open = is_half & ~is_odd & 1;
        const bytes is_here = T_MASK(binade == (u8)((f.normal - below) & exponents));
        table = t_select(is_here, to_nearest ? 2 * sum - 1 + is_open : code + f.offset, table);
    }
    return table;
}

static ALWAYS_INLINE __mmask64 is_ge_u8(bytes x, unsigned least) {
    return _mm512_cmpge_epu8_mask((__m512i)x, (__m512i)b_const(least));
}

/* 64 bf16 in two vectors. */
struct bf16_pair {
    bytes a, b;
};

/*
 * Returns, for each element in order, the position of its byte. Bytes at even positions belong to a, and bytes at odd
 * positions to b.
 */
static ALWAYS_INLINE bytes order_of_words(pto_dtype src_type) {
    const bytes i = t_iota();
    if (src_type == PTO_F32) return (i << 2 & (VBYTES - 1)) | (i >> 3 & 2) | i >> 5;
    return (i << 1 & (VBYTES - 1)) | i >> 5;
}

/*
 * Rounds f32 to odd to bf16, in the upper half of each lane: sets its lowest bit if the lower half is not 0.
 */
static ALWAYS_INLINE __m512i odd_bf16_above(__m512i x) {
    const __mmask16 is_inexact = _mm512_test_epi32_mask(x, _mm512_set1_epi32(0xffff));
    return _mm512_mask_or_epi32(x, is_inexact, x, _mm512_set1_epi32(0x10000));
}

static ALWAYS_INLINE bytes upper_words(__m512i even, __m512i odd) {
    return b_select_bits((bytes)_mm512_set1_epi32((int)0xffff0000), (bytes)odd,
                         (bytes)_mm512_srli_epi32(even, 16));
}

/* Converts four vectors of f32 to bf16: rounded to odd if to_nearest, and truncated otherwise. */
static ALWAYS_INLINE struct bf16_pair words_of_f32(bool to_nearest, const __m512i x[4]) {
    __m512i y[4];
    UNROLL for (size_t k = 0; k < 4; ++k) y[k] = to_nearest ? odd_bf16_above(x[k]) : x[k];
    return (struct bf16_pair){upper_words(y[0], y[1]), upper_words(y[2], y[3])};
}

static ALWAYS_INLINE struct bf16_pair words_of(pto_dtype src_type, bool to_nearest, const u8 *src) {
    __m512i x[4];
    if (src_type != PTO_F32) return (struct bf16_pair){(bytes)load_once(src), (bytes)load_once(src + VBYTES)};
    UNROLL for (size_t k = 0; k < 4; ++k) x[k] = load_once(src + k * VBYTES);
    return words_of_f32(to_nearest, x);
}

struct narrow_tables {
    bytes window, rounding, sticky, subnormals, order;
};

static ALWAYS_INLINE struct narrow_tables narrow_tables_of(struct narrow_format f, pto_dtype src_type,
                                                           bool to_nearest) {
    return (struct narrow_tables){((t_iota() & 6) << 3) + (u8)f.dropped_bits, rounding_table(f, to_nearest),
                                  sticky_table(f), subnormal_table(f, to_nearest), order_of_words(src_type)};
}

/* Returns the eight bits of each element that distinguish values. */
static ALWAYS_INLINE bytes window_bits(bytes window, struct bf16_pair x) {
    const __m512i of_a = _mm512_multishift_epi64_epi8((__m512i)window, (__m512i)x.a);
    return (bytes)_mm512_mask_multishift_epi64_epi8(of_a, 0xaaaaaaaaaaaaaaaa, (__m512i)window, (__m512i)x.b);
}

/* Returns the code of each element plus the offset. The code is 0 where k is 0. */
static ALWAYS_INLINE bytes code_sum(const struct narrow_tables *t, struct narrow_format f, bool to_nearest,
                                    __mmask64 k, bytes kept, bytes lower) {
    const __m512i normal = _mm512_adds_epi8((__m512i)kept, (__m512i)look_up_64(t->rounding, lower));
    bytes other = look_up_64(t->subnormals, kept);
    if (to_nearest) other = (bytes)_mm512_avg_epu8((__m512i)other, (__m512i)look_up_64(t->sticky, lower));
    return (bytes)_mm512_mask_max_epi8((__m512i)b_const(f.offset), k, normal, (__m512i)other);
}

/* Returns what to add to a sum to get a code with its sign: minus the offset, and the inverted sign. The
 * addition carries into the sign bit, which inverts it again. */
static ALWAYS_INLINE bytes sign_minus_offset(struct narrow_format f, bytes upper) {
    enum { NOT_A_AND_B_OR_C = 0xae };
    return (bytes)_mm512_ternarylogic_epi32((__m512i)upper, (__m512i)b_const(0x80),
                                            (__m512i)b_const(0x80U - f.offset), NOT_A_AND_B_OR_C);
}

/* Returns 64 codes in order. *max_exponent becomes the maximum of itself and the exponent fields, whose lowest
 * bit counts as 0. */
static ALWAYS_INLINE bytes narrow_words(const struct narrow_tables *t, struct narrow_format f,
                                        bool to_nearest, struct bf16_pair x, bytes *max_exponent) {
    const bytes odd = (bytes)((byte_pairs){0} + (u16)0xff00);
    const bytes inner = (bytes)_mm512_shldi_epi16((__m512i)x.b, (__m512i)x.a, 8);
    const bytes lower = b_select_bits(odd, inner, x.a), upper = b_select_bits(odd, x.b, inner);
    const bytes even_exponent = upper + upper;
    const bytes sum = code_sum(t, f, to_nearest, is_ge_u8(even_exponent, f.first_exponent),
                               window_bits(t->window, x), lower);
    *max_exponent = (bytes)_mm512_max_epu8((__m512i)*max_exponent, (__m512i)even_exponent);
    return look_up_64(sum + sign_minus_offset(f, upper), t->order);
}

static ALWAYS_INLINE void narrow_granules(const struct narrow_tables *t, struct narrow_format f,
                                          pto_dtype src_type, bool to_nearest, bool prefetches, const u8 *src,
                                          u8 *dst, size_t n, bytes *max_exponent) {
    const size_t step = VBMI_GRANULE * element_bytes(src_type);
    for (size_t i = 0; i < n; i += VBMI_GRANULE, src += step) {
        if (prefetches) prefetch(src + PREFETCH_DISTANCE, step);
        b_store(dst + i, narrow_words(t, f, to_nearest, words_of(src_type, to_nearest, src), max_exponent));
    }
}

static ALWAYS_INLINE bool narrow(pto_dtype type, pto_dtype src_type, bool to_nearest, const u8 *src, u8 *dst,
                                 size_t n) {
    const struct narrow_format f = narrow_format_of(type);
    const struct narrow_tables t = narrow_tables_of(f, src_type, to_nearest);
    bytes max_exponent = b_const(0);
    if (n >= CHUNK_MAX && pto_cpu_needs_prefetch())
        narrow_granules(&t, f, src_type, to_nearest, true, src, dst, n, &max_exponent);
    else
        narrow_granules(&t, f, src_type, to_nearest, false, src, dst, n, &max_exponent);
    return is_ge_u8(max_exponent, f.overflow_exponent) == 0;
}
