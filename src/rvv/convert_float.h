/* SPDX-License-Identifier: MIT */
/*
 * Conversions of one group between floats. RVV has instructions for f32 and f64. The narrower formats are converted
 * through f32, which holds all of them exactly.
 *
 * fcsr must be in its default state or have the rounding of the conversion. NaNs are replaced by PTX's results last,
 * because RVV's arithmetic drops their payload.
 */
#ifndef PTO_RVV_CONVERT_FLOAT_H
#define PTO_RVV_CONVERT_FLOAT_H

#include "loops/convert_bounds.h"
#include "rvv/lanes.h"

static ALWAYS_INLINE vuint32m4_t bits_of(vfloat32m4_t x) {
    return __riscv_vreinterpret_v_f32m4_u32m4(x);
}

static ALWAYS_INLINE vfloat32m4_t f32_of(vuint32m4_t x) {
    return __riscv_vreinterpret_v_u32m4_f32m4(x);
}

static ALWAYS_INLINE vbool8_t nans_of(vfloat32m4_t x, size_t vl) {
    return __riscv_vmfne_vv_f32m4_b8(x, x, vl);
}

/* ---- loads of narrow formats as f32, exactly ---- */

/* Returns laid * 2^exponent. `laid` has the exponent and the fraction of a narrower format at their places in an f32,
 * so its value is too small by a power of two. That holds for subnormals as well, because RISC-V does not flush. The
 * remaining bits of the exponent must be 0. */
static ALWAYS_INLINE vfloat32m4_t times_power_of_2(vuint32m4_t laid, int exponent, size_t vl) {
    const u32 bits = (u32)(F32_BIAS + exponent) << F32_FRACTION;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return __riscv_vfmul_vf_f32m4(f32_of(laid), scale, vl);
}

/* Converts f16 to f32. Exponent and fraction are moved above 13 zeros. The sign was extended, so only its top bit is
 * kept. */
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

/* Loads vl nibbles as bytes. They are two in a byte, the first in the low half. */
static ALWAYS_INLINE vuint8m1_t load_nibbles_at(const u8 *p, size_t vl) {
    vuint16m1_t x = __riscv_vzext_vf2_u16m1(__riscv_vle8_v_u8mf2(p, vl / 2), vl / 2);
    x = __riscv_vor_vv_u16m1(x, __riscv_vsll_vx_u16m1(x, 4, vl / 2), vl / 2);
    return __riscv_vreinterpret_v_u16m1_u8m1(__riscv_vand_vx_u16m1(x, 0x0f0f, vl / 2));
}

static ALWAYS_INLINE vuint8m1_t small_codes(pto_dtype src, const u8 *p, size_t vl) {
    return is_nibble(src) ? load_nibbles_at(p, vl) : __riscv_vle8_v_u8m1(p, vl);
}

/* Loads codes and moves sign, exponent and fraction to their places in an f32. Codes of 8 bits are sign-extended.
 * Codes of 6 and 4 bits may have unused bits above the sign, so they are shifted to the top of a word first. */
static ALWAYS_INLINE vuint32m4_t small_bits_in_f32(pto_dtype src, const u8 *p, size_t vl) {
    const struct cvt_format from = cvt_format_of(src);
    const u32 digits = (u32)from.exponent_bits + from.fraction_bits, up = F32_FRACTION - from.fraction_bits;
    const u32 kept = (u32)1 << 31 | (u32)low_bits(digits) << up;
    vuint32m4_t x = words_of_bytes(small_codes(src, p, vl), digits == 7, vl);
    if (src == PTO_UE5M3) return __riscv_vsll_vx_u32m4(x, up, vl);
    if (digits == 7) return __riscv_vand_vx_u32m4(__riscv_vsll_vx_u32m4(x, up, vl), kept, vl);
    x = __riscv_vsll_vx_u32m4(x, 31 - digits, vl);
    x = __riscv_vreinterpret_v_i32m4_u32m4(
        __riscv_vsra_vx_i32m4(__riscv_vreinterpret_v_u32m4_i32m4(x), 31 - digits - up, vl));
    return __riscv_vand_vx_u32m4(x, kept, vl);
}

/* Returns which codes of e4m3 or ue5m3 are NaNs: those whose bits, except a sign, are all ones. */
static ALWAYS_INLINE vbool8_t small_nans(pto_dtype src, const u8 *p, size_t vl) {
    const vuint8m1_t x = __riscv_vle8_v_u8m1(p, vl);
    if (src == PTO_UE5M3) return __riscv_vmseq_vx_u8m1_b8(x, 0xff, vl);
    return __riscv_vmseq_vx_u8m1_b8(__riscv_vadd_vv_u8m1(x, x, vl), 0xfe, vl);
}

/* Loads e5m2 as f16: it is the upper byte of an f16. */
static ALWAYS_INLINE vuint16m2_t f16_of_e5m2(const u8 *p, size_t vl) {
    return __riscv_vsll_vx_u16m2(__riscv_vzext_vf2_u16m2(__riscv_vle8_v_u8m1(p, vl), vl), 8, vl);
}

static ALWAYS_INLINE vfloat32m4_t f32_of_small(pto_dtype src, const u8 *p, size_t vl) {
    vfloat32m4_t x;
    if (src == PTO_E5M2) return f32_of_f16(f16_of_e5m2(p, vl), vl);
    x = times_power_of_2(small_bits_in_f32(src, p, vl), F32_BIAS - cvt_format_of(src).bias, vl);
    if (cvt_format_of(src).specials == SPECIALS_NONE) return x;
    return f32_of(__riscv_vmerge_vxm_u32m4(bits_of(x), F32_NAN, small_nans(src, p, vl), vl));
}

/* Converts ue8m0 to f32: code 0 to 2^-127, a subnormal; UE8M0_NAN to the NaN of bf16; other codes to powers of two. */
static ALWAYS_INLINE vfloat32m4_t f32_of_ue8m0(const u8 *p, size_t vl) {
    const vuint8m1_t x = __riscv_vle8_v_u8m1(p, vl);
    const vuint32m4_t power = __riscv_vmaxu_vx_u32m4(
        __riscv_vsll_vx_u32m4(words_of_bytes(x, false, vl), F32_FRACTION, vl), F32_LEAST_POWER, vl);
    return f32_of(
        __riscv_vmerge_vxm_u32m4(power, (u32)HALF_NAN << 16, __riscv_vmseq_vx_u8m1_b8(x, UE8M0_NAN, vl), vl));
}

/* An s2f6 is a signed integer in units of 1/64. */
static ALWAYS_INLINE vfloat32m4_t f32_of_s2f6(const u8 *p, size_t vl) {
    const vint32m4_t x = __riscv_vreinterpret_v_u32m4_i32m4(load_words(p, 1, true, vl));
    return __riscv_vfmul_vf_f32m4(__riscv_vfcvt_f_x_v_f32m4(x, vl), 0x1p-6F, vl);
}

/* Loads vl elements as f32. Floats of up to 32 bits and integers of up to 16 bits are exact. Integers of 32 and 64
 * bits are rounded as fcsr is set. f64 is rounded to odd, so that it can be rounded again to at most 22 significand
 * bits. */
static ALWAYS_INLINE vfloat32m4_t load_f32_at(pto_dtype src, const u8 *p, size_t vl) {
    const bool is_signed = cvt_is_signed(src);
    vuint32m4_t x;
    vuint64m8_t y;
    switch (src) {
    case PTO_F16: return f32_of_f16(array_16m2(p, vl), vl);
    case PTO_BF16: return f32_of_bf16(array_16m2(p, vl), vl);
    case PTO_F32: return f32_of(array_32m4(p, vl));
    case PTO_F64:
        return __riscv_vfncvt_rod_f_f_w_f32m4(__riscv_vreinterpret_v_u64m8_f64m8(array_64m8(p, vl)), vl);
    case PTO_UE8M0: return f32_of_ue8m0(p, vl);
    case PTO_S2F6: return f32_of_s2f6(p, vl);
    default: break;
    }
    if (!cvt_is_integer(src)) return f32_of_small(src, p, vl);
    if (element_bytes(src) == 8) {
        y = array_64m8(p, vl);
        return is_signed ? __riscv_vfncvt_f_x_w_f32m4(__riscv_vreinterpret_v_u64m8_i64m8(y), vl)
                         : __riscv_vfncvt_f_xu_w_f32m4(y, vl);
    }
    x = load_words(p, element_bytes(src), is_signed, vl);
    return is_signed ? __riscv_vfcvt_f_x_v_f32m4(__riscv_vreinterpret_v_u32m4_i32m4(x), vl)
                     : __riscv_vfcvt_f_xu_v_f32m4(x, vl);
}

/* ---- to f32 and f64 ---- */

static ALWAYS_INLINE void to_f32(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    put_array_32m4(dst, bits_of(load_f32_at(f->src, src, vl)), vl);
}

/* Returns quiet NaNs with the sign and the leading payload bits of x, as cvt_nan_of() specifies. */
static ALWAYS_INLINE vuint32m4_t f32_nans_of_f64(const struct cvt_params *f, vuint64m8_t x, size_t vl) {
    const vuint32m4_t sign = __riscv_vand_vx_u32m4(__riscv_vnsrl_wx_u32m4(x, 32, vl), (u32)INT32_MIN, vl);
    const vuint32m4_t payload = __riscv_vand_vx_u32m4(__riscv_vnsrl_wx_u32m4(x, 29, vl), INT32_MAX, vl);
    return __riscv_vor_vx_u32m4(__riscv_vor_vv_u32m4(sign, payload, vl), (u32)f->nan, vl);
}

/* ---- to bf16: a shift that rounds to nearest even ---- */

/* Return the upper halves of x, rounded to nearest even. In version 0.11 of the intrinsics, which clang 16 has, shifts
 * round as vxrm happens to be set. There, the result is rounded up if the lower half plus the last remaining bit is
 * above one half of the last place. */
#if __riscv_v_intrinsic >= 12000
#    define ROUNDED_HIGH_HALVES(name, wide, narrow, m)                                                       \
        static ALWAYS_INLINE vuint16##narrow##_t name(vuint32##wide##_t x, size_t vl) {                      \
            return __riscv_vnclipu_wx_u16##narrow(x, 16, __RISCV_VXRM_RNE, vl);                              \
        }
#else
#    define ROUNDED_HIGH_HALVES(name, wide, narrow, m)                                                       \
        static ALWAYS_INLINE vuint16##narrow##_t name(vuint32##wide##_t x, size_t vl) {                      \
            const vuint16##narrow##_t high = __riscv_vnsrl_wx_u16##narrow(x, 16, vl);                        \
            const vuint16##narrow##_t low = __riscv_vncvt_x_x_w_u16##narrow(x, vl);                          \
            const vuint16##narrow##_t last = __riscv_vand_vx_u16##narrow(high, 1, vl);                       \
            const vuint16##narrow##_t rest = __riscv_vsaddu_vv_u16##narrow(low, last, vl);                   \
            return __riscv_vadd_vx_u16##narrow##_mu(__riscv_vmsgtu_vx_u16##narrow##_b##m(rest, 0x8000, vl),  \
                                                    high, high, 1, vl);                                      \
        }
#endif
ROUNDED_HIGH_HALVES(high_halves_to_nearest, m4, m2, 8)
ROUNDED_HIGH_HALVES(rounded_wide_high_halves, m8, m4, 4)
#undef ROUNDED_HIGH_HALVES

static ALWAYS_INLINE void to_bf16(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl);
    const vuint16m2_t r = f->rounding == ROUND_TOWARDS_ZERO ? __riscv_vnsrl_wx_u16m2(bits_of(x), 16, vl)
                                                            : high_halves_to_nearest(bits_of(x), vl);
    put_array_16m2(
        dst, cvt_is_integer(f->src) ? r : __riscv_vmerge_vxm_u16m2(r, (u16)f->nan, nans_of(x, vl), vl), vl);
}

/* ---- to f16 and the small formats, rounded to nearest even by an addition (see loops/round_by_add.h) ---- */

/* Returns the magnitude of x, at most f->max_magnitude. A NaN becomes f->max_magnitude. */
static ALWAYS_INLINE vfloat32m4_t magnitude_of(const struct cvt_params *f, vfloat32m4_t x, size_t vl) {
    return __riscv_vfmin_vf_f32m4(__riscv_vfabs_v_f32m4(x, vl), f->max_magnitude, vl);
}

/* Returns the exponent bits of a magnitude in place, but at least those of the format's smallest normal value. */
static ALWAYS_INLINE vuint32m4_t exponent_of(struct round_by_add a, vfloat32m4_t magnitude, size_t vl) {
    return __riscv_vmaxu_vx_u32m4(__riscv_vand_vx_u32m4(bits_of(magnitude), F32_SPECIAL, vl),
                                  (u32)a.smallest_normal, vl);
}

/* Returns the signs of x in the top bits of 16-bit lanes. */
static ALWAYS_INLINE vuint16m2_t half_signs(vfloat32m4_t x, size_t vl) {
    return __riscv_vand_vx_u16m2(__riscv_vnsrl_wx_u16m2(bits_of(x), 16, vl), (u16)INT16_MIN, vl);
}

/* Builds codes from the low bits of the sum and the exponent. For f16 the bias is subtracted here, because
 * round_by_add.h includes it in the addition only modulo 256. */
static ALWAYS_INLINE vuint16m2_t f16_code_of_sum(struct round_by_add a, vuint32m4_t sum, vuint32m4_t exponent,
                                                 size_t vl) {
    const vuint16m2_t code = __riscv_vadd_vv_u16m2(__riscv_vncvt_x_x_w_u16m2(sum, vl),
                                                   __riscv_vnsrl_wx_u16m2(exponent, a.dropped_bits, vl), vl);
    return __riscv_vsub_vx_u16m2(code, (u16)((u32)a.smallest_normal >> a.dropped_bits), vl);
}

static ALWAYS_INLINE vuint8m1_t small_code_of_sum(struct round_by_add a, vuint32m4_t sum,
                                                  vuint32m4_t exponent, size_t vl) {
    const vuint32m4_t code =
        __riscv_vadd_vv_u32m4(sum, __riscv_vsrl_vx_u32m4(exponent, a.dropped_bits, vl), vl);
    return __riscv_vncvt_x_x_w_u8m1(__riscv_vncvt_x_x_w_u16m2(code, vl), vl);
}

static ALWAYS_INLINE vuint16m2_t f16_code(const struct cvt_params *f, vfloat32m4_t x, size_t vl) {
    const struct round_by_add a = round_by_add_of(cvt_format_of(PTO_F16));
    const vfloat32m4_t magnitude = magnitude_of(f, x, vl);
    const vuint32m4_t exponent = exponent_of(a, magnitude, vl);
    const vuint32m4_t power = __riscv_vadd_vx_u32m4(exponent, a.dropped_bits << F32_FRACTION, vl);
    return f16_code_of_sum(a, bits_of(__riscv_vfadd_vv_f32m4(magnitude, f32_of(power), vl)), exponent, vl);
}

static ALWAYS_INLINE void to_f16(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl);
    const vuint16m2_t r = __riscv_vor_vv_u16m2(f16_code(f, x, vl), half_signs(x, vl), vl);
    put_array_16m2(
        dst, cvt_is_integer(f->src) ? r : __riscv_vmerge_vxm_u16m2(r, (u16)f->nan, nans_of(x, vl), vl), vl);
}

static ALWAYS_INLINE vuint8m1_t small_code(const struct cvt_params *f, vfloat32m4_t x, size_t vl) {
    const struct round_by_add a = round_by_add_of(cvt_format_of(f->dst));
    const vfloat32m4_t magnitude = magnitude_of(f, x, vl);
    const vuint32m4_t exponent = exponent_of(a, magnitude, vl);
    const vuint32m4_t power = __riscv_vadd_vx_u32m4(exponent, (u32)a.added, vl);
    return small_code_of_sum(a, bits_of(__riscv_vfadd_vv_f32m4(magnitude, f32_of(power), vl)), exponent, vl);
}

/* Returns the signs of x at the place of the sign in the format. */
static ALWAYS_INLINE vuint8m1_t small_signs(struct cvt_format to, vfloat32m4_t x, size_t vl) {
    const vuint8m1_t high = __riscv_vnsrl_wx_u8m1(__riscv_vnsrl_wx_u16m2(bits_of(x), 16, vl), 8, vl);
    const vuint8m1_t sign = __riscv_vand_vx_u8m1(high, 0x80, vl);
    const unsigned digits = (unsigned)to.exponent_bits + to.fraction_bits;
    return digits == 7 ? sign : __riscv_vsrl_vx_u8m1(sign, 7 - digits, vl);
}

static ALWAYS_INLINE void put_small(pto_dtype dst, u8 *p, vuint8m1_t x, size_t vl) {
    vuint16m1_t two;
    if (!is_nibble(dst)) {
        __riscv_vse8_v_u8m1(p, x, vl);
        return;
    }
    two = __riscv_vreinterpret_v_u8m1_u16m1(x);
    two = __riscv_vor_vv_u16m1(two, __riscv_vsrl_vx_u16m1(two, 4, vl / 2), vl / 2);
    __riscv_vse8_v_u8mf2(p, __riscv_vncvt_x_x_w_u8mf2(two, vl / 2), vl / 2);
}

/* f->max_magnitude must be the largest value of the format. */
static ALWAYS_INLINE void to_small(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl);
    const vfloat32m4_t y = f->relu ? __riscv_vfmax_vf_f32m4(x, 0, vl) : x;
    const vuint8m1_t r =
        __riscv_vor_vv_u8m1(small_code(f, y, vl), small_signs(cvt_format_of(f->dst), y, vl), vl);
    put_small(f->dst, dst, __riscv_vmerge_vxm_u8m1(r, (u8)f->nan, nans_of(x, vl), vl), vl);
}

/* ---- from small formats to bf16 and f16 ---- */

static ALWAYS_INLINE void bf16_of_small(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    put_array_16m2(dst, __riscv_vnsrl_wx_u16m2(bits_of(f32_of_small(f->src, src, vl)), 16, vl), vl);
}

/* Scales values so that the exponent in f32 has the bias of f16. Its upper three bits are then 0, and its lower bits
 * and the fraction are the code. */
static ALWAYS_INLINE void f16_of_small(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint32m4_t laid = small_bits_in_f32(f->src, src, vl);
    const vuint32m4_t magnitude = __riscv_vand_vx_u32m4(laid, INT32_MAX, vl);
    const vfloat32m4_t y = times_power_of_2(magnitude, F16_BIAS - cvt_format_of(f->src).bias, vl);
    const vuint16m2_t code = __riscv_vnsrl_wx_u16m2(bits_of(y), F32_FRACTION - F16_FRACTION, vl);
    const vuint16m2_t sign = __riscv_vand_vx_u16m2(__riscv_vnsrl_wx_u16m2(laid, 16, vl), (u16)INT16_MIN, vl);
    const vuint16m2_t r = __riscv_vor_vv_u16m2(code, sign, vl);
    put_array_16m2(
        dst,
        f->src == PTO_E4M3 ? __riscv_vmerge_vxm_u16m2(r, HALF_NAN, small_nans(PTO_E4M3, src, vl), vl) : r,
        vl);
}

static ALWAYS_INLINE void f16_of_e5m2_array(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint16m2_t x = f16_of_e5m2(src, vl);
    const vuint16m2_t magnitude = __riscv_vand_vx_u16m2(x, INT16_MAX, vl);
    const vbool8_t is_nan = __riscv_vmsgtu_vx_u16m2_b8(magnitude, F16_SPECIAL, vl);
    (void)f;
    put_array_16m2(dst, __riscv_vmerge_vxm_u16m2(x, HALF_NAN, is_nan, vl), vl);
}

#endif
