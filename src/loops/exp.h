/* SPDX-License-Identifier: MIT */
/*
 * The exp kernels of one ISA and their table. A backend's exp.c includes its vec.h and defines ISA, SLEEF's
 * v_exp_f32 and v_exp_f64, and m_all_64, whether every lane is on; then it includes this.
 */
#include "core/exp.h"

#define NAME(name) CAT3(name, _, ISA)

static ALWAYS_INLINE vec exp_vector_f32(vec x) {
    static const u32 not_tiny = EXP_F32_NOT_TINY, nan = EXP_F32_NAN;
    const vmask_32 tiny = v_eq_32(v_and(x, v_set1_32(&not_tiny)), v_zero());
    const vec y = v_exp_f32(v_sel_32(tiny, v_zero(), x));
    return v_sel_32(v_rel_f32(BASIS_ORD, y, y), y, v_set1_32(&nan));
}

static NOINLINE vec exp_mend_top(vec x, vec y) {
    u8 in[VBYTES], out[VBYTES];
    v_store(in, x);
    v_store(out, y);
    for (size_t at = 0; at < VBYTES; at += 8) {
        double lane;
        if (!exp_f64_is_top(load64(in + at))) continue;
        memcpy(&lane, in + at, sizeof lane);
        lane = exp_f64_top(lane);
        memcpy(out + at, &lane, sizeof lane);
    }
    return v_load(out);
}

static ALWAYS_INLINE bool exp_has_top(vec x) {
    static const u64 top = EXP_F64_TOP, behind = EXP_F64_LAST + 1;
    const vec no_later = v_sel_64(v_lt_s64(x, v_set1_64(&behind)), x, v_zero());
    return !m_all_64(v_lt_s64(no_later, v_set1_64(&top)));
}

/* y where some of it is infinite or a NaN. */
static NOINLINE vec exp_mend_f64(vec x, vec y) {
    static const u64 nan = EXP_F64_NAN;
    y = v_sel_64(v_rel_f64(BASIS_ORD, y, y), y, v_set1_64(&nan));
    return exp_has_top(x) ? exp_mend_top(x, y) : y;
}

static ALWAYS_INLINE vec exp_vector_f64(vec x) {
    static const u64 not_tiny = EXP_F64_NOT_TINY, largest = EXP_F64_LARGEST;
    const vmask_64 tiny = v_eq_64(v_and(x, v_set1_64(&not_tiny)), v_zero());
    const vec y = v_exp_f64(v_sel_64(tiny, v_zero(), x));
    return unlikely(!m_all_64(v_rel_f64(BASIS_LE, y, v_set1_64(&largest)))) ? exp_mend_f64(x, y) : y;
}

static void NAME(exp_f32)(const void *src, void *dst, size_t n) {
    const u8 *in = src;
    u8 *out = dst;
    for (; n >= VLANES_32; n -= VLANES_32) {
        v_store(out, exp_vector_f32(v_load(in)));
        in += VBYTES;
        out += VBYTES;
    }
    if (n != 0) v_store_bytes(out, exp_vector_f32(v_load_bytes(in, 4 * n)), 4 * n);
}

static void NAME(exp_f64)(const void *src, void *dst, size_t n) {
    const u8 *in = src;
    u8 *out = dst;
    for (; n >= VLANES_64; n -= VLANES_64) {
        v_store(out, exp_vector_f64(v_load(in)));
        in += VBYTES;
        out += VBYTES;
    }
    if (n != 0) v_store_bytes(out, exp_vector_f64(v_load_bytes(in, 8 * n)), 8 * n);
}

const struct exp_kernels NAME(pto_exp) = {NAME(exp_f32), NAME(exp_f64)};

#undef NAME
