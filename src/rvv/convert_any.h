/* SPDX-License-Identifier: MIT */
/*
 * Conversions of one group between floats, or from integers to floats, with any rounding and modifiers. Bounds,
 * infinities and replaced codes are run-time parameters, so the modifiers need no kernels of their own.
 *
 * fcsr must have the rounding of the conversion. Values that are rounded by an addition keep their sign here, because
 * half of the roundings depend on it.
 */
#ifndef PTO_RVV_CONVERT_ANY_H
#define PTO_RVV_CONVERT_ANY_H

#include "rvv/convert_float.h"

/* ---- modifiers that apply to the source ---- */

/* Replaces values by zeros of their sign if the bits of their magnitude are below `least`. */
static ALWAYS_INLINE vfloat32m4_t flushed_below(u32 least, vfloat32m4_t x, size_t vl) {
    const vuint32m4_t bits = bits_of(x), magnitude = __riscv_vand_vx_u32m4(bits, INT32_MAX, vl);
    const vbool8_t is_small = __riscv_vmsltu_vx_u32m4_b8(magnitude, least, vl);
    return f32_of(__riscv_vand_vx_u32m4_mu(is_small, bits, bits, (u32)INT32_MIN, vl));
}

static ALWAYS_INLINE vfloat32m4_t flushed(vfloat32m4_t x, size_t vl) {
    return flushed_below((u32)1 << F32_FRACTION, x, vl);
}

/* Flushes subnormals if f->flushes, and clamps to f->lo and f->hi. A NaN becomes f->lo. */
static ALWAYS_INLINE vfloat32m4_t clamp_source(const struct cvt_params *f, vfloat32m4_t x, size_t vl) {
    const vfloat32m4_t y = f->flushes ? flushed(x, vl) : x;
    return __riscv_vfmin_vf_f32m4(__riscv_vfmax_vf_f32m4(y, f->lo, vl), f->hi, vl);
}

static ALWAYS_INLINE vbool8_t infinities_of(const struct cvt_params *f, vfloat32m4_t x, size_t vl) {
    return __riscv_vmseq_vx_u32m4_b8(__riscv_vand_vx_u32m4(bits_of(x), f->infinity_mask, vl), F32_SPECIAL,
                                     vl);
}

/* ---- the last changes to results y of the sources x: the replaced code, and NaNs ---- */

#define FINISH_CODES(w, g)                                                                                   \
    static ALWAYS_INLINE vuint##w##g##_t finish_codes_##w(const struct cvt_params *f, vuint##w##g##_t y,     \
                                                          vfloat32m4_t x, size_t vl) {                       \
        if (f->replaces_code)                                                                                \
            y = __riscv_vmerge_vxm_u##w##g(y, (u##w)f->replacement,                                          \
                                           __riscv_vmseq_vx_u##w##g##_b8(y, (u##w)f->code, vl), vl);         \
        return cvt_is_integer(f->src) ? y : __riscv_vmerge_vxm_u##w##g(y, (u##w)f->nan, nans_of(x, vl), vl); \
    }
FINISH_CODES(8, m1)
FINISH_CODES(16, m2)
FINISH_CODES(32, m4)
#undef FINISH_CODES

/* Adds the sign and the payload of f64 NaNs to the results y. x has the sources as f32, which drops the payload. f16
 * and bf16 keep the leading payload bits, which are in the upper half of the f64. The exponent of the f64 is all ones,
 * like that of the result, so it need not be masked out. */
static ALWAYS_INLINE vuint16m2_t with_payloads_of_f64(const struct cvt_params *f, vuint16m2_t y,
                                                      vfloat32m4_t x, const u8 *src, size_t vl) {
    const u32 cut = 20U - cvt_format_of(f->dst).fraction_bits;
    vuint32m4_t high;
    vuint16m2_t sign, payload;
    if (f->src != PTO_F64 || !f->keeps_nan_payload) return y;
    high = __riscv_vnsrl_wx_u32m4(array_64m8(src, vl), 32, vl);
    sign = __riscv_vand_vx_u16m2(__riscv_vnsrl_wx_u16m2(high, 16, vl), (u16)INT16_MIN, vl);
    payload = __riscv_vand_vx_u16m2(__riscv_vnsrl_wx_u16m2(high, cut, vl), INT16_MAX, vl);
    return __riscv_vor_vv_u16m2_mu(nans_of(x, vl), y, y, __riscv_vor_vv_u16m2(sign, payload, vl), vl);
}

/* ---- to f16 and the small formats, rounded by an addition (see loops/round_by_add.h) ---- */

/* Adds the power of two that rounds x. For ROUND_TO_ODD, fcsr must round towards zero. */
static ALWAYS_INLINE vuint32m4_t sum_of(const struct cvt_params *f, u32 added, vfloat32m4_t x,
                                        vuint32m4_t exponent, size_t vl) {
    const vfloat32m4_t power =
        __riscv_vfsgnj_vv_f32m4(f32_of(__riscv_vadd_vx_u32m4(exponent, added, vl)), x, vl);
    const vfloat32m4_t sum = __riscv_vfadd_vv_f32m4(x, power, vl);
    vbool8_t is_cut;
    if (f->rounding != ROUND_TO_ODD) return bits_of(sum);
    is_cut = __riscv_vmfne_vv_f32m4_b8(__riscv_vfsub_vv_f32m4(sum, power, vl), x, vl);
    return __riscv_vor_vx_u32m4_mu(is_cut, bits_of(sum), bits_of(sum), 1, vl);
}

static ALWAYS_INLINE vuint16m2_t f16_of_f32(const struct cvt_params *f, vfloat32m4_t x, size_t vl) {
    const struct round_by_add a = round_by_add_of(cvt_format_of(PTO_F16));
    const vfloat32m4_t y = clamp_source(f, x, vl);
    const vuint32m4_t exponent = exponent_of(a, y, vl);
    vuint16m2_t r =
        f16_code_of_sum(a, sum_of(f, a.dropped_bits << F32_FRACTION, y, exponent, vl), exponent, vl);
    if (f->infinity_mask != 0) r = __riscv_vmaxu_vx_u16m2_mu(infinities_of(f, x, vl), r, r, F16_SPECIAL, vl);
    return finish_codes_16(f, __riscv_vor_vv_u16m2(r, half_signs(y, vl), vl), x, vl);
}

static ALWAYS_INLINE void any_to_f16(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl);
    put_array_16m2(dst, with_payloads_of_f64(f, f16_of_f32(f, x, vl), x, src, vl), vl);
}

/* ue5m3 has no sign and no infinity: if f->infinity_mask is set, infinities become its NaN. */
static ALWAYS_INLINE vuint8m1_t small_of_f32(const struct cvt_params *f, vfloat32m4_t x, size_t vl) {
    const struct cvt_format to = cvt_format_of(f->dst);
    const struct round_by_add a = round_by_add_of(to);
    const bool has_sign = f->dst != PTO_UE5M3;
    const vfloat32m4_t z = has_sign ? x : __riscv_vfabs_v_f32m4(x, vl), y = clamp_source(f, z, vl);
    const vuint32m4_t exponent = exponent_of(a, y, vl);
    vuint8m1_t r = small_code_of_sum(a, sum_of(f, (u32)a.added, y, exponent, vl), exponent, vl);
    if (has_sign)
        r = __riscv_vor_vv_u8m1(r, small_signs(to, y, vl), vl);
    else if (f->infinity_mask != 0)
        r = __riscv_vmaxu_vx_u8m1_mu(infinities_of(f, x, vl), r, r, 0xff, vl);
    return finish_codes_8(f, r, x, vl);
}

static ALWAYS_INLINE void any_to_small(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    put_small(f->dst, dst, small_of_f32(f, load_f32_at(f->src, src, vl), vl), vl);
}

/* ---- to bf16 and tf32, which have the exponent of f32: rounded by integer operations ---- */

static ALWAYS_INLINE vuint32m4_t added_by_sign(const struct cvt_params *f, vuint32m4_t x, size_t vl) {
    const vbool8_t is_negative = __riscv_vmslt_vx_i32m4_b8(__riscv_vreinterpret_v_u32m4_i32m4(x), 0, vl);
    return __riscv_vadd_vx_u32m4_mu(is_negative, __riscv_vadd_vx_u32m4(x, f->add_if_positive, vl), x,
                                    f->add_if_negative, vl);
}

static ALWAYS_INLINE vuint16m2_t high_halves_to_odd(vuint32m4_t x, size_t vl) {
    const vuint16m2_t high = __riscv_vnsrl_wx_u16m2(x, 16, vl), low = __riscv_vncvt_x_x_w_u16m2(x, vl);
    return __riscv_vor_vx_u16m2_mu(__riscv_vmsne_vx_u16m2_b8(low, 0, vl), high, high, 1, vl);
}

static ALWAYS_INLINE vuint16m2_t bf16_of_f32(const struct cvt_params *f, vfloat32m4_t x, size_t vl) {
    const vuint32m4_t y = bits_of(cvt_is_integer(f->src) ? x : clamp_source(f, x, vl));
    vuint16m2_t r;
    switch (f->rounding) {
    case ROUND_TO_NEAREST: r = high_halves_to_nearest(y, vl); break;
    case ROUND_BY_SIGN: r = __riscv_vnsrl_wx_u16m2(added_by_sign(f, y, vl), 16, vl); break;
    case ROUND_TO_ODD: r = high_halves_to_odd(y, vl); break;
    default: r = __riscv_vnsrl_wx_u16m2(y, 16, vl); break;
    }
    return finish_codes_16(f, r, x, vl);
}

static ALWAYS_INLINE void any_to_bf16(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl);
    put_array_16m2(dst, with_payloads_of_f64(f, bf16_of_f32(f, x, vl), x, src, vl), vl);
}

/* Rounds by integer operations. For ties to even, ROUND_TO_NEAREST adds half of the last remaining place minus 1, plus
 * the last remaining bit. Then the bits below are cleared. */
static ALWAYS_INLINE void any_to_tf32(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const u32 cut = F32_FRACTION - cvt_format_of(PTO_TF32).fraction_bits, ones = (u32)low_bits(cut);
    const vfloat32m4_t x = load_f32_at(f->src, src, vl);
    const vuint32m4_t y = bits_of(clamp_source(f, x, vl));
    vuint32m4_t r;
    if (f->rounding == ROUND_TO_NEAREST) {
        r = __riscv_vand_vx_u32m4(__riscv_vsrl_vx_u32m4(y, cut, vl), 1, vl);
        r = __riscv_vadd_vv_u32m4(__riscv_vadd_vx_u32m4(y, ones >> 1, vl), r, vl);
    } else {
        r = y;
    }
    put_array_32m4(dst, finish_codes_32(f, __riscv_vand_vx_u32m4(r, ~ones, vl), x, vl), vl);
}

/* ---- to f32 and f64 ---- */

static ALWAYS_INLINE void any_to_f32(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl);
    put_array_32m4(dst, finish_codes_32(f, bits_of(f->bounded ? clamp_source(f, x, vl) : x), x, vl), vl);
}

/* Returns the sign and the payload of NaNs of f16 or bf16 as upper halves of f64. The caller sets the quiet bit and
 * the rest of the exponent. */
static ALWAYS_INLINE vuint32m4_t high_nans_of_halves(pto_dtype src, const u8 *p, size_t vl) {
    const u32 widened = 11U - cvt_format_of(src).exponent_bits;
    const vuint32m4_t x = __riscv_vsll_vx_u32m4(words_of_halves(array_16m2(p, vl), false, vl), 16, vl);
    return __riscv_vor_vv_u32m4(__riscv_vand_vx_u32m4(x, (u32)INT32_MIN, vl),
                                __riscv_vsrl_vx_u32m4(x, widened, vl), vl);
}

static ALWAYS_INLINE void any_to_f64(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl), bounded = f->bounded ? clamp_source(f, x, vl) : x;
    const vbool8_t is_nan = nans_of(x, vl);
    vuint64m8_t y = __riscv_vreinterpret_v_f64m8_u64m8(__riscv_vfwcvt_f_f_v_f64m8(bounded, vl));
    if (f->keeps_nan_payload && element_bytes(f->src) == 2) {
        const vuint64m8_t high = __riscv_vzext_vf2_u64m8(high_nans_of_halves(f->src, src, vl), vl);
        y = __riscv_vsll_vx_u64m8_mu(is_nan, y, high, 32, vl);
        y = __riscv_vor_vx_u64m8_mu(is_nan, y, y, f->nan, vl);
    } else {
        y = __riscv_vmerge_vxm_u64m8(y, f->nan, is_nan, vl);
    }
    put_array_64m8(dst, y, vl);
}

/* ---- from f64 to f64 and f32 ---- */

/* Clamps f64 to f->lo and f->hi. A NaN becomes f->nan. */
static ALWAYS_INLINE void f64_clamped(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint64m4_t x = array_64m4(src, vl);
    const vfloat64m4_t y = __riscv_vreinterpret_v_u64m4_f64m4(x);
    const vfloat64m4_t r = __riscv_vfmin_vf_f64m4(__riscv_vfmax_vf_f64m4(y, f->lo, vl), f->hi, vl);
    const vbool16_t is_nan = __riscv_vmfne_vv_f64m4_b16(y, y, vl);
    put_array_64m4(dst, __riscv_vmerge_vxm_u64m4(__riscv_vreinterpret_v_f64m4_u64m4(r), f->nan, is_nan, vl),
                   vl);
}

/* Converts with .ftz or .sat. .ftz flushes a result that is below the least normal f32 after rounding with an
 * unbounded exponent. The result itself does not show that, because its subnormals have fewer bits, so the source
 * decides. NaNs keep sign and payload as in wide_f32_of_f64(), but become 0 if f->bounded is set. */
static ALWAYS_INLINE void any_f32_of_f64(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint64m8_t x = array_64m8(src, vl);
    const vfloat64m8_t y = __riscv_vreinterpret_v_u64m8_f64m8(x);
    const vbool8_t below = __riscv_vmflt_vf_f64m8_b8(y, f->flush_below, vl);
    const vbool8_t is_tiny = __riscv_vmfgt_vf_f64m8_b8_mu(below, below, y, -f->flush_below_negative, vl);
    const vbool8_t is_nan = __riscv_vmfne_vv_f64m8_b8(y, y, vl);
    const vfloat32m4_t number = __riscv_vfncvt_f_f_w_f32m4(y, vl);
    vuint32m4_t r = bits_of(f->bounded ? clamp_source(f, number, vl) : number);
    r = __riscv_vand_vx_u32m4_mu(is_tiny, r, r, (u32)INT32_MIN, vl);
    r = f->bounded ? __riscv_vmerge_vxm_u32m4(r, 0, is_nan, vl)
                   : __riscv_vmerge_vvm_u32m4(r, f32_nans_of_f64(f, x, vl), is_nan, vl);
    put_array_32m4(dst, r, vl);
}

/* ---- to an integral value of the same type ---- */

/* Rounds x to an integral value: adding 2^23 with the sign of x rounds the fraction off, and subtracting it restores
 * the value. Magnitudes from 2^23 on have no fraction. Zeros get the sign of x. For ROUND_TO_ODD, fcsr must round
 * towards zero. */
static ALWAYS_INLINE vfloat32m4_t integral_f32(enum rounding cut, vfloat32m4_t x, size_t vl) {
    const vfloat32m4_t one = __riscv_vfsgnj_vv_f32m4(__riscv_vfmv_v_f_f32m4(0x1p23F, vl), x, vl);
    const vbool8_t is_small = __riscv_vmflt_vf_f32m4_b8(__riscv_vfabs_v_f32m4(x, vl), 0x1p23F, vl);
    vfloat32m4_t sum = __riscv_vfadd_vv_f32m4(x, one, vl), y = __riscv_vfsub_vv_f32m4(sum, one, vl);
    if (cut == ROUND_TO_ODD) {
        const vbool8_t is_cut = __riscv_vmfne_vv_f32m4_b8(y, x, vl);
        sum = f32_of(__riscv_vor_vx_u32m4_mu(is_cut, bits_of(sum), bits_of(sum), 1, vl));
        y = __riscv_vfsub_vv_f32m4(sum, one, vl);
    }
    return __riscv_vfsgnj_vv_f32m4_mu(is_small, x, y, x, vl);
}

static ALWAYS_INLINE vfloat64m4_t integral_f64(vfloat64m4_t x, size_t vl) {
    const vfloat64m4_t one = __riscv_vfsgnj_vv_f64m4(__riscv_vfmv_v_f_f64m4(0x1p52, vl), x, vl);
    const vbool16_t is_small = __riscv_vmflt_vf_f64m4_b16(__riscv_vfabs_v_f64m4(x, vl), 0x1p52, vl);
    const vfloat64m4_t y = __riscv_vfsub_vv_f64m4(__riscv_vfadd_vv_f64m4(x, one, vl), one, vl);
    return __riscv_vfsgnj_vv_f64m4_mu(is_small, x, y, x, vl);
}

/* Converts integral values back to f16 or bf16. They are exact in the format that they came from. */
static ALWAYS_INLINE vuint16m2_t half_of_integral(const struct cvt_params *f, vfloat32m4_t whole, size_t vl) {
    if (f->dst == PTO_BF16) return __riscv_vnsrl_wx_u16m2(bits_of(whole), 16, vl);
    return __riscv_vor_vv_u16m2(f16_code(f, whole, vl), half_signs(whole, vl), vl);
}

/* .ftz is applied before rounding, .sat after it. */
static ALWAYS_INLINE void integral_words(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl), y = f->flushes ? flushed(x, vl) : x;
    const vfloat32m4_t whole = integral_f32(f->rounding, y, vl);
    const vfloat32m4_t r = f->bounded ? clamp_source(f, whole, vl) : whole;
    if (f->dst == PTO_F32)
        put_array_32m4(dst, finish_codes_32(f, bits_of(r), x, vl), vl);
    else
        put_array_16m2(dst, finish_codes_16(f, half_of_integral(f, r, vl), x, vl), vl);
}

/* NaNs become quiet and keep their payload, except under .sat: there they become 0. */
static ALWAYS_INLINE void integral_longs(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vuint64m4_t x = array_64m4(src, vl);
    const vfloat64m4_t y = __riscv_vreinterpret_v_u64m4_f64m4(x);
    vfloat64m4_t r = integral_f64(y, vl);
    vuint64m4_t nan;
    if (f->bounded) {
        r = __riscv_vfmin_vf_f64m4(__riscv_vfmax_vf_f64m4(r, f->lo, vl), f->hi, vl);
        nan = __riscv_vmv_v_x_u64m4(0, vl);
    } else {
        nan = __riscv_vor_vx_u64m4(x, f->nan, vl);
    }
    put_array_64m4(dst,
                   __riscv_vmerge_vvm_u64m4(__riscv_vreinterpret_v_f64m4_u64m4(r), nan,
                                            __riscv_vmfne_vv_f64m4_b16(y, y, vl), vl),
                   vl);
}

/* ---- integers of 32 and 64 bits to bf16, to nearest, through an f32 rounded to odd ---- */

/* Loads integers as f32, rounded to odd. For 64 bits fcsr must round towards zero. The f32 is inexact if converting it
 * back gives a different integer. */
static ALWAYS_INLINE vfloat32m4_t f32_to_odd(pto_dtype src, const u8 *p, size_t vl) {
    const bool is_signed = cvt_is_signed(src);
    vuint32m4_t x, r;
    vuint64m8_t y, back;
    if (element_bytes(src) == 4) {
        x = array_32m4(p, vl);
        return __riscv_vfncvt_rod_f_f_w_f32m4(
            is_signed ? __riscv_vfwcvt_f_x_v_f64m8(__riscv_vreinterpret_v_u32m4_i32m4(x), vl)
                      : __riscv_vfwcvt_f_xu_v_f64m8(x, vl),
            vl);
    }
    y = array_64m8(p, vl);
    r = bits_of(load_f32_at(src, p, vl));
    back = is_signed ? __riscv_vreinterpret_v_i64m8_u64m8(__riscv_vfwcvt_x_f_v_i64m8(f32_of(r), vl))
                     : __riscv_vfwcvt_xu_f_v_u64m8(f32_of(r), vl);
    return f32_of(__riscv_vor_vx_u32m4_mu(__riscv_vmsne_vv_u64m8_b8(back, y, vl), r, r, 1, vl));
}

static ALWAYS_INLINE void bf16_of_integer(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    put_array_16m2(dst, high_halves_to_nearest(bits_of(f32_to_odd(f->src, src, vl)), vl), vl);
}

#endif
