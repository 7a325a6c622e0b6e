/* SPDX-License-Identifier: MIT */
/* Converts floats to 64-bit integers, and f64 to u32. AVX2 has no instruction for that. For 64-bit integers,
 * the significand of an integral f64 is shifted to its place in the integer. Part of convert_native.h. */

/* Returns the magnitudes, which must be below 2^64, as integers. A shift by 64 or more gives 0, and so does a
 * negative count, because counts are unsigned. */
static ALWAYS_INLINE __m256i int64_magnitude(__m256d integral) {
    const __m256i bits = _mm256_castpd_si256(integral), last = _mm256_set1_epi64x(1023 + 52);
    const __m256i exponent = _mm256_and_si256(_mm256_srli_epi64(bits, 52), _mm256_set1_epi64x(0x7ff));
    const __m256i significand = _mm256_or_si256(_mm256_and_si256(bits, _mm256_set1_epi64x((s64)low_bits(52))),
                                                _mm256_set1_epi64x((s64)1 << 52));
    return _mm256_or_si256(_mm256_sllv_epi64(significand, _mm256_sub_epi64(exponent, last)),
                           _mm256_srlv_epi64(significand, _mm256_sub_epi64(last, exponent)));
}

static ALWAYS_INLINE __m256i blended(__m256i no, s64 yes, __m256d where) {
    const __m256d all = _mm256_castsi256_pd(_mm256_set1_epi64x(yes));
    return _mm256_castpd_si256(_mm256_blendv_pd(_mm256_castsi256_pd(no), all, where));
}

/* A NaN gives the smallest integer. */
static ALWAYS_INLINE __m256i s64_of_f64(__m256d x, int mode) {
    const __m256d y = integral_pd(x, mode), bound = _mm256_set1_pd(0x1p63);
    const __m256i sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), _mm256_castpd_si256(y));
    const __m256i r = _mm256_sub_epi64(_mm256_xor_si256(int64_magnitude(y), sign), sign);
    const __m256i up = blended(r, INT64_MIN, _mm256_cmp_pd(y, _mm256_set1_pd(-0x1p63), _CMP_NGT_UQ));
    return blended(up, INT64_MAX, _mm256_cmp_pd(y, bound, _CMP_GE_OQ));
}

/* A NaN gives 2^63. */
static ALWAYS_INLINE __m256i u64_of_f64(__m256d x, int mode) {
    const __m256d y = _mm256_max_pd(integral_pd(x, mode), _mm256_setzero_pd());
    const __m256d above = _mm256_cmp_pd(y, _mm256_set1_pd(0x1p64), _CMP_GE_OQ);
    const __m256i r = _mm256_or_si256(int64_magnitude(y), _mm256_castpd_si256(above));
    return blended(r, INT64_MIN, _mm256_cmp_pd(x, x, _CMP_UNORD_Q));
}

/* The value is clamped and added to 2^52, which leaves the integer in the lower half of the sum. A NaN gives
 * 2^31. */
static ALWAYS_INLINE __m128i u32_of_f64(__m256d x, int mode) {
    const __m256i evens = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    const __m256d up = _mm256_max_pd(integral_pd(x, mode), _mm256_setzero_pd());
    const __m256d low = _mm256_add_pd(_mm256_min_pd(up, _mm256_set1_pd(UINT32_MAX)), _mm256_set1_pd(0x1p52));
    const __m256i r = blended(_mm256_castpd_si256(low), (s64)1 << 31, _mm256_cmp_pd(x, x, _CMP_UNORD_Q));
    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(r, evens));
}

#define S64_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 4, 8, 8, store_256(to, s64_of_f64(load_pd(from), mode)))
#define U64_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 4, 8, 8, store_256(to, u64_of_f64(load_pd(from), mode)))
#define S64_F32(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 4, 4, 8, store_256(to, s64_of_f64(_mm256_cvtps_pd(load_ps_128(from)), mode)))
#define U64_F32(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 4, 4, 8, store_256(to, u64_of_f64(_mm256_cvtps_pd(load_ps_128(from)), mode)))
#define U32_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 4, 8, 4, store_128(to, u32_of_f64(load_pd(from), mode)))
EACH_ROUNDING(S64_F64, S64_F64)
EACH_ROUNDING(U64_F64, U64_F64)
EACH_ROUNDING(S64_F32, S64_F32)
EACH_ROUNDING(U64_F32, U64_F32)
EACH_ROUNDING(U32_F64, U32_F64)
