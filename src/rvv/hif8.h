/* SPDX-License-Identifier: MIT */
/*
 * Conversions from and to PTO's hif8 (HiFloat8) in RVV. The first bits of a code determine the exponent and the number
 * of fraction bits. vrgather looks both up in tables. Part of rvv/vcvt.h.
 */

/* ---- from hif8, by the upper four bits of a code without its sign ---- */

enum { HIF8_PREFIXES = 16 };

static ALWAYS_INLINE vuint8m1_t hif8_by_prefix(const u8 *table, vuint8m1_t prefix, size_t vl) {
    return __riscv_vrgather_vv_u8m1(__riscv_vle8_v_u8m1(table, HIF8_PREFIXES), prefix, vl);
}

/* Returns exponent and fraction, in units of 1/8 of an exponent. The lower three bits of the code are shifted left and
 * added to the exponent of the table; those above three bits are exponent, the others fraction. For values below 1/2
 * the exponent counts down, so its bits are inverted, and the table has an exponent that is one larger. */
static ALWAYS_INLINE vuint16m2_t hif8_eighths(vuint8m1_t magnitude, size_t vl) {
    static const u8 exponents[HIF8_PREFIXES] = {104, 127, 128, 126, 129, 130, 125, 124,
                                                131, 133, 124, 122, 135, 139, 120, 116};
    static const u8 shifts[HIF8_PREFIXES] = {3, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
    static const u8 flips[HIF8_PREFIXES] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0xf8, 0, 0, 0xf8, 0xf8};
    const vuint8m1_t prefix = __riscv_vsrl_vx_u8m1(magnitude, 3, vl);
    vuint8m1_t low = __riscv_vand_vx_u8m1(magnitude, 7, vl);
    vuint16m2_t base = __riscv_vwmulu_vx_u16m2(hif8_by_prefix(exponents, prefix, vl), 8, vl);
    low = __riscv_vsll_vv_u8m1(low, hif8_by_prefix(shifts, prefix, vl), vl);
    low = __riscv_vxor_vv_u8m1(low, hif8_by_prefix(flips, prefix, vl), vl);
    return __riscv_vreinterpret_v_i16m2_u16m2(__riscv_vwadd_wv_i16m2(
        __riscv_vreinterpret_v_u16m2_i16m2(base), __riscv_vreinterpret_v_u8m1_i8m1(low), vl));
}

/* Loads hif8 as f32, through bf16, which holds all values of hif8. */
static ALWAYS_INLINE vfloat32m4_t f32_of_hif8(const u8 *p, size_t vl) {
    const vuint8m1_t code = __riscv_vle8_v_u8m1(p, vl), magnitude = __riscv_vand_vx_u8m1(code, INT8_MAX, vl);
    const vuint16m2_t signs = __riscv_vreinterpret_v_i16m2_u16m2(
        __riscv_vsext_vf2_i16m2(__riscv_vreinterpret_v_u8m1_i8m1(code), vl));
    const vbool8_t is_zero = __riscv_vmseq_vx_u8m1_b8(magnitude, 0, vl),
                   is_infinite = __riscv_vmseq_vx_u8m1_b8(magnitude, HIF8_INFINITY, vl),
                   is_nan = __riscv_vmseq_vx_u8m1_b8(code, HIF8_NAN, vl);
    vuint16m2_t x = __riscv_vsll_vx_u16m2(hif8_eighths(magnitude, vl), 4, vl);
    x = __riscv_vmerge_vxm_u16m2(x, 0, is_zero, vl);
    x = __riscv_vmerge_vxm_u16m2(x, F32_SPECIAL >> 16, is_infinite, vl);
    x = __riscv_vor_vv_u16m2(x, __riscv_vand_vx_u16m2(signs, (u16)INT16_MIN, vl), vl);
    return f32_of_bf16(__riscv_vmerge_vxm_u16m2(x, HALF_NAN, is_nan, vl), vl);
}

static ALWAYS_INLINE void hif8_as_f32(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = f32_of_hif8(src, vl);
    put_array_32m4(dst, finish_codes_32(f, bits_of(x), x, vl), vl);
}

static ALWAYS_INLINE void hif8_as_f16(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    put_array_16m2(dst, f16_of_f32(f, f32_of_hif8(src, vl), vl), vl);
}

/* ---- to hif8: to nearest, ties away from zero ---- */

/* The tables below are indexed by the exponent, from that of the smallest value to the one above that of the largest.
 * A value below the smallest that does not become zero becomes the smallest. */
enum { HIF8_EXPONENTS = 39, F32_HIF8_LEAST = F32_BIAS - 22 };

static ALWAYS_INLINE vuint8m1_t hif8_by_exponent(const u8 *table, vuint32m4_t magnitude, size_t vl) {
    const vuint16m2_t exponent = __riscv_vnsrl_wx_u16m2(magnitude, F32_FRACTION, vl);
    const vuint8m1_t which = __riscv_vsub_vx_u8m1(__riscv_vncvt_x_x_w_u8m1(exponent, vl), F32_HIF8_LEAST, vl);
    return __riscv_vlmul_trunc_v_u8m4_u8m1(__riscv_vrgather_vv_u8m4(
        __riscv_vle8_v_u8m4(table, HIF8_EXPONENTS), __riscv_vlmul_ext_v_u8m1_u8m4(which), vl));
}

/* Returns codes without signs. If rounding carries into the exponent, the fraction is 0, so the number of fraction
 * bits at the new exponent does not matter. */
static ALWAYS_INLINE vuint8m1_t hif8_magnitude(vuint32m4_t bounded, size_t vl) {
    static const u8 digits[HIF8_EXPONENTS] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3,
                                              3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0};
    static const u8 powers[HIF8_EXPONENTS] = {
        1,  2,  3, 4,  5,  6,  7,  126, 124, 122, 120, 118, 116, 114, 112, 92,  88,  84,  80,           56,
        48, 24, 8, 16, 32, 40, 64, 68,  72,  76,  96,  98,  100, 102, 104, 106, 108, 110, HIF8_INFINITY};
    const vuint32m4_t kept = __riscv_vzext_vf4_u32m4(hif8_by_exponent(digits, bounded, vl), vl);
    const vuint32m4_t half =
        __riscv_vsrl_vv_u32m4(__riscv_vmv_v_x_u32m4((u32)1 << (F32_FRACTION - 1), vl), kept, vl);
    const vuint32m4_t rounded = __riscv_vadd_vv_u32m4(bounded, half, vl);
    const vuint32m4_t fraction = __riscv_vand_vx_u32m4(rounded, (u32)low_bits(F32_FRACTION), vl);
    const vuint32m4_t leading =
        __riscv_vsrl_vv_u32m4(fraction, __riscv_vrsub_vx_u32m4(kept, F32_FRACTION, vl), vl);
    return __riscv_vadd_vv_u8m1(hif8_by_exponent(powers, rounded, vl),
                                __riscv_vncvt_x_x_w_u8m1(__riscv_vncvt_x_x_w_u16m2(leading, vl), vl), vl);
}

/* Converts to hif8. Zero has no sign. */
static ALWAYS_INLINE void any_to_hif8(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl);
    const vfloat32m4_t magnitude = __riscv_vfabs_v_f32m4(x, vl);
    const vuint8m1_t high = __riscv_vncvt_x_x_w_u8m1(__riscv_vnsrl_wx_u16m2(bits_of(x), 24, vl), vl);
    const vbool8_t is_zero = __riscv_vmflt_vf_f32m4_b8(magnitude, f->lo / 2, vl);
    vuint8m1_t code = hif8_magnitude(bits_of(clamp_source(f, magnitude, vl)), vl);
    code = __riscv_vor_vv_u8m1(code, __riscv_vand_vx_u8m1(high, 0x80, vl), vl);
    code = __riscv_vmerge_vxm_u8m1(code, 0, is_zero, vl);
    __riscv_vse8_v_u8m1(dst, __riscv_vmerge_vxm_u8m1(code, (u8)f->nan, nans_of(x, vl), vl), vl);
}

/* The largest value is 2^15, which is the upper bound with op->sat. Otherwise the bound is 2^16, whose code is
 * infinity. */
static ALWAYS_INLINE struct cvt_params hif8_params(pto_dtype dst, pto_dtype src, enum rounding cut,
                                                   const pto_vcvt_op *op) {
    struct cvt_params f = {.dst = dst, .src = src, .rounding = cut};
    f.lo = 0x1p-22F;
    f.hi = op->sat ? 0x1p15F : 0x1p16F;
    f.nan = op->sat ? 0 : HIF8_NAN;
    return f;
}
