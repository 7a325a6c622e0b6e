/* SPDX-License-Identifier: MIT */
/*
 * Conversions of one group between floats. RVV itself converts f32 and f64; the narrower formats are put together in
 * f32, which holds them all. fcsr is in its default state, or has the rounding of the form. NaNs are made what PTX makes of
 * them after all else: arithmetic drops their payload.
 */
#ifndef PTO_RVV_CONVERT_FLOAT_H
#define PTO_RVV_CONVERT_FLOAT_H

#include "loops/adder.h"
#include "rvv/lanes.h"

enum { F32_FRACTION = 23, F32_BIAS = 127, F16_FRACTION = 10, F16_BIAS = 15 };
enum { F16_SPECIAL = 0x7c00, F32_SPECIAL = 0x7f800000, F32_NAN = 0x7fffffff, HALF_NAN = 0x7fff };

static ALWAYS_INLINE vuint32m4_t bits_of(vfloat32m4_t x) {
    return __riscv_vreinterpret_v_f32m4_u32m4(x);
}

static ALWAYS_INLINE vfloat32m4_t f32_of(vuint32m4_t x) {
    return __riscv_vreinterpret_v_u32m4_f32m4(x);
}

static ALWAYS_INLINE vbool8_t nans_of(vfloat32m4_t x, size_t vl) {
    return __riscv_vmfne_vv_f32m4_b8(x, x, vl);
}

/* ---- narrow formats from memory, which is exact ---- */

/* Digits put where those of f32 lie make a number that is too small by a power of two, subnormals too: as long as the
 * exponent has its own digits alone, RISC-V flushing nothing. */
static ALWAYS_INLINE vfloat32m4_t times_power_of_2(vuint32m4_t laid, int exponent, size_t vl) {
    const u32 bits = (u32)(F32_BIAS + exponent) << F32_FRACTION;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return __riscv_vfmul_vf_f32m4(f32_of(laid), scale, vl);
}

/* The sign and the digits of f16 above 13 zeros; what was extended by the sign has more of it. */
static ALWAYS_INLINE vfloat32m4_t f32_of_f16(vuint16m2_t x, size_t vl) {
    const vuint32m4_t high = __riscv_vsll_vx_u32m4(words_of_halves(x, true, vl), 13, vl);
    const vuint16m2_t twice = __riscv_vadd_vv_u16m2(x, x, vl);
    vuint32m4_t r =
        bits_of(times_power_of_2(__riscv_vand_vx_u32m4(high, 0x8fffe000, vl), F32_BIAS - F16_BIAS, vl));
    r = __riscv_vor_vx_u32m4_mu(__riscv_vmsgtu_vx_u16m2_b8(twice, 2 * F16_SPECIAL - 1, vl), r, r, F32_SPECIAL,
                                vl);
    return f32_of(
        __riscv_vmerge_vxm_u32m4(r, F32_NAN, __riscv_vmsgtu_vx_u16m2_b8(twice, 2 * F16_SPECIAL, vl), vl));
}

static ALWAYS_INLINE vfloat32m4_t f32_of_bf16(vuint16m2_t x, size_t vl) {
    return f32_of(__riscv_vsll_vx_u32m4(words_of_halves(x, false, vl), 16, vl));
}

/* Formats of 8 bits are extended by the sign; those of 6 have other bits above it, which mean nothing, and are put at
 * a word's end first. */
static ALWAYS_INLINE vuint32m4_t small_laid(pto_dtype src, const u8 *p, size_t vl) {
    const struct cvt_format from = cvt_format_of(src);
    const u32 digits = (u32)from.exponent_bits + from.fraction_bits, up = F32_FRACTION - from.fraction_bits;
    const u32 kept = (u32)1 << 31 | (u32)low_bits(digits) << up;
    vuint32m4_t x = load_words(p, 1, digits == 7, vl);
    if (digits == 7) return __riscv_vand_vx_u32m4(__riscv_vsll_vx_u32m4(x, up, vl), kept, vl);
    x = __riscv_vsll_vx_u32m4(x, 31 - digits, vl);
    x = __riscv_vreinterpret_v_i32m4_u32m4(
        __riscv_vsra_vx_i32m4(__riscv_vreinterpret_v_u32m4_i32m4(x), 31 - digits - up, vl));
    return __riscv_vand_vx_u32m4(x, kept, vl);
}

static ALWAYS_INLINE vbool8_t e4m3_nans(const u8 *p, size_t vl) {
    const vuint8m1_t x = __riscv_vle8_v_u8m1(p, vl);
    return __riscv_vmseq_vx_u8m1_b8(__riscv_vadd_vv_u8m1(x, x, vl), 0xfe, vl);
}

/* e5m2 is the upper byte of an f16. */
static ALWAYS_INLINE vuint16m2_t f16_of_e5m2(const u8 *p, size_t vl) {
    return __riscv_vsll_vx_u16m2(__riscv_vzext_vf2_u16m2(__riscv_vle8_v_u8m1(p, vl), vl), 8, vl);
}

static ALWAYS_INLINE vfloat32m4_t f32_of_small(pto_dtype src, const u8 *p, size_t vl) {
    vfloat32m4_t x;
    if (src == PTO_E5M2) return f32_of_f16(f16_of_e5m2(p, vl), vl);
    x = times_power_of_2(small_laid(src, p, vl), F32_BIAS - cvt_format_of(src).bias, vl);
    if (src != PTO_E4M3) return x;
    return f32_of(__riscv_vmerge_vxm_u32m4(bits_of(x), F32_NAN, e4m3_nans(p, vl), vl));
}

/* The f32 that holds a float of up to 32 bits or an integer of up to 16, and, rounded by fcsr, one of 32. */
static ALWAYS_INLINE vfloat32m4_t f32_at(pto_dtype src, const u8 *p, size_t vl) {
    const bool is_signed = cvt_is_signed(src);
    vuint32m4_t x;
    if (src == PTO_F16) return f32_of_f16(array_16m2(p, vl), vl);
    if (src == PTO_BF16) return f32_of_bf16(array_16m2(p, vl), vl);
    if (src == PTO_F32) return f32_of(array_32m4(p, vl));
    if (!cvt_is_integer(src)) return f32_of_small(src, p, vl);
    x = load_words(p, element_bytes(src), is_signed, vl);
    return is_signed ? __riscv_vfcvt_f_x_v_f32m4(__riscv_vreinterpret_v_u32m4_i32m4(x), vl)
                     : __riscv_vfcvt_f_xu_v_f32m4(x, vl);
}

/* ---- to f32 and f64 ---- */

static ALWAYS_INLINE void to_f32(const struct form *f, const u8 *src, u8 *dst, size_t vl) {
    put_array_32m4(dst, bits_of(f32_at(f->src, src, vl)), vl);
}

/* NaNs keep their sign and the leading digits of their payload, as cvt_nan_of has it, and are quiet. */
static ALWAYS_INLINE void f32_of_f64(const struct form *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint64m4_t x = array_64m4(src, vl);
    const vfloat64m4_t y = __riscv_vreinterpret_v_u64m4_f64m4(x);
    const vuint32m2_t sign = __riscv_vand_vx_u32m2(__riscv_vnsrl_wx_u32m2(x, 32, vl), (u32)INT32_MIN, vl);
    const vuint32m2_t payload = __riscv_vand_vx_u32m2(__riscv_vnsrl_wx_u32m2(x, 29, vl), INT32_MAX, vl);
    const vuint32m2_t nan = __riscv_vor_vx_u32m2(__riscv_vor_vv_u32m2(sign, payload, vl), (u32)f->nan, vl);
    const vuint32m2_t number = __riscv_vreinterpret_v_f32m2_u32m2(__riscv_vfncvt_f_f_w_f32m2(y, vl));
    put_array_32m2(dst, __riscv_vmerge_vvm_u32m2(number, nan, __riscv_vmfne_vv_f64m4_b16(y, y, vl), vl), vl);
}

static ALWAYS_INLINE void f64_of_f32(const struct form *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint32m2_t x = array_32m2(src, vl);
    const vfloat32m2_t y = __riscv_vreinterpret_v_u32m2_f32m2(x);
    const vuint64m4_t number = __riscv_vreinterpret_v_f64m4_u64m4(__riscv_vfwcvt_f_f_v_f64m4(y, vl));
    const vuint64m4_t nan =
        __riscv_vor_vx_u64m4(__riscv_vsll_vx_u64m4(longs_of_words(x, true, vl), 29, vl), f->nan, vl);
    put_array_64m4(dst, __riscv_vmerge_vvm_u64m4(number, nan, __riscv_vmfne_vv_f32m2_b16(y, y, vl), vl), vl);
}

/* ---- to bf16: a shift that rounds, to nearest even ---- */

/* Version 0.11 of the intrinsics, which is clang 16's, has shifts that round as vxrm happens to say. What is cut off,
 * and the last digit that is not, are together above a half where it must go up. */
static ALWAYS_INLINE vuint16m2_t rounded_high_halves(vuint32m4_t x, size_t vl) {
#if __riscv_v_intrinsic >= 12000
    return __riscv_vnclipu_wx_u16m2(x, 16, __RISCV_VXRM_RNE, vl);
#else
    const vuint16m2_t high = __riscv_vnsrl_wx_u16m2(x, 16, vl), low = __riscv_vncvt_x_x_w_u16m2(x, vl);
    const vuint16m2_t rest = __riscv_vsaddu_vv_u16m2(low, __riscv_vand_vx_u16m2(high, 1, vl), vl);
    return __riscv_vadd_vx_u16m2_mu(__riscv_vmsgtu_vx_u16m2_b8(rest, 0x8000, vl), high, high, 1, vl);
#endif
}

static ALWAYS_INLINE void to_bf16(const struct form *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = f32_at(f->src, src, vl);
    const vuint16m2_t r =
        f->cut ? __riscv_vnsrl_wx_u16m2(bits_of(x), 16, vl) : rounded_high_halves(bits_of(x), vl);
    put_array_16m2(
        dst, cvt_is_integer(f->src) ? r : __riscv_vmerge_vxm_u16m2(r, (u16)f->nan, nans_of(x, vl), vl), vl);
}

/* ---- to f16 and the small formats, to nearest even, by loops/adder.h ---- */

/* Held within the form's bounds; a NaN becomes any number. */
static ALWAYS_INLINE vfloat32m4_t magnitude_of(const struct form *f, vfloat32m4_t x, size_t vl) {
    return __riscv_vfmin_vf_f32m4(__riscv_vfabs_v_f32m4(x, vl), f->most, vl);
}

/* The exponent of a magnitude, in its place; at least that of the smallest normal number. */
static ALWAYS_INLINE vuint32m4_t exponent_of(struct adder a, vfloat32m4_t magnitude, size_t vl) {
    return __riscv_vmaxu_vx_u32m4(__riscv_vand_vx_u32m4(bits_of(magnitude), F32_SPECIAL, vl), (u32)a.least,
                                  vl);
}

/* f16's code has more digits than those that a bias could ride in. */
static ALWAYS_INLINE vuint16m2_t f16_code(const struct form *f, vfloat32m4_t x, size_t vl) {
    const struct adder a = adder_of(cvt_format_of(PTO_F16));
    const vfloat32m4_t magnitude = magnitude_of(f, x, vl);
    const vuint32m4_t exponent = exponent_of(a, magnitude, vl);
    const vuint32m4_t power = __riscv_vadd_vx_u32m4(exponent, a.cut << F32_FRACTION, vl);
    const vuint32m4_t sum = bits_of(__riscv_vfadd_vv_f32m4(magnitude, f32_of(power), vl));
    const vuint16m2_t code = __riscv_vadd_vv_u16m2(__riscv_vncvt_x_x_w_u16m2(sum, vl),
                                                   __riscv_vnsrl_wx_u16m2(exponent, a.cut, vl), vl);
    return __riscv_vsub_vx_u16m2(code, (u16)((u32)a.least >> a.cut), vl);
}

static ALWAYS_INLINE void to_f16(const struct form *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = f32_at(f->src, src, vl);
    const vfloat32m4_t y = f->positive ? __riscv_vfmax_vf_f32m4(x, 0, vl) : x;
    const vuint16m2_t sign =
        __riscv_vand_vx_u16m2(__riscv_vnsrl_wx_u16m2(bits_of(y), 16, vl), (u16)INT16_MIN, vl);
    const vuint16m2_t r = __riscv_vor_vv_u16m2(f16_code(f, y, vl), sign, vl);
    put_array_16m2(
        dst, cvt_is_integer(f->src) ? r : __riscv_vmerge_vxm_u16m2(r, (u16)f->nan, nans_of(x, vl), vl), vl);
}

static ALWAYS_INLINE vuint8m1_t small_code(const struct form *f, vfloat32m4_t x, size_t vl) {
    const struct adder a = adder_of(cvt_format_of(f->dst));
    const vfloat32m4_t magnitude = magnitude_of(f, x, vl);
    const vuint32m4_t exponent = exponent_of(a, magnitude, vl);
    const vuint32m4_t power = __riscv_vadd_vx_u32m4(exponent, (u32)a.added, vl);
    const vuint32m4_t sum = bits_of(__riscv_vfadd_vv_f32m4(magnitude, f32_of(power), vl));
    const vuint32m4_t code = __riscv_vadd_vv_u32m4(sum, __riscv_vsrl_vx_u32m4(exponent, a.cut, vl), vl);
    return __riscv_vncvt_x_x_w_u8m1(__riscv_vncvt_x_x_w_u16m2(code, vl), vl);
}

/* f->most is the format's largest number. */
static ALWAYS_INLINE void to_small(const struct form *f, const u8 *src, u8 *dst, size_t vl) {
    const struct cvt_format to = cvt_format_of(f->dst);
    const vfloat32m4_t x = f32_at(f->src, src, vl);
    const vfloat32m4_t y = f->positive ? __riscv_vfmax_vf_f32m4(x, 0, vl) : x;
    vuint8m1_t sign = __riscv_vnsrl_wx_u8m1(__riscv_vnsrl_wx_u16m2(bits_of(y), 16, vl), 8, vl), r;
    sign = __riscv_vand_vx_u8m1(sign, 0x80, vl);
    if (to.exponent_bits + to.fraction_bits == 5) sign = __riscv_vsrl_vx_u8m1(sign, 2, vl);
    r = __riscv_vor_vv_u8m1(small_code(f, y, vl), sign, vl);
    __riscv_vse8_v_u8m1(dst, __riscv_vmerge_vxm_u8m1(r, (u8)f->nan, nans_of(x, vl), vl), vl);
}

/* ---- from small formats to halves ---- */

static ALWAYS_INLINE void bf16_of_small(const struct form *f, const u8 *src, u8 *dst, size_t vl) {
    put_array_16m2(dst, __riscv_vnsrl_wx_u16m2(bits_of(f32_of_small(f->src, src, vl)), 16, vl), vl);
}

/* Scaled so that the exponent counts as f16's does, its upper three digits are zeros, and the others with the fraction
 * are the code. */
static ALWAYS_INLINE void f16_of_small(const struct form *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint32m4_t laid = small_laid(f->src, src, vl);
    const vuint32m4_t magnitude = __riscv_vand_vx_u32m4(laid, INT32_MAX, vl);
    const vfloat32m4_t y = times_power_of_2(magnitude, F16_BIAS - cvt_format_of(f->src).bias, vl);
    const vuint16m2_t code = __riscv_vnsrl_wx_u16m2(bits_of(y), F32_FRACTION - F16_FRACTION, vl);
    const vuint16m2_t sign = __riscv_vand_vx_u16m2(__riscv_vnsrl_wx_u16m2(laid, 16, vl), (u16)INT16_MIN, vl);
    const vuint16m2_t r = __riscv_vor_vv_u16m2(code, sign, vl);
    put_array_16m2(
        dst, f->src == PTO_E4M3 ? __riscv_vmerge_vxm_u16m2(r, HALF_NAN, e4m3_nans(src, vl), vl) : r, vl);
}

static ALWAYS_INLINE void f16_of_e5m2_array(const struct form *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint16m2_t x = f16_of_e5m2(src, vl);
    const vuint16m2_t magnitude = __riscv_vand_vx_u16m2(x, INT16_MAX, vl);
    const vbool8_t is_nan = __riscv_vmsgtu_vx_u16m2_b8(magnitude, F16_SPECIAL, vl);
    (void)f;
    put_array_16m2(dst, __riscv_vmerge_vxm_u16m2(x, HALF_NAN, is_nan, vl), vl);
}

#endif
