/* SPDX-License-Identifier: MIT */
/* Exp kernels of AVX-512, by SLEEF. */
#include "avx512/vec.h"
#include "loops/exp_operations.h"

#include <sleef.h>

static ALWAYS_INLINE vec v_exp_f32(vec x) {
    return _mm512_castps_si512(Sleef_cinz_expf16_u10avx512fnofma(_mm512_castsi512_ps(x)));
}

static ALWAYS_INLINE vec v_exp_f64(vec x) {
    return _mm512_castpd_si512(Sleef_cinz_expd8_u10avx512fnofma(_mm512_castsi512_pd(x)));
}

static ALWAYS_INLINE vec v_max_f32(vec x, vec y) {
    return _mm512_castps_si512(_mm512_max_ps(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y)));
}

static ALWAYS_INLINE vec v_max_f64(vec x, vec y) {
    return _mm512_castpd_si512(_mm512_max_pd(_mm512_castsi512_pd(x), _mm512_castsi512_pd(y)));
}

static ALWAYS_INLINE vmask_32 v_is_clear_32(vec x, vec y) {
    return _mm512_testn_epi32_mask(x, y);
}

static ALWAYS_INLINE vmask_64 v_is_clear_64(vec x, vec y) {
    return _mm512_testn_epi64_mask(x, y);
}

static ALWAYS_INLINE bool m_any_32(vmask_32 m) {
    return m != 0;
}

static ALWAYS_INLINE bool m_any_64(vmask_64 m) {
    return m != 0;
}

static ALWAYS_INLINE bool m_all_32(vmask_32 m) {
    return m == 0xffff;
}

static ALWAYS_INLINE bool m_all_64(vmask_64 m) {
    return m == 0xff;
}

#define ISA avx512
#include "loops/exp.h"
