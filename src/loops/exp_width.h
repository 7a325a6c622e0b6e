/* SPDX-License-Identifier: MIT */
/*
 * The part of loops/exp.h that f32 and f64 share. Include with WIDTH defined as 32 or 64. Defines
 * exp_fWIDTH_ISA, which computes exp of an array.
 */
/* Short names for this width, so that the code below reads as plain C. */
#define NAME(prefix)     CAT(prefix, WIDTH)
#define LANES            NAME(VLANES_)
#define ELEMENT_BYTES    ((size_t)WIDTH / 8)
#define vmask            NAME(vmask_)
#define m_any            NAME(m_any_)
#define m_all            NAME(m_all_)
#define v_exp            NAME(v_exp_f)
#define v_rel            NAME(v_rel_f)
#define v_sel            NAME(v_sel_)
#define v_is_clear       NAME(v_is_clear_)
#define v_max            NAME(v_max_f)
#define v_add            NAME(v_add_f)
#define v_sub            NAME(v_sub_f)
#define v_mul            NAME(v_mul_f)
#define v_sub_bits       NAME(v_sub_)
#define v_to_exponent    NAME(v_to_exponent_)
#define exp_is_common    NAME(exp_is_common_f)
#define exp_fix_up       NAME(exp_fix_up_f)
#define exp_without_tiny NAME(exp_without_tiny_f)
#define exp_common       NAME(exp_common_f)
#define exp_low          NAME(exp_low_f)
#define exp_rare         NAME(exp_rare_f)
#define exp_vector       NAME(exp_vector_f)
#define exp_array        CAT3(NAME(exp_f), _, ISA)

/* Vectors with a constant of core/exp.h in every lane. */
#if WIDTH == 32
#    define NUMBER(name) v_set1_32(&(const float){EXP_F32_##name})
#    define BITS(name)   v_set1_32(&(const u32){EXP_F32_##name})
#else
#    define NUMBER(name) v_set1_64(&(const double){EXP_F64_##name})
#    define BITS(name)   v_set1_64(&(const u64){EXP_F64_##name})
#endif

static ALWAYS_INLINE vec exp_without_tiny(vec x) {
    return v_sel(v_is_clear(x, BITS(NOT_TINY)), v_zero(), x);
}

static ALWAYS_INLINE vec exp_common(vec x) {
    return v_exp(exp_without_tiny(x));
}

/* Returns exp(x) where some results are subnormal. core/exp.h explains the method. For lanes with normal results q and
 * grid are 0. So these lanes get SLEEF's result, and their products have no subnormal operands. */
static ALWAYS_INLINE vec exp_low(vec x) {
    const vmask low = v_rel(RELATION_LT, x, NUMBER(SUBNORMAL_BELOW));
    const vec bounded = exp_without_tiny(v_max(NUMBER(ZERO_UP_TO), x));
    const vec sum = v_add(v_mul(bounded, NUMBER(PER_LN2)), NUMBER(ROUND));
    const vec q = v_sel(low, v_sub(sum, NUMBER(ROUND)), v_zero());
    const vec grid = v_sel(low, v_sub_bits(BITS(MIN_NORMAL), v_to_exponent(sum)), v_zero());
    const vec rest = v_sub(v_sub(bounded, v_mul(q, NUMBER(LN2))), v_mul(q, NUMBER(LN2_REST)));
    return v_sub_bits(v_add(v_exp(rest), grid), grid);
}

/* Handles vectors for which exp_is_common() is false. If all results are 0, as for masked scores, SLEEF is not
 * called. If only some are 0, their lanes are computed as exp(0) and then set to 0. */
static NOINLINE vec exp_rare(vec x) {
    const vmask vanishes = v_rel(RELATION_LE, x, NUMBER(ZERO_UP_TO));
    const vec others = v_sel(vanishes, v_zero(), x);
    vec y;
    if (m_all(vanishes)) return v_zero();
    if (m_any(v_rel(RELATION_LT, others, NUMBER(SUBNORMAL_BELOW))))
        y = exp_low(x);
    else
        y = v_sel(vanishes, v_zero(), exp_common(others));
    return m_all(v_rel(RELATION_LE, y, BITS(LARGEST_FROM_SLEEF))) ? y : exp_fix_up(x, y);
}

static ALWAYS_INLINE vec exp_vector(vec x) {
    return unlikely(!exp_is_common(x)) ? exp_rare(x) : exp_common(x);
}

static void exp_array(const void *src, void *dst, size_t n) {
    const u8 *in = src;
    u8 *out = dst;
    for (; n >= LANES; n -= LANES) {
        v_store(out, exp_vector(v_load(in)));
        in += VBYTES;
        out += VBYTES;
    }
    if (n != 0) v_store_bytes(out, exp_vector(v_load_bytes(in, ELEMENT_BYTES * n)), ELEMENT_BYTES * n);
}

#undef NAME
#undef LANES
#undef ELEMENT_BYTES
#undef vmask
#undef m_any
#undef m_all
#undef v_exp
#undef v_rel
#undef v_sel
#undef v_is_clear
#undef v_max
#undef v_add
#undef v_sub
#undef v_mul
#undef v_sub_bits
#undef v_to_exponent
#undef exp_is_common
#undef exp_fix_up
#undef exp_without_tiny
#undef exp_common
#undef exp_low
#undef exp_rare
#undef exp_vector
#undef exp_array
#undef NUMBER
#undef BITS
#undef WIDTH
