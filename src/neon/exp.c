/* SPDX-License-Identifier: MIT */
/* Exp kernels of NEON, by SLEEF. */
#ifdef __aarch64__

#    include "neon/vec.h"
#    include "loops/exp_operations.h"

#    include <sleef.h>

static ALWAYS_INLINE vec v_exp_f32(vec x) {
    return vreinterpretq_u8_f32(Sleef_cinz_expf4_u10advsimdnofma(F32(x)));
}

static ALWAYS_INLINE vec v_exp_f64(vec x) {
    return vreinterpretq_u8_f64(Sleef_cinz_expd2_u10advsimdnofma(F64(x)));
}

static ALWAYS_INLINE vec v_max_f32(vec x, vec y) {
    return vreinterpretq_u8_f32(vmaxq_f32(F32(x), F32(y)));
}

static ALWAYS_INLINE vec v_max_f64(vec x, vec y) {
    return vreinterpretq_u8_f64(vmaxq_f64(F64(x), F64(y)));
}

static ALWAYS_INLINE vmask_32 v_is_clear_32(vec x, vec y) {
    return v_eq_32(v_and(x, y), v_zero());
}

static ALWAYS_INLINE vmask_64 v_is_clear_64(vec x, vec y) {
    return v_eq_64(v_and(x, y), v_zero());
}

static ALWAYS_INLINE bool m_any_32(vmask_32 m) {
    return vmaxvq_u8(m) != 0;
}

static ALWAYS_INLINE bool m_any_64(vmask_64 m) {
    return vmaxvq_u8(m) != 0;
}

static ALWAYS_INLINE bool m_all_32(vmask_32 m) {
    return vminvq_u8(m) != 0;
}

static ALWAYS_INLINE bool m_all_64(vmask_64 m) {
    return vminvq_u8(m) != 0;
}

#    define ISA neon
#    include "loops/exp.h"

#else

#    include "core/exp.h"

/* SLEEF has no vector functions for SIMDe's types. Its scalar functions give the same bits. */
const struct exp_kernels pto_exp_neon = {pto_exp_f32_scalar, pto_exp_f64_scalar};

#endif
