/* SPDX-License-Identifier: MIT */
/* The operations that loops/scaling_rules.h requires, in SVE. Part of scaling_lanes.h. */
typedef svuint32_t words;
typedef svfloat32_t floats;
typedef svbool_t masks;

static ALWAYS_INLINE size_t rule_lanes(void) {
    return svcntw();
}

static ALWAYS_INLINE words w_const(u32 k) {
    return svdup_n_u32(k);
}

static ALWAYS_INLINE words as_words(floats x) {
    return svreinterpret_u32(x);
}

static ALWAYS_INLINE floats as_floats(words x) {
    return svreinterpret_f32(x);
}

/* ---- arithmetic ---- */

static ALWAYS_INLINE words w_add(words x, u32 k) {
    return svadd_x(svptrue_b32(), x, k);
}

static ALWAYS_INLINE words w_sum(words x, words y) {
    return svadd_x(svptrue_b32(), x, y);
}

static ALWAYS_INLINE words w_from(u32 k, words x) {
    return svsubr_x(svptrue_b32(), x, k);
}

static ALWAYS_INLINE words w_and(words x, u32 k) {
    return svand_x(svptrue_b32(), x, k);
}

static ALWAYS_INLINE words w_shl(words x, unsigned n) {
    return svlsl_x(svptrue_b32(), x, n);
}

static ALWAYS_INLINE words w_shr(words x, unsigned n) {
    return svlsr_x(svptrue_b32(), x, n);
}

static ALWAYS_INLINE words w_max_s(words x, words y) {
    return svreinterpret_u32(svmax_x(svptrue_b32(), svreinterpret_s32(x), svreinterpret_s32(y)));
}

static ALWAYS_INLINE words w_max_u(words x, words y) {
    return svmax_x(svptrue_b32(), x, y);
}

static ALWAYS_INLINE words w_at_least(words x, u32 k) {
    return svreinterpret_u32(svmax_x(svptrue_b32(), svreinterpret_s32(x), (s32)k));
}

static ALWAYS_INLINE words w_at_most(words x, u32 k) {
    return svreinterpret_u32(svmin_x(svptrue_b32(), svreinterpret_s32(x), (s32)k));
}

static ALWAYS_INLINE masks w_gt_u(words x, u32 k) {
    return svcmpgt(svptrue_b32(), x, k);
}

static ALWAYS_INLINE masks w_lt_u(words x, words y) {
    return svcmplt(svptrue_b32(), x, y);
}

static ALWAYS_INLINE masks w_eq(words x, u32 k) {
    return svcmpeq(svptrue_b32(), x, k);
}

static ALWAYS_INLINE words w_select(masks t, words x, words y) {
    return svsel(t, x, y);
}

static ALWAYS_INLINE words w_select_const(masks t, u32 k, words y) {
    return svsel(t, svdup_n_u32(k), y);
}

static ALWAYS_INLINE floats f_mul(floats x, floats y) {
    return svmul_x(svptrue_b32(), x, y);
}

static ALWAYS_INLINE floats f_add(floats x, floats y) {
    return svadd_x(svptrue_b32(), x, y);
}

static ALWAYS_INLINE floats f_sub(floats x, floats y) {
    return svsub_x(svptrue_b32(), x, y);
}

static ALWAYS_INLINE floats f_div(floats x, floats y) {
    return svdiv_x(svptrue_b32(), x, y);
}

static ALWAYS_INLINE floats f_mul_by(floats x, float k) {
    return svmul_x(svptrue_b32(), x, k);
}

static ALWAYS_INLINE floats f_div_by(floats x, float k) {
    return svdiv_x(svptrue_b32(), x, k);
}

static ALWAYS_INLINE floats f_div_of(float k, floats x) {
    return svdivr_x(svptrue_b32(), x, k);
}

/* ---- types ---- */

static ALWAYS_INLINE floats f_of_tensor_code(words code, pto_dtype type) {
    return f32_from(type, code);
}

static ALWAYS_INLINE floats f_round_to_type(floats x, pto_dtype type) {
    return round_lanes_to_type(x, type);
}

static ALWAYS_INLINE words small_code_of(floats x, pto_dtype type) {
    const struct job j = {.work = QUANTIZE, .elem = type};
    return svand_x(svptrue_b32(), element_of(j, x), 0xff);
}

static ALWAYS_INLINE floats e4m3_value(words code) {
    const svbool_t all = svptrue_b32();
    const floats x = f32_from_small(PTO_E4M3, svreinterpret_u32(svextb_x(all, svreinterpret_s32(code))));
    return svreinterpret_f32(
        svsel(svacge(all, x, 480), svdup_n_u32(F32_CANONICAL_NAN), svreinterpret_u32(x)));
}

/* ---- memory ---- */

/* The offsets of a gather have 32 bits, which is enough: if a tile has several blocks, it has at most some MiB. */
static ALWAYS_INLINE floats f_load_column(const u8 *p, size_t stride, pto_dtype type, size_t n) {
    const svbool_t some = svwhilelt_b32_u64(0, n);
    const svuint32_t offsets = svindex_u32(0, (u32)stride);
    if (type == PTO_F32)
        return svreinterpret_f32(svld1_gather_offset(some, (const u32 *)(const void *)p, offsets));
    return f32_from(type, svld1uh_gather_offset_u32(some, (const u16 *)(const void *)p, offsets));
}

static ALWAYS_INLINE words w_load(const u8 *p, size_t bytes, size_t n) {
    return load_32(svwhilelt_b32_u64(0, n), svwhilelt_b8_u64(0, 4 * n), p, 0, bytes, false);
}

static ALWAYS_INLINE void w_store(u8 *p, words x, size_t bytes, size_t n) {
    store_32(svwhilelt_b32_u64(0, n), svwhilelt_b8_u64(0, 4 * n), p, 0, x, bytes);
}

static ALWAYS_INLINE words w_load_padded(const u8 *p, size_t n) {
    return w_load(p, 4, n);
}

static ALWAYS_INLINE void w_store_padded(u8 *p, words x, size_t n) {
    w_store(p, x, 4, n);
}

static ALWAYS_INLINE words w_first(words x, size_t n) {
    return svsel(svwhilelt_b32_u64(0, n), x, svdup_n_u32(0));
}

static ALWAYS_INLINE u32 w_reduce_max(words x) {
    return svmaxv(svptrue_b32(), x);
}
