/* SPDX-License-Identifier: MIT */
/* The 8-, 6- and 4-bit formats from f32, and to f16 and f32, without modifiers but for scales. Part of
 * convert_native.h. */

enum { TO_SMALL_STEP = 16, FROM_SMALL_STEP = 64 };

static ALWAYS_INLINE __m512i f32_of_f16(__m256i h) {
    return _mm512_castps_si512(_mm512_cvt_roundph_ps(h, _MM_FROUND_NO_EXC));
}

/* ---- to a small format ---- */

/* Rounding by the adder, see struct adder. DAZ changes nothing: what it takes for zero is so. */
static ALWAYS_INLINE __m512i small_of_f32(__m512i x, struct cvt_format to) {
    const struct adder a = adder_of(to);
    const u32 at_sign = (u32)to.exponent_bits + to.fraction_bits;
    const __m512i exponents = _mm512_set1_epi32(0x7f800000), sign_bit = _mm512_set1_epi32(1 << at_sign);
    const __m512i magnitude = _mm512_and_si512(x, _mm512_set1_epi32(INT32_MAX));
    const __mmask16 is_nan = _mm512_cmpgt_epi32_mask(magnitude, exponents);
    const __m512i bounded = _mm512_min_epu32(magnitude, _mm512_set1_epi32(a.largest));
    const __m512i e = _mm512_and_si512(_mm512_max_epu32(bounded, _mm512_set1_epi32(a.least)), exponents);
    const __m512 magic = _mm512_castsi512_ps(_mm512_add_epi32(e, _mm512_set1_epi32(a.added)));
    const __m512 sum = _mm512_add_round_ps(_mm512_castsi512_ps(bounded), magic, ROUND_RN);
    const __m512i code = _mm512_add_epi32(_mm512_castps_si512(sum), _mm512_srli_epi32(e, a.cut));
    const __m512i both = _mm512_ternarylogic_epi32(sign_bit, _mm512_srli_epi32(x, 31 - at_sign), code, 0xca);
    return _mm512_mask_mov_epi32(both, is_nan, _mm512_set1_epi32((s32)cvt_canonical_nan(to)));
}

/* 16 codes, behind i others. */
static ALWAYS_INLINE void store_small(u8 *dst, size_t i, pto_dtype type, __m512i code) {
    if (type == PTO_E2M1) { /* an odd lane's nibble goes beside that of the even one below it */
        const __m512i nibbles = _mm512_and_si512(code, _mm512_set1_epi32(0xf));
        const __m512i pairs = _mm512_or_si512(nibbles, _mm512_srli_epi64(nibbles, 28));
        _mm_storel_epi64((__m128i *)(dst + i / 2), _mm512_cvtepi64_epi8(pairs));
    } else {
        _mm_storeu_si128((__m128i *)(dst + i), _mm512_cvtepi32_epi8(code));
    }
}

static ALWAYS_INLINE void to_small(pto_dtype dst_type, const u8 *src, u8 *dst, size_t n) {
    for (size_t i = 0; i < n; i += TO_SMALL_STEP)
        store_small(dst, i, dst_type, small_of_f32(_mm512_loadu_si512(src + 4 * i), cvt_format_of(dst_type)));
}

/* A scale for each pair of lanes, from 8 bytes, in the upper byte. */
static ALWAYS_INLINE __m512i upper_scales(const u8 *p) {
    const __m512i places = _mm512_setr_epi32(
        0x00808080, 0x00808080, 0x01808080, 0x01808080, 0x02808080, 0x02808080, 0x03808080, 0x03808080,
        0x04808080, 0x04808080, 0x05808080, 0x05808080, 0x06808080, 0x06808080, 0x07808080, 0x07808080);
    const __m128i bytes = _mm_loadl_epi64((const __m128i *)p);
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(bytes), places);
}

/*
 * Times the power of two that is one over the scale: exact, or it rounds to zero or is too large in these
 * formats anyway. Subnormal operands are flushed by the FP state. The scales 2^127, whose inverse is subnormal,
 * and NaN are left to the kernel that knows everything.
 */
static ALWAYS_INLINE void to_small_scaled(pto_dtype dst_type, const struct cvt_kernel *careful,
                                          const pto_cvt_op *op, const u8 *src, u8 *dst, const u8 *scales,
                                          size_t n) {
    const __m512i largest_inverse = _mm512_set1_epi32(0x7f000000);
    const size_t out_bits = dst_type == PTO_E2M1 ? 4 : 8;
    for (size_t i = 0; i < n; i += TO_SMALL_STEP) {
        const __m512i scale = _mm512_srli_epi32(upper_scales(scales + i / 2), 1);
        const __m512i inverse = _mm512_sub_epi32(largest_inverse, scale);
        __m512 x;
        if (unlikely(_mm512_cmple_epi32_mask(inverse, _mm512_setzero_si512()) != 0)) {
            careful->run(op, src + 4 * i, dst + i / 8 * out_bits, scales + i / 2, TO_SMALL_STEP);
            continue;
        }
        x = _mm512_mul_round_ps(_mm512_loadu_ps(src + 4 * i), _mm512_castsi512_ps(inverse), ROUND_RN);
        store_small(dst, i, dst_type, small_of_f32(_mm512_castps_si512(x), cvt_format_of(dst_type)));
    }
}

/* ---- from a small format: the upper bytes of f16, and the lower ones ---- */

struct f16_bytes {
    __m512i upper, lower; /* bytes */
};

/* In each quarter, which are shuffled each for itself. */
static ALWAYS_INLINE __m512i upper_table(pto_dtype type) {
    return _mm512_broadcast_i32x4(f16_upper_bytes(type));
}

/* Digits below the second are the lower byte's; there is one at most. e5m2 is the upper byte of f16. */
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

/* 32 codes of e2m1 as f16, by a table of upper bytes; the zeros between find zero in it. */
static ALWAYS_INLINE __m512i f16_of_e2m1(__m128i packed) {
    const __m512i d = _mm512_cvtepu8_epi32(packed);
    const __m512i low = _mm512_and_si512(_mm512_slli_epi32(d, 8), _mm512_set1_epi32(0x0f00));
    const __m512i apart =
        _mm512_ternarylogic_epi32(_mm512_set1_epi32(0x0f000000), _mm512_slli_epi32(d, 20), low, 0xca);
    return _mm512_shuffle_epi8(upper_table(PTO_E2M1), apart);
}

/* 64 elements as two vectors of f16. */
static ALWAYS_INLINE void f16_of_small(const u8 *p, pto_dtype type, __m512i *low, __m512i *high) {
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7); /* for the unpacking within quarters */
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

static ALWAYS_INLINE __m512i f32_of_half(__m512i x, int half, pto_dtype small) {
    const __m512i f = f32_of_f16(half ? _mm512_extracti64x4_epi64(x, 1) : _mm512_castsi512_si256(x));
    if (cvt_format_of(small).specials == SPECIALS_NONE) return f;
    return _mm512_mask_mov_epi32(f, nan_ps(_mm512_castsi512_ps(f)), _mm512_set1_epi32(INT32_MAX));
}

static ALWAYS_INLINE void from_small(pto_dtype dst_type, pto_dtype src_type, const u8 *src, u8 *dst,
                                     size_t n) {
    const size_t in_bits = src_type == PTO_E2M1 ? 4 : 8;
    for (size_t i = 0; i < n; i += FROM_SMALL_STEP) {
        __m512i half[2];
        f16_of_small(src + i / 8 * in_bits, src_type, &half[0], &half[1]);
        for (int k = 0; k < 2; ++k) {
            u8 *to = dst + (i + 32 * (size_t)k) * element_bytes(dst_type);
            if (dst_type == PTO_F16) {
                _mm512_storeu_si512(to, half[k]);
            } else {
                _mm512_storeu_si512(to, f32_of_half(half[k], 0, src_type));
                _mm512_storeu_si512(to + 64, f32_of_half(half[k], 1, src_type));
            }
        }
    }
}

/* ---- kernels ---- */

#define TO_SMALL(dst_, src_)                                                                                 \
    CVT_KERNEL(small_##dst_##_##src_, TO_SMALL_STEP, FP_ANY, to_small(PTO_##dst_, src, dst, n))
#define FROM_SMALL(dst_, src_)                                                                               \
    CVT_KERNEL(small_##dst_##_##src_, FROM_SMALL_STEP, FP_ANY,                                               \
               from_small(PTO_##dst_, PTO_##src_, src, dst, n))

#define ALL_SMALL(to, from)                                                                                  \
    F32_TO_SMALL(to)                                                                                         \
    FROM_ALL_SMALL(from, F16)                                                                                \
    FROM_ALL_SMALL(from, F32)
ALL_SMALL(TO_SMALL, FROM_SMALL)

#define SCALED_SMALL(dst_, src_)                                                                             \
    CVT_KERNEL(scaled_small_##dst_##_##src_, TO_SMALL_STEP, FP_FLUSH,                                        \
               to_small_scaled(PTO_##dst_, &scaled_##dst_##_##src_, op, src, dst, extra, n))
F32_TO_SMALL(SCALED_SMALL)

static const struct cvt_kernel *const small_kernels[CVT_TYPES][CVT_TYPES] = {ALL_SMALL(SMALL, SMALL)};
