/* SPDX-License-Identifier: MIT */
/* exp of f32 and f64 by SLEEF's SVE functions: defines the operations that loops/exp.h requires. */
#include "core/exp.h"
#include "sve/vector.h"

#include <sleef.h>

typedef svuint8_t vec;
typedef svbool_t vmask_32, vmask_64;

#define VBYTES    svcntb()
#define VLANES_32 svcntw()
#define VLANES_64 svcntd()
#define F32       svreinterpret_f32
#define F64       svreinterpret_f64
#define U32       svreinterpret_u32
#define U64       svreinterpret_u64
#define BYTES     svreinterpret_u8

static ALWAYS_INLINE vec v_load(const void *p) {
    return svld1_u8(svptrue_b8(), p);
}

static ALWAYS_INLINE void v_store(void *p, vec x) {
    svst1_u8(svptrue_b8(), p, x);
}

static ALWAYS_INLINE vec v_load_bytes(const void *p, size_t bytes) {
    return svld1_u8(first_bytes(bytes), p);
}

static ALWAYS_INLINE void v_store_bytes(void *p, vec x, size_t bytes) {
    svst1_u8(first_bytes(bytes), p, x);
}

static ALWAYS_INLINE vec v_zero(void) {
    return svdup_n_u8(0);
}

static ALWAYS_INLINE vec v_and(vec x, vec y) {
    return svand_x(svptrue_b8(), x, y);
}

static ALWAYS_INLINE vmask_64 v_lt_s64(vec x, vec y) {
    return related_s64(RELATION_LT, svptrue_b64(), x, y);
}

/* SLEEF's functions, and the operations that exist for both widths. */
static ALWAYS_INLINE vec v_exp_f32(vec x) {
    return BYTES(Sleef_cinz_expfx_u10svenofma(F32(x)));
}

static ALWAYS_INLINE vec v_exp_f64(vec x) {
    return BYTES(Sleef_cinz_expdx_u10svenofma(F64(x)));
}

static ALWAYS_INLINE vec v_div_f64(vec x, vec y) {
    return BYTES(svdiv_x(svptrue_b64(), F64(x), F64(y)));
}

#define EITHER_WIDTH(w, F, U)                                                                                \
    static ALWAYS_INLINE vec v_set1_##w(const void *p) {                                                     \
        return broadcast_element(p, (w) / 8);                                                                \
    }                                                                                                        \
    static ALWAYS_INLINE vmask_##w v_rel_f##w(enum relation r, vec x, vec y) {                               \
        return related_f##w(r, svptrue_b##w(), x, y);                                                        \
    }                                                                                                        \
    static ALWAYS_INLINE vmask_##w v_is_clear_##w(vec x, vec y) {                                            \
        return svcmpeq(svptrue_b##w(), U(v_and(x, y)), 0);                                                   \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_sel_##w(vmask_##w m, vec x, vec y) {                                          \
        return BYTES(svsel(m, U(x), U(y)));                                                                  \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_add_f##w(vec x, vec y) {                                                      \
        return BYTES(svadd_x(svptrue_b##w(), F(x), F(y)));                                                   \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_sub_f##w(vec x, vec y) {                                                      \
        return BYTES(svsub_x(svptrue_b##w(), F(x), F(y)));                                                   \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_mul_f##w(vec x, vec y) {                                                      \
        return BYTES(svmul_x(svptrue_b##w(), F(x), F(y)));                                                   \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_max_f##w(vec x, vec y) {                                                      \
        return BYTES(svmax_x(svptrue_b##w(), F(x), F(y)));                                                   \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_sub_##w(vec x, vec y) {                                                       \
        return BYTES(svsub_x(svptrue_b##w(), U(x), U(y)));                                                   \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_to_exponent_##w(vec x) {                                                      \
        return BYTES(svlsl_x(svptrue_b##w(), U(x), EXP_F##w##_EXPONENT_AT));                                 \
    }                                                                                                        \
    static ALWAYS_INLINE bool m_any_##w(vmask_##w m) {                                                       \
        return svptest_any(svptrue_b##w(), m);                                                               \
    }                                                                                                        \
    static ALWAYS_INLINE bool m_all_##w(vmask_##w m) {                                                       \
        return !svptest_any(svptrue_b##w(), svnot_z(svptrue_b##w(), m));                                     \
    }
EITHER_WIDTH(32, F32, U32)
EITHER_WIDTH(64, F64, U64)

#define ISA sve
#include "loops/exp.h"
