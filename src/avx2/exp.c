/* SPDX-License-Identifier: MIT */
/* Exp kernels of AVX2, by SLEEF. */
#include "avx2/vec.h"
#include "loops/exp_operations.h"

#include <sleef.h>

static ALWAYS_INLINE vec v_exp_f32(vec x) {
    return _mm256_castps_si256(Sleef_cinz_expf8_u10avx(_mm256_castsi256_ps(x)));
}

static ALWAYS_INLINE vec v_exp_f64(vec x) {
    return _mm256_castpd_si256(Sleef_cinz_expd4_u10avx(_mm256_castsi256_pd(x)));
}

static ALWAYS_INLINE vec v_max_f32(vec x, vec y) {
    return _mm256_castps_si256(_mm256_max_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y)));
}

static ALWAYS_INLINE vec v_max_f64(vec x, vec y) {
    return _mm256_castpd_si256(_mm256_max_pd(_mm256_castsi256_pd(x), _mm256_castsi256_pd(y)));
}

static ALWAYS_INLINE vmask_32 v_is_clear_32(vec x, vec y) {
    return v_eq_32(v_and(x, y), v_zero());
}

static ALWAYS_INLINE vmask_64 v_is_clear_64(vec x, vec y) {
    return v_eq_64(v_and(x, y), v_zero());
}

static ALWAYS_INLINE bool m_any_32(vmask_32 m) {
    return _mm256_movemask_ps(_mm256_castsi256_ps(m)) != 0;
}

static ALWAYS_INLINE bool m_any_64(vmask_64 m) {
    return _mm256_movemask_pd(_mm256_castsi256_pd(m)) != 0;
}

static ALWAYS_INLINE bool m_all_32(vmask_32 m) {
    return _mm256_movemask_ps(_mm256_castsi256_ps(m)) == 0xff;
}

static ALWAYS_INLINE bool m_all_64(vmask_64 m) {
    return _mm256_movemask_pd(_mm256_castsi256_pd(m)) == 0xf;
}

#define ISA avx2
#include "loops/exp.h"
