/* SPDX-License-Identifier: MIT */
/*
 * PTX's conversions (cvt) in RVV, except copies. Some kernels are for conversions without modifiers and so are short;
 * others read the rounding and the modifiers from the op.
 */
#include "core/convert_native.h"
#include "rvv/convert_special.h"
#include "rvv/convert_wide.h"
#include "rvv/rounding.h"

/* ---- parameters (struct cvt_params) ---- */

static ALWAYS_INLINE void set_nan(struct cvt_params *f, pto_cvt_op op) {
    const struct cvt_nan nan = cvt_nan_of(op);
    f->nan = nan.bits;
    f->keeps_nan_payload = nan.keeps_payload;
}

/* Returns the parameters of conversions without modifiers. For f16, magnitudes are limited to 65536, the first power of
 * two above its range, which becomes infinity. */
static ALWAYS_INLINE struct cvt_params plain_params(pto_dtype dst, pto_dtype src) {
    const s32 largest = round_by_add_of(cvt_format_of(dst)).largest_finite;
    const pto_cvt_op op = {.dst = dst, .src = src, .satfinite = cvt_is_small(dst)};
    struct cvt_params f = {.dst = dst, .src = src, .max_magnitude = 65536};
    if (cvt_is_small(dst)) memcpy(&f.max_magnitude, &largest, sizeof f.max_magnitude);
    if (cvt_is_integer(dst))
        f.nan = cvt_integer_nan(op, 8 * (unsigned)element_bytes(dst));
    else
        set_nan(&f, op);
    return f;
}

static ALWAYS_INLINE struct cvt_params truncated_params(pto_dtype dst, pto_dtype src) {
    struct cvt_params f = plain_params(dst, src);
    f.rounding = ROUND_TOWARDS_ZERO;
    return f;
}

static ALWAYS_INLINE struct cvt_params clamped_params(pto_dtype dst, pto_dtype src) {
    struct cvt_params f = plain_params(dst, src);
    f.bounded = true;
    return f;
}

static ALWAYS_INLINE struct cvt_params relu_params(pto_dtype dst, pto_dtype src) {
    struct cvt_params f = plain_params(dst, src);
    f.relu = true;
    return f;
}

/* Returns the parameters of conversions with any rounding and modifiers. In formats with fewer exponents than f32,
 * infinities are handled apart from values that overflow. f64 results are made of f32, and f64 sources are bounded in
 * the same way. */
static ALWAYS_INLINE struct cvt_params any_params(pto_dtype dst, pto_dtype src, enum rounding rounding,
                                                  const pto_cvt_op *op) {
    const struct cvt_format to = cvt_format_of(dst == PTO_F64 ? PTO_F32 : dst);
    const struct round_by_add a = round_by_add_of(to);
    const bool is_short = to.bias < F32_BIAS;
    const u32 ones = (u32)low_bits(a.dropped_bits);
    const u32 hi = bound_of(op, a, is_short ? just_below_overflow(a) : F32_SPECIAL);
    struct cvt_params f = {
        .dst = dst, .src = src, .rounding = rounding, .bounded = true, .max_magnitude = 65536};
    set_nan(&f, *op);
    f.hi = signed_float(hi, false);
    f.lo = lower_bound_of(op, hi);
    if (is_short && !op->sat && !op->satfinite) f.infinity_mask = op->relu ? UINT32_MAX : INT32_MAX;
    f.add_if_positive = op->round == PTO_RP ? ones : 0;
    f.add_if_negative = op->round == PTO_RM ? ones : 0;
    f.flushes = op->ftz && dst != PTO_F16;
    f.replaces_code = op->pzo;
    f.code = (u32)1 << (to.exponent_bits + to.fraction_bits + (dst == PTO_TF32 ? a.dropped_bits : 0));
    return f;
}

static ALWAYS_INLINE struct cvt_params integral_params(pto_dtype type, bool bounded, const pto_cvt_op *op) {
    struct cvt_params f = any_params(type, type, ROUND_TO_NEAREST, op);
    f.bounded = bounded;
    return f;
}

static ALWAYS_INLINE struct cvt_params from_f64_params(const pto_cvt_op *op) {
    const struct flush_bounds tiny = flush_bounds_of(op);
    struct cvt_params f = any_params(PTO_F32, PTO_F64, ROUND_TOWARDS_ZERO, op);
    f.bounded = op->sat;
    f.flushes = false;
    f.flush_below = tiny.positive;
    f.flush_below_negative = tiny.negative;
    return f;
}

/* Returns the parameters of conversions to s2f6, to ue8m0, and to tf32 with ties away from zero. */
static ALWAYS_INLINE struct cvt_params special_params(pto_dtype dst, pto_dtype src, const pto_cvt_op *op) {
    struct cvt_params f = {.dst = dst, .src = src, .nan = cvt_nan_of(*op).bits};
    f.lo = signed_float(op->relu ? 0 : F32_SPECIAL, !op->relu);
    f.add_if_positive = op->round == PTO_RP ? (u32)low_bits(F32_FRACTION) : 0;
    f.replaces_code = op->satfinite;
    f.code = op->satfinite ? UE8M0_NAN - 1 : UE8M0_NAN;
    return f;
}

static ALWAYS_INLINE struct cvt_params random_params(pto_dtype dst, pto_dtype src, const pto_cvt_op *op) {
    struct cvt_params f = special_params(dst, src, op);
    f.code = random_limit_of(op);
    return f;
}

static ALWAYS_INLINE struct cvt_params flushing_params(pto_dtype dst, pto_dtype src) {
    struct cvt_params f = plain_params(dst, src);
    f.flushes = true;
    return f;
}

/* ---- lists of conversions, X(bits of lanes, convert, dst, src) ---- */

/* Exact conversions, without modifiers. */
#define OF_SMALL(X, convert, dst)                                                                            \
    X(32, convert, dst, E4M3)                                                                                \
    X(32, convert, dst, E2M3)                                                                                \
    X(32, convert, dst, E3M2)
#define EXACT(X)                                                                                             \
    X(32, to_f32, F32, F16)                                                                                  \
    X(wide_32, wide_f32_of_bf16, F32, BF16)                                                                  \
    X(wide_64, wide_f64_of_f32, F64, F32)                                                                    \
    X(32, any_to_f64, F64, F16)                                                                              \
    X(32, any_to_f64, F64, BF16)                                                                             \
    X(32, to_f32, F32, E5M2)                                                                                 \
    X(32, bf16_of_small, BF16, E5M2)                                                                         \
    X(32, f16_of_e5m2_array, F16, E5M2)                                                                      \
    X(32, to_f32, F32, UE8M0)                                                                                \
    OF_SMALL(X, to_f32, F32) OF_SMALL(X, bf16_of_small, BF16) OF_SMALL(X, f16_of_small, F16)

/* Conversions to f16 and bf16, rounded to nearest. For bf16 there are kernels that round towards zero, too. */
#define FROM_NARROW_INTEGERS(X, bits, convert, dst)                                                          \
    X(bits, convert, dst, U8)                                                                                \
    X(bits, convert, dst, S8)                                                                                \
    X(bits, convert, dst, U16)                                                                               \
    X(bits, convert, dst, S16)
#define TO_F16(X) X(32, to_f16, F16, F32) X(32, to_f16, F16, BF16) FROM_NARROW_INTEGERS(X, 32, to_f16, F16)
#define TO_BF16(X)                                                                                           \
    X(wide_32, wide_bf16_of_f32, BF16, F32)                                                                  \
    X(32, to_bf16, BF16, F16) FROM_NARROW_INTEGERS(X, 32, to_bf16, BF16)

/* Conversions that the instructions round as fcsr is set. */
#define TO_NARROW_INTEGERS(X, src)                                                                           \
    X(32, integer_of_word, U8, src)                                                                          \
    X(32, integer_of_word, S8, src)                                                                          \
    X(32, integer_of_word, U16, src)                                                                         \
    X(32, integer_of_word, S16, src)
#define TO_INTEGERS(X, src)                                                                                  \
    TO_NARROW_INTEGERS(X, src)                                                                               \
    X(32, integer_of_word, U32, src)                                                                         \
    X(32, integer_of_word, S32, src)                                                                         \
    X(32, long_of_word, U64, src)                                                                            \
    X(32, long_of_word, S64, src)
#define FCSR_ROUNDED(X)                                                                                      \
    X(wide_64, wide_f32_of_f64, F32, F64)                                                                    \
    FROM_NARROW_INTEGERS(X, 32, to_f32, F32)                                                                 \
    X(wide_32, wide_f32_of_word, F32, U32)                                                                   \
    X(wide_32, wide_f32_of_word, F32, S32)                                                                   \
    X(32, to_f32, F32, U64)                                                                                  \
    X(32, to_f32, F32, S64)                                                                                  \
    FROM_NARROW_INTEGERS(X, 64, f64_of_integer, F64)                                                         \
    X(64, f64_of_integer, F64, U32)                                                                          \
    X(64, f64_of_integer, F64, S32)                                                                          \
    X(64, f64_of_integer, F64, U64)                                                                          \
    X(64, f64_of_integer, F64, S64)                                                                          \
    TO_NARROW_INTEGERS(X, F32)                                                                               \
    X(wide_32, wide_word_of_f32, U32, F32)                                                                   \
    X(wide_32, wide_word_of_f32, S32, F32)                                                                   \
    X(32, long_of_word, U64, F32)                                                                            \
    X(32, long_of_word, S64, F32)                                                                            \
    TO_INTEGERS(X, F16)                                                                                      \
    TO_INTEGERS(X, BF16)                                                                                     \
    TO_NARROW_INTEGERS(X, F64)                                                                               \
    X(64, integer_of_f64, U32, F64)                                                                          \
    X(64, integer_of_f64, S32, F64)                                                                          \
    X(64, integer_of_f64, U64, F64)                                                                          \
    X(64, integer_of_f64, S64, F64)

/* Conversions to small formats, with and without .relu. */
#define SMALL(X, src)                                                                                        \
    X(32, to_small, E4M3, src)                                                                               \
    X(32, to_small, E5M2, src)                                                                               \
    X(32, to_small, E2M3, src)                                                                               \
    X(32, to_small, E3M2, src)
#define TO_SMALL(X) SMALL(X, F32) SMALL(X, F16) SMALL(X, BF16)

/* Conversions with any rounding and modifiers, without scales and random bits. They serve the ops for which there is no
 * faster kernel. */
#define EACH_INTEGER(X, convert, dst)                                                                        \
    FROM_NARROW_INTEGERS(X, 32, convert, dst)                                                                \
    X(32, convert, dst, U32)                                                                                 \
    X(32, convert, dst, S32)                                                                                 \
    X(32, convert, dst, U64)                                                                                 \
    X(32, convert, dst, S64)
#define EACH_SMALL(X, convert, dst)                                                                          \
    X(32, convert, dst, E4M3)                                                                                \
    X(32, convert, dst, E5M2)                                                                                \
    X(32, convert, dst, E2M3)                                                                                \
    X(32, convert, dst, E3M2)                                                                                \
    X(32, convert, dst, E2M1)
#define FROM_FLOATS(X, convert, dst)                                                                         \
    X(32, convert, dst, F32)                                                                                 \
    X(32, convert, dst, F16)                                                                                 \
    X(32, convert, dst, BF16)
#define TO_EACH_SMALL(X, convert)                                                                            \
    FROM_FLOATS(X, convert, E4M3)                                                                            \
    FROM_FLOATS(X, convert, E5M2)                                                                            \
    FROM_FLOATS(X, convert, E2M3)                                                                            \
    FROM_FLOATS(X, convert, E3M2)                                                                            \
    FROM_FLOATS(X, convert, E2M1)                                                                            \
    FROM_FLOATS(X, convert, UE5M3)
#define ALL_TO_F16(X)                                                                                        \
    FROM_FLOATS(X, any_to_f16, F16)                                                                          \
    EACH_INTEGER(X, any_to_f16, F16)                                                                         \
    EACH_SMALL(X, any_to_f16, F16) X(32, any_to_f16, F16, F64) X(32, any_to_f16, F16, UE5M3)
#define ALL_TO_BF16(X)                                                                                       \
    FROM_FLOATS(X, any_to_bf16, BF16)                                                                        \
    EACH_INTEGER(X, any_to_bf16, BF16)                                                                       \
    EACH_SMALL(X, any_to_bf16, BF16)                                                                         \
    X(32, any_to_bf16, BF16, F64)                                                                            \
    X(32, any_to_bf16, BF16, UE5M3) X(32, any_to_bf16, BF16, UE8M0) X(32, any_to_bf16, BF16, S2F6)
#define ALL_TO_TF32(X) X(32, any_to_tf32, TF32, F32)
#define ALL(X)                                                                                               \
    ALL_TO_F16(X)                                                                                            \
    FROM_FLOATS(X, any_to_f32, F32)                                                                          \
    EACH_INTEGER(X, any_to_f32, F32)                                                                         \
    EACH_SMALL(X, any_to_f32, F32)                                                                           \
    X(32, any_to_f32, F32, UE8M0)                                                                            \
    FROM_FLOATS(X, any_to_f64, F64)                                                                          \
    EACH_INTEGER(X, any_to_f64, F64)                                                                         \
    X(64, f64_clamped, F64, F64)                                                                             \
    TO_EACH_SMALL(X, any_to_small)

/* Conversions with scales, with random bits, and to s2f6 and ue8m0. */
#define SCALED_DOWN(X) TO_EACH_SMALL(X, scaled_to_small)
#define SCALED_UP(X)                                                                                         \
    EACH_SMALL(X, scaled_to_bf16, BF16)                                                                      \
    X(32, scaled_to_bf16, BF16, UE5M3)                                                                       \
    X(32, scaled_to_bf16, BF16, S2F6)
#define SCALED_TO_S2F6(X)                                                                                    \
    X(32, s2f6_scaled, S2F6, F32)                                                                            \
    X(32, s2f6_scaled, S2F6, BF16)
#define SPECIAL(X)                                                                                           \
    X(32, to_s2f6, S2F6, F32)                                                                                \
    X(32, to_s2f6, S2F6, BF16)                                                                               \
    X(32, to_ue8m0, UE8M0, F32)                                                                              \
    X(32, to_ue8m0, UE8M0, BF16)

/* Integers to bf16, rounded to nearest through an f32 that is rounded to odd. */
#define TO_BF16_VIA_ODD(X)                                                                                   \
    X(32, bf16_of_integer, BF16, U32)                                                                        \
    X(32, bf16_of_integer, BF16, S32)                                                                        \
    X(32, bf16_of_integer, BF16, U64)                                                                        \
    X(32, bf16_of_integer, BF16, S64)

/* Conversions to an integral value of the same type. */
#define INTEGRAL(X)                                                                                          \
    X(32, integral_words, F16, F16)                                                                          \
    X(32, integral_words, BF16, BF16)                                                                        \
    X(32, integral_words, F32, F32)                                                                          \
    X(64, integral_longs, F64, F64)

/* Conversions between integers, in lanes of the wider type. For types of one width there are only kernels that clamp:
 * without clamping, the conversion is a copy. */
#define EACH_SIGNEDNESS(X, bits, dst, src)                                                                   \
    X(bits, integer_in_##bits, U##dst, U##src)                                                               \
    X(bits, integer_in_##bits, U##dst, S##src)                                                               \
    X(bits, integer_in_##bits, S##dst, U##src)                                                               \
    X(bits, integer_in_##bits, S##dst, S##src)
#define BOTH_DIRECTIONS(X, bits, narrow)                                                                     \
    EACH_SIGNEDNESS(X, bits, bits, narrow) EACH_SIGNEDNESS(X, bits, narrow, bits)
#define SAME_WIDTH(X)                                                                                        \
    EACH_SIGNEDNESS(X, 16, 8, 8)                                                                             \
    EACH_SIGNEDNESS(X, 16, 16, 16) EACH_SIGNEDNESS(X, 32, 32, 32) EACH_SIGNEDNESS(X, 64, 64, 64)
#define DIFFERENT_WIDTHS(X)                                                                                  \
    BOTH_DIRECTIONS(X, 16, 8)                                                                                \
    BOTH_DIRECTIONS(X, 32, 8)                                                                                \
    BOTH_DIRECTIONS(X, 32, 16)                                                                               \
    BOTH_DIRECTIONS(X, 64, 8)                                                                                \
    BOTH_DIRECTIONS(X, 64, 16)                                                                               \
    BOTH_DIRECTIONS(X, 64, 32)

/* ---- kernels; their granule is one element, except as KERNEL_GRANULE sets it ---- */

#define LOOP(cvt_params, bits, convert, dst_, src_)                                                          \
    each_##bits(convert, cvt_params(PTO_##dst_, PTO_##src_), src, dst, n)
#define NATIVE_PLAIN(bits, convert, dst_, src_)                                                              \
    CVT_KERNEL(native_##dst_##_##src_, 1, FP_IEEE, LOOP(plain_params, bits, convert, dst_, src_))
#define TRUNCATED(bits, convert, dst_, src_)                                                                 \
    CVT_KERNEL(truncated_##dst_##_##src_, 1, FP_IEEE, LOOP(truncated_params, bits, convert, dst_, src_))
#define ROUNDED(bits, convert, dst_, src_)                                                                   \
    CVT_KERNEL(native_##dst_##_##src_, 1, FP_IEEE, set_rounding(op->round),                                  \
               LOOP(plain_params, bits, convert, dst_, src_), set_rounding(PTO_ROUND_NONE))
#define FLUSHING(bits, convert, dst_, src_)                                                                  \
    CVT_KERNEL(flushing_##dst_##_##src_, 1, FP_IEEE, set_rounding(op->round),                                \
               LOOP(flushing_params, bits, convert, dst_, src_), set_rounding(PTO_ROUND_NONE))
#define RELU(bits, convert, dst_, src_)                                                                      \
    CVT_KERNEL(relu_##dst_##_##src_, 1, FP_IEEE, LOOP(relu_params, bits, convert, dst_, src_))
#define EXTENDED_OR_TRUNCATED(bits, convert, dst_, src_)                                                     \
    CVT_KERNEL(native_##dst_##_##src_, 1, FP_ANY, LOOP(plain_params, bits, convert, dst_, src_))
#define CLAMPED_TO(bits, convert, dst_, src_)                                                                \
    CVT_KERNEL(clamped_##dst_##_##src_, 1, FP_ANY, LOOP(clamped_params, bits, convert, dst_, src_))
EXACT(NATIVE_PLAIN)
TO_F16(NATIVE_PLAIN)
TO_BF16(NATIVE_PLAIN)
TO_BF16(TRUNCATED)
FCSR_ROUNDED(ROUNDED)
TO_SMALL(NATIVE_PLAIN)
TO_SMALL(RELU)

/* The granule of a kernel. Elements of 4 bits are converted as whole bytes; callers guarantee that they start on a
 * byte boundary. */
#define KERNEL_GRANULE(dst_, src_) (PTO_##dst_ == PTO_E2M1 || PTO_##src_ == PTO_E2M1 ? 8 : 1)

#define RUNTIME_LOOP(rounding, bits, convert, dst_, src_)                                                    \
    each_group(convert, any_params(PTO_##dst_, PTO_##src_, rounding, op), bits, src, dst, n)
#define RUNTIME(bits, convert, dst_, src_)                                                                   \
    CVT_KERNEL(runtime_##dst_##_##src_, KERNEL_GRANULE(dst_, src_), FP_IEEE, set_rounding(op->round),        \
               RUNTIME_LOOP(ROUND_TOWARDS_ZERO, bits, convert, dst_, src_), set_rounding(PTO_ROUND_NONE))
/* Integer operations round to bf16 and tf32. Each way of rounding has a loop of its own, in which `rounding` is a
 * compile-time constant. */
#define NEAREST_OR(rounding, bits, convert, dst_, src_)                                                      \
    CVT_KERNEL(runtime_##dst_##_##src_, KERNEL_GRANULE(dst_, src_), FP_IEEE, set_rounding(op->round);        \
               if (op->round == PTO_RN || op->round == PTO_ROUND_NONE)                                       \
                   RUNTIME_LOOP(ROUND_TO_NEAREST, bits, convert, dst_, src_);                                \
               else RUNTIME_LOOP(rounding, bits, convert, dst_, src_); set_rounding(PTO_ROUND_NONE))
#define RUNTIME_TO_BF16(bits, convert, dst_, src_) NEAREST_OR(ROUND_BY_SIGN, bits, convert, dst_, src_)
#define RUNTIME_TO_TF32(bits, convert, dst_, src_) NEAREST_OR(ROUND_TOWARDS_ZERO, bits, convert, dst_, src_)
#define VIA_ODD(bits, convert, dst_, src_)                                                                   \
    CVT_KERNEL(native_##dst_##_##src_, 1, FP_IEEE, set_rounding(PTO_RZ),                                     \
               LOOP(plain_params, bits, convert, dst_, src_), set_rounding(PTO_ROUND_NONE))
#define NATIVE_INTEGRAL(bits, convert, dst_, src_)                                                           \
    CVT_KERNEL(integral_##dst_##_##src_, 1, FP_IEEE, set_rounding(op->round);                                \
               each_group(convert, integral_params(PTO_##dst_, op->sat, op), bits, src, dst, n);             \
               set_rounding(PTO_ROUND_NONE))
#define WITH_SCALES(cvt_params, convert, dst_, src_)                                                         \
    CVT_KERNEL(                                                                                              \
        native_scaled_##dst_##_##src_, KERNEL_GRANULE(dst_, src_), FP_IEEE, set_rounding(op->round),         \
        each_with_extra(convert, cvt_params, cvt_scale_group(scale_to(PTO_##dst_)), 1, src, dst, extra, n),  \
        set_rounding(PTO_ROUND_NONE))
#define SCALED_BY_ADD(bits, convert, dst_, src_)                                                             \
    WITH_SCALES(any_params(PTO_##dst_, PTO_##src_, ROUND_TOWARDS_ZERO, op), convert, dst_, src_)
#define SCALED_TO_NEAREST(bits, convert, dst_, src_)                                                         \
    WITH_SCALES(any_params(PTO_##dst_, PTO_##src_, ROUND_TO_NEAREST, op), convert, dst_, src_)
#define SCALED_SPECIAL(bits, convert, dst_, src_)                                                            \
    WITH_SCALES(special_params(PTO_##dst_, PTO_##src_, op), convert, dst_, src_)
#define SPECIAL_KERNEL(bits, convert, dst_, src_)                                                            \
    CVT_KERNEL(special_##dst_##_##src_, 1, FP_IEEE, set_rounding(op->round),                                 \
               each_group(convert, special_params(PTO_##dst_, PTO_##src_, op), bits, src, dst, n),           \
               set_rounding(PTO_ROUND_NONE))
#define NATIVE_STOCHASTIC(dst_, src_)                                                                        \
    CVT_KERNEL(native_stochastic_##dst_##_##src_, KERNEL_GRANULE(dst_, src_), FP_IEEE,                       \
               each_with_extra(round_stochastically, random_params(PTO_##dst_, PTO_##src_, op),              \
                               cvt_random_group(PTO_##dst_), sizeof(u32), src, dst, extra, n))
SCALED_DOWN(SCALED_BY_ADD)
SCALED_UP(SCALED_TO_NEAREST)
SCALED_TO_S2F6(SCALED_SPECIAL)
SPECIAL(SPECIAL_KERNEL)
STOCHASTIC_PAIRS(NATIVE_STOCHASTIC)
CVT_KERNEL(runtime_F32_F64, 1, FP_IEEE, set_rounding(op->round),
           each_group(any_f32_of_f64, from_f64_params(op), 32, src, dst, n), set_rounding(PTO_ROUND_NONE))
CVT_KERNEL(special_TF32_F32, 1, FP_ANY,
           each_group(away_to_tf32, special_params(PTO_TF32, PTO_F32, op), 32, src, dst, n))
TO_INTEGERS(FLUSHING, F32)
ALL(RUNTIME)
ALL_TO_BF16(RUNTIME_TO_BF16)
ALL_TO_TF32(RUNTIME_TO_TF32)
TO_BF16_VIA_ODD(VIA_ODD)
INTEGRAL(NATIVE_INTEGRAL)
DIFFERENT_WIDTHS(EXTENDED_OR_TRUNCATED)
DIFFERENT_WIDTHS(CLAMPED_TO)
SAME_WIDTH(CLAMPED_TO)

/* ---- kernel selection ---- */

#define NATIVE_ROW(bits, convert, dst_, src_)          [PTO_##dst_][PTO_##src_] = &native_##dst_##_##src_,
#define TRUNCATED_ROW(bits, convert, dst_, src_)       [PTO_##dst_][PTO_##src_] = &truncated_##dst_##_##src_,
#define RELU_ROW(bits, convert, dst_, src_)            [PTO_##dst_][PTO_##src_] = &relu_##dst_##_##src_,
#define FLUSHING_ROW(bits, convert, dst_, src_)        [PTO_##dst_] = &flushing_##dst_##_##src_,
#define RUNTIME_ROW(bits, convert, dst_, src_)         [PTO_##dst_][PTO_##src_] = &runtime_##dst_##_##src_,
#define NATIVE_INTEGRAL_ROW(bits, convert, dst_, src_) [PTO_##dst_] = &integral_##dst_##_##src_,
#define ODD_ROW(bits, convert, dst_, src_)             [PTO_##src_] = &native_##dst_##_##src_,
#define NATIVE_SCALED_ROW(bits, convert, dst_, src_)                                                         \
    [PTO_##dst_][PTO_##src_] = &native_scaled_##dst_##_##src_,
#define NATIVE_STOCHASTIC_ROW(dst_, src_)      [PTO_##dst_][PTO_##src_] = &native_stochastic_##dst_##_##src_,
#define SPECIAL_ROW(bits, convert, dst_, src_) [PTO_##dst_][PTO_##src_] = &special_##dst_##_##src_,
#define CLAMPED_ROW(bits, convert, dst_, src_) [PTO_##dst_][PTO_##src_] = &clamped_##dst_##_##src_,

static const struct cvt_kernel *const exact_kernels[CVT_TYPES][CVT_TYPES] = {EXACT(NATIVE_ROW)};
static const struct cvt_kernel *const fcsr_rounded_kernels[CVT_TYPES][CVT_TYPES] = {FCSR_ROUNDED(NATIVE_ROW)};
static const struct cvt_kernel *const nearest_kernels[CVT_TYPES][CVT_TYPES] = {
    TO_F16(NATIVE_ROW) TO_BF16(NATIVE_ROW) TO_SMALL(NATIVE_ROW)};
static const struct cvt_kernel *const truncated_kernels[CVT_TYPES][CVT_TYPES] = {TO_BF16(TRUNCATED_ROW)};
static const struct cvt_kernel *const relu_kernels[CVT_TYPES][CVT_TYPES] = {TO_SMALL(RELU_ROW)};
static const struct cvt_kernel *const integer_kernels[CVT_TYPES][CVT_TYPES] = {DIFFERENT_WIDTHS(NATIVE_ROW)};
static const struct cvt_kernel *const clamped_kernels[CVT_TYPES][CVT_TYPES] = {DIFFERENT_WIDTHS(CLAMPED_ROW)
                                                                                   SAME_WIDTH(CLAMPED_ROW)};
static const struct cvt_kernel *const flushing_kernels[CVT_TYPES] = {TO_INTEGERS(FLUSHING_ROW, F32)};
static const struct cvt_kernel *const runtime_kernels[CVT_TYPES][CVT_TYPES] = {ALL(RUNTIME_ROW) RUNTIME_ROW(
    32, any_f32_of_f64, F32, F64) ALL_TO_BF16(RUNTIME_ROW) ALL_TO_TF32(RUNTIME_ROW)};
static const struct cvt_kernel *const native_scaled_kernels[CVT_TYPES][CVT_TYPES] = {
    SCALED_DOWN(NATIVE_SCALED_ROW) SCALED_UP(NATIVE_SCALED_ROW) SCALED_TO_S2F6(NATIVE_SCALED_ROW)};
static const struct cvt_kernel *const native_stochastic_kernels[CVT_TYPES][CVT_TYPES] = {
    STOCHASTIC_PAIRS(NATIVE_STOCHASTIC_ROW)};
static const struct cvt_kernel *const special_kernels[CVT_TYPES][CVT_TYPES] = {SPECIAL(SPECIAL_ROW)};
static const struct cvt_kernel *const odd_kernels[CVT_TYPES] = {TO_BF16_VIA_ODD(ODD_ROW)};
static const struct cvt_kernel *const native_integral_kernels[CVT_TYPES] = {INTEGRAL(NATIVE_INTEGRAL_ROW)};

/* Returns whether the kernels that round as fcsr is set give the results of op. They do not flush subnormals, which
 * RISC-V cannot do. Under .ftz that matters only with .rm and .rp, which may round a subnormal away from zero. */
static ALWAYS_INLINE bool rounds_by_fcsr(pto_cvt_op op) {
    return is_native(op) && !(op.ftz && cvt_flushes_sources(op) && rounding_index[op.round] > 1);
}

/* Returns a kernel that serves only a few combinations of modifiers and is faster than the general one, or NULL. */
static const struct cvt_kernel *fast_kernel(pto_cvt_op op, bool to_nearest) {
    const unsigned modifiers = cvt_modifiers(op);
    const pto_dtype d = op.dst, s = op.src;
    if (fcsr_rounded_kernels[d][s] != NULL) return rounds_by_fcsr(op) ? fcsr_rounded_kernels[d][s] : NULL;
    if (exact_kernels[d][s] != NULL) return is_native(op) ? exact_kernels[d][s] : NULL;
    if (modifiers == 0 && op.round == PTO_RZ && truncated_kernels[d][s] != NULL)
        return truncated_kernels[d][s];
    if (to_nearest && cvt_is_small(d) && modifiers == (CVT_SATFINITE | CVT_RELU) &&
        relu_kernels[d][s] != NULL)
        return relu_kernels[d][s];
    if (to_nearest && d == PTO_BF16 && cvt_is_integer(s) && odd_kernels[s] != NULL) return odd_kernels[s];
    return is_plain(op) ? nearest_kernels[d][s] : NULL;
}

static const struct cvt_kernel *native_kernel(pto_cvt_op op) {
    const bool to_nearest = op.round == PTO_ROUND_NONE || op.round == PTO_RN;
    const struct cvt_kernel *fast;
    if (cvt_is_copy(op)) return NULL;
    if (op.round == PTO_RS) return native_stochastic_kernels[op.dst][op.src];
    if (op.scale != PTO_SCALE_NONE) return native_scaled_kernels[op.dst][op.src];
    if (op.round == PTO_RNA) return &special_TF32_F32;
    if (special_kernels[op.dst][op.src] != NULL) return special_kernels[op.dst][op.src];
    if (cvt_is_integer(op.dst) && cvt_is_integer(op.src))
        return (op.sat ? clamped_kernels : integer_kernels)[op.dst][op.src];
    if (!cvt_is_integer(op.dst) && cvt_is_integral_round(op.round)) return native_integral_kernels[op.dst];
    fast = fast_kernel(op, to_nearest);
    if (fast != NULL) return fast;
    return cvt_is_integer(op.dst) && op.src == PTO_F32 ? flushing_kernels[op.dst]
                                                       : runtime_kernels[op.dst][op.src];
}
