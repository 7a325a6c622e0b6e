/* SPDX-License-Identifier: MIT */
#ifdef __aarch64__

#    include "neon/vec.h"

#    include <sleef.h>

static ALWAYS_INLINE vec v_exp_f32(vec x) {
    return vreinterpretq_u8_f32(Sleef_cinz_expf4_u10advsimdnofma(F32(x)));
}

static ALWAYS_INLINE vec v_exp_f64(vec x) {
    return vreinterpretq_u8_f64(Sleef_cinz_expd2_u10advsimdnofma(F64(x)));
}

static ALWAYS_INLINE bool m_all_64(vmask_64 m) {
    return vminvq_u8(m) != 0;
}

#    define ISA neon
#    include "loops/exp.h"

#else

#    include "core/exp.h"

/* SLEEF has no vectors for SIMDe's renderings; its functions of one number give the same bits. */
const struct exp_kernels pto_exp_neon = {pto_exp_f32_scalar, pto_exp_f64_scalar};

#endif
