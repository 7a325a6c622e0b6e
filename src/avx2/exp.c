/* SPDX-License-Identifier: MIT */
#ifdef PTO_PORTABLE

#    include "core/exp.h"

/* SLEEF has no vectors for SIMDe's renderings; its functions of one number give the same bits. */
const struct exp_kernels pto_exp_avx2 = {pto_exp_f32_scalar, pto_exp_f64_scalar};

#else

#    include "avx2/vec.h"

#    include <sleef.h>

static ALWAYS_INLINE vec v_exp_f32(vec x) {
    return _mm256_castps_si256(Sleef_cinz_expf8_u10avx(_mm256_castsi256_ps(x)));
}

static ALWAYS_INLINE vec v_exp_f64(vec x) {
    return _mm256_castpd_si256(Sleef_cinz_expd4_u10avx(_mm256_castsi256_pd(x)));
}

static ALWAYS_INLINE bool m_all_64(vmask_64 m) {
    return _mm256_movemask_pd(_mm256_castsi256_pd(m)) == 0xf;
}

#    define ISA avx2
#    include "loops/exp.h"

#endif
