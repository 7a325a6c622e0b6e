/* SPDX-License-Identifier: MIT */
/* Converts the 8-, 6- and 4-bit formats to f16 and f32, without modifiers. Part of convert_native.h. */

enum { FROM_SMALL_GRANULE = 64 };

/* ---- from a small format to the upper and the lower bytes of f16 ---- */

struct f16_bytes {
    __m512i upper, lower; /* in byte lanes */
};

/* Returns the table in each quarter, because shuffles work within quarters. */
static ALWAYS_INLINE __m512i upper_table(pto_dtype type) {
    return _mm512_broadcast_i32x4(f16_upper_bytes(type));
}

/* Converts 64 codes. The lower byte of an f16 has the fraction bits after the second one; these formats have
 * at most one of them. An e5m2 is the upper byte of an f16. */
static ALWAYS_INLINE struct f16_bytes halves_of_small(__m512i code, pto_dtype type) {
    const struct cvt_format from = cvt_format_of(type);
    const u32 m = from.fraction_bits, at_sign = from.exponent_bits + m;
    const __m512i magnitude = _mm512_and_si512(code, _mm512_set1_epi8((s8)low_bits(at_sign)));
    const __m512i sign = at_sign == 7 ? code : _mm512_slli_epi16(code, 7 - at_sign),
                  bit = _mm512_set1_epi8(INT8_MIN);
    const __mmask64 is_subnormal = _mm512_cmplt_epu8_mask(magnitude, _mm512_set1_epi8((s8)(1 << m)));
    struct f16_bytes h = {magnitude, _mm512_setzero_si512()};
    __mmask64 is_nan;
    if (m == 3) {
        h.upper = _mm512_and_si512(_mm512_srli_epi16(magnitude, 1), _mm512_set1_epi8(0x7f));
        h.lower = _mm512_maskz_mov_epi8(~is_subnormal, _mm512_and_si512(_mm512_slli_epi16(code, 7), bit));
    }
    if (from.bias != 15) {
        h.upper = _mm512_add_epi8(h.upper, _mm512_set1_epi8((s8)((15 - from.bias) << 2)));
        h.upper = _mm512_mask_shuffle_epi8(h.upper, is_subnormal, upper_table(type), magnitude);
    }
    h.upper = _mm512_ternarylogic_epi32(bit, sign, h.upper, 0xca);
    if (from.specials == SPECIALS_NONE) return h;
    is_nan = _mm512_cmpgt_epi8_mask(magnitude, _mm512_set1_epi8((s8)(type == PTO_E5M2 ? 0x7c : 0x7e)));
    h.upper = _mm512_mask_mov_epi8(h.upper, is_nan, _mm512_set1_epi8(0x7f));
    h.lower = _mm512_mask_mov_epi8(h.lower, is_nan, _mm512_set1_epi8(-1));
    return h;
}

/* Converts 32 codes of e2m1 to f16 with a table of upper bytes. The lower bytes are 0: for them, entry 0 of the table
 * is looked up, which is 0. */
static ALWAYS_INLINE __m512i f16_of_e2m1(__m128i packed) {
    const __m512i d = _mm512_cvtepu8_epi32(packed);
    const __m512i low = _mm512_and_si512(_mm512_slli_epi32(d, 8), _mm512_set1_epi32(0x0f00));
    const __m512i apart =
        _mm512_ternarylogic_epi32(_mm512_set1_epi32(0x0f000000), _mm512_slli_epi32(d, 20), low, 0xca);
    return _mm512_shuffle_epi8(upper_table(PTO_E2M1), apart);
}

/* Converts 64 elements to two vectors of f16. */
static ALWAYS_INLINE void f16_of_small(const u8 *p, pto_dtype type, __m512i *low, __m512i *high) {
    const __m512i order =
        _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7); /* prepares for unpacking within quarters */
    struct f16_bytes h;
    if (type == PTO_E2M1) {
        *low = f16_of_e2m1(_mm_loadu_si128((const __m128i *)p));
        *high = f16_of_e2m1(_mm_loadu_si128((const __m128i *)(p + 16)));
        return;
    }
    h = halves_of_small(_mm512_permutexvar_epi64(order, _mm512_loadu_si512(p)), type);
    *low = _mm512_unpacklo_epi8(h.lower, h.upper);
    *high = _mm512_unpackhi_epi8(h.lower, h.upper);
}

static ALWAYS_INLINE __m512 f32_of_half(__m512i x, int half, pto_dtype small) {
    const __m512 f = f32_of_f16(half ? _mm512_extracti64x4_epi64(x, 1) : _mm512_castsi512_si256(x));
    if (cvt_format_of(small).specials == SPECIALS_NONE) return f;
    return with_nan_ps(f, INT32_MAX); /* no result is a subnormal f32 */
}

static ALWAYS_INLINE void from_small(pto_dtype dst_type, pto_dtype src_type, const u8 *src, u8 *dst,
                                     size_t n) {
    const size_t in_bits = src_type == PTO_E2M1 ? 4 : 8;
    for (size_t i = 0; i < n; i += FROM_SMALL_GRANULE) {
        __m512i half[2];
        f16_of_small(src + i / 8 * in_bits, src_type, &half[0], &half[1]);
        for (int k = 0; k < 2; ++k) {
            u8 *to = dst + (i + 32 * (size_t)k) * element_bytes(dst_type);
            if (dst_type == PTO_F16) {
                _mm512_storeu_si512(to, half[k]);
            } else {
                _mm512_storeu_ps(to, f32_of_half(half[k], 0, src_type));
                _mm512_storeu_ps(to + 64, f32_of_half(half[k], 1, src_type));
            }
        }
    }
}

/* ---- kernels ---- */

#define FROM_SMALL(dst_, src_)                                                                               \
    CVT_KERNEL(small_##dst_##_##src_, FROM_SMALL_GRANULE, FP_ANY,                                            \
               from_small(PTO_##dst_, PTO_##src_, src, dst, n))
FROM_ALL_SMALL(FROM_SMALL, F16)
FROM_ALL_SMALL(FROM_SMALL, F32)

static const struct cvt_kernel *const small_kernels[CVT_TYPES][CVT_TYPES] = {
    TO_EACH_SMALL(SMALL, F16) TO_EACH_SMALL(SMALL, BF16) TO_EACH_SMALL(SMALL, F32) FROM_ALL_SMALL(SMALL, F16)
        FROM_ALL_SMALL(SMALL, F32)};
