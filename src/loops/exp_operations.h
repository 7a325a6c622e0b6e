/* SPDX-License-Identifier: MIT */
/*
 * The operations of loops/exp.h for which the compiler has operators on vectors of a fixed length. A backend's exp.c
 * includes this file after its vec.h.
 */
#include "core/exp.h"

typedef float exp_lanes_f32 __attribute__((vector_size(sizeof(vec))));
typedef double exp_lanes_f64 __attribute__((vector_size(sizeof(vec))));
typedef u32 exp_lanes_32 __attribute__((vector_size(sizeof(vec))));
typedef u64 exp_lanes_64 __attribute__((vector_size(sizeof(vec))));

#define EXP_OPERATION(name, operator, lanes)                                                                 \
    static ALWAYS_INLINE vec name##_##lanes(vec x, vec y) {                                                  \
        return (vec)((exp_lanes_##lanes)x operator(exp_lanes_##lanes) y);                                    \
    }
EXP_OPERATION(v_add, +, f32)
EXP_OPERATION(v_sub, -, f32)
EXP_OPERATION(v_mul, *, f32)
EXP_OPERATION(v_add, +, f64)
EXP_OPERATION(v_sub, -, f64)
EXP_OPERATION(v_mul, *, f64)
EXP_OPERATION(v_div, /, f64)
EXP_OPERATION(v_sub, -, 32)
EXP_OPERATION(v_sub, -, 64)
#undef EXP_OPERATION

static ALWAYS_INLINE vec v_to_exponent_32(vec x) {
    return (vec)((exp_lanes_32)x << EXP_F32_EXPONENT_AT);
}

static ALWAYS_INLINE vec v_to_exponent_64(vec x) {
    return (vec)((exp_lanes_64)x << EXP_F64_EXPONENT_AT);
}
