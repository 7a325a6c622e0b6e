/* SPDX-License-Identifier: MIT */
/* Max, min and clamp kernels of AVX-512. */
#include "avx512/nans.h"
#include "avx512/vec.h"

#define ISA avx512

#define INTEGERS(lane, suffix)                                                                               \
    static ALWAYS_INLINE vec v_max_##lane(vec x, vec y) {                                                    \
        return _mm512_max_##suffix(x, y);                                                                    \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_min_##lane(vec x, vec y) {                                                    \
        return _mm512_min_##suffix(x, y);                                                                    \
    }
INTEGERS(u8, epu8)
INTEGERS(u16, epu16)
INTEGERS(u32, epu32)
INTEGERS(u64, epu64)
INTEGERS(s8, epi8)
INTEGERS(s16, epi16)
INTEGERS(s32, epi32)
INTEGERS(s64, epi64)
#undef INTEGERS

/* VRANGEPS and VRANGEPD return the other operand if one is a quiet NaN. Their immediates select the minimum
 * or the maximum, with the sign of the selected operand. */
#define MAXMIN_NAN_RESULT 2
#define MAXMIN_IGNORES_QUIET_NAN
enum { RANGE_MIN = 4, RANGE_MAX = 5 };

static ALWAYS_INLINE vec v_max_f32(vec x, vec y) {
    return _mm512_castps_si512(
        _mm512_range_round_ps(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y), RANGE_MAX, _MM_FROUND_NO_EXC));
}

static ALWAYS_INLINE vec v_min_f32(vec x, vec y) {
    return _mm512_castps_si512(
        _mm512_range_round_ps(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y), RANGE_MIN, _MM_FROUND_NO_EXC));
}

static ALWAYS_INLINE vec v_max_f64(vec x, vec y) {
    return _mm512_castpd_si512(
        _mm512_range_round_pd(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y), RANGE_MAX, _MM_FROUND_NO_EXC));
}

static ALWAYS_INLINE vec v_min_f64(vec x, vec y) {
    return _mm512_castpd_si512(
        _mm512_range_round_pd(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y), RANGE_MIN, _MM_FROUND_NO_EXC));
}

/* VMAXPS and the like return the second operand if both are zeros or if either is a NaN. */
#define MAXMIN_HAS_MAX_SECOND
static ALWAYS_INLINE vec v_max_second_f32(vec x, vec y) {
    return _mm512_castps_si512(
        _mm512_max_round_ps(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y), _MM_FROUND_NO_EXC));
}

static ALWAYS_INLINE vec v_max_second_f64(vec x, vec y) {
    return _mm512_castpd_si512(
        _mm512_max_round_pd(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y), _MM_FROUND_NO_EXC));
}

static ALWAYS_INLINE vec v_min_second_f32(vec x, vec y) {
    return _mm512_castps_si512(
        _mm512_min_round_ps(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y), _MM_FROUND_NO_EXC));
}

static ALWAYS_INLINE vec v_min_second_f64(vec x, vec y) {
    return _mm512_castpd_si512(
        _mm512_min_round_pd(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y), _MM_FROUND_NO_EXC));
}

static ALWAYS_INLINE vec v_unless_nan_f32(vec x, vec y) {
    return _mm512_castps_si512(unless_nan_ps(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y)));
}

static ALWAYS_INLINE vec v_unless_nan_f64(vec x, vec y) {
    return _mm512_castpd_si512(unless_nan_pd(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y)));
}

static ALWAYS_INLINE vec v_key_16(vec x) {
    return _mm512_ternarylogic_epi32(x, _mm512_srai_epi16(x, 15), v_const_16(INT16_MAX), A_XOR_B_AND_C);
}

#include "loops/maxmin_all.h"
