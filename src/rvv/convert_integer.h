/* SPDX-License-Identifier: MIT */
/* Conversions of one group from and to integers. convert_float.h has those between floats. */
#ifndef PTO_RVV_CONVERT_INTEGER_H
#define PTO_RVV_CONVERT_INTEGER_H

#include "rvv/convert_any.h"

/* ---- 16-bit integers clamped to 8 bits ---- */

static ALWAYS_INLINE vuint8m1_t bytes_clamped(bool is_signed, vuint16m2_t x, size_t vl) {
    const vint16m2_t s = __riscv_vreinterpret_v_u16m2_i16m2(x);
    const vint16m2_t r = __riscv_vmin_vx_i16m2(__riscv_vmax_vx_i16m2(s, INT8_MIN, vl), INT8_MAX, vl);
    return __riscv_vncvt_x_x_w_u8m1(
        is_signed ? __riscv_vreinterpret_v_i16m2_u16m2(r) : __riscv_vminu_vx_u16m2(x, UINT8_MAX, vl), vl);
}

/* ---- from floats, rounded by fcsr ---- */

/* These clamp to the width of the result, and convert a NaN to the largest integer. */
static ALWAYS_INLINE vuint32m4_t word_of_f32(bool is_signed, vfloat32m4_t x, size_t vl) {
    return is_signed ? __riscv_vreinterpret_v_i32m4_u32m4(__riscv_vfcvt_x_f_v_i32m4(x, vl))
                     : __riscv_vfcvt_xu_f_v_u32m4(x, vl);
}

static ALWAYS_INLINE vuint16m2_t half_of_f32(bool is_signed, vfloat32m4_t x, size_t vl) {
    return is_signed ? __riscv_vreinterpret_v_i16m2_u16m2(__riscv_vfncvt_x_f_w_i16m2(x, vl))
                     : __riscv_vfncvt_xu_f_w_u16m2(x, vl);
}

static ALWAYS_INLINE vfloat32m4_t integer_source(const struct cvt_params *f, const u8 *p, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, p, vl);
    if (f->rounding == ROUND_TO_ODD) return integral_f32(ROUND_TO_ODD, x, vl);
    return f->flushes ? flushed(x, vl) : x;
}

/* Converts floats of up to 32 bits to integers of up to 32 bits, and f64, which is rounded to odd first, to integers
 * of up to 16 bits. Integers of 8 bits are clamped before NaNs are replaced. */
static ALWAYS_INLINE void integer_of_word(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = integer_source(f, src, vl);
    const vbool8_t is_nan = nans_of(x, vl);
    const bool is_signed = cvt_is_signed(f->dst);
    const size_t out = element_bytes(f->dst);
    vuint16m2_t half;
    vuint8m1_t byte;
    if (out == 4) {
        put_array_32m4(dst, __riscv_vmerge_vxm_u32m4(word_of_f32(is_signed, x, vl), (u32)f->nan, is_nan, vl),
                       vl);
        return;
    }
    half = half_of_f32(is_signed, x, vl);
    if (out == 2) {
        put_array_16m2(dst, __riscv_vmerge_vxm_u16m2(half, (u16)f->nan, is_nan, vl), vl);
        return;
    }
    byte = bytes_clamped(is_signed, half, vl);
    __riscv_vse8_v_u8m1(dst, __riscv_vmerge_vxm_u8m1(byte, (u8)f->nan, is_nan, vl), vl);
}

static ALWAYS_INLINE vuint64m8_t long_of_f32(bool is_signed, vfloat32m4_t x, size_t vl) {
    return is_signed ? __riscv_vreinterpret_v_i64m8_u64m8(__riscv_vfwcvt_x_f_v_i64m8(x, vl))
                     : __riscv_vfwcvt_xu_f_v_u64m8(x, vl);
}

static ALWAYS_INLINE void long_of_word(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = integer_source(f, src, vl);
    const vuint64m8_t r = long_of_f32(cvt_is_signed(f->dst), x, vl);
    put_array_64m8(dst, __riscv_vmerge_vxm_u64m8(r, f->nan, nans_of(x, vl), vl), vl);
}

static ALWAYS_INLINE void integer_of_f64(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat64m4_t x = __riscv_vreinterpret_v_u64m4_f64m4(array_64m4(src, vl));
    const vbool16_t is_nan = __riscv_vmfne_vv_f64m4_b16(x, x, vl);
    const bool is_signed = cvt_is_signed(f->dst);
    vuint64m4_t r;
    vuint32m2_t word;
    if (element_bytes(f->dst) == 8) {
        r = is_signed ? __riscv_vreinterpret_v_i64m4_u64m4(__riscv_vfcvt_x_f_v_i64m4(x, vl))
                      : __riscv_vfcvt_xu_f_v_u64m4(x, vl);
        put_array_64m4(dst, __riscv_vmerge_vxm_u64m4(r, f->nan, is_nan, vl), vl);
        return;
    }
    word = is_signed ? __riscv_vreinterpret_v_i32m2_u32m2(__riscv_vfncvt_x_f_w_i32m2(x, vl))
                     : __riscv_vfncvt_xu_f_w_u32m2(x, vl);
    put_array_32m2(dst, __riscv_vmerge_vxm_u32m2(word, (u32)f->nan, is_nan, vl), vl);
}

/* ---- to floats, rounded once by fcsr ---- */

static ALWAYS_INLINE void f64_of_integer(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const bool is_signed = cvt_is_signed(f->src);
    const vuint64m4_t x = load_longs(src, element_bytes(f->src), is_signed, vl);
    const vfloat64m4_t y = is_signed ? __riscv_vfcvt_f_x_v_f64m4(__riscv_vreinterpret_v_u64m4_i64m4(x), vl)
                                     : __riscv_vfcvt_f_xu_v_f64m4(x, vl);
    put_array_64m4(dst, __riscv_vreinterpret_v_f64m4_u64m4(y), vl);
}

/* ---- between integers: clamped to the values that both types hold if f->bounded, then truncated ---- */

#define CLAMPED(w, g)                                                                                        \
    static ALWAYS_INLINE vuint##w##g##_t clamped_##w(const struct cvt_params *f, vuint##w##g##_t x,          \
                                                     size_t vl) {                                            \
        const unsigned bits = 8 * (unsigned)element_bytes(f->dst);                                           \
        const unsigned digits = bits - (cvt_is_signed(f->dst) ? 1 : 0);                                      \
        const vint##w##g##_t s = __riscv_vreinterpret_v_u##w##g##_i##w##g(x);                                \
        const s##w least = cvt_is_signed(f->dst) ? (s##w) ~low_bits(digits) : 0;                             \
        vint##w##g##_t r;                                                                                    \
        if (!f->bounded) return x;                                                                           \
        if (!cvt_is_signed(f->src))                                                                          \
            return digits < (w) ? __riscv_vminu_vx_u##w##g(x, (u##w)low_bits(digits), vl) : x;               \
        r = __riscv_vmax_vx_i##w##g(s, least, vl);                                                           \
        if (digits < (w)-1) r = __riscv_vmin_vx_i##w##g(r, (s##w)low_bits(digits), vl);                      \
        return __riscv_vreinterpret_v_i##w##g##_u##w##g(r);                                                  \
    }
CLAMPED(16, m4)
CLAMPED(32, m4)
CLAMPED(64, m4)
#undef CLAMPED

static ALWAYS_INLINE void integer_in_16(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint16m4_t x = load_halves(src, element_bytes(f->src), cvt_is_signed(f->src), vl);
    store_halves(dst, clamped_16(f, x, vl), element_bytes(f->dst), vl);
}

static ALWAYS_INLINE void integer_in_32(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint32m4_t x = load_words(src, element_bytes(f->src), cvt_is_signed(f->src), vl);
    store_words(dst, clamped_32(f, x, vl), element_bytes(f->dst), vl);
}

static ALWAYS_INLINE void integer_in_64(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint64m4_t x = load_longs(src, element_bytes(f->src), cvt_is_signed(f->src), vl);
    store_longs(dst, clamped_64(f, x, vl), element_bytes(f->dst), vl);
}

#endif
