/* SPDX-License-Identifier: MIT */
/*
 * Conversions of one group with a scale for each element or for two elements, with random bits, and those done in
 * integers: to ue8m0, to s2f6, and to tf32 with ties away from zero.
 */
#ifndef PTO_RVV_CONVERT_SPECIAL_H
#define PTO_RVV_CONVERT_SPECIAL_H

#include "rvv/convert_integer.h"

/* ---- ue8m0 scales ---- */

/* Returns vl bytes, each byte of p twice. If vl is odd, the last byte is used once. */
static ALWAYS_INLINE vuint8m1_t bytes_twice(const u8 *p, size_t vl) {
    const size_t pairs = (vl + 1) / 2;
    const vuint16m1_t x = __riscv_vzext_vf2_u16m1(__riscv_vle8_v_u8mf2(p, pairs), pairs);
    return __riscv_vreinterpret_v_u16m1_u8m1(__riscv_vmul_vx_u16m1(x, 0x101, pairs));
}

static ALWAYS_INLINE vuint8m1_t scale_codes(pto_dtype dst, const u8 *p, size_t vl) {
    return cvt_scale_group(scale_to(dst)) == 2 ? bytes_twice(p, vl) : __riscv_vle8_v_u8m1(p, vl);
}

/* Returns the factor for each scale: 2^(scale - 127) or, where `dst` is divided by scales, the reciprocal, which is
 * the factor of 254 - scale. The least is 2^-127, a subnormal. UE8M0_NAN gives a NaN. */
static ALWAYS_INLINE vfloat32m4_t factors_of(pto_dtype dst, vuint8m1_t scales, size_t vl) {
    const vuint32m4_t x = words_of_bytes(scales, false, vl);
    const vuint32m4_t exponent = cvt_multiplies(dst) ? x : __riscv_vrsub_vx_u32m4(x, 2 * UE8M0_BIAS, vl);
    const vint32m4_t power = __riscv_vmax_vx_i32m4(
        __riscv_vreinterpret_v_u32m4_i32m4(__riscv_vsll_vx_u32m4(exponent, F32_FRACTION, vl)),
        F32_LEAST_POWER, vl);
    return f32_of(__riscv_vmerge_vxm_u32m4(__riscv_vreinterpret_v_i32m4_u32m4(power), F32_NAN,
                                           __riscv_vmseq_vx_u8m1_b8(scales, UE8M0_NAN, vl), vl));
}

/* Returns the sources times their factors. If two elements share a scale, subnormal sources count as zero. Products
 * are exact, unless they are far above the range of the result or far below it. There, fcsr has the rounding of the
 * conversion. */
static ALWAYS_INLINE vfloat32m4_t scaled_source(const struct cvt_params *f, const u8 *p, const u8 *scales,
                                                size_t vl) {
    vfloat32m4_t x = load_f32_at(f->src, p, vl);
    if (cvt_scale_group(scale_to(f->dst)) == 2)
        x = flushed_below((u32)round_by_add_of(cvt_format_of(f->src)).smallest_normal, x, vl);
    return __riscv_vfmul_vv_f32m4(x, factors_of(f->dst, scale_codes(f->dst, scales, vl), vl), vl);
}

static ALWAYS_INLINE void scaled_to_small(const struct cvt_params *f, const u8 *src, u8 *dst,
                                          const u8 *scales, size_t vl) {
    put_small(f->dst, dst, small_of_f32(f, scaled_source(f, src, scales, vl), vl), vl);
}

static ALWAYS_INLINE void scaled_to_bf16(const struct cvt_params *f, const u8 *src, u8 *dst, const u8 *scales,
                                         size_t vl) {
    put_array_16m2(dst, bf16_of_f32(f, scaled_source(f, src, scales, vl), vl), vl);
}

/* ---- to s2f6: integers in units of 1/64, clamped ---- */

static ALWAYS_INLINE void put_s2f6(const struct cvt_params *f, u8 *dst, vfloat32m4_t x, size_t vl) {
    const vfloat32m4_t y = __riscv_vfmax_vf_f32m4(__riscv_vfmul_vf_f32m4(x, 64, vl), f->lo, vl);
    const vuint8m1_t r = bytes_clamped(true, half_of_f32(true, y, vl), vl);
    __riscv_vse8_v_u8m1(dst, __riscv_vmerge_vxm_u8m1(r, (u8)f->nan, nans_of(x, vl), vl), vl);
}

static ALWAYS_INLINE void to_s2f6(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    put_s2f6(f, dst, load_f32_at(f->src, src, vl), vl);
}

static ALWAYS_INLINE void s2f6_scaled(const struct cvt_params *f, const u8 *src, u8 *dst, const u8 *scales,
                                      size_t vl) {
    put_s2f6(f, dst, scaled_source(f, src, scales, vl), vl);
}

/* ---- to ue8m0: only the exponent ---- */

/* Magnitudes up to half of the smallest normal f32 become code 0, also under .rp. The exponent of a NaN is UE8M0_NAN
 * already, unless .satfinite has limited it. */
static ALWAYS_INLINE void to_ue8m0(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl);
    const vuint32m4_t m = __riscv_vand_vx_u32m4(bits_of(x), INT32_MAX, vl);
    vuint16m2_t r =
        __riscv_vnsrl_wx_u16m2(__riscv_vadd_vx_u32m4(m, f->add_if_positive, vl), F32_FRACTION, vl);
    r = __riscv_vminu_vx_u16m2(r, (u16)f->code, vl);
    if (f->add_if_positive != 0)
        r = __riscv_vmerge_vxm_u16m2(r, 0, __riscv_vmsleu_vx_u32m4_b8(m, F32_LEAST_POWER, vl), vl);
    if (f->code != UE8M0_NAN) r = __riscv_vmerge_vxm_u16m2(r, UE8M0_NAN, nans_of(x, vl), vl);
    __riscv_vse8_v_u8m1(dst, __riscv_vncvt_x_x_w_u8m1(r, vl), vl);
}

/* ---- to tf32 with ties away from zero ---- */

static ALWAYS_INLINE vbool8_t is_finite(vuint32m4_t x, size_t vl) {
    return __riscv_vmsltu_vx_u32m4_b8(__riscv_vand_vx_u32m4(x, INT32_MAX, vl), F32_SPECIAL, vl);
}

static ALWAYS_INLINE void away_to_tf32(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const u32 step = (u32)1 << round_by_add_of(cvt_format_of(PTO_TF32)).dropped_bits;
    const vuint32m4_t x = array_32m4(src, vl);
    vuint32m4_t r = __riscv_vadd_vx_u32m4_mu(is_finite(x, vl), x, x, step / 2, vl);
    r = __riscv_vand_vx_u32m4(r, ~(step - 1), vl);
    if (f->replaces_code)
        r = __riscv_vsub_vx_u32m4_mu(__riscv_vmnot_m_b8(is_finite(r, vl), vl), r, r, step, vl);
    put_array_32m4(dst, r, vl);
}

/* ---- stochastic rounding (.rs), with 16 random bits for each element ---- */

static ALWAYS_INLINE vuint16m1_t swap_bits(vuint16m1_t x, u16 low, unsigned by, size_t vl) {
    const vuint16m1_t up = __riscv_vsll_vx_u16m1(__riscv_vand_vx_u16m1(x, low, vl), by, vl);
    return __riscv_vor_vv_u16m1(up, __riscv_vand_vx_u16m1(__riscv_vsrl_vx_u16m1(x, by, vl), low, vl), vl);
}

static ALWAYS_INLINE vuint16m1_t reverse_bits(vuint16m1_t x, size_t vl) {
    return swap_bits(swap_bits(swap_bits(swap_bits(x, 0x5555, 1, vl), 0x3333, 2, vl), 0x0f0f, 4, vl), 0xff, 8,
                     vl);
}

/* Loads vl halves of random words. For e2m1, the two bytes in the middle of each word are exchanged. */
static ALWAYS_INLINE vuint16m1_t random_halves(pto_dtype dst, const u8 *p, size_t vl) {
    const vuint16m1_t x = array_16m1(p, vl);
    vuint32m1_t w, middle;
    if (dst != PTO_E2M1) return x;
    w = __riscv_vreinterpret_v_u16m1_u32m1(x);
    middle = __riscv_vand_vx_u32m1(__riscv_vxor_vv_u32m1(w, __riscv_vsrl_vx_u32m1(w, 8, vl / 2), vl / 2),
                                   0xff00, vl / 2);
    w = __riscv_vxor_vv_u32m1(
        w, __riscv_vxor_vv_u32m1(middle, __riscv_vsll_vx_u32m1(middle, 8, vl / 2), vl / 2), vl / 2);
    return __riscv_vreinterpret_v_u32m1_u16m1(w);
}

/* Returns the random bits of vl elements. If two elements share a random word, each takes one half of it. If four
 * share it, two take each half, and the second of the two takes it with its bits reversed. */
static ALWAYS_INLINE vuint32m4_t random_at(pto_dtype dst, const u8 *p, size_t vl) {
    const u32 mask = (u32)low_bits(cvt_random_bits(dst));
    vuint16m1_t half;
    vuint32m2_t both;
    if (cvt_random_group(dst) == 2)
        return __riscv_vand_vx_u32m4(words_of_halves(array_16m2(p, vl), false, vl), mask, vl);
    half = random_halves(dst, p, vl / 2);
    both = __riscv_vsll_vx_u32m2(__riscv_vzext_vf2_u32m2(reverse_bits(half, vl / 2), vl / 2), 16, vl / 2);
    both = __riscv_vor_vv_u32m2(both, __riscv_vzext_vf2_u32m2(half, vl / 2), vl / 2);
    return words_of_halves(__riscv_vreinterpret_v_u32m2_u16m2(both), false, vl);
}

/* Returns codes without signs, at most f->code. The significand is cut to the bits of the code and k more
 * bits, the k random bits are added, and the k bits are shifted out. Subnormals are shifted further, in all by at most
 * 30 bits. */
static ALWAYS_INLINE vuint32m4_t random_code(const struct cvt_params *f, vfloat32m4_t x, vuint32m4_t random,
                                             size_t vl) {
    const struct cvt_format to = cvt_format_of(f->dst);
    const u32 k = cvt_random_bits(f->dst), dropped_bits = F32_FRACTION - to.fraction_bits - k;
    const u32 rebias = (u32)(F32_BIAS - to.bias);
    const vuint32m4_t m = __riscv_vand_vx_u32m4(bits_of(x), INT32_MAX, vl);
    const vuint32m4_t exponent = __riscv_vsub_vx_u32m4(
        __riscv_vmaxu_vx_u32m4(__riscv_vsrl_vx_u32m4(m, F32_FRACTION, vl), 1, vl), 1, vl);
    const vuint32m4_t wanted = __riscv_vmaxu_vx_u32m4(exponent, rebias, vl);
    const vuint32m4_t digits =
        __riscv_vsub_vv_u32m4(m, __riscv_vsll_vx_u32m4(exponent, F32_FRACTION, vl), vl);
    const vuint32m4_t down = __riscv_vminu_vx_u32m4(
        __riscv_vadd_vx_u32m4(__riscv_vsub_vv_u32m4(wanted, exponent, vl), dropped_bits, vl), 30, vl);
    const vuint32m4_t kept = __riscv_vsrl_vx_u32m4(
        __riscv_vadd_vv_u32m4(__riscv_vsrl_vv_u32m4(digits, down, vl), random, vl), k, vl);
    const vuint32m4_t field =
        __riscv_vsll_vx_u32m4(__riscv_vsub_vx_u32m4(wanted, rebias, vl), to.fraction_bits, vl);
    return __riscv_vminu_vx_u32m4(__riscv_vadd_vv_u32m4(field, kept, vl), f->code, vl);
}

static ALWAYS_INLINE void round_stochastically(const struct cvt_params *f, const u8 *src, u8 *dst,
                                               const u8 *extra, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl), y = __riscv_vfmax_vf_f32m4(x, f->lo, vl);
    const vuint16m2_t half =
        __riscv_vncvt_x_x_w_u16m2(random_code(f, y, random_at(f->dst, extra, vl), vl), vl);
    vuint16m2_t r;
    vuint8m1_t byte;
    if (element_bytes(f->dst) == 2) {
        r = __riscv_vor_vv_u16m2(half, half_signs(y, vl), vl);
        put_array_16m2(dst, __riscv_vmerge_vxm_u16m2(r, (u16)f->nan, nans_of(x, vl), vl), vl);
        return;
    }
    byte = __riscv_vor_vv_u8m1(__riscv_vncvt_x_x_w_u8m1(half, vl), small_signs(cvt_format_of(f->dst), y, vl),
                               vl);
    put_small(f->dst, dst, __riscv_vmerge_vxm_u8m1(byte, (u8)f->nan, nans_of(x, vl), vl), vl);
}

/* ---- loops over arrays with a third operand ---- */

typedef void extra_fn(const struct cvt_params *f, const u8 *src, u8 *dst, const u8 *extra, size_t vl);

/* `lanes` consecutive elements share `bytes` bytes of the third operand, so they must be in the same group. */
static ALWAYS_INLINE void each_with_extra(extra_fn *convert, struct cvt_params f, size_t lanes, size_t bytes,
                                          const u8 *src, u8 *dst, const u8 *extra, size_t n) {
    while (n != 0) {
        const size_t most = group_of(32, n), vl = most == n ? n : most & ~(lanes - 1);
        convert(&f, src, dst, extra, vl);
        src += group_bytes(f.src, vl);
        dst += group_bytes(f.dst, vl);
        extra += vl / lanes * bytes;
        n -= vl;
    }
}

#endif
