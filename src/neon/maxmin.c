/* SPDX-License-Identifier: MIT */
/* Max, min and clamp kernels of NEON. */
#include "neon/vec.h"

#define ISA neon

#define INTEGERS(lane, suffix, from, to)                                                                     \
    static ALWAYS_INLINE vec v_max_##lane(vec x, vec y) {                                                    \
        return to(vmaxq_##suffix(from(x), from(y)));                                                         \
    }                                                                                                        \
    static ALWAYS_INLINE vec v_min_##lane(vec x, vec y) {                                                    \
        return to(vminq_##suffix(from(x), from(y)));                                                         \
    }
#define AS_IT_IS(x) (x)
INTEGERS(u8, u8, AS_IT_IS, AS_IT_IS)
INTEGERS(u16, u16, U16, vreinterpretq_u8_u16)
INTEGERS(u32, u32, U32, vreinterpretq_u8_u32)
INTEGERS(s8, s8, S8, vreinterpretq_u8_s8)
INTEGERS(s16, s16, S16, vreinterpretq_u8_s16)
INTEGERS(s32, s32, S32, vreinterpretq_u8_s32)
#undef AS_IT_IS
#undef INTEGERS

/* NEON compares 64-bit lanes, but has no maximum or minimum of them. */
static ALWAYS_INLINE vec v_max_u64(vec x, vec y) {
    return v_sel_64(v_lt_u64(x, y), y, x);
}

static ALWAYS_INLINE vec v_min_u64(vec x, vec y) {
    return v_sel_64(v_lt_u64(x, y), x, y);
}

static ALWAYS_INLINE vec v_max_s64(vec x, vec y) {
    return v_sel_64(v_lt_s64(x, y), y, x);
}

static ALWAYS_INLINE vec v_min_s64(vec x, vec y) {
    return v_sel_64(v_lt_s64(x, y), x, y);
}

#if defined(__aarch64__)

/* FMAX and FMIN return a NaN if either operand is one. They order +0 above -0. */
#    define MAXMIN_NAN_RESULT 1
static ALWAYS_INLINE vec v_max_f32(vec x, vec y) {
    return vreinterpretq_u8_f32(vmaxq_f32(F32(x), F32(y)));
}

static ALWAYS_INLINE vec v_min_f32(vec x, vec y) {
    return vreinterpretq_u8_f32(vminq_f32(F32(x), F32(y)));
}

static ALWAYS_INLINE vec v_max_f64(vec x, vec y) {
    return vreinterpretq_u8_f64(vmaxq_f64(F64(x), F64(y)));
}

static ALWAYS_INLINE vec v_min_f64(vec x, vec y) {
    return vreinterpretq_u8_f64(vminq_f64(F64(x), F64(y)));
}

#else

/* SIMDe's maximum is that of the host CPU, which need not distinguish -0 from +0. If neither operand is less
 * than the other, the maximum is the AND of both, and the minimum the OR. */
static ALWAYS_INLINE vec v_max_f32(vec x, vec y) {
    const vec same = v_sel_32(v_rel_f32(RELATION_GT, x, y), x, v_and(x, y));
    return v_sel_32(v_rel_f32(RELATION_LT, x, y), y, same);
}

static ALWAYS_INLINE vec v_min_f32(vec x, vec y) {
    const vec same = v_sel_32(v_rel_f32(RELATION_LT, x, y), x, v_or(x, y));
    return v_sel_32(v_rel_f32(RELATION_GT, x, y), y, same);
}

static ALWAYS_INLINE vec v_max_f64(vec x, vec y) {
    const vec same = v_sel_64(v_rel_f64(RELATION_GT, x, y), x, v_and(x, y));
    return v_sel_64(v_rel_f64(RELATION_LT, x, y), y, same);
}

static ALWAYS_INLINE vec v_min_f64(vec x, vec y) {
    const vec same = v_sel_64(v_rel_f64(RELATION_LT, x, y), x, v_or(x, y));
    return v_sel_64(v_rel_f64(RELATION_GT, x, y), y, same);
}

#endif

static ALWAYS_INLINE vec v_key_16(vec x) {
    const uint16x8_t sign = vreinterpretq_u16_s16(vshrq_n_s16(S16(x), 15));
    return v_xor(x, vreinterpretq_u8_u16(vshrq_n_u16(sign, 1)));
}

#include "loops/maxmin_all.h"
