/* SPDX-License-Identifier: MIT */
/* The operations that scaling_rules.h uses, in the vectors of convert_vector.h. Part of scaling.h. */

typedef u32v words;
typedef f32v floats;
typedef vmask_32 masks;

static ALWAYS_INLINE size_t rule_lanes(void) {
    return VLANES_32;
}

static ALWAYS_INLINE words w_const(u32 k) {
    return v_const_32(k);
}

static ALWAYS_INLINE words as_words(floats x) {
    return (words)x;
}

static ALWAYS_INLINE floats as_floats(words x) {
    return (floats)x;
}

/* ---- arithmetic ---- */

static ALWAYS_INLINE words w_add(words x, u32 k) {
    return x + k;
}

static ALWAYS_INLINE words w_sum(words x, words y) {
    return x + y;
}

static ALWAYS_INLINE words w_from(u32 k, words x) {
    return k - x;
}

static ALWAYS_INLINE words w_and(words x, u32 k) {
    return x & k;
}

static ALWAYS_INLINE words w_shl(words x, unsigned n) {
    return x << n;
}

static ALWAYS_INLINE words w_shr(words x, unsigned n) {
    return x >> n;
}

static ALWAYS_INLINE words w_max_s(words x, words y) {
    return max_signed(x, y);
}

static ALWAYS_INLINE words w_max_u(words x, words y) {
    return v_sel_32(v_gt_u32(y, x), y, x);
}

static ALWAYS_INLINE words w_at_least(words x, u32 k) {
    return max_signed(x, v_const_32(k));
}

static ALWAYS_INLINE words w_at_most(words x, u32 k) {
    return min_signed(x, v_const_32(k));
}

static ALWAYS_INLINE masks w_gt_u(words x, u32 k) {
    return v_gt_u32(x, v_const_32(k));
}

static ALWAYS_INLINE masks w_lt_u(words x, words y) {
    return v_lt_u32(x, y);
}

static ALWAYS_INLINE masks w_eq(words x, u32 k) {
    return v_lt_u32(x ^ k, v_const_32(1));
}

static ALWAYS_INLINE words w_select(masks t, words x, words y) {
    return v_sel_32(t, x, y);
}

static ALWAYS_INLINE words w_select_const(masks t, u32 k, words y) {
    return v_sel_32(t, v_const_32(k), y);
}

static ALWAYS_INLINE floats f_mul(floats x, floats y) {
    return x * y;
}

static ALWAYS_INLINE floats f_add(floats x, floats y) {
    return x + y;
}

static ALWAYS_INLINE floats f_sub(floats x, floats y) {
    return x - y;
}

static ALWAYS_INLINE floats f_div(floats x, floats y) {
    return x / y;
}

static ALWAYS_INLINE floats f_mul_by(floats x, float k) {
    return x * v_const_f32(k);
}

static ALWAYS_INLINE floats f_div_by(floats x, float k) {
    return x / v_const_f32(k);
}

static ALWAYS_INLINE floats f_div_of(float k, floats x) {
    return v_const_f32(k) / x;
}

/* ---- types ---- */

static ALWAYS_INLINE floats f_of_tensor_code(words code, pto_dtype type) {
    return (floats)f32_of_tensor_code(code, type);
}

static ALWAYS_INLINE floats f_round_to_type(floats x, pto_dtype type) {
    return round_to_type(x, type);
}

static ALWAYS_INLINE words small_code_of(floats x, pto_dtype type) {
    return code_of_elem(x, type) & 0xff;
}

static ALWAYS_INLINE floats e4m3_value(words code) {
    return (floats)widen_32(code, cvt_format_of(PTO_E4M3));
}

/* ---- memory ---- */

static ALWAYS_INLINE floats f_load_column(const u8 *p, size_t stride, pto_dtype type, size_t n) {
    const size_t size = tensor_elem_bytes(type);
    words code = w_const(0);
    if (n >= VLANES_32) {
        UNROLL for (size_t k = 0; k < VLANES_32; ++k) code[k] = (u32)load_bytes(p + k * stride, size);
    } else {
        for (size_t k = 0; k < n; ++k) code[k] = (u32)load_bytes(p + k * stride, size);
    }
    return (floats)f32_of_tensor_code(code, type);
}

static ALWAYS_INLINE words w_load(const u8 *p, size_t bytes, size_t n) {
    u8 last[VBYTES] = {0};
    if (n >= VLANES_32) return v_load_32(p, bytes, false);
    memcpy(last, p, n * bytes);
    return v_load_32(last, bytes, false);
}

static ALWAYS_INLINE void w_store(u8 *p, words x, size_t bytes, size_t n) {
    u8 last[VBYTES];
    if (n >= VLANES_32) {
        v_store_32(p, x, bytes);
        return;
    }
    v_store_32(last, x, bytes);
    memcpy(p, last, n * bytes);
}

static ALWAYS_INLINE words w_load_padded(const u8 *p, size_t n) {
    (void)n;
    return v_load_32(p, 4, false);
}

static ALWAYS_INLINE void w_store_padded(u8 *p, words x, size_t n) {
    (void)n;
    v_store_32(p, x, 4);
}

static ALWAYS_INLINE words w_first(words x, size_t n) {
    u8 all[VBYTES];
    if (n >= VLANES_32) return x;
    v_store_32(all, x, 4);
    return w_load(all, 4, n);
}

static ALWAYS_INLINE u32 w_reduce_max(words x) {
    return v_largest_32(x)[0];
}
