/* SPDX-License-Identifier: MIT */
/* Rounds floats to integral values in their own format. No integral value is subnormal. Part of
 * convert_native.h. */

/* The instruction takes the rounding as an immediate, so each mode needs a case. */
static ALWAYS_INLINE __m512 integral_ps(__m512 x, int mode) {
    switch (mode) {
    case ROUND_RZ: return _mm512_roundscale_round_ps(x, ROUND_RZ, _MM_FROUND_NO_EXC);
    case ROUND_RM: return _mm512_roundscale_round_ps(x, ROUND_RM, _MM_FROUND_NO_EXC);
    case ROUND_RP: return _mm512_roundscale_round_ps(x, ROUND_RP, _MM_FROUND_NO_EXC);
    default: return _mm512_roundscale_round_ps(x, ROUND_RN, _MM_FROUND_NO_EXC);
    }
}

#define F32_F32(name, r, mode)                                                                               \
    NATIVE(name##_##r, UNFLUSHED, 16, 4, 4,                                                                  \
           { _mm512_storeu_ps(to, with_nan_ps(integral_ps(_mm512_loadu_ps(from), mode), INT32_MAX)); })
EACH_ROUNDING(F32_F32, F32_F32)

/* A NaN keeps its payload and becomes quiet. */
#define F64_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, UNFLUSHED, 8, 8, 8, {                                                                 \
        const __m512d x = _mm512_loadu_pd(from);                                                             \
        _mm512_storeu_pd(to, _mm512_roundscale_round_pd(x, mode, _MM_FROUND_NO_EXC));                        \
    })
EACH_ROUNDING(F64_F64, F64_F64)

#define F16_F16(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 16, 2, 2, {                                                                  \
        const __m512 x = f32_of_f16(load_halves(from));                                                      \
        const __m512 y = with_nan_ps(integral_ps(x, mode), INT32_MAX);                                       \
        _mm256_storeu_si256((__m256i *)to, _mm512_cvt_roundps_ph(y, ROUND_RN));                              \
    })
EACH_ROUNDING(F16_F16, F16_F16)

static ALWAYS_INLINE __m512i integral_bf16(const u8 *from, int mode) {
    const __m512 y = integral_ps(f32_of_bf16(load_halves(from)), mode);
    return _mm512_castps_si512(with_nan_ps(y, 0x7fff0000));
}

#define BF16_BF16(name, r, mode)                                                                             \
    NATIVE(name##_##r, UNFLUSHED, 32, 2, 2, {                                                                \
        const __m512i low = integral_bf16(from, mode), high = integral_bf16(from + 32, mode);                \
        _mm512_storeu_si512(to, upper_halves(low, high));                                                    \
    })
EACH_ROUNDING(BF16_BF16, BF16_BF16)
