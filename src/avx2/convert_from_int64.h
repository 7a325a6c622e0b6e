/* SPDX-License-Identifier: MIT */
/* Converts 64-bit integers to floats, for which AVX2 has no instruction. The integers are converted to f64 first, from
 * their two halves, and then to the type of the destination. Part of convert_native.h. */

/*
 * Converts integers to f64, rounded to nearest even. Only the last addition rounds. The result is exact if 53
 * significand bits suffice.
 */
static ALWAYS_INLINE __m256d pd_of_int64(__m256i x, bool is_signed) {
    const __m256i upper = _mm256_set1_epi64x(is_signed ? 0x4530000080000000 : 0x4530000000000000);
    const __m256i high = _mm256_xor_si256(_mm256_srli_epi64(x, 32), upper),
                  low = _mm256_blend_epi32(x, _mm256_set1_epi64x(0x4330000000000000), 0xaa);
    const __m256d more = _mm256_set1_pd(0x1p84 + 0x1p52 + (is_signed ? 0x1p63 : 0));
    return _mm256_add_pd(_mm256_sub_pd(_mm256_castsi256_pd(high), more), _mm256_castsi256_pd(low));
}

/*
 * Converts integers to f64, rounded to odd. In long integers the lowest eleven bits are cleared, and the bit above them
 * is set if any of them was set. This is correct for negative integers, too: clearing bits rounds them downwards.
 * Rounding the result to 51 significand bits or fewer is then the same as rounding the integer. Integers that are not
 * long, according to their upper half, are below 2^53 in magnitude and exact.
 */
static ALWAYS_INLINE __m256i pd_of_int64_round_odd(__m256i x, bool is_signed) {
    const __m256i low_bits_mask = _mm256_set1_epi64x(0x7ff);
    const __m256i any = _mm256_add_epi64(_mm256_and_si256(x, low_bits_mask), low_bits_mask);
    const __m256i cut = _mm256_andnot_si256(low_bits_mask, _mm256_or_si256(x, any));
    const int lowest = is_signed ? -(1 << 20) : 0, below = 1 << 21;
    const __m256i from_lowest = _mm256_sub_epi32(x, _mm256_set1_epi32((int)((u32)lowest ^ 0x80000000)));
    const __m256i is_long = _mm256_cmpgt_epi32(from_lowest, _mm256_set1_epi32(INT32_MIN + (below - 1)));
    const __m256d exact =
        _mm256_blendv_pd(_mm256_castsi256_pd(x), _mm256_castsi256_pd(cut), _mm256_castsi256_pd(is_long));
    return _mm256_castpd_si256(pd_of_int64(_mm256_castpd_si256(exact), is_signed));
}

/* Rounds f64 to 52 - `bits` fraction bits, in the rounding mode `mode`. */
static ALWAYS_INLINE __m256i round_pd_bits(__m256i x, unsigned bits, int mode) {
    const __m256i ones = _mm256_set1_epi64x((s64)low_bits(bits));
    const __m256i sign = _mm256_shuffle_epi32(_mm256_srai_epi32(x, 31), 0xf5);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi64(x, (int)bits), _mm256_set1_epi64x(1));
    __m256i up = _mm256_setzero_si256();
    if (mode == ROUND_RN) up = _mm256_add_epi64(_mm256_srli_epi64(ones, 1), odd);
    if (mode == ROUND_RM) up = _mm256_and_si256(sign, ones);
    if (mode == ROUND_RP) up = _mm256_andnot_si256(sign, ones);
    return _mm256_andnot_si256(ones, _mm256_add_epi64(x, up));
}

/* Converts eight f64 to f32. */
static ALWAYS_INLINE __m256 ps_of_pd(__m256d low, __m256d high) {
    return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

/* Returns four integers as f64 rounded to `bits` fraction bits, which f32 holds exactly. With 23 bits and
 * to nearest they are not rounded here, because the conversion to f32 does that. */
static ALWAYS_INLINE __m256d rounded_pd(const u8 *from, bool is_signed, unsigned bits, int mode) {
    const __m256i x = pd_of_int64_round_odd(load_256(from), is_signed);
    return _mm256_castsi256_pd(bits == 23 && mode == ROUND_RN ? x : round_pd_bits(x, 52 - bits, mode));
}

static ALWAYS_INLINE __m256 rounded_ps(const u8 *from, bool is_signed, unsigned bits, int mode) {
    return ps_of_pd(rounded_pd(from, is_signed, bits, mode), rounded_pd(from + 32, is_signed, bits, mode));
}

/* f16 overflows long before an integer is large enough that f64 or f32 would round it. */
static ALWAYS_INLINE __m256 ps_for_f16(const u8 *from, bool is_signed) {
    return ps_of_pd(pd_of_int64(load_256(from), is_signed), pd_of_int64(load_256(from + 32), is_signed));
}

/* Returns the upper halves of two vectors of f32, which are bf16. */
static ALWAYS_INLINE __m256i upper_halves(__m256 a, __m256 b) {
    const __m256i x = _mm256_srli_epi32(_mm256_castps_si256(a), 16),
                  y = _mm256_srli_epi32(_mm256_castps_si256(b), 16);
    return swap_middle_quarters(_mm256_packus_epi32(x, y));
}

#define F32_INT64(name, is_signed, r, mode)                                                                  \
    NATIVE(name##_##r, FP_IEEE, 8, 8, 4, store_ps(to, rounded_ps(from, is_signed, 23, mode)))
#define F16_INT64(name, is_signed, r, mode)                                                                  \
    NATIVE(name##_##r, FP_IEEE, 8, 8, 2, store_128(to, f16_rounded(ps_for_f16(from, is_signed), mode)))
#define BF16_INT64(name, is_signed, r, mode)                                                                 \
    NATIVE(name##_##r, FP_IEEE, 16, 8, 2,                                                                    \
           store_256(to, upper_halves(rounded_ps(from, is_signed, 7, mode),                                  \
                                      rounded_ps(from + 64, is_signed, 7, mode))))
#define F32_S64(name, r, mode)  F32_INT64(name, true, r, mode)
#define F32_U64(name, r, mode)  F32_INT64(name, false, r, mode)
#define F16_S64(name, r, mode)  F16_INT64(name, true, r, mode)
#define F16_U64(name, r, mode)  F16_INT64(name, false, r, mode)
#define BF16_S64(name, r, mode) BF16_INT64(name, true, r, mode)
#define BF16_U64(name, r, mode) BF16_INT64(name, false, r, mode)
EACH_ROUNDING(F32_S64, F32_S64)
EACH_ROUNDING(F32_U64, F32_U64)
EACH_ROUNDING(F16_S64, F16_S64)
EACH_ROUNDING(F16_U64, F16_U64)
EACH_ROUNDING(BF16_S64, BF16_S64)
EACH_ROUNDING(BF16_U64, BF16_U64)
NATIVE(F64_S64, FP_IEEE, 4, 8, 8, store_pd(to, pd_of_int64(load_256(from), true)))
NATIVE(F64_U64, FP_IEEE, 4, 8, 8, store_pd(to, pd_of_int64(load_256(from), false)))

/* ---- .sat: 1 for every positive integer, in any rounding ---- */

static ALWAYS_INLINE __m256i is_positive(const u8 *from, bool is_signed) {
    const __m256i x = load_256(from), zero = _mm256_setzero_si256();
    if (is_signed) return _mm256_cmpgt_epi64(x, zero);
    return _mm256_xor_si256(_mm256_cmpeq_epi64(x, zero), _mm256_set1_epi8(-1));
}

/* Returns a mask of 32-bit lanes that is true where one of eight 64-bit integers is positive. */
static ALWAYS_INLINE __m256i is_positive_8(const u8 *from, bool is_signed) {
    return swap_middle_quarters(
        _mm256_packs_epi32(is_positive(from, is_signed), is_positive(from + 32, is_signed)));
}

static ALWAYS_INLINE __m256 ps_saturated(const u8 *from, bool is_signed) {
    return _mm256_and_ps(_mm256_castsi256_ps(is_positive_8(from, is_signed)), _mm256_set1_ps(1));
}

static ALWAYS_INLINE __m256d pd_saturated(const u8 *from, bool is_signed) {
    return _mm256_and_pd(_mm256_castsi256_pd(is_positive(from, is_signed)), _mm256_set1_pd(1));
}

#define SATURATED(src_, is_signed)                                                                           \
    NATIVE(sat_F16_##src_, FP_ANY, 8, 8, 2,                                                                  \
           store_128(to, f16_rounded(ps_saturated(from, is_signed), ROUND_RN)))                              \
    NATIVE(sat_F32_##src_, FP_ANY, 8, 8, 4, store_ps(to, ps_saturated(from, is_signed)))                     \
    NATIVE(sat_F64_##src_, FP_ANY, 4, 8, 8, store_pd(to, pd_saturated(from, is_signed)))
SATURATED(S64, true)
SATURATED(U64, false)

static const struct cvt_kernel *sat_kernel(pto_cvt_op op) {
    static const struct cvt_kernel *const kernels[CVT_TYPES][2] = {
        [PTO_F16] = {&native_sat_F16_U64, &native_sat_F16_S64},
        [PTO_F32] = {&native_sat_F32_U64, &native_sat_F32_S64},
        [PTO_F64] = {&native_sat_F64_U64, &native_sat_F64_S64},
    };
    if ((cvt_modifiers(op) & ~(unsigned)CVT_FTZ) != CVT_SAT) return NULL;
    return op.src == PTO_U64 || op.src == PTO_S64 ? kernels[op.dst][op.src == PTO_S64] : NULL;
}
