/* SPDX-License-Identifier: MIT */
/* The operations that loops/scaling_rules.h requires, in whole groups of four registers. Only loads and stores take
 * the number of lanes. Part of scaling_lanes.h. */
typedef vuint32m4_t words;
typedef vfloat32m4_t floats;
typedef vbool8_t masks;

static ALWAYS_INLINE size_t rule_lanes(void) {
    return lanes_of_group();
}

static ALWAYS_INLINE words w_const(u32 k) {
    return __riscv_vmv_v_x_u32m4(k, rule_lanes());
}

static ALWAYS_INLINE words as_words(floats x) {
    return bits_of(x);
}

static ALWAYS_INLINE floats as_floats(words x) {
    return f32_of(x);
}

/* ---- arithmetic ---- */

static ALWAYS_INLINE words w_add(words x, u32 k) {
    return __riscv_vadd_vx_u32m4(x, k, rule_lanes());
}

static ALWAYS_INLINE words w_sum(words x, words y) {
    return __riscv_vadd_vv_u32m4(x, y, rule_lanes());
}

static ALWAYS_INLINE words w_from(u32 k, words x) {
    return __riscv_vrsub_vx_u32m4(x, k, rule_lanes());
}

static ALWAYS_INLINE words w_and(words x, u32 k) {
    return __riscv_vand_vx_u32m4(x, k, rule_lanes());
}

static ALWAYS_INLINE words w_shl(words x, unsigned n) {
    return __riscv_vsll_vx_u32m4(x, n, rule_lanes());
}

static ALWAYS_INLINE words w_shr(words x, unsigned n) {
    return __riscv_vsrl_vx_u32m4(x, n, rule_lanes());
}

static ALWAYS_INLINE vint32m4_t signed_words(words x) {
    return __riscv_vreinterpret_v_u32m4_i32m4(x);
}

static ALWAYS_INLINE words w_max_s(words x, words y) {
    return __riscv_vreinterpret_v_i32m4_u32m4(
        __riscv_vmax_vv_i32m4(signed_words(x), signed_words(y), rule_lanes()));
}

static ALWAYS_INLINE words w_max_u(words x, words y) {
    return __riscv_vmaxu_vv_u32m4(x, y, rule_lanes());
}

static ALWAYS_INLINE words w_at_least(words x, u32 k) {
    return __riscv_vreinterpret_v_i32m4_u32m4(__riscv_vmax_vx_i32m4(signed_words(x), (s32)k, rule_lanes()));
}

static ALWAYS_INLINE words w_at_most(words x, u32 k) {
    return __riscv_vreinterpret_v_i32m4_u32m4(__riscv_vmin_vx_i32m4(signed_words(x), (s32)k, rule_lanes()));
}

static ALWAYS_INLINE masks w_gt_u(words x, u32 k) {
    return __riscv_vmsgtu_vx_u32m4_b8(x, k, rule_lanes());
}

static ALWAYS_INLINE masks w_lt_u(words x, words y) {
    return __riscv_vmsltu_vv_u32m4_b8(x, y, rule_lanes());
}

static ALWAYS_INLINE masks w_eq(words x, u32 k) {
    return __riscv_vmseq_vx_u32m4_b8(x, k, rule_lanes());
}

static ALWAYS_INLINE words w_select(masks t, words x, words y) {
    return __riscv_vmerge_vvm_u32m4(y, x, t, rule_lanes());
}

static ALWAYS_INLINE words w_select_const(masks t, u32 k, words y) {
    return __riscv_vmerge_vxm_u32m4(y, k, t, rule_lanes());
}

static ALWAYS_INLINE floats f_mul(floats x, floats y) {
    return __riscv_vfmul_vv_f32m4(x, y, rule_lanes());
}

static ALWAYS_INLINE floats f_add(floats x, floats y) {
    return __riscv_vfadd_vv_f32m4(x, y, rule_lanes());
}

static ALWAYS_INLINE floats f_sub(floats x, floats y) {
    return __riscv_vfsub_vv_f32m4(x, y, rule_lanes());
}

static ALWAYS_INLINE floats f_div(floats x, floats y) {
    return __riscv_vfdiv_vv_f32m4(x, y, rule_lanes());
}

static ALWAYS_INLINE floats f_mul_by(floats x, float k) {
    return __riscv_vfmul_vf_f32m4(x, k, rule_lanes());
}

static ALWAYS_INLINE floats f_div_by(floats x, float k) {
    return __riscv_vfdiv_vf_f32m4(x, k, rule_lanes());
}

static ALWAYS_INLINE floats f_div_of(float k, floats x) {
    return __riscv_vfrdiv_vf_f32m4(x, k, rule_lanes());
}

/* ---- types ---- */

static ALWAYS_INLINE floats f_of_tensor_code(words code, pto_dtype type) {
    const size_t vl = rule_lanes();
    if (type == PTO_F32) return f32_of(code);
    if (type == PTO_BF16) return f32_of(__riscv_vsll_vx_u32m4(code, 16, vl));
    return f32_of_f16(__riscv_vncvt_x_x_w_u16m2(code, vl), vl);
}

static ALWAYS_INLINE floats f_round_to_type(floats x, pto_dtype type) {
    const struct job j = {.type = type};
    return round_lanes_to_type(j, x, rule_lanes());
}

static ALWAYS_INLINE words small_code_of(floats x, pto_dtype type) {
    const struct job j = {.work = QUANTIZE, .elem = type};
    return words_of_bytes(elements_of(j, x, rule_lanes()), false, rule_lanes());
}

/* Converts e4m3 codes to f32. Moves sign, exponent and fraction to their places in an f32, which is then too small by
 * a power of two; a multiplication corrects that. */
static ALWAYS_INLINE floats e4m3_value(words code) {
    const struct cvt_format from = cvt_format_of(PTO_E4M3);
    const u32 up = F32_FRACTION - from.fraction_bits;
    const masks nans = w_eq(w_and(code, 0x7f), 0x7f);
    const words laid = __riscv_vreinterpret_v_i32m4_u32m4(
        __riscv_vsra_vx_i32m4(signed_words(w_shl(code, 24)), 24 - up, rule_lanes()));
    const floats x =
        times_power_of_2(w_and(laid, (u32)1 << 31 | (u32)0x7f << up), F32_BIAS - from.bias, rule_lanes());
    return as_floats(w_select_const(nans, F32_CANONICAL_NAN, as_words(x)));
}

/* ---- memory ---- */

/* Returns x with zeros after the first n lanes. */
static ALWAYS_INLINE words w_first(words x, size_t n) {
    return __riscv_vmv_v_v_u32m4_tu(w_const(0), x, min_size(n, rule_lanes()));
}

static ALWAYS_INLINE words w_load(const u8 *p, size_t bytes, size_t n) {
    return w_first(load_words(p, bytes, false, min_size(n, rule_lanes())), n);
}

static ALWAYS_INLINE void w_store(u8 *p, words x, size_t bytes, size_t n) {
    store_words(p, x, bytes, min_size(n, rule_lanes()));
}

static ALWAYS_INLINE words w_load_padded(const u8 *p, size_t n) {
    return load_words(p, 4, false, min_size(n, rule_lanes()));
}

static ALWAYS_INLINE void w_store_padded(u8 *p, words x, size_t n) {
    w_store(p, x, 4, n);
}

/* Strided loads need aligned elements, so the bytes of an element are loaded one by one. */
static ALWAYS_INLINE floats f_load_column(const u8 *p, size_t stride, pto_dtype type, size_t n) {
    const size_t vl = min_size(n, rule_lanes());
    words code = w_const(0);
    for (size_t byte = tensor_elem_bytes(type); byte-- > 0;) {
        const vuint8m1_t some = __riscv_vlse8_v_u8m1(p + byte, (ptrdiff_t)stride, vl);
        code = __riscv_vor_vv_u32m4(w_shl(code, 8), __riscv_vzext_vf4_u32m4(some, vl), vl);
    }
    return f_of_tensor_code(w_first(code, n), type);
}

static ALWAYS_INLINE u32 w_reduce_max(words x) {
    const vuint32m1_t none = __riscv_vmv_s_x_u32m1(0, 1);
    return __riscv_vmv_x_s_u32m1_u32(__riscv_vredmaxu_vs_u32m4_u32m1(x, none, rule_lanes()));
}
