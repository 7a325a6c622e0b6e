/* SPDX-License-Identifier: MIT */
/*
 * PTO's conversions (vcvt and vtrc) in RVV, with the functions of PTX's. They differ from PTX's in:
 *   - results for NaNs
 *   - overflow, which is detected after rounding with an unbounded exponent
 *   - integers that wrap
 *
 * fcsr has all roundings of PTO except to odd: that rounds towards zero, and then sets the last bit of inexact
 * results. Part of loops/vcvt.h.
 */
#include "loops/convert_bounds.h"

/* ---- parameters (struct cvt_params) ---- */

static const u8 vcvt_frm[VRND_COUNT] = {
    [PTO_VRND_R] = FRM_NEAREST, [PTO_VRND_A] = FRM_AWAY,         [PTO_VRND_F] = FRM_DOWN,
    [PTO_VRND_C] = FRM_UP,      [PTO_VRND_Z] = FRM_TOWARDS_ZERO, [PTO_VRND_O] = FRM_TOWARDS_ZERO};

static ALWAYS_INLINE struct cvt_params vcvt_params(pto_dtype dst, pto_dtype src, enum rounding rounding,
                                                   const pto_vcvt_op *op) {
    const u32 step = (u32)1 << round_by_add_of(cvt_format_of(dst)).dropped_bits,
              most = vcvt_bound_of(dst, op->sat);
    struct cvt_params f = {.dst = dst, .src = src, .rounding = rounding, .bounded = dst != PTO_F32};
    f.nan = vcvt_nan_of(dst, op->sat);
    f.hi = signed_float(most, false);
    f.lo = signed_float(most, true);
    f.add_if_positive = op->rnd == PTO_VRND_A ? step / 2 : op->rnd == PTO_VRND_C ? step - 1 : 0;
    f.add_if_negative = op->rnd == PTO_VRND_A ? step / 2 : op->rnd == PTO_VRND_F ? step - 1 : 0;
    f.replaces_code = dst == PTO_E4M3 && !op->sat;
    f.code = E4M3_OVERFLOW;
    f.replacement = E4M3_NAN;
    return f;
}

static ALWAYS_INLINE struct cvt_params vcvt_integer_params(pto_dtype dst, pto_dtype src,
                                                           enum rounding rounding, const pto_vcvt_op *op) {
    const struct cvt_params f = {.dst = dst, .src = src, .rounding = rounding};
    (void)op;
    return f;
}

/* NaNs keep their bits, and are OR'ed with f.nan, which makes them quiet. */
static ALWAYS_INLINE struct cvt_params vtrc_params(pto_dtype type) {
    const struct cvt_params f = {.dst = type, .src = type, .max_magnitude = 65536, .nan = vcvt_nan(type)};
    return f;
}

/* ---- to integers that wrap; infinities become the limits of the type, and a NaN becomes 0 ---- */

enum { F32_2_63 = (F32_BIAS + 63) << F32_FRACTION };

static ALWAYS_INLINE vbool8_t is_infinite(vfloat32m4_t x, size_t vl) {
    return __riscv_vmfeq_vf_f32m4_b8(__riscv_vfabs_v_f32m4(x, vl), __builtin_inff(), vl);
}

/* Returns `positive` or `negative`, depending on the sign of x. */
static ALWAYS_INLINE vuint32m4_t limits_of(vfloat32m4_t x, u32 positive, u32 negative, size_t vl) {
    const vuint32m4_t sign = __riscv_vreinterpret_v_i32m4_u32m4(
        __riscv_vsra_vx_i32m4(__riscv_vreinterpret_v_u32m4_i32m4(bits_of(x)), 31, vl));
    return __riscv_vxor_vx_u32m4(__riscv_vand_vx_u32m4(sign, positive ^ negative, vl), positive, vl);
}

/* Converts to integers of up to 32 bits. Stores the low bits of a 64-bit integer or, from f16, of a 32-bit integer. The
 * low bits of magnitudes from 2^63 on are 0. */
static ALWAYS_INLINE void wrapped_words(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = integer_source(f, src, vl);
    const size_t out = element_bytes(f->dst);
    const bool is_signed = cvt_is_signed(f->dst);
    const u32 most = (u32)low_bits(8 * out - is_signed), least = is_signed ? ~most : 0;
    vuint32m4_t r;
    if (f->src == PTO_F16) {
        r = __riscv_vmerge_vxm_u32m4(word_of_f32(true, x, vl), 0, nans_of(x, vl), vl);
    } else {
        const vbool8_t is_far =
            __riscv_vmsgtu_vx_u32m4_b8(__riscv_vand_vx_u32m4(bits_of(x), INT32_MAX, vl), F32_2_63 - 1, vl);
        r = __riscv_vmerge_vxm_u32m4(__riscv_vncvt_x_x_w_u32m4(long_of_f32(true, x, vl), vl), 0, is_far, vl);
    }
    store_words(dst, __riscv_vmerge_vvm_u32m4(r, limits_of(x, most, least, vl), is_infinite(x, vl), vl), out,
                vl);
}

/* Converts to 64-bit integers. For magnitudes from 2^63 on, the lower half is 0, and the upper half has the
 * significand, of which some or all bits are shifted out. */
static ALWAYS_INLINE void wrapped_longs(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = integer_source(f, src, vl);
    const vuint32m4_t bits = bits_of(x), m = __riscv_vand_vx_u32m4(bits, INT32_MAX, vl);
    const vuint32m4_t shift =
        __riscv_vsub_vx_u32m4(__riscv_vsrl_vx_u32m4(m, F32_FRACTION, vl), F32_BIAS + F32_FRACTION + 32, vl);
    const vuint32m4_t digits = __riscv_vor_vx_u32m4(__riscv_vand_vx_u32m4(m, (u32)low_bits(F32_FRACTION), vl),
                                                    (u32)1 << F32_FRACTION, vl);
    const vbool8_t is_negative = __riscv_vmslt_vx_i32m4_b8(__riscv_vreinterpret_v_u32m4_i32m4(bits), 0, vl);
    vuint32m4_t high = __riscv_vsll_vv_u32m4(digits, shift, vl);
    vuint64m8_t r;
    high = __riscv_vmerge_vxm_u32m4(high, 0, __riscv_vmsgtu_vx_u32m4_b8(shift, 31, vl), vl);
    high = __riscv_vrsub_vx_u32m4_mu(is_negative, high, high, 0, vl);
    high =
        __riscv_vmerge_vvm_u32m4(high, limits_of(x, INT32_MAX, (u32)INT32_MIN, vl), is_infinite(x, vl), vl);
    r = __riscv_vsll_vx_u64m8(__riscv_vzext_vf2_u64m8(high, vl), 32, vl);
    r = __riscv_vor_vx_u64m8_mu(__riscv_vmfeq_vf_f32m4_b8(x, __builtin_inff(), vl), r, r, UINT32_MAX, vl);
    put_array_64m8(dst,
                   __riscv_vmerge_vvm_u64m8(long_of_f32(true, x, vl), r,
                                            __riscv_vmsgtu_vx_u32m4_b8(m, F32_2_63 - 1, vl), vl),
                   vl);
}

/* ---- other conversions ---- */

static ALWAYS_INLINE void odd_to_f32(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    put_array_32m4(dst, bits_of(f32_to_odd(f->src, src, vl)), vl);
}

static ALWAYS_INLINE void vtrc_words(const struct cvt_params *f, const u8 *src, u8 *dst, size_t vl) {
    const vfloat32m4_t x = load_f32_at(f->src, src, vl), whole = integral_f32(ROUND_TOWARDS_ZERO, x, vl);
    const vbool8_t is_nan = nans_of(x, vl);
    vuint16m2_t half;
    vuint32m4_t word;
    if (f->dst == PTO_F32) {
        word = __riscv_vor_vx_u32m4(bits_of(x), (u32)f->nan, vl);
        put_array_32m4(dst, __riscv_vmerge_vvm_u32m4(bits_of(whole), word, is_nan, vl), vl);
        return;
    }
    half = __riscv_vor_vx_u16m2(array_16m2(src, vl), (u16)f->nan, vl);
    put_array_16m2(dst, __riscv_vmerge_vvm_u16m2(half_of_integral(f, whole, vl), half, is_nan, vl), vl);
}

#include "rvv/hif8.h"

/* ---- kernels ---- */

/* to_integer() returns the function that clamps, wrapping() the one that wraps. f16 to s32 never wraps: infinities are
 * clamped in either case. */
static ALWAYS_INLINE group_fn *to_integer(pto_dtype dst) {
    return dst == PTO_S64 ? long_of_word : integer_of_word;
}

static ALWAYS_INLINE group_fn *wrapping(pto_dtype dst, pto_dtype src) {
    if (dst == PTO_S64) return wrapped_longs;
    return dst == PTO_S32 && src == PTO_F16 ? integer_of_word : wrapped_words;
}

/* The granule of a kernel. Elements of 4 bits are converted as whole bytes, as in convert_native.h. */
#define VCVT_GRANULE(dst_, src_) (is_4_bit_constant(PTO_##dst_) || is_4_bit_constant(PTO_##src_) ? 8 : 1)
#define is_4_bit_constant(type)  ((type) == PTO_E2M1 || (type) == PTO_E1M2)

#define VCVT_NATIVE_KERNEL(name, step, ...)                                                                  \
    static void run_##name(const pto_vcvt_op *op, const struct ptx_cvt *ptx, const void *src, void *dst,     \
                           size_t n) {                                                                       \
        (void)ptx;                                                                                           \
        set_frm(vcvt_frm[op->rnd]);                                                                          \
        __VA_ARGS__;                                                                                         \
        set_frm(FRM_NEAREST);                                                                                \
    }                                                                                                        \
    static const struct vcvt_kernel name = {run_##name, step, FP_IEEE, false};

#define VCVT_LOOP(cvt_params, rounding, convert, dst_, src_)                                                 \
    each_group(convert, cvt_params(PTO_##dst_, PTO_##src_, rounding, op), 32, src, dst, n)
#define VCVT_TO_ODD_OR(rounding, cvt_params, convert, dst_, src_)                                            \
    if (op->rnd == PTO_VRND_O)                                                                               \
        VCVT_LOOP(cvt_params, ROUND_TO_ODD, convert, dst_, src_);                                            \
    else                                                                                                     \
        VCVT_LOOP(cvt_params, rounding, convert, dst_, src_)

#define VCVT_ROUNDED_BY_ADDITION(dst_, src_, convert)                                                        \
    VCVT_NATIVE_KERNEL(vcvt_native_##dst_##_##src_, VCVT_GRANULE(dst_, src_),                                \
                       VCVT_TO_ODD_OR(ROUND_TOWARDS_ZERO, vcvt_params, convert, dst_, src_))
#define VCVT_EXACT(dst_, src_, convert)                                                                      \
    VCVT_NATIVE_KERNEL(vcvt_native_##dst_##_##src_, VCVT_GRANULE(dst_, src_),                                \
                       VCVT_LOOP(vcvt_params, ROUND_TOWARDS_ZERO, convert, dst_, src_))
#define VCVT_HIF8_KERNEL(dst_, src_, convert)                                                                \
    VCVT_NATIVE_KERNEL(vcvt_native_##dst_##_##src_, 1,                                                       \
                       VCVT_LOOP(hif8_params, ROUND_TO_NEAREST, convert, dst_, src_))
#define VCVT_ROUNDED_IN_INTEGERS(dst_, src_, convert)                                                        \
    VCVT_NATIVE_KERNEL(vcvt_native_##dst_##_##src_, 1,                                                       \
                       if (op->rnd == PTO_VRND_R)                                                            \
                           VCVT_LOOP(vcvt_params, ROUND_TO_NEAREST, convert, dst_, src_);                    \
                       else VCVT_TO_ODD_OR(ROUND_BY_SIGN, vcvt_params, convert, dst_, src_))
#define VCVT_FROM_INTEGER(dst_, src_, convert)                                                               \
    VCVT_NATIVE_KERNEL(vcvt_native_##dst_##_##src_, 1,                                                       \
                       if (op->rnd == PTO_VRND_O)                                                            \
                           VCVT_LOOP(vcvt_params, ROUND_TO_ODD, odd_to_f32, dst_, src_);                     \
                       else VCVT_LOOP(vcvt_params, ROUND_TOWARDS_ZERO, convert, dst_, src_))
#define VCVT_TO_INTEGER(dst_, src_)                                                                          \
    VCVT_NATIVE_KERNEL(                                                                                      \
        vcvt_native_##dst_##_##src_, 1,                                                                      \
        VCVT_TO_ODD_OR(ROUND_TOWARDS_ZERO, vcvt_integer_params, to_integer(PTO_##dst_), dst_, src_))         \
    VCVT_NATIVE_KERNEL(wrapping_##dst_##_##src_, 1,                                                          \
                       VCVT_TO_ODD_OR(ROUND_TOWARDS_ZERO, vcvt_integer_params,                               \
                                      wrapping(PTO_##dst_, PTO_##src_), dst_, src_))
#define VCVT_TRUNCATE(type)                                                                                  \
    VCVT_NATIVE_KERNEL(vtrc_native_##type, 1,                                                                \
                       each_group(vtrc_words, vtrc_params(PTO_##type), 32, src, dst, n))
#define VCVT_F16(dst_, src_)     VCVT_ROUNDED_BY_ADDITION(dst_, src_, any_to_f16)
#define VCVT_SMALL(dst_, src_)   VCVT_ROUNDED_BY_ADDITION(dst_, src_, any_to_small)
#define VCVT_BF16(dst_, src_)    VCVT_ROUNDED_IN_INTEGERS(dst_, src_, any_to_bf16)
#define VCVT_HIF8(dst_, src_)    VCVT_HIF8_KERNEL(dst_, src_, any_to_hif8)
#define VCVT_F32(dst_, src_)     VCVT_EXACT(dst_, src_, any_to_f32)
#define VCVT_NIBBLES(dst_, src_) VCVT_EXACT(dst_, src_, bf16_of_small)
#define VCVT_OF_HIF8(dst_, src_) VCVT_EXACT(dst_, src_, PTO_##dst_ == PTO_F32 ? hif8_as_f32 : hif8_as_f16)
#define VCVT_WIDE(dst_, src_)    VCVT_FROM_INTEGER(dst_, src_, to_f32)
VCVT_TO_F16(VCVT_F16)
VCVT_TO_BF16(VCVT_BF16)
VCVT_TO_SMALL(VCVT_SMALL)
VCVT_TO_HIF8(VCVT_HIF8)
VCVT_TO_F32(VCVT_F32)
VCVT_FROM_NIBBLES(VCVT_NIBBLES)
VCVT_FROM_HIF8(VCVT_OF_HIF8)
VCVT_F16(F16, S16)
VCVT_EXACT(F32, S16, to_f32)
VCVT_FROM_WIDE(VCVT_WIDE)
VCVT_TO_INTEGERS(VCVT_TO_INTEGER)
VTRC_TYPES(VCVT_TRUNCATE)

/* Conversions between integers run PTX's kernels, which clamp or truncate. */
#define VCVT_NATIVE_INTEGER(dst_, src_, word)                                                                \
    static void run_vcvt_native_##dst_##_##src_(const pto_vcvt_op *op, const struct ptx_cvt *ptx,            \
                                                const void *src, void *dst, size_t n) {                      \
        (void)ptx;                                                                                           \
        if (vcvt_saturates(*op))                                                                             \
            run_clamped_##dst_##_##src_(NULL, src, dst, NULL, n);                                            \
        else                                                                                                 \
            run_native_##dst_##_##src_(NULL, src, dst, NULL, n);                                             \
    }                                                                                                        \
    static const struct vcvt_kernel vcvt_native_##dst_##_##src_ = {run_vcvt_native_##dst_##_##src_, 1,       \
                                                                   FP_ANY, false};
VCVT_INTEGERS(VCVT_NATIVE_INTEGER)

/* ---- kernel selection ---- */

#define VCVT_NATIVE_ROW(dst_, src_)               [PTO_##dst_][PTO_##src_] = &vcvt_native_##dst_##_##src_,
#define VCVT_NATIVE_INTEGER_ROW(dst_, src_, word) VCVT_NATIVE_ROW(dst_, src_)
#define VCVT_WRAPPING_ROW(dst_, src_)             [PTO_##dst_][PTO_##src_] = &wrapping_##dst_##_##src_,
#define VTRC_NATIVE_ROW(type)                     [PTO_##type][PTO_##type] = &vtrc_native_##type,

/* The table has no 8-bit integers to f16: PTX's conversions do these. */
static const struct vcvt_kernel *const vcvt_native_kernels[VCVT_TYPES][VCVT_TYPES] = {
    VCVT_TO_F16(VCVT_NATIVE_ROW) VCVT_TO_BF16(VCVT_NATIVE_ROW) VCVT_TO_SMALL(VCVT_NATIVE_ROW)
        VCVT_TO_HIF8(VCVT_NATIVE_ROW) VCVT_TO_F32(VCVT_NATIVE_ROW) VCVT_FROM_NIBBLES(VCVT_NATIVE_ROW)
            VCVT_FROM_HIF8(VCVT_NATIVE_ROW) VCVT_NATIVE_ROW(F16, S16) VCVT_NATIVE_ROW(F32, S16)
                VCVT_FROM_WIDE(VCVT_NATIVE_ROW) VCVT_TO_INTEGERS(VCVT_NATIVE_ROW)
                    VCVT_INTEGERS(VCVT_NATIVE_INTEGER_ROW) VTRC_TYPES(VTRC_NATIVE_ROW)};
static const struct vcvt_kernel *const vcvt_wrapping_kernels[VCVT_TYPES][VCVT_TYPES] = {
    VCVT_TO_INTEGERS(VCVT_WRAPPING_ROW)};

static const struct vcvt_kernel *vcvt_native(pto_vcvt_op op) {
    const bool wraps = cvt_is_integer(op.dst) && !cvt_is_integer(op.src) && !op.sat;
    return (wraps ? vcvt_wrapping_kernels : vcvt_native_kernels)[op.dst][op.src];
}
