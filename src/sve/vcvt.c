/* SPDX-License-Identifier: MIT */
/* PTO's conversions (vcvt and vtrc) in SVE: the loops, the kernels and their selection. */
#include "sve/vcvt.h"

#include "loops/vcvt_pairs.h"
#include "sve/hif8.h"
#include "sve/rounding.h"

/* ---- parameters (struct form) ---- */

static ALWAYS_INLINE struct form vcvt_form(pto_dtype dst, pto_dtype src, enum cut_as cut,
                                           const pto_vcvt_op *op) {
    const u32 most = vcvt_bound_of(dst, op->sat);
    struct form f = {.dst = dst, .src = src, .cut = cut, .bounded = true};
    f.hi = signed_float(most, false);
    f.lo = signed_float(most, true);
    f.nan = vcvt_nan_of(dst, op->sat);
    f.up = op->rnd == PTO_VRND_C || op->rnd == PTO_VRND_F;
    f.flipped = op->rnd == PTO_VRND_C ? 0x8000 : 0;
    return f;
}

/* Without saturation: values that overflow become infinite. */
static ALWAYS_INLINE struct form unbounded_form(pto_dtype dst, pto_dtype src, enum cut_as cut,
                                                const pto_vcvt_op *op) {
    struct form f = vcvt_form(dst, src, cut, op);
    f.bounded = false;
    return f;
}

/* Without bounds, for conversions between integers and floats, and for vtrc. */
static ALWAYS_INLINE struct form bare_form(pto_dtype dst, pto_dtype src, enum cut_as cut) {
    const struct form f = {.dst = dst, .src = src, .cut = cut};
    return f;
}

/* From f16 to integers that wrap. A word holds all finite values of f16. Infinities are clamped to integers outside of
 * their range, whose low bits are the limit of the destination type. */
static ALWAYS_INLINE struct form wrapped_f16_form(pto_dtype dst, enum cut_as cut) {
    const u32 beyond = 0x10000, bits = 8 * (u32)element_bytes(dst);
    struct form f = {.dst = dst, .src = PTO_F16, .cut = cut, .bounded = true};
    f.hi = beyond + (u32)low_bits(cvt_is_signed(dst) ? bits - 1 : bits);
    f.lo = -(double)beyond - (cvt_is_signed(dst) ? (u32)1 << (bits - 1) : 0);
    return f;
}

/* Limits the rounded magnitude, so that values that overflow get the code of infinity or, with op->sat, the one before
 * it. */
static ALWAYS_INLINE struct form hif8_form(pto_dtype src, const pto_vcvt_op *op) {
    const u32 infinity = (F32_BIAS + HIF8_TOP) << HALF_FRACTION | 1 << (HALF_FRACTION - 1);
    const struct form f = {
        .dst = PTO_HIF8, .src = src, .nan = op->sat ? 0 : vcvt_nan(PTO_HIF8), .code = infinity - op->sat};
    return f;
}

/* ---- loops; each way of rounding has one of its own ---- */

static ALWAYS_INLINE void to_f16(pto_dtype from, enum cut_as cut, const pto_vcvt_op *op, const u8 *src,
                                 u8 *dst, size_t n) {
    if (op->sat || cut == AWAY)
        each_pair(vcvt_to_f16, vcvt_form(PTO_F16, from, cut, op), src, NULL, dst, n);
    else
        each_pair(vcvt_to_f16, unbounded_form(PTO_F16, from, cut, op), src, NULL, dst, n);
}

static ALWAYS_INLINE void float_to_f16(pto_dtype from, const pto_vcvt_op *op, const u8 *src, u8 *dst,
                                       size_t n) {
    switch (op->rnd) {
    case PTO_VRND_A: to_f16(from, AWAY, op, src, dst, n); break;
    case PTO_VRND_O: to_f16(from, TO_ODD, op, src, dst, n); break;
    default: to_f16(from, BY_FPCR, op, src, dst, n); break;
    }
}

/* From integers of up to 16 bits. Conversions to f32 are exact. */
static ALWAYS_INLINE void narrow_to_float(pto_dtype to, pto_dtype from, const pto_vcvt_op *op, const u8 *src,
                                          u8 *dst, size_t n) {
    const struct form f = bare_form(to, from, BY_FPCR), away = bare_form(to, from, AWAY),
                      odd = bare_form(to, from, TO_ODD);
    if (to == PTO_F16 && op->rnd == PTO_VRND_A)
        each_pair(vcvt_to_f16, away, src, NULL, dst, n);
    else if (to == PTO_F16 && op->rnd == PTO_VRND_O)
        each_pair(vcvt_to_f16, odd, src, NULL, dst, n);
    else
        each_32(word_of_integer, &f, src, element_bytes(from), cvt_is_signed(from), dst, element_bytes(to),
                n);
}

static ALWAYS_INLINE void to_bf16(pto_dtype from, enum cut_as cut, const pto_vcvt_op *op, const u8 *src,
                                  u8 *dst, size_t n) {
    if (op->sat)
        each_pair(bf16_of, vcvt_form(PTO_BF16, from, cut, op), src, NULL, dst, n);
    else
        each_pair(bf16_of, unbounded_form(PTO_BF16, from, cut, op), src, NULL, dst, n);
}

static ALWAYS_INLINE void float_to_bf16(pto_dtype from, const pto_vcvt_op *op, const u8 *src, u8 *dst,
                                        size_t n) {
    switch (op->rnd) {
    case PTO_VRND_R: to_bf16(from, TO_NEAREST, op, src, dst, n); break;
    case PTO_VRND_A: to_bf16(from, AWAY, op, src, dst, n); break;
    case PTO_VRND_O: to_bf16(from, TO_ODD, op, src, dst, n); break;
    default: to_bf16(from, BY_SIGN, op, src, dst, n); break;
    }
}

static ALWAYS_INLINE void float_to_small(pto_dtype to, pto_dtype from, const pto_vcvt_op *op, const u8 *src,
                                         u8 *dst, size_t n) {
    switch (op->rnd) {
    case PTO_VRND_A: each_four(vcvt_to_small, vcvt_form(to, from, AWAY, op), src, NULL, dst, n); break;
    case PTO_VRND_F:
    case PTO_VRND_C: each_four(vcvt_to_small, vcvt_form(to, from, BY_SIGN, op), src, NULL, dst, n); break;
    default: each_four(vcvt_to_small, vcvt_form(to, from, BY_FPCR, op), src, NULL, dst, n); break;
    }
}

static ALWAYS_INLINE void float_to_f32(pto_dtype from, const pto_vcvt_op *op, const u8 *src, u8 *dst,
                                       size_t n) {
    const struct form f = vcvt_form(PTO_F32, from, BY_FPCR, op);
    each_32(vcvt_to_f32, &f, src, element_bytes(from), extends_sign(from), dst, 4, n);
}

static ALWAYS_INLINE void wide_to_f32(pto_dtype from, const pto_vcvt_op *op, const u8 *src, u8 *dst,
                                      size_t n) {
    const struct form f = bare_form(PTO_F32, from, BY_FPCR);
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
static ALWAYS_INLINE void to_integer_cut(pto_dtype to, pto_dtype from, enum cut_as cut, const pto_vcvt_op *op,
                                         const u8 *src, u8 *dst, size_t n) {
    const struct form f = bare_form(to, from, cut), wraps = wrapped_f16_form(to, cut);
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
    const bool is_cut = op->rnd == PTO_VRND_Z && (op->sat || from == PTO_F16);
    if (is_cut)
        to_integer_cut(to, from, TOWARDS_ZERO, op, src, dst, n);
    else if (op->rnd == PTO_VRND_A)
        to_integer_cut(to, from, AWAY, op, src, dst, n);
    else if (op->rnd == PTO_VRND_O)
        to_integer_cut(to, from, TO_ODD, op, src, dst, n);
    else
        to_integer_cut(to, from, BY_FPCR, op, src, dst, n);
}

static ALWAYS_INLINE void vtrc_cut(pto_dtype type, enum cut_as cut, const u8 *src, u8 *dst, size_t n) {
    const struct form f = bare_form(type, type, cut);
    if (type == PTO_F32)
        each_32(vtrc_word, &f, src, 4, false, dst, 4, n);
    else if (type == PTO_F16)
        each_16(vtrc_half, &f, src, 2, false, dst, 2, n);
    else
        each_pair(vtrc_bf16, f, src, NULL, dst, n);
}

static ALWAYS_INLINE void vtrc(pto_dtype type, const pto_vcvt_op *op, const u8 *src, u8 *dst, size_t n) {
    if (op->rnd == PTO_VRND_A)
        vtrc_cut(type, AWAY, src, dst, n);
    else
        vtrc_cut(type, BY_FPCR, src, dst, n);
}

/* ---- kernels; their granule is one element, so they take any length ---- */

#define VCVT_KERNEL(name, fp, round, call)                                                                   \
    static void run_##name(const pto_vcvt_op *op, const struct ptx_cvt *ptx, const void *src, void *dst,     \
                           size_t n) {                                                                       \
        (void)op, (void)ptx;                                                                                 \
        turn_rounding(round);                                                                                \
        call;                                                                                                \
        turn_rounding(round);                                                                                \
    }                                                                                                        \
    static const struct vcvt_kernel name = {run_##name, 1, fp, false};

#define OWN(fp, round, dst_, src_, call) VCVT_KERNEL(vcvt_##dst_##_##src_, fp, round, call)
#define OWN_F16(dst_, src_)                                                                                  \
    OWN(FP_IEEE, vcvt_ptx_round(op->rnd), dst_, src_, float_to_f16(PTO_##src_, op, src, dst, n))
#define OWN_BF16(dst_, src_) OWN(FP_IEEE, PTO_RN, dst_, src_, float_to_bf16(PTO_##src_, op, src, dst, n))
#define OWN_SMALL(dst_, src_)                                                                                \
    OWN(FP_IEEE, vcvt_ptx_round(op->rnd), dst_, src_, float_to_small(PTO_##dst_, PTO_##src_, op, src, dst, n))
#define OWN_NIBBLES(dst_, src_)                                                                              \
    OWN(FP_IEEE, PTO_RN, dst_, src_,                                                                         \
        each_pair(bf16_exactly, bare_form(PTO_BF16, PTO_##src_, BY_FPCR), src, NULL, dst, n))
#define OWN_F32(dst_, src_) OWN(FP_IEEE, PTO_RN, dst_, src_, float_to_f32(PTO_##src_, op, src, dst, n))
#define OWN_WIDE(dst_, src_)                                                                                 \
    OWN(FP_IEEE, op->rnd == PTO_VRND_A ? PTO_RZ : vcvt_ptx_round(op->rnd), dst_, src_,                       \
        wide_to_f32(PTO_##src_, op, src, dst, n))
#define OWN_NARROW(dst_, src_)                                                                               \
    OWN(FP_IEEE, vcvt_ptx_round(op->rnd), dst_, src_,                                                        \
        narrow_to_float(PTO_##dst_, PTO_##src_, op, src, dst, n))
#define OWN_INTEGER(dst_, src_)                                                                              \
    OWN(FP_IEEE, vcvt_ptx_round(op->rnd), dst_, src_,                                                        \
        float_to_integer(PTO_##dst_, PTO_##src_, op, src, dst, n))
#define OWN_FROM_HIF8(dst_, src_)                                                                            \
    OWN(PTO_##dst_ == PTO_F32 ? FP_ANY : FP_IEEE, PTO_RN, dst_, src_, each_hif8(PTO_##dst_, src, dst, n))
#define OWN_TO_HIF8(dst_, src_)                                                                              \
    OWN(FP_IEEE, PTO_RN, dst_, src_, each_four(hif8_of, hif8_form(PTO_##src_, op), src, NULL, dst, n))
#define OWN_VTRC(type)                                                                                       \
    VCVT_KERNEL(vtrc_##type, FP_IEEE, vcvt_ptx_round(op->rnd), vtrc(PTO_##type, op, src, dst, n))
VCVT_TO_F16(OWN_F16)
VCVT_TO_BF16(OWN_BF16)
VCVT_TO_SMALL(OWN_SMALL)
VCVT_TO_HIF8(OWN_TO_HIF8)
VCVT_TO_F32(OWN_F32)
VCVT_FROM_NIBBLES(OWN_NIBBLES)
VCVT_FROM_HIF8(OWN_FROM_HIF8)
VCVT_FROM_NARROW(OWN_NARROW)
VCVT_FROM_WIDE(OWN_WIDE)
VCVT_TO_INTEGERS(OWN_INTEGER)
VTRC_TYPES(OWN_VTRC)

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

static const struct vcvt_kernel *const kernels[DTYPE_COUNT][DTYPE_COUNT] = {
    VCVT_TO_F16(ROW) VCVT_TO_BF16(ROW) VCVT_TO_SMALL(ROW) VCVT_TO_HIF8(ROW) VCVT_TO_F32(ROW)
        VCVT_FROM_NIBBLES(ROW) VCVT_FROM_HIF8(ROW) VCVT_FROM_NARROW(ROW) VCVT_FROM_WIDE(ROW)
            VCVT_TO_INTEGERS(ROW) VTRC_TYPES(VTRC_ROW)};

const struct vcvt_kernel *pto_vcvt_sve(pto_vcvt_op op) {
    return cvt_is_integer(op.dst) && cvt_is_integer(op.src) ? &integers : kernels[op.dst][op.src];
}
