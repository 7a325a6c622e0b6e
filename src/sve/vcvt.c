/* SPDX-License-Identifier: MIT */
/* PTO's conversions (vcvt and vtrc) in SVE: the loops, the kernels and their selection. */
#include "sve/vcvt.h"

#include "loops/vcvt_pairs.h"
#include "sve/hif8.h"
#include "sve/rounding.h"

/* ---- parameters (struct cvt_params) ---- */

static ALWAYS_INLINE struct cvt_params vcvt_params(pto_dtype dst, pto_dtype src, enum rounding rounding,
                                                   const pto_vcvt_op *op) {
    const u32 most = vcvt_bound_of(dst, op->sat);
    struct cvt_params f = {.dst = dst, .src = src, .rounding = rounding, .bounded = true};
    f.hi = signed_float(most, false);
    f.lo = signed_float(most, true);
    f.nan = vcvt_nan_of(dst, op->sat);
    f.round_up_by = op->rnd == PTO_VRND_C || op->rnd == PTO_VRND_F;
    f.sign_flip = op->rnd == PTO_VRND_C ? 0x8000 : 0;
    return f;
}

/* Returns the parameters of conversions without saturation: values that overflow become infinite. */
static ALWAYS_INLINE struct cvt_params unbounded_params(pto_dtype dst, pto_dtype src, enum rounding rounding,
                                                        const pto_vcvt_op *op) {
    struct cvt_params f = vcvt_params(dst, src, rounding, op);
    f.bounded = false;
    return f;
}

/* Returns parameters without bounds, for conversions between integers and floats, and for vtrc. */
static ALWAYS_INLINE struct cvt_params bare_params(pto_dtype dst, pto_dtype src, enum rounding rounding) {
    const struct cvt_params f = {.dst = dst, .src = src, .rounding = rounding};
    return f;
}

/* Returns the parameters of conversions from f16 to integers that wrap. A word holds all finite values of f16.
 * Infinities are clamped to integers outside of their range, whose low bits are the limit of the destination type. */
static ALWAYS_INLINE struct cvt_params wrapped_f16_params(pto_dtype dst, enum rounding rounding) {
    const u32 beyond = 0x10000, bits = 8 * (u32)element_bytes(dst);
    struct cvt_params f = {.dst = dst, .src = PTO_F16, .rounding = rounding, .bounded = true};
    f.hi = beyond + (u32)low_bits(cvt_is_signed(dst) ? bits - 1 : bits);
    f.lo = -(double)beyond - (cvt_is_signed(dst) ? (u32)1 << (bits - 1) : 0);
    return f;
}

/* Returns the parameters of conversions to hif8. `largest_code` limits the rounded magnitude: values that overflow
 * become infinity or, with op->sat, the largest finite value, whose code is one lower. */
static ALWAYS_INLINE struct cvt_params hif8_params(pto_dtype src, const pto_vcvt_op *op) {
    const u32 infinity = (F32_BIAS + HIF8_MAX_EXPONENT) << HALF_FRACTION | 1 << (HALF_FRACTION - 1);
    const struct cvt_params f = {.dst = PTO_HIF8,
                                 .src = src,
                                 .nan = op->sat ? 0 : vcvt_nan(PTO_HIF8),
                                 .largest_code = infinity - op->sat};
    return f;
}

/* ---- loops; each way of rounding has one of its own ---- */

static ALWAYS_INLINE void to_f16(pto_dtype from, enum rounding rounding, const pto_vcvt_op *op, const u8 *src,
                                 u8 *dst, size_t n) {
    if (op->sat || rounding == ROUND_AWAY)
        each_half_vector(vcvt_to_f16, vcvt_params(PTO_F16, from, rounding, op), src, NULL, dst, n);
    else
        each_half_vector(vcvt_to_f16, unbounded_params(PTO_F16, from, rounding, op), src, NULL, dst, n);
}

static ALWAYS_INLINE void float_to_f16(pto_dtype from, const pto_vcvt_op *op, const u8 *src, u8 *dst,
                                       size_t n) {
    switch (op->rnd) {
    case PTO_VRND_A: to_f16(from, ROUND_AWAY, op, src, dst, n); break;
    case PTO_VRND_O: to_f16(from, ROUND_TO_ODD, op, src, dst, n); break;
    default: to_f16(from, ROUND_BY_FPCR, op, src, dst, n); break;
    }
}

/* Converts integers of up to 16 bits to floats. Conversions to f32 are exact. */
static ALWAYS_INLINE void narrow_to_float(pto_dtype to, pto_dtype from, const pto_vcvt_op *op, const u8 *src,
                                          u8 *dst, size_t n) {
    const struct cvt_params f = bare_params(to, from, ROUND_BY_FPCR),
                            away = bare_params(to, from, ROUND_AWAY),
                            odd = bare_params(to, from, ROUND_TO_ODD);
    if (to == PTO_F16 && op->rnd == PTO_VRND_A)
        each_half_vector(vcvt_to_f16, away, src, NULL, dst, n);
    else if (to == PTO_F16 && op->rnd == PTO_VRND_O)
        each_half_vector(vcvt_to_f16, odd, src, NULL, dst, n);
    else
        each_32(word_of_integer, &f, src, element_bytes(from), cvt_is_signed(from), dst, element_bytes(to),
                n);
}

static ALWAYS_INLINE void to_bf16(pto_dtype from, enum rounding rounding, const pto_vcvt_op *op,
                                  const u8 *src, u8 *dst, size_t n) {
    if (op->sat)
        each_half_vector(bf16_of, vcvt_params(PTO_BF16, from, rounding, op), src, NULL, dst, n);
    else
        each_half_vector(bf16_of, unbounded_params(PTO_BF16, from, rounding, op), src, NULL, dst, n);
}

static ALWAYS_INLINE void float_to_bf16(pto_dtype from, const pto_vcvt_op *op, const u8 *src, u8 *dst,
                                        size_t n) {
    switch (op->rnd) {
    case PTO_VRND_R: to_bf16(from, ROUND_TO_NEAREST, op, src, dst, n); break;
    case PTO_VRND_A: to_bf16(from, ROUND_AWAY, op, src, dst, n); break;
    case PTO_VRND_O: to_bf16(from, ROUND_TO_ODD, op, src, dst, n); break;
    default: to_bf16(from, ROUND_BY_SIGN, op, src, dst, n); break;
    }
}

static ALWAYS_INLINE void float_to_small(pto_dtype to, pto_dtype from, const pto_vcvt_op *op, const u8 *src,
                                         u8 *dst, size_t n) {
    switch (op->rnd) {
    case PTO_VRND_A:
        each_byte_vector(vcvt_to_small, vcvt_params(to, from, ROUND_AWAY, op), src, NULL, dst, n);
        break;
    case PTO_VRND_F:
    case PTO_VRND_C:
        each_byte_vector(vcvt_to_small, vcvt_params(to, from, ROUND_BY_SIGN, op), src, NULL, dst, n);
        break;
    default:
        each_byte_vector(vcvt_to_small, vcvt_params(to, from, ROUND_BY_FPCR, op), src, NULL, dst, n);
        break;
    }
}

static ALWAYS_INLINE void float_to_f32(pto_dtype from, const pto_vcvt_op *op, const u8 *src, u8 *dst,
                                       size_t n) {
    const struct cvt_params f = vcvt_params(PTO_F32, from, ROUND_BY_FPCR, op);
    each_32(vcvt_to_f32, &f, src, element_bytes(from), extends_sign(from), dst, 4, n);
}

static ALWAYS_INLINE void wide_to_f32(pto_dtype from, const pto_vcvt_op *op, const u8 *src, u8 *dst,
                                      size_t n) {
    const struct cvt_params f = bare_params(PTO_F32, from, ROUND_BY_FPCR);
    const size_t in = element_bytes(from);
    if (op->rnd == PTO_VRND_A)
        each_64(away_of_integer, &f, src, in, cvt_is_signed(from), dst, 4, n);
    else if (op->rnd == PTO_VRND_O)
        each_word(odd_at, f, src, dst, n);
    else if (in == 8)
        each_64(long_of_integer, &f, src, in, cvt_is_signed(from), dst, 4, n);
    else
        each_32(word_of_integer, &f, src, in, cvt_is_signed(from), dst, 4, n);
}

/* The conversion instructions round towards zero. Results from f16 wrap as words are truncated to the destination
 * type; results from other types are wrapped in f32. */
static ALWAYS_INLINE void to_integer_rounded(pto_dtype to, pto_dtype from, enum rounding rounding,
                                             const pto_vcvt_op *op, const u8 *src, u8 *dst, size_t n) {
    const struct cvt_params f = bare_params(to, from, rounding), wraps = wrapped_f16_params(to, rounding);
    const size_t in = element_bytes(from), out = element_bytes(to);
    const bool is_long = to == PTO_S64, never_wraps = to == PTO_S32 && from == PTO_F16;
    if (op->sat || never_wraps) {
        if (is_long)
            each_64(vcvt_to_long, &f, src, in, false, dst, out, n);
        else
            each_32(vcvt_to_word, &f, src, in, false, dst, out, n);
    } else if (is_long)
        each_64(wrapped_long, &f, src, in, false, dst, out, n);
    else if (from == PTO_F16)
        each_32(vcvt_to_word, &wraps, src, in, false, dst, out, n);
    else
        each_32(wrapped_word, &f, src, in, false, dst, out, n);
}

static ALWAYS_INLINE void float_to_integer(pto_dtype to, pto_dtype from, const pto_vcvt_op *op, const u8 *src,
                                           u8 *dst, size_t n) {
    const bool is_truncated = op->rnd == PTO_VRND_Z && (op->sat || from == PTO_F16);
    if (is_truncated)
        to_integer_rounded(to, from, ROUND_TOWARDS_ZERO, op, src, dst, n);
    else if (op->rnd == PTO_VRND_A)
        to_integer_rounded(to, from, ROUND_AWAY, op, src, dst, n);
    else if (op->rnd == PTO_VRND_O)
        to_integer_rounded(to, from, ROUND_TO_ODD, op, src, dst, n);
    else
        to_integer_rounded(to, from, ROUND_BY_FPCR, op, src, dst, n);
}

static ALWAYS_INLINE void vtrc_rounded(pto_dtype type, enum rounding rounding, const u8 *src, u8 *dst,
                                       size_t n) {
    const struct cvt_params f = bare_params(type, type, rounding);
    if (type == PTO_F32)
        each_32(vtrc_word, &f, src, 4, false, dst, 4, n);
    else if (type == PTO_F16)
        each_16(vtrc_half, &f, src, 2, false, dst, 2, n);
    else
        each_half_vector(vtrc_bf16, f, src, NULL, dst, n);
}

static ALWAYS_INLINE void vtrc(pto_dtype type, const pto_vcvt_op *op, const u8 *src, u8 *dst, size_t n) {
    if (op->rnd == PTO_VRND_A)
        vtrc_rounded(type, ROUND_AWAY, src, dst, n);
    else
        vtrc_rounded(type, ROUND_BY_FPCR, src, dst, n);
}

/* ---- kernels; their granule is one element, so they take any length ---- */

#define VCVT_KERNEL(name, fp, round, call)                                                                   \
    static void run_##name(const pto_vcvt_op *op, const struct ptx_cvt *ptx, const void *src, void *dst,     \
                           size_t n) {                                                                       \
        (void)op, (void)ptx;                                                                                 \
        toggle_rounding(round);                                                                              \
        call;                                                                                                \
        toggle_rounding(round);                                                                              \
    }                                                                                                        \
    static const struct vcvt_kernel name = {run_##name, 1, fp, false};

#define PAIR_KERNEL(fp, round, dst_, src_, call) VCVT_KERNEL(vcvt_##dst_##_##src_, fp, round, call)
#define F16_KERNEL(dst_, src_)                                                                               \
    PAIR_KERNEL(FP_IEEE, vcvt_ptx_round(op->rnd), dst_, src_, float_to_f16(PTO_##src_, op, src, dst, n))
#define BF16_KERNEL(dst_, src_)                                                                              \
    PAIR_KERNEL(FP_IEEE, PTO_RN, dst_, src_, float_to_bf16(PTO_##src_, op, src, dst, n))
#define SMALL_KERNEL(dst_, src_)                                                                             \
    PAIR_KERNEL(FP_IEEE, vcvt_ptx_round(op->rnd), dst_, src_,                                                \
                float_to_small(PTO_##dst_, PTO_##src_, op, src, dst, n))
#define NIBBLES_KERNEL(dst_, src_)                                                                           \
    PAIR_KERNEL(                                                                                             \
        FP_IEEE, PTO_RN, dst_, src_,                                                                         \
        each_half_vector(bf16_exactly, bare_params(PTO_BF16, PTO_##src_, ROUND_BY_FPCR), src, NULL, dst, n))
#define F32_KERNEL(dst_, src_)                                                                               \
    PAIR_KERNEL(FP_IEEE, PTO_RN, dst_, src_, float_to_f32(PTO_##src_, op, src, dst, n))
#define WIDE_KERNEL(dst_, src_)                                                                              \
    PAIR_KERNEL(FP_IEEE, op->rnd == PTO_VRND_A ? PTO_RZ : vcvt_ptx_round(op->rnd), dst_, src_,               \
                wide_to_f32(PTO_##src_, op, src, dst, n))
#define NARROW_KERNEL(dst_, src_)                                                                            \
    PAIR_KERNEL(FP_IEEE, vcvt_ptx_round(op->rnd), dst_, src_,                                                \
                narrow_to_float(PTO_##dst_, PTO_##src_, op, src, dst, n))
#define INTEGER_KERNEL(dst_, src_)                                                                           \
    PAIR_KERNEL(FP_IEEE, vcvt_ptx_round(op->rnd), dst_, src_,                                                \
                float_to_integer(PTO_##dst_, PTO_##src_, op, src, dst, n))
#define FROM_HIF8_KERNEL(dst_, src_)                                                                         \
    PAIR_KERNEL(PTO_##dst_ == PTO_F32 ? FP_ANY : FP_IEEE, PTO_RN, dst_, src_,                                \
                each_hif8(PTO_##dst_, src, dst, n))
#define TO_HIF8_KERNEL(dst_, src_)                                                                           \
    PAIR_KERNEL(FP_IEEE, PTO_RN, dst_, src_,                                                                 \
                each_byte_vector(hif8_of, hif8_params(PTO_##src_, op), src, NULL, dst, n))
#define VTRC_KERNEL(type)                                                                                    \
    VCVT_KERNEL(vtrc_##type, FP_IEEE, vcvt_ptx_round(op->rnd), vtrc(PTO_##type, op, src, dst, n))
VCVT_TO_F16(F16_KERNEL)
VCVT_TO_BF16(BF16_KERNEL)
VCVT_TO_SMALL(SMALL_KERNEL)
VCVT_TO_HIF8(TO_HIF8_KERNEL)
VCVT_TO_F32(F32_KERNEL)
VCVT_FROM_NIBBLES(NIBBLES_KERNEL)
VCVT_FROM_HIF8(FROM_HIF8_KERNEL)
VCVT_FROM_NARROW(NARROW_KERNEL)
VCVT_FROM_WIDE(WIDE_KERNEL)
VCVT_TO_INTEGERS(INTEGER_KERNEL)
VTRC_TYPES(VTRC_KERNEL)

/* Conversions between integers run PTX's kernels, which clamp or truncate. */
static void run_integers(const pto_vcvt_op *op, const struct ptx_cvt *ptx, const void *src, void *dst,
                         size_t n) {
    const pto_cvt_op cvt = {.dst = op->dst, .src = op->src, .sat = vcvt_saturates(*op)};
    (void)ptx;
    pto_cvt_sve(cvt)->run(&cvt, src, dst, NULL, n);
}
static const struct vcvt_kernel integers = {run_integers, 1, FP_ANY, false};

/* ---- kernel selection ---- */

#define ROW(dst_, src_) [PTO_##dst_][PTO_##src_] = &vcvt_##dst_##_##src_,
#define VTRC_ROW(type)  [PTO_##type][PTO_##type] = &vtrc_##type,

static const struct vcvt_kernel *const kernels[VCVT_TYPES][VCVT_TYPES] = {
    VCVT_TO_F16(ROW) VCVT_TO_BF16(ROW) VCVT_TO_SMALL(ROW) VCVT_TO_HIF8(ROW) VCVT_TO_F32(ROW)
        VCVT_FROM_NIBBLES(ROW) VCVT_FROM_HIF8(ROW) VCVT_FROM_NARROW(ROW) VCVT_FROM_WIDE(ROW)
            VCVT_TO_INTEGERS(ROW) VTRC_TYPES(VTRC_ROW)};

const struct vcvt_kernel *pto_vcvt_sve(pto_vcvt_op op) {
    return cvt_is_integer(op.dst) && cvt_is_integer(op.src) ? &integers : kernels[op.dst][op.src];
}
