/* SPDX-License-Identifier: MIT */
/* Converts the 8-, 6- and 4-bit formats to f16 and f32, without modifiers. Part of convert_native.h. */

/* ---- from a small format to the upper and the lower bytes of f16 ---- */

struct f16_bytes {
    __m256i upper, lower; /* in byte lanes */
};

/* Returns the table in both halves, because shuffles work within halves. */
static ALWAYS_INLINE __m256i upper_table(pto_dtype type) {
    return _mm256_broadcastsi128_si256(f16_upper_bytes(type));
}

/* Converts 32 codes. The lower byte of an f16 has the fraction bits after the second one; these formats have
 * at most one of them. An e5m2 is the upper byte of an f16. */
static ALWAYS_INLINE struct f16_bytes halves_of_small(__m256i code, pto_dtype type) {
    const struct cvt_format from = cvt_format_of(type);
    const u32 m = from.fraction_bits, at_sign = from.exponent_bits + m;
    const __m256i magnitude = _mm256_and_si256(code, _mm256_set1_epi8((s8)low_bits(at_sign)));
    const __m256i bit = _mm256_set1_epi8(INT8_MIN),
                  sign = _mm256_and_si256(_mm256_slli_epi16(code, (int)(7 - at_sign)), bit);
    const __m256i is_subnormal = _mm256_cmpgt_epi8(_mm256_set1_epi8((s8)(1 << m)), magnitude);
    struct f16_bytes h = {magnitude, _mm256_setzero_si256()};
    __m256i is_nan;
    if (m == 3) {
        h.upper = _mm256_and_si256(_mm256_srli_epi16(magnitude, 1), _mm256_set1_epi8(0x7f));
        h.lower = _mm256_andnot_si256(is_subnormal, _mm256_and_si256(_mm256_slli_epi16(code, 7), bit));
    }
    if (from.bias != 15) {
        const __m256i normal = _mm256_add_epi8(h.upper, _mm256_set1_epi8((s8)((15 - from.bias) << 2)));
        const __m256i subnormal = _mm256_shuffle_epi8(upper_table(type), magnitude);
        h.upper = _mm256_blendv_epi8(normal, subnormal, is_subnormal);
    }
    h.upper = _mm256_or_si256(h.upper, sign);
    if (from.specials == SPECIALS_NONE) return h;
    is_nan = _mm256_cmpgt_epi8(magnitude, _mm256_set1_epi8((s8)(type == PTO_E5M2 ? 0x7c : 0x7e)));
    h.upper = _mm256_blendv_epi8(h.upper, _mm256_set1_epi8(0x7f), is_nan);
    h.lower = _mm256_or_si256(h.lower, is_nan);
    return h;
}

/* Converts 32 codes of e2m1 with a table of upper bytes. The lower bytes are 0. */
static ALWAYS_INLINE struct f16_bytes halves_of_e2m1(__m128i packed) {
    const __m256i d = _mm256_cvtepu8_epi16(packed);
    const __m256i codes =
        _mm256_and_si256(_mm256_or_si256(d, _mm256_slli_epi16(d, 4)), _mm256_set1_epi8(0x0f));
    const struct f16_bytes h = {_mm256_shuffle_epi8(upper_table(PTO_E2M1), codes), _mm256_setzero_si256()};
    return h;
}

/* Converts 32 elements to two vectors of f16. */
static ALWAYS_INLINE void f16_of_small(const u8 *p, pto_dtype type, __m256i half[2]) {
    const struct f16_bytes h =
        type == PTO_E2M1 ? halves_of_e2m1(load_128(p)) : halves_of_small(load_256(p), type);
    const __m256i upper = swap_middle_quarters(h.upper), lower = swap_middle_quarters(h.lower);
    half[0] = _mm256_unpacklo_epi8(lower, upper);
    half[1] = _mm256_unpackhi_epi8(lower, upper);
}

static ALWAYS_INLINE struct ps_32 f32_of_halves(const __m256i half[2]) {
    struct ps_32 x;
    UNROLL for (size_t k = 0; k < 2; ++k) {
        x.v[2 * k] = _mm256_cvtph_ps(_mm256_castsi256_si128(half[k]));
        x.v[2 * k + 1] = _mm256_cvtph_ps(_mm256_extracti128_si256(half[k], 1));
    }
    return x;
}

static ALWAYS_INLINE void from_small(pto_dtype dst_type, pto_dtype src_type, const u8 *src, u8 *dst,
                                     size_t n) {
    const bool has_nan = cvt_format_of(src_type).specials != SPECIALS_NONE;
    const size_t in_bits = src_type == PTO_E2M1 ? 4 : 8;
    for (size_t i = 0; i < n; i += NATIVE_GRANULE) {
        u8 *to = dst + i * element_bytes(dst_type);
        __m256i half[2];
        f16_of_small(src + i / 8 * in_bits, src_type, half);
        if (dst_type == PTO_F32) {
            const struct ps_32 x = f32_of_halves(half);
            store_ps_32(to, has_nan ? with_nan(x, INT32_MAX) : x);
        } else {
            store_256(to, half[0]);
            store_256(to + 32, half[1]);
        }
    }
}

/* ---- kernels ---- */

/* Results of f16 are assembled from bytes with integer instructions, in any FP state. */
#define FROM_SMALL(dst_, src_)                                                                               \
    CVT_KERNEL(small_##dst_##_##src_, NATIVE_GRANULE, PTO_##dst_ == PTO_F16 ? FP_ANY : FP_IEEE,              \
               from_small(PTO_##dst_, PTO_##src_, src, dst, n))

FROM_ALL_SMALL(FROM_SMALL, F16)
FROM_ALL_SMALL(FROM_SMALL, F32)

static const struct cvt_kernel *const small_kernels[CVT_TYPES][CVT_TYPES] = {
    TO_EACH_SMALL(SMALL, F16) TO_EACH_SMALL(SMALL, BF16) TO_EACH_SMALL(SMALL, F32) FROM_ALL_SMALL(SMALL, F16)
        FROM_ALL_SMALL(SMALL, F32)};
