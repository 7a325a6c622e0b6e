/* SPDX-License-Identifier: MIT */
/* Max, min and clamp kernels of AVX2. */
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

/* AVX2 compares 64-bit lanes, but has no maximum or minimum of them. */
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

/* (V)MAXPS and the like return the second operand if both are zeros or if either is a NaN. */
#define MAXMIN_HAS_MAX_SECOND
static ALWAYS_INLINE vec v_max_second_f32(vec x, vec y) {
    return _mm256_castps_si256(_mm256_max_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y)));
}

static ALWAYS_INLINE vec v_min_second_f32(vec x, vec y) {
    return _mm256_castps_si256(_mm256_min_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y)));
}

static ALWAYS_INLINE vec v_max_second_f64(vec x, vec y) {
    return _mm256_castpd_si256(_mm256_max_pd(_mm256_castsi256_pd(x), _mm256_castsi256_pd(y)));
}

static ALWAYS_INLINE vec v_min_second_f64(vec x, vec y) {
    return _mm256_castpd_si256(_mm256_min_pd(_mm256_castsi256_pd(x), _mm256_castsi256_pd(y)));
}

/* If x and y are zeros of different signs, the two orders of operands return one each. AND makes +0 of them,
 * and OR makes -0. */
static ALWAYS_INLINE vec v_max_f32(vec x, vec y) {
    return v_and(v_max_second_f32(x, y), v_max_second_f32(y, x));
}

static ALWAYS_INLINE vec v_min_f32(vec x, vec y) {
    return v_or(v_min_second_f32(x, y), v_min_second_f32(y, x));
}

static ALWAYS_INLINE vec v_max_f64(vec x, vec y) {
    return v_and(v_max_second_f64(x, y), v_max_second_f64(y, x));
}

static ALWAYS_INLINE vec v_min_f64(vec x, vec y) {
    return v_or(v_min_second_f64(x, y), v_min_second_f64(y, x));
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

#define MAXMIN_HAS_ONES_ABOVE
static ALWAYS_INLINE vec v_ones_above_16(vec x, vec y) {
    return v_or(x, v_lt_s16(y, x));
}

static ALWAYS_INLINE vec v_key_16(vec x) {
    return v_xor(x, _mm256_srli_epi16(_mm256_srai_epi16(x, 15), 1));
}

#include "loops/maxmin_all.h"
