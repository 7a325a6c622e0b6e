/* SPDX-License-Identifier: MIT */
/*
 * Max, min and relu of floats by RVV's float instructions. If one operand is a NaN, they return the other; if both
 * are, they return the canonical NaN of RISC-V. -0 is below +0.
 *
 * RISC-V has no FP state that flushes. NaNs raise exception flags, which the callers of the kernels restore.
 */
#ifndef PTO_RVV_MAXMIN_FLOAT_H
#define PTO_RVV_MAXMIN_FLOAT_H

#include "rvv/vector.h"

/* ratio: the number in the name of the mask type of these lanes, such as vbool4_t. */
#define FLOAT_NUMBERS(w, ratio)                                                                              \
    static ALWAYS_INLINE lanes_##w minmax_no_nan_f##w(bool max, lanes_##w x, lanes_##w y, size_t vl) {       \
        const vfloat##w##m8_t a = __riscv_vreinterpret_v_u##w##m8_f##w##m8(x);                               \
        const vfloat##w##m8_t b = __riscv_vreinterpret_v_u##w##m8_f##w##m8(y);                               \
        return __riscv_vreinterpret_v_f##w##m8_u##w##m8(max ? __riscv_vfmax_vv_f##w##m8(a, b, vl)            \
                                                            : __riscv_vfmin_vv_f##w##m8(a, b, vl));          \
    }                                                                                                        \
    static ALWAYS_INLINE truth_##w nans_f##w(lanes_##w x, size_t vl) {                                       \
        const vfloat##w##m8_t a = __riscv_vreinterpret_v_u##w##m8_f##w##m8(x);                               \
        return __riscv_vmfne_vv_f##w##m8_b##ratio(a, a, vl);                                                 \
    }

/* nan: the result for a NaN; infinity: the mask of the exponent bits. */
#define FLOAT_STEPS(w, b, nan, infinity)                                                                     \
    static ALWAYS_INLINE lanes_##w minmax_f##w(bool max, unsigned flags, lanes_##w x, lanes_##w y,           \
                                               size_t vl) {                                                  \
        lanes_##w sign = broadcast_##w(0, vl), r;                                                            \
        truth_##w is_nan;                                                                                    \
        if ((flags & PTO_XORSIGN_ABS) != 0) {                                                                \
            sign = __riscv_vand_vx_u##w##m8(__riscv_vxor_vv_u##w##m8(x, y, vl), (u##w)INT##w##_MIN, vl);     \
            x = __riscv_vand_vx_u##w##m8(x, INT##w##_MAX, vl);                                               \
            y = __riscv_vand_vx_u##w##m8(y, INT##w##_MAX, vl);                                               \
        }                                                                                                    \
        r = minmax_no_nan_f##w(max, x, y, vl);                                                               \
        is_nan = (flags & PTO_PROPAGATE_NAN) != 0                                                            \
                     ? __riscv_vmor_mm_b##b(nans_f##w(x, vl), nans_f##w(y, vl), vl)                          \
                     : nans_f##w(r, vl);                                                                     \
        if ((flags & PTO_XORSIGN_ABS) != 0) r = __riscv_vor_vv_u##w##m8(r, sign, vl);                        \
        return select_scalar_##w(is_nan, nan, r, vl);                                                        \
    }                                                                                                        \
    static ALWAYS_INLINE lanes_##w relu_f##w(unsigned flags, lanes_##w x, size_t vl) {                       \
        const lanes_##w r = minmax_no_nan_f##w(true, x, broadcast_##w(0, vl), vl);                           \
        return (flags & PTO_PROPAGATE_NAN) != 0 ? select_scalar_##w(nans_f##w(x, vl), nan, r, vl) : r;       \
    }                                                                                                        \
    static ALWAYS_INLINE lanes_##w flush_f##w(lanes_##w x, size_t vl) {                                      \
        const truth_##w small =                                                                              \
            __riscv_vmseq_vx_u##w##m8_b##b(__riscv_vand_vx_u##w##m8(x, infinity, vl), 0, vl);                \
        return __riscv_vand_vx_u##w##m8_mu(small, x, x, (u##w)INT##w##_MIN, vl);                             \
    }

#endif
