/* SPDX-License-Identifier: MIT */
#include "avx512/vec.h"

#include <sleef.h>

static ALWAYS_INLINE vec v_exp_f32(vec x) {
    return _mm512_castps_si512(Sleef_cinz_expf16_u10avx512fnofma(_mm512_castsi512_ps(x)));
}

static ALWAYS_INLINE vec v_exp_f64(vec x) {
    return _mm512_castpd_si512(Sleef_cinz_expd8_u10avx512fnofma(_mm512_castsi512_pd(x)));
}

static ALWAYS_INLINE bool m_all_64(vmask_64 m) {
    return m == 0xff;
}

#define ISA avx512
#include "loops/exp.h"
