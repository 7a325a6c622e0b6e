/* SPDX-License-Identifier: MIT */
#include "avx2/vec.h"

#define ISA avx2

#define INTEGERS(lane, suffix)                                                                               \
    static ALWAYS_INLINE vec v_max_##lane(vec x, vec y) {                                                    \
        return _mm256_max_##suffix(x, y);                                                                    \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_min_##lane(vec x, vec y) {                                                    \
        return _mm256_min_##suffix(x, y);                                                                    \
    }
INTEGERS(u8, epu8)
INTEGERS(u16, epu16)
INTEGERS(u32, epu32)
INTEGERS(s8, epi8)
INTEGERS(s16, epi16)
INTEGERS(s32, epi32)
#undef INTEGERS

/* Of 64 bits there is a comparison alone. */
static ALWAYS_INLINE vec v_max_u64(vec x, vec y) {
    return v_sel_64(v_lt_u64(x, y), y, x);
}

static ALWAYS_INLINE vec v_min_u64(vec x, vec y) {
    return v_sel_64(v_lt_u64(x, y), x, y);
}

static ALWAYS_INLINE vec v_max_s64(vec x, vec y) {
    return v_sel_64(v_lt_s64(x, y), y, x);
}

static ALWAYS_INLINE vec v_min_s64(vec x, vec y) {
    return v_sel_64(v_lt_s64(x, y), x, y);
}

/* The instruction gives the second of two zeros: asked both ways round it gives both. */
static ALWAYS_INLINE vec v_max_f32(vec x, vec y) {
    const __m256 a = _mm256_castsi256_ps(x), b = _mm256_castsi256_ps(y);
    return v_and(_mm256_castps_si256(_mm256_max_ps(a, b)), _mm256_castps_si256(_mm256_max_ps(b, a)));
}

static ALWAYS_INLINE vec v_min_f32(vec x, vec y) {
    const __m256 a = _mm256_castsi256_ps(x), b = _mm256_castsi256_ps(y);
    return v_or(_mm256_castps_si256(_mm256_min_ps(a, b)), _mm256_castps_si256(_mm256_min_ps(b, a)));
}

static ALWAYS_INLINE vec v_max_f64(vec x, vec y) {
    const __m256d a = _mm256_castsi256_pd(x), b = _mm256_castsi256_pd(y);
    return v_and(_mm256_castpd_si256(_mm256_max_pd(a, b)), _mm256_castpd_si256(_mm256_max_pd(b, a)));
}

static ALWAYS_INLINE vec v_min_f64(vec x, vec y) {
    const __m256d a = _mm256_castsi256_pd(x), b = _mm256_castsi256_pd(y);
    return v_or(_mm256_castpd_si256(_mm256_min_pd(a, b)), _mm256_castpd_si256(_mm256_min_pd(b, a)));
}

/* The instruction gives the second of two zeros, and if one is a NaN. */
#define MAXMIN_HAS_POSITIVE
static ALWAYS_INLINE vec v_positive_f32(vec x) {
    return _mm256_castps_si256(_mm256_max_ps(_mm256_castsi256_ps(x), _mm256_setzero_ps()));
}

static ALWAYS_INLINE vec v_positive_f64(vec x) {
    return _mm256_castpd_si256(_mm256_max_pd(_mm256_castsi256_pd(x), _mm256_setzero_pd()));
}

#define MAXMIN_HAS_ANY_NAN
static ALWAYS_INLINE bool v_any_nan_f32(vec x, vec y) {
    return _mm256_movemask_ps(_mm256_cmp_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y), _CMP_UNORD_Q)) !=
           0;
}

static ALWAYS_INLINE bool v_any_nan_f64(vec x, vec y) {
    return _mm256_movemask_pd(_mm256_cmp_pd(_mm256_castsi256_pd(x), _mm256_castsi256_pd(y), _CMP_UNORD_Q)) !=
           0;
}

static ALWAYS_INLINE vec v_key_16(vec x) {
    return v_xor(x, _mm256_srli_epi16(_mm256_srai_epi16(x, 15), 1));
}

#include "loops/maxmin_all.h"
