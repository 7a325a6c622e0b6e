/* SPDX-License-Identifier: MIT */
/*
 * Comparisons, maximum and minimum of f16 with the FP16 instructions of Armv8.2. This is all that the NEON backend does
 * differently on a CPU that has them. The kernels run in FPCR's default state, which does not flush subnormals, so .ftz
 * of comparisons is implemented separately.
 */
#ifndef __ARM_FEATURE_FP16_VECTOR_ARITHMETIC
#    error "this file is compiled with +fp16"
#endif

#define VEC_HAS_F16_RELATION
#include "neon/vec.h"

#define F16(x) vreinterpretq_f16_u8(x)

/* Works like v_rel_f32. */
static ALWAYS_INLINE vmask_16 v_rel_f16(enum relation r, vec x, vec y) {
    const float16x8_t a = F16(x), b = F16(y);
    switch (r) {
    case RELATION_EQ: return vreinterpretq_u8_u16(vceqq_f16(a, b));
    case RELATION_LT: return vreinterpretq_u8_u16(vcltq_f16(a, b));
    case RELATION_LE: return vreinterpretq_u8_u16(vcleq_f16(a, b));
    case RELATION_LG: return vreinterpretq_u8_u16(vorrq_u16(vcltq_f16(a, b), vcgtq_f16(a, b)));
    case RELATION_ORD: return vreinterpretq_u8_u16(vandq_u16(vceqq_f16(a, a), vceqq_f16(b, b)));
    case RELATION_GT: return vreinterpretq_u8_u16(vcgtq_f16(a, b));
    case RELATION_GE: return vreinterpretq_u8_u16(vcgeq_f16(a, b));
    }
    return v_zero();
}

/* Two lanes that are zero or subnormal are equal. Other lanes are compared unchanged, except that
 * half_flushed() changes y for <, <=, > and >=. */
static ALWAYS_INLINE vmask_16 v_rel_f16z(enum relation r, vec x, vec y) {
    const s16 infinity = 0x7c00;
    const vmask_16 zeros = v_none_of_16(v_or(x, y), v_const_16(infinity));
    switch (r) {
    case RELATION_EQ: return m_or_16(v_rel_f16(r, x, y), zeros);
    case RELATION_LG: return m_and_16(v_rel_f16(r, x, y), m_not_16(zeros));
    case RELATION_ORD: return v_rel_f16(r, x, y);
    default: return v_rel_f16(r, x, half_flushed(r, y, infinity));
    }
}

#define ISA neon_fp16

#define LANE     f16
#define WIDTH    16
#define FLOATING 1
#include "loops/compare.h"

#define LANE     f16z
#define WIDTH    16
#define FLOATING 1
#include "loops/compare.h"

#include "neon/fp16_maxmin.h"
