/* SPDX-License-Identifier: MIT */
/*
 * Conversions with so few instructions that loads, stores and the loop take most of the time. They use groups of eight
 * registers of the wider type, eight groups per iteration, and load and store whole groups as registers. fcsr must be
 * in its default state or have the rounding of the conversion.
 */
#ifndef PTO_RVV_CONVERT_WIDE_H
#define PTO_RVV_CONVERT_WIDE_H

#include "rvv/convert_float.h"

enum { WIDE_GROUPS = 8 };

/* ---- loads and stores of groups, as registers if they are whole ---- */

#define GROUPS(w, g)                                                                                         \
    static ALWAYS_INLINE vuint##w##g##_t group_##w##g(const u8 *p, bool whole, size_t vl) {                  \
        return whole ? __riscv_vreinterpret_v_u8##g##_u##w##g(*(const vuint8##g##_t *)p)                     \
                     : array_##w##g(p, vl);                                                                  \
    }                                                                                                        \
    static ALWAYS_INLINE void put_group_##w##g(u8 *p, vuint##w##g##_t x, bool whole, size_t vl) {            \
        if (whole)                                                                                           \
            *(vuint8##g##_t *)p = __riscv_vreinterpret_v_u##w##g##_u8##g(x);                                 \
        else                                                                                                 \
            put_array_##w##g(p, x, vl);                                                                      \
    }
GROUPS(16, m4)
GROUPS(32, m4)
GROUPS(32, m8)
GROUPS(64, m8)
#undef GROUPS

/* Converts one group, which is whole or has vl elements. */
typedef void wide_fn(const struct cvt_params *f, const u8 *src, u8 *dst, bool whole, size_t vl);

/* Converts n elements. `group`, the number of lanes of a group, must be a power of two. */
static ALWAYS_INLINE void each_wide(wide_fn *convert, struct cvt_params f, size_t group, const u8 *src,
                                    u8 *dst, size_t n) {
    const size_t in = element_bytes(f.src), out = element_bytes(f.dst), step = WIDE_GROUPS * group;
    const u8 *const end = dst + (n & ~(step - 1)) * out;
    while (dst < end) UNROLL for (size_t k = 0; k < WIDE_GROUPS; ++k) {
            convert(&f, src, dst, true, group);
            src += group * in;
            dst += group * out;
        }
    for (n %= step; n >= group; n -= group) {
        convert(&f, src, dst, true, group);
        src += group * in;
        dst += group * out;
    }
    if (n != 0) convert(&f, src, dst, false, n);
}

/* each_wide_32() is for conversions whose wider type has 32 bits, each_wide_64() for those with 64 bits. */
static ALWAYS_INLINE void each_wide_32(wide_fn *convert, struct cvt_params f, const u8 *src, u8 *dst,
                                       size_t n) {
    each_wide(convert, f, __riscv_vsetvlmax_e32m8(), src, dst, n);
}

static ALWAYS_INLINE void each_wide_64(wide_fn *convert, struct cvt_params f, const u8 *src, u8 *dst,
                                       size_t n) {
    each_wide(convert, f, __riscv_vsetvlmax_e32m4(), src, dst, n);
}

/* ---- f32 and bf16 ---- */

static ALWAYS_INLINE void wide_f32_of_bf16(const struct cvt_params *f, const u8 *src, u8 *dst, bool whole,
                                           size_t vl) {
    const vuint32m8_t x = __riscv_vzext_vf2_u32m8(group_16m4(src, whole, vl), vl);
    (void)f;
    put_group_32m8(dst, __riscv_vsll_vx_u32m8(x, 16, vl), whole, vl);
}

static ALWAYS_INLINE vbool4_t wide_nans_of(vuint32m8_t x, size_t vl) {
    const vfloat32m8_t y = __riscv_vreinterpret_v_u32m8_f32m8(x);
    return __riscv_vmfne_vv_f32m8_b4(y, y, vl);
}

static ALWAYS_INLINE void wide_bf16_of_f32(const struct cvt_params *f, const u8 *src, u8 *dst, bool whole,
                                           size_t vl) {
    const vuint32m8_t x = group_32m8(src, whole, vl);
    const vbool4_t is_nan = wide_nans_of(x, vl);
    const vuint16m4_t r = f->rounding == ROUND_TOWARDS_ZERO ? __riscv_vnsrl_wx_u16m4(x, 16, vl)
                                                            : rounded_wide_high_halves(x, vl);
    put_group_16m4(dst, __riscv_vmerge_vxm_u16m4(r, (u16)f->nan, is_nan, vl), whole, vl);
}

/* ---- f32 and integers of 32 bits, rounded by fcsr ---- */

static ALWAYS_INLINE void wide_f32_of_word(const struct cvt_params *f, const u8 *src, u8 *dst, bool whole,
                                           size_t vl) {
    const vuint32m8_t x = group_32m8(src, whole, vl);
    const vfloat32m8_t y = cvt_is_signed(f->src)
                               ? __riscv_vfcvt_f_x_v_f32m8(__riscv_vreinterpret_v_u32m8_i32m8(x), vl)
                               : __riscv_vfcvt_f_xu_v_f32m8(x, vl);
    put_group_32m8(dst, __riscv_vreinterpret_v_f32m8_u32m8(y), whole, vl);
}

static ALWAYS_INLINE void wide_word_of_f32(const struct cvt_params *f, const u8 *src, u8 *dst, bool whole,
                                           size_t vl) {
    const vuint32m8_t x = group_32m8(src, whole, vl);
    const vfloat32m8_t y = __riscv_vreinterpret_v_u32m8_f32m8(x);
    const vuint32m8_t r = cvt_is_signed(f->dst)
                              ? __riscv_vreinterpret_v_i32m8_u32m8(__riscv_vfcvt_x_f_v_i32m8(y, vl))
                              : __riscv_vfcvt_xu_f_v_u32m8(y, vl);
    put_group_32m8(dst, __riscv_vmerge_vxm_u32m8(r, (u32)f->nan, wide_nans_of(x, vl), vl), whole, vl);
}

/* ---- f32 and f64: NaNs keep their sign and the leading bits of their payload, and become quiet ---- */

/* A NaN is composed of the leading bits of its payload and f->nan. Its sign bit is undefined until vfsgnj sets it. */
static ALWAYS_INLINE void wide_f32_of_f64(const struct cvt_params *f, const u8 *src, u8 *dst, bool whole,
                                          size_t vl) {
    const vuint64m8_t x = group_64m8(src, whole, vl);
    const vfloat32m4_t number = __riscv_vfncvt_f_f_w_f32m4(__riscv_vreinterpret_v_u64m8_f64m8(x), vl);
    const vbool8_t is_nan = nans_of(number, vl);
    const vuint32m4_t payload = __riscv_vor_vx_u32m4(__riscv_vnsrl_wx_u32m4(x, 29, vl), (u32)f->nan, vl);
    const vfloat32m4_t sign = f32_of(__riscv_vnsrl_wx_u32m4(x, 32, vl));
    put_group_32m4(dst, bits_of(__riscv_vfsgnj_vv_f32m4_mu(is_nan, number, f32_of(payload), sign, vl)), whole,
                   vl);
}

/* NaNs are made quiet, and 1 is subtracted from their exponent. That makes them finite, so the conversion keeps their
 * payload. vwmaccu then adds a product that raises their exponent to that of a NaN in f64. All instructions work on
 * 32-bit lanes, or widen them, so no second vsetvli is needed. */
static ALWAYS_INLINE void wide_f64_of_f32(const struct cvt_params *f, const u8 *src, u8 *dst, bool whole,
                                          size_t vl) {
    enum { SHARED = 31 };
    const struct cvt_format to = cvt_format_of(PTO_F64);
    const u32 lacks = (u32)low_bits(to.exponent_bits) - (u32)(F32_BIAS + to.bias);
    const vuint32m4_t lack = __riscv_vmv_v_x_u32m4(lacks << (to.fraction_bits - SHARED), vl);
    const vuint32m4_t x = group_32m4(src, whole, vl);
    const vbool8_t is_nan = nans_of(f32_of(x), vl);
    vuint32m4_t y = __riscv_vor_vx_u32m4_mu(is_nan, x, x, (u32)1 << (F32_FRACTION - 1), vl);
    vuint64m8_t r;
    (void)f;
    y = __riscv_vsub_vx_u32m4_mu(is_nan, y, y, (u32)1 << F32_FRACTION, vl);
    r = __riscv_vreinterpret_v_f64m8_u64m8(__riscv_vfwcvt_f_f_v_f64m8(f32_of(y), vl));
    r = __riscv_vwmaccu_vx_u64m8_mu(is_nan, r, (u32)1 << SHARED, lack, vl);
    put_group_64m8(dst, r, whole, vl);
}

#endif
