/* SPDX-License-Identifier: MIT */
/*
 * exp of f32 and f64 by SLEEF's RVV functions: defines the operations that loops/exp.h requires. A vector is two
 * registers, which is what SLEEF's functions take. Unlike elsewhere in this folder, all lanes are defined: those after
 * the end of an array are zeros.
 */
#include <riscv_vector.h>

#include "core/exp.h"
#include "core/relations.h"

#include <sleef.h>

typedef vuint8m2_t vec;
typedef vbool16_t vmask_32;
typedef vbool32_t vmask_64;

#define VBYTES    __riscv_vsetvlmax_e8m2()
#define VLANES_32 __riscv_vsetvlmax_e32m2()
#define VLANES_64 __riscv_vsetvlmax_e64m2()

#define F32(x)    __riscv_vreinterpret_v_u32m2_f32m2(U32(x))
#define F64(x)    __riscv_vreinterpret_v_u64m2_f64m2(U64(x))
#define U32(x)    __riscv_vreinterpret_v_u8m2_u32m2(x)
#define U64(x)    __riscv_vreinterpret_v_u8m2_u64m2(x)
#define OF_F32(x) OF_U32(__riscv_vreinterpret_v_f32m2_u32m2(x))
#define OF_F64(x) OF_U64(__riscv_vreinterpret_v_f64m2_u64m2(x))
#define OF_U32(x) __riscv_vreinterpret_v_u32m2_u8m2(x)
#define OF_U64(x) __riscv_vreinterpret_v_u64m2_u8m2(x)

static ALWAYS_INLINE vec v_zero(void) {
    return __riscv_vmv_v_x_u8m2(0, VBYTES);
}

static ALWAYS_INLINE vec v_load(const void *p) {
    return __riscv_vle8_v_u8m2(p, VBYTES);
}

static ALWAYS_INLINE void v_store(void *p, vec x) {
    __riscv_vse8_v_u8m2(p, x, VBYTES);
}

static ALWAYS_INLINE vec v_load_bytes(const void *p, size_t bytes) {
    return __riscv_vle8_v_u8m2_tu(v_zero(), p, bytes);
}

static ALWAYS_INLINE void v_store_bytes(void *p, vec x, size_t bytes) {
    __riscv_vse8_v_u8m2(p, x, bytes);
}

static ALWAYS_INLINE vec v_and(vec x, vec y) {
    return __riscv_vand_vv_u8m2(x, y, VBYTES);
}

static ALWAYS_INLINE vmask_64 v_lt_s64(vec x, vec y) {
    const vint64m2_t a = __riscv_vreinterpret_v_u64m2_i64m2(U64(x)),
                     b = __riscv_vreinterpret_v_u64m2_i64m2(U64(y));
    return __riscv_vmslt_vv_i64m2_b32(a, b, VLANES_64);
}

/* SLEEF's functions, and the operations that exist for both widths. */
static ALWAYS_INLINE vec v_exp_f32(vec x) {
    return OF_F32(Sleef_cinz_expfx_u10rvvm2nofma(F32(x)));
}

static ALWAYS_INLINE vec v_exp_f64(vec x) {
    return OF_F64(Sleef_cinz_expdx_u10rvvm2nofma(F64(x)));
}

static ALWAYS_INLINE vec v_div_f64(vec x, vec y) {
    return OF_F64(__riscv_vfdiv_vv_f64m2(F64(x), F64(y), VLANES_64));
}

/* v_rel has only the relations that loops/exp.h uses. v_max is a comparison and a selection: it must return y if y is
 * a NaN, but vfmax returns the other operand. */
#define EITHER_WIDTH(w, b)                                                                                   \
    static ALWAYS_INLINE vec v_set1_##w(const void *p) {                                                     \
        return OF_U##w(__riscv_vmv_v_x_u##w##m2((u##w)load_bytes(p, w / 8), VLANES_##w));                    \
    }                                                                                                        \
    static ALWAYS_INLINE vmask_##w v_rel_f##w(enum relation r, vec x, vec y) {                               \
        const vfloat##w##m2_t a = F##w(x), c = F##w(y);                                                      \
        switch (r) {                                                                                         \
        case RELATION_LT: return __riscv_vmflt_vv_f##w##m2_b##b(a, c, VLANES_##w);                           \
        case RELATION_LE: return __riscv_vmfle_vv_f##w##m2_b##b(a, c, VLANES_##w);                           \
        case RELATION_GE: return __riscv_vmfle_vv_f##w##m2_b##b(c, a, VLANES_##w);                           \
        default: break;                                                                                      \
        }                                                                                                    \
        return __riscv_vmand_mm_b##b(__riscv_vmfeq_vv_f##w##m2_b##b(a, a, VLANES_##w),                       \
                                     __riscv_vmfeq_vv_f##w##m2_b##b(c, c, VLANES_##w), VLANES_##w);          \
    }                                                                                                        \
    static ALWAYS_INLINE vmask_##w v_is_clear_##w(vec x, vec y) {                                            \
        return __riscv_vmseq_vx_u##w##m2_b##b(U##w(v_and(x, y)), 0, VLANES_##w);                             \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_sel_##w(vmask_##w m, vec x, vec y) {                                          \
        return OF_U##w(__riscv_vmerge_vvm_u##w##m2(U##w(y), U##w(x), m, VLANES_##w));                        \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_add_f##w(vec x, vec y) {                                                      \
        return OF_F##w(__riscv_vfadd_vv_f##w##m2(F##w(x), F##w(y), VLANES_##w));                             \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_sub_f##w(vec x, vec y) {                                                      \
        return OF_F##w(__riscv_vfsub_vv_f##w##m2(F##w(x), F##w(y), VLANES_##w));                             \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_mul_f##w(vec x, vec y) {                                                      \
        return OF_F##w(__riscv_vfmul_vv_f##w##m2(F##w(x), F##w(y), VLANES_##w));                             \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_max_f##w(vec x, vec y) {                                                      \
        return v_sel_##w(v_rel_f##w(RELATION_LT, y, x), x, y);                                               \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_sub_##w(vec x, vec y) {                                                       \
        return OF_U##w(__riscv_vsub_vv_u##w##m2(U##w(x), U##w(y), VLANES_##w));                              \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_to_exponent_##w(vec x) {                                                      \
        return OF_U##w(__riscv_vsll_vx_u##w##m2(U##w(x), EXP_F##w##_EXPONENT_AT, VLANES_##w));               \
    }                                                                                                        \
    static ALWAYS_INLINE bool m_any_##w(vmask_##w m) {                                                       \
        return __riscv_vfirst_m_b##b(m, VLANES_##w) >= 0;                                                    \
    }                                                                                                        \
    static ALWAYS_INLINE bool m_all_##w(vmask_##w m) {                                                       \
        return !m_any_##w(__riscv_vmnot_m_b##b(m, VLANES_##w));                                              \
    }
EITHER_WIDTH(32, 16)
EITHER_WIDTH(64, 32)

#define ISA rvv
#include "loops/exp.h"
