/* SPDX-License-Identifier: MIT */
/*
 * PTX's conversions (cvt) in SVE, except copies, which are left to NEON.
 *
 * There are two families of kernels. "plain" kernels take no modifiers and so are short. "any" kernels read the
 * rounding and the modifiers from the op.
 *
 * Instructions round, flush and raise exceptions as FPCR is set, so most kernels require its default state. Other
 * roundings than to nearest are set in FPCR for the duration of a loop.
 */
#include "loops/convert_kernel.h"
#include "sve/convert_integer.h"
#include "sve/convert_special.h"
#include "sve/rounding.h"

/* ---- parameters (struct cvt_params) ---- */

/* Returns the parameters of conversions without modifiers, except the .satfinite that small formats require.
 * Conversions to floats round to nearest; conversions between integers keep the low bits. */
static ALWAYS_INLINE struct cvt_params plain_params(pto_dtype dst, pto_dtype src) {
    const pto_cvt_op op = {.dst = dst, .src = src, .satfinite = cvt_is_small(dst)};
    struct cvt_params f = {.dst = dst, .src = src, .round = PTO_RN};
    if (cvt_is_small(dst)) f.hi = small_max(cvt_format_of(dst));
    if (!cvt_is_integer(dst)) f.nan = cvt_nan_of(op).bits;
    return f;
}

static ALWAYS_INLINE struct cvt_params truncated_params(pto_dtype dst, pto_dtype src) {
    struct cvt_params f = plain_params(dst, src);
    f.round = PTO_RZ;
    f.rounding = ROUND_TOWARDS_ZERO;
    return f;
}

/* Returns the parameters of conversions to f16, f32 and f64 with any rounding, which is set in FPCR, and with the
 * bounds that the modifiers set. If NaNs keep their payload, no modifier sets a bound, and the instruction's NaN is the
 * result. */
static ALWAYS_INLINE struct cvt_params any_params(pto_dtype dst, pto_dtype src, const pto_cvt_op *op) {
    const double most = op->satfinite ? 65504 : __builtin_inf(); /* f16, the only type with .satfinite here */
    struct cvt_params f = {
        .dst = dst, .src = src, .round = PTO_RN, .bounded = !cvt_nan_of(*op).keeps_payload};
    f.lo = op->relu || op->sat ? 0 : -most;
    f.hi = op->sat ? 1 : most;
    f.nan = cvt_nan_of(*op).bits;
    f.clears_negative = op->pzo;
    return f;
}

/* Returns the parameters of conversions from f64 to f32 with .sat, if `bounded`, or with .ftz, which FPCR does not
 * implement for these results. */
static ALWAYS_INLINE struct cvt_params f32_of_f64_params(bool bounded, const pto_cvt_op *op) {
    const struct flush_bounds tiny = flush_bounds_of(op);
    struct cvt_params f = any_params(PTO_F32, PTO_F64, op);
    f.bounded = bounded;
    f.flush_below = tiny.positive;
    f.flush_below_negative = tiny.negative;
    return f;
}

/* Returns the parameters of conversions to bf16 and tf32. FPCR does not affect them: integer operations round as
 * `rounding` specifies. */
static ALWAYS_INLINE struct cvt_params runtime_params(pto_dtype dst, pto_dtype src, enum rounding rounding,
                                                      const pto_cvt_op *op) {
    const u32 hi = bound_of(op, round_by_add_of(cvt_format_of(dst)), F32_SPECIAL);
    struct cvt_params f = {.dst = dst, .src = src, .rounding = rounding, .bounded = !cvt_is_integer(src)};
    f.hi = signed_float(hi, false);
    f.lo = lower_bound_of(op, hi);
    f.nan = cvt_nan_of(*op).bits;
    f.clears_negative = op->pzo;
    f.round_up_by = op->round == PTO_RP || op->round == PTO_RM;
    f.sign_flip = op->round == PTO_RP ? 0x8000 : 0;
    return f;
}

/* Returns the parameters of conversions to formats of 8, 6 and 4 bits. All except ue5m3 always saturate to finite
 * values. */
static ALWAYS_INLINE struct cvt_params small_params(pto_dtype dst, pto_dtype src, const pto_cvt_op *op) {
    const struct round_by_add a = round_by_add_of(cvt_format_of(dst));
    struct cvt_params f = {.dst = dst, .src = src, .nan = cvt_nan_of(*op).bits};
    f.hi = signed_float(op->satfinite ? (u32)a.largest_finite : just_below_overflow(a), false);
    f.largest_non_nan_bits = op->satfinite ? F32_SPECIAL : F32_SPECIAL - 1;
    f.clears_negative = op->pzo || op->relu;
    f.largest_cleared_code = op->relu ? UINT8_MAX : 0;
    return f;
}

static ALWAYS_INLINE struct cvt_params random_params(pto_dtype dst, pto_dtype src, const pto_cvt_op *op) {
    struct cvt_params f = small_params(dst, src, op);
    f.extra_bits = 8 * (unsigned)sizeof(u32) / cvt_random_group(dst);
    f.lo = signed_float(op->relu ? 0 : F32_SPECIAL, !op->relu);
    f.largest_code = random_limit_of(op);
    return f;
}

static ALWAYS_INLINE struct cvt_params with_scales(struct cvt_params f) {
    f.extra_bits = 8 / (unsigned)cvt_scale_group(scale_to(f.dst));
    return f;
}

/* Returns the parameters of conversions to s2f6, to ue8m0, and to tf32 with ties away from zero. */
static ALWAYS_INLINE struct cvt_params special_params(pto_dtype dst, pto_dtype src, const pto_cvt_op *op) {
    const u32 step = (u32)1 << round_by_add_of(cvt_format_of(PTO_TF32)).dropped_bits;
    struct cvt_params f = {.dst = dst, .src = src, .nan = cvt_nan_of(*op).bits};
    f.lo = op->relu ? 0 : INT8_MIN;
    f.round_up_by = op->round == PTO_RP ? (u32)low_bits(F32_FRACTION) : 0;
    if (dst == PTO_TF32) f.round_up_by = op->satfinite ? step : 0;
    f.largest_code = op->satfinite ? UE8M0_NAN - 1 : UE8M0_NAN;
    return f;
}

static ALWAYS_INLINE struct cvt_params to_integer_params(pto_dtype dst, pto_dtype src, pto_round round) {
    const pto_cvt_op op = {.dst = dst, .src = src};
    struct cvt_params f = {.dst = dst, .src = src, .round = round};
    f.nan = cvt_integer_nan(op, 8 * (unsigned)element_bytes(dst));
    return f;
}

/* Returns the parameters of conversions that clamp: integers to the range of their type, floats with .sat to [0, 1]. */
static ALWAYS_INLINE struct cvt_params clamped_params(pto_dtype dst, pto_dtype src) {
    const struct cvt_params f = {.dst = dst, .src = src, .bounded = true, .lo = 0, .hi = 1};
    return f;
}

/* ---- loops ---- */

static ALWAYS_INLINE void float_to_float(struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    const size_t in = element_bytes(f.src), out = element_bytes(f.dst);
    if (f.dst == PTO_F64)
        each_64(f64_of_words, &f, src, in, false, dst, out, n);
    else if (f.src == PTO_F64)
        each_64(f.dst == PTO_F32 ? f32_of_f64 : f16_of_f64, &f, src, in, false, dst, out, n);
    else if (f.dst == PTO_F32)
        each_32(f.src == PTO_F16 ? f32_of_f16 : f32_of_bf16, &f, src, in, false, dst, out, n);
    else
        each_half_vector(f.dst == PTO_F16 ? f16_of : bf16_of, f, src, NULL, dst, n);
}

static ALWAYS_INLINE void small_to_float(struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    const bool is_signed = extends_sign(f.src);
    if (f.dst == PTO_F32 && f.src != PTO_E2M1)
        each_32(word_of_small, &f, src, 1, is_signed, dst, 4, n);
    else if (f.dst == PTO_F32)
        each_word(f32_unchanged, f, src, dst, n);
    else if (f.dst == PTO_BF16 && f.src == PTO_E5M2) {
        f.nan <<= 16; /* the result is the upper half of an f32 */
        each_half_vector(bf16_of_small, f, src, NULL, dst, n);
    } else if (f.dst == PTO_BF16)
        each_half_vector(bf16_exactly, f, src, NULL, dst, n);
    else if (f.src == PTO_E2M1)
        f16_of_nibbles(&f, src, dst, n);
    else
        each_16(f.src == PTO_UE5M3 ? f16_of_ue5m3 : f16_of_small, &f, src, 1, is_signed, dst, 2, n);
}

static ALWAYS_INLINE void float_to_integral(struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    const size_t bytes = element_bytes(f.src);
    if (f.src == PTO_F64)
        each_64(integral_long, &f, src, bytes, false, dst, bytes, n);
    else
        each_32(integral_word, &f, src, bytes, false, dst, bytes, n);
}

static ALWAYS_INLINE void float_to_integer(struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    const size_t in = element_bytes(f.src), out = element_bytes(f.dst);
    if (in == 8 || out == 8)
        each_64(integer_of_long, &f, src, in, false, dst, out, n);
    else
        each_32(integer_of_word, &f, src, in, false, dst, out, n);
}

static ALWAYS_INLINE void integer_to_float(struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    const size_t in = element_bytes(f.src), out = element_bytes(f.dst);
    if (in == 8 || out == 8)
        each_64(long_of_integer, &f, src, in, cvt_is_signed(f.src), dst, out, n);
    else
        each_32(word_of_integer, &f, src, in, cvt_is_signed(f.src), dst, out, n);
}

/* Lanes have the size of the wider type, and at least 16 bits. */
static ALWAYS_INLINE void integer_to_integer(struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    const size_t in = element_bytes(f.src), out = element_bytes(f.dst), wider = in < out ? out : in;
    if (wider == 8)
        each_64(clamped_64, &f, src, in, cvt_is_signed(f.src), dst, out, n);
    else if (wider == 4)
        each_32(clamped_32, &f, src, in, cvt_is_signed(f.src), dst, out, n);
    else
        each_16(clamped_16, &f, src, in, cvt_is_signed(f.src), dst, out, n);
}

/* Converts f64 to f32 with .ftz or .sat, which FCVT does not have. */
static ALWAYS_INLINE void f64_to_f32(struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    each_64(any_f32_of_f64, &f, src, 8, false, dst, 4, n);
}

static ALWAYS_INLINE void halves_to_same(struct cvt_params f, const u8 *src, u8 *dst, size_t n) {
    each_16(f.bounded ? f16_clamped : canonicalize_half, &f, src, 2, false, dst, 2, n);
}

/* ---- kernels; their granule is one element, so they take any length ---- */

#define KERNEL(name, fp, call)                CVT_KERNEL(name, 1, fp, call)
#define WITH_ROUNDING_MODE(round, call)       toggle_rounding(round), call, toggle_rounding(round)
#define WITH_ROUNDING(call)                   WITH_ROUNDING_MODE(op->round, call)
#define WORDS(compute, cvt_params)            each_word(compute, cvt_params, src, dst, n)
#define HALVES(compute, cvt_params)           each_half_vector(compute, cvt_params, src, extra, dst, n)
#define BYTES(compute, cvt_params)            each_byte_vector(compute, cvt_params, src, extra, dst, n)
#define PLAIN(dst_, src_)                     plain_params(PTO_##dst_, PTO_##src_)
#define RUNTIME(cvt_params, dst_, src_)       cvt_params(PTO_##dst_, PTO_##src_, op)
#define RUNTIME_ROUNDED(rounding, dst_, src_) runtime_params(PTO_##dst_, PTO_##src_, rounding, op)

/* Lists of conversions, X(dst, src): between floats, and between floats and small formats. */
#define FLOATS(X)                                                                                            \
    X(F16, F32)                                                                                              \
    X(F16, F64)                                                                                              \
    X(F16, BF16)                                                                                             \
    X(F32, F16)                                                                                              \
    X(F32, F64)                                                                                              \
    X(F64, F16)                                                                                              \
    X(F64, F32)                                                                                              \
    X(F64, BF16)
#define SMALL_FROM(X, src)                                                                                   \
    X(E4M3, src)                                                                                             \
    X(E5M2, src)                                                                                             \
    X(E2M3, src)                                                                                             \
    X(E3M2, src)                                                                                             \
    X(E2M1, src)
#define SMALL_TO(X, dst)                                                                                     \
    X(dst, E4M3)                                                                                             \
    X(dst, E5M2)                                                                                             \
    X(dst, E2M3)                                                                                             \
    X(dst, E3M2)                                                                                             \
    X(dst, E2M1)
#define TO_SMALL(X)   SMALL_FROM(X, F32) SMALL_FROM(X, F16) SMALL_FROM(X, BF16)
#define FROM_SMALL(X) SMALL_TO(X, F32) SMALL_TO(X, F16) SMALL_TO(X, BF16)
#define TO_UE5M3(X)   X(UE5M3, F32) X(UE5M3, F16) X(UE5M3, BF16)

/* Conversions to bf16 that have three kernels each: to nearest, towards zero, and for any rounding. */
#define TO_BF16(X)                                                                                           \
    X(BF16, F32)                                                                                             \
    X(BF16, F16)                                                                                             \
    X(BF16, U8)                                                                                              \
    X(BF16, S8)                                                                                              \
    X(BF16, U16)                                                                                             \
    X(BF16, S16)
/* Conversions to bf16 from types that f32 does not hold exactly. Rounding to nearest goes through an f32 that is
 * rounded to odd. TO_BF16_EXACTLY has the types that bf16 holds exactly. */
#define TO_BF16_VIA_ODD(X)                                                                                   \
    X(BF16, U32)                                                                                             \
    X(BF16, S32)                                                                                             \
    X(BF16, U64)                                                                                             \
    X(BF16, S64)                                                                                             \
    X(BF16, F64)
#define TO_BF16_EXACTLY(X) X(BF16, UE5M3) X(BF16, UE8M0) X(BF16, S2F6)

#define EACH_INTEGER(X, other)                                                                               \
    X(other, U8)                                                                                             \
    X(other, U16)                                                                                            \
    X(other, U32)                                                                                            \
    X(other, U64)                                                                                            \
    X(other, S8)                                                                                             \
    X(other, S16)                                                                                            \
    X(other, S32)                                                                                            \
    X(other, S64)
#define FROM_INTEGERS(X) EACH_INTEGER(X, F16) EACH_INTEGER(X, F32) EACH_INTEGER(X, F64)
#define TO_INTEGERS(X)   EACH_INTEGER(X, F16) EACH_INTEGER(X, BF16) EACH_INTEGER(X, F32) EACH_INTEGER(X, F64)
#define INTEGERS(X)                                                                                          \
    EACH_INTEGER(X, U8)                                                                                      \
    EACH_INTEGER(X, U16)                                                                                     \
    EACH_INTEGER(X, U32)                                                                                     \
    EACH_INTEGER(X, U64)                                                                                     \
    EACH_INTEGER(X, S8)                                                                                      \
    EACH_INTEGER(X, S16)                                                                                     \
    EACH_INTEGER(X, S32)                                                                                     \
    EACH_INTEGER(X, S64)
#define INTEGRALS(X) X(F16) X(BF16) X(F32) X(F64)

/* Conversions with random bits, with scales, and to s2f6 and ue8m0. */
#define RANDOM_SMALL(X)   SMALL_FROM(X, F32) SMALL_FROM(X, BF16)
#define RANDOM_HALVES(X)  X(F16, F32) X(BF16, F32)
#define SCALED_TO_BF16(X) SMALL_TO(X, BF16) X(BF16, UE5M3) X(BF16, S2F6)
#define TO_S2F6(X)        X(S2F6, F32) X(S2F6, BF16)
#define TO_UE8M0(X)       X(UE8M0, F32) X(UE8M0, BF16)

#define FLOAT(dst_, src_)                                                                                    \
    KERNEL(plain_##dst_##_##src_, FP_IEEE, float_to_float(PLAIN(dst_, src_), src, dst, n))                   \
    KERNEL(any_##dst_##_##src_, FP_IEEE,                                                                     \
           WITH_ROUNDING(float_to_float(RUNTIME(any_params, dst_, src_), src, dst, n)))
FLOATS(FLOAT)
KERNEL(plain_F32_BF16, FP_ANY, float_to_float(PLAIN(F32, BF16), src, dst, n))
KERNEL(plain_F32_UE8M0, FP_ANY, WORDS(f32_unchanged, PLAIN(F32, UE8M0)))
KERNEL(flushed_F32_BF16, FP_IEEE, WORDS(f32_flushed, RUNTIME(any_params, F32, BF16)))
KERNEL(flushed_F32_UE8M0, FP_IEEE, WORDS(f32_flushed, RUNTIME(any_params, F32, UE8M0)))
KERNEL(flushed_F32_F64, FP_IEEE, WITH_ROUNDING(f64_to_f32(f32_of_f64_params(false, op), src, dst, n)))
KERNEL(sat_F32_F64, FP_IEEE, WITH_ROUNDING(f64_to_f32(f32_of_f64_params(true, op), src, dst, n)))

#define SMALL(dst_, src_) KERNEL(plain_##dst_##_##src_, FP_IEEE, BYTES(small_of, PLAIN(dst_, src_)))
#define ANY_SMALL(dst_, src_)                                                                                \
    KERNEL(any_##dst_##_##src_, FP_IEEE, WITH_ROUNDING(BYTES(small_of, RUNTIME(small_params, dst_, src_))))
#define SCALED_SMALL(dst_, src_)                                                                             \
    KERNEL(scaled_##dst_##_##src_, FP_IEEE,                                                                  \
           WITH_ROUNDING(BYTES(scaled_small, with_scales(RUNTIME(small_params, dst_, src_)))))
TO_SMALL(SMALL)
TO_SMALL(ANY_SMALL)
TO_SMALL(SCALED_SMALL)
TO_UE5M3(ANY_SMALL)
TO_UE5M3(SCALED_SMALL)

#define WIDE(dst_, src_)                                                                                     \
    KERNEL(plain_##dst_##_##src_, FP_IEEE, small_to_float(PLAIN(dst_, src_), src, dst, n))
#define RAISED(dst_, src_)                                                                                   \
    KERNEL(any_##dst_##_##src_, FP_IEEE, small_to_float(RUNTIME(any_params, dst_, src_), src, dst, n))
#define WITHIN(dst_, src_)                                                                                   \
    KERNEL(any_##dst_##_##src_, FP_IEEE, WORDS(f32_clamped, RUNTIME(any_params, dst_, src_)))
FROM_SMALL(WIDE)
TO_BF16_EXACTLY(WIDE)
WIDE(F16, UE5M3)
SMALL_TO(RAISED, F16)
SMALL_TO(WITHIN, F32)
WITHIN(F32, F32)

/* Integer operations round to bf16. Each way of rounding has a loop of its own, in which f.rounding is a compile-time
 * constant. */
#define BF16(dst_, src_)                                                                                     \
    KERNEL(plain_##dst_##_##src_, FP_IEEE, HALVES(bf16_of, PLAIN(dst_, src_)))                               \
    KERNEL(truncated_##dst_##_##src_, FP_IEEE, HALVES(bf16_of, truncated_params(PTO_##dst_, PTO_##src_)))    \
    KERNEL(any_##dst_##_##src_, FP_IEEE,                                                                     \
           op->round == PTO_RN ? HALVES(bf16_of, RUNTIME_ROUNDED(ROUND_TO_NEAREST, dst_, src_))              \
                               : HALVES(bf16_of, RUNTIME_ROUNDED(ROUND_BY_SIGN, dst_, src_)))
#define BF16_VIA_ODD(dst_, src_)                                                                             \
    KERNEL(plain_##dst_##_##src_, FP_IEEE,                                                                   \
           WITH_ROUNDING_MODE(PTO_RZ, HALVES(bf16_via_odd, PLAIN(dst_, src_))))                              \
    KERNEL(any_##dst_##_##src_, FP_IEEE,                                                                     \
           WITH_ROUNDING(HALVES(bf16_of, RUNTIME_ROUNDED(ROUND_BY_SIGN, dst_, src_))))
#define EXACT_BF16(dst_, src_)                                                                               \
    KERNEL(any_##dst_##_##src_, FP_IEEE, HALVES(bf16_of, RUNTIME_ROUNDED(ROUND_TOWARDS_ZERO, dst_, src_)))
#define SCALED_BF16(dst_, src_)                                                                              \
    KERNEL(scaled_##dst_##_##src_, FP_IEEE,                                                                  \
           HALVES(scaled_bf16, with_scales(RUNTIME_ROUNDED(ROUND_TO_NEAREST, dst_, src_))))
TO_BF16(BF16)
TO_BF16_VIA_ODD(BF16_VIA_ODD)
SMALL_TO(EXACT_BF16, BF16)
TO_BF16_EXACTLY(EXACT_BF16)
SCALED_TO_BF16(SCALED_BF16)

#define RANDOM_SMALL_KERNEL(dst_, src_)                                                                      \
    KERNEL(stochastic_##dst_##_##src_, FP_IEEE,                                                              \
           WITH_ROUNDING_MODE(PTO_RZ, BYTES(random_small, RUNTIME(random_params, dst_, src_))))
#define RANDOM_HALF(dst_, src_)                                                                              \
    KERNEL(stochastic_##dst_##_##src_, FP_IEEE,                                                              \
           WITH_ROUNDING_MODE(PTO_RZ, HALVES(random_pair, RUNTIME(random_params, dst_, src_))))
RANDOM_SMALL(RANDOM_SMALL_KERNEL)
RANDOM_HALVES(RANDOM_HALF)

#define S2F6(dst_, src_)                                                                                     \
    KERNEL(any_##dst_##_##src_, FP_IEEE, WITH_ROUNDING(BYTES(s2f6_of, RUNTIME(special_params, dst_, src_)))) \
    KERNEL(scaled_##dst_##_##src_, FP_IEEE,                                                                  \
           WITH_ROUNDING(BYTES(scaled_s2f6, with_scales(RUNTIME(special_params, dst_, src_)))))
#define UE8M0(dst_, src_)                                                                                    \
    KERNEL(any_##dst_##_##src_, FP_IEEE, BYTES(ue8m0_of, RUNTIME(special_params, dst_, src_)))
TO_S2F6(S2F6)
TO_UE8M0(UE8M0)
KERNEL(any_TF32_F32, FP_IEEE,
       op->round == PTO_RN ? WORDS(any_tf32, RUNTIME_ROUNDED(ROUND_TO_NEAREST, TF32, F32))
                           : WORDS(any_tf32, RUNTIME_ROUNDED(ROUND_TOWARDS_ZERO, TF32, F32)))
KERNEL(away_TF32_F32, FP_ANY, WORDS(away_tf32, RUNTIME(special_params, TF32, F32)))

#define FROM_INTEGER(dst_, src_)                                                                             \
    KERNEL(plain_##dst_##_##src_, FP_IEEE, WITH_ROUNDING(integer_to_float(PLAIN(dst_, src_), src, dst, n)))  \
    KERNEL(any_##dst_##_##src_, FP_IEEE,                                                                     \
           integer_to_float(clamped_params(PTO_##dst_, PTO_##src_), src, dst, n))
FROM_INTEGERS(FROM_INTEGER)

#define TO_INTEGER(src_, dst_)                                                                               \
    KERNEL(truncated_##dst_##_##src_, FP_IEEE,                                                               \
           float_to_integer(to_integer_params(PTO_##dst_, PTO_##src_, PTO_RZI), src, dst, n))                \
    KERNEL(any_##dst_##_##src_, FP_IEEE,                                                                     \
           WITH_ROUNDING(float_to_integer(to_integer_params(PTO_##dst_, PTO_##src_, PTO_RNI), src, dst, n)))
TO_INTEGERS(TO_INTEGER)

#define INTEGER(dst_, src_)                                                                                  \
    KERNEL(plain_##dst_##_##src_, FP_ANY, integer_to_integer(PLAIN(dst_, src_), src, dst, n))                \
    KERNEL(any_##dst_##_##src_, FP_ANY,                                                                      \
           integer_to_integer(clamped_params(PTO_##dst_, PTO_##src_), src, dst, n))
INTEGERS(INTEGER)

/* With .sat, a NaN becomes 0, the lower bound. */
#define INTEGRAL(type)                                                                                       \
    KERNEL(integral_##type, FP_IEEE, WITH_ROUNDING(float_to_integral(PLAIN(type, type), src, dst, n)))
#define INTEGRAL_SAT(type)                                                                                   \
    KERNEL(integral_sat_##type, FP_IEEE,                                                                     \
           WITH_ROUNDING(float_to_integral(clamped_params(PTO_##type, PTO_##type), src, dst, n)))
INTEGRALS(INTEGRAL)
INTEGRAL_SAT(F16)
INTEGRAL_SAT(F32)
INTEGRAL_SAT(F64)

KERNEL(plain_F16_F16, FP_ANY, halves_to_same(PLAIN(F16, F16), src, dst, n))
KERNEL(plain_BF16_BF16, FP_ANY, halves_to_same(PLAIN(BF16, BF16), src, dst, n))
KERNEL(any_F16_F16, FP_IEEE, halves_to_same(clamped_params(PTO_F16, PTO_F16), src, dst, n))
KERNEL(any_F64_F64, FP_IEEE, float_to_float(clamped_params(PTO_F64, PTO_F64), src, dst, n))

/* ---- kernel selection ---- */

#define PLAIN_ROW(dst_, src_)       [PTO_##dst_][PTO_##src_] = &plain_##dst_##_##src_,
#define ANY_ROW(dst_, src_)         [PTO_##dst_][PTO_##src_] = &any_##dst_##_##src_,
#define TRUNCATED_ROW(dst_, src_)   [PTO_##dst_][PTO_##src_] = &truncated_##dst_##_##src_,
#define SCALED_ROW(dst_, src_)      [PTO_##dst_][PTO_##src_] = &scaled_##dst_##_##src_,
#define STOCHASTIC_ROW(dst_, src_)  [PTO_##dst_][PTO_##src_] = &stochastic_##dst_##_##src_,
#define INTEGRAL_ROW(type)          [PTO_##type] = &integral_##type,
#define SAT_ROW(type)               [PTO_##type] = &integral_sat_##type,
#define ANY_INTEGER_ROW(s, d)       ANY_ROW(d, s)
#define TRUNCATED_INTEGER_ROW(s, d) TRUNCATED_ROW(d, s)

/* Kernels that round to nearest, that are exact, or that truncate integers. */
static const struct cvt_kernel *const plain_kernels[CVT_TYPES][CVT_TYPES] = {
    FLOATS(PLAIN_ROW) TO_SMALL(PLAIN_ROW) FROM_SMALL(PLAIN_ROW) TO_BF16(PLAIN_ROW) TO_BF16_VIA_ODD(PLAIN_ROW)
        TO_BF16_EXACTLY(PLAIN_ROW) FROM_INTEGERS(PLAIN_ROW) INTEGERS(PLAIN_ROW) PLAIN_ROW(F32, BF16)
            PLAIN_ROW(F32, UE8M0) PLAIN_ROW(F16, UE5M3) PLAIN_ROW(F16, F16) PLAIN_ROW(BF16, BF16)};
/* Kernels for any rounding and modifiers. */
static const struct cvt_kernel *const any_kernels[CVT_TYPES][CVT_TYPES] = {
    FLOATS(ANY_ROW) TO_SMALL(ANY_ROW) TO_UE5M3(ANY_ROW) SMALL_TO(ANY_ROW, F16) SMALL_TO(ANY_ROW, F32)
        SMALL_TO(ANY_ROW, BF16) TO_BF16(ANY_ROW) TO_BF16_VIA_ODD(ANY_ROW) TO_BF16_EXACTLY(ANY_ROW)
            TO_S2F6(ANY_ROW) TO_UE8M0(ANY_ROW) FROM_INTEGERS(ANY_ROW) TO_INTEGERS(ANY_INTEGER_ROW)
                INTEGERS(ANY_ROW) ANY_ROW(F32, F32) ANY_ROW(TF32, F32) ANY_ROW(F16, F16) ANY_ROW(F64, F64)};
/* Kernels that round towards zero, without modifiers. */
static const struct cvt_kernel *const truncated_kernels[CVT_TYPES][CVT_TYPES] = {
    TO_BF16(TRUNCATED_ROW) TO_INTEGERS(TRUNCATED_INTEGER_ROW)};
static const struct cvt_kernel *const scaled_kernels[CVT_TYPES][CVT_TYPES] = {
    TO_SMALL(SCALED_ROW) TO_UE5M3(SCALED_ROW) SCALED_TO_BF16(SCALED_ROW) TO_S2F6(SCALED_ROW)};
static const struct cvt_kernel *const stochastic_kernels[CVT_TYPES][CVT_TYPES] = {
    RANDOM_SMALL(STOCHASTIC_ROW) RANDOM_HALVES(STOCHASTIC_ROW)};
static const struct cvt_kernel *const integral_kernels[CVT_TYPES] = {INTEGRALS(INTEGRAL_ROW)};
static const struct cvt_kernel *const integral_sat_kernels[CVT_TYPES] = {SAT_ROW(F16) SAT_ROW(F32)
                                                                             SAT_ROW(F64)};

/* Returns the modifiers of `op` that the selection of a kernel depends on. Values of f16, small formats and integers
 * are never subnormal in f32, so .ftz has no effect on them, nor has it on an f16 result (cvt_flushes_sources()). Small
 * formats always saturate, and conversions to integers always clamp. */
static unsigned effective_modifiers(pto_cvt_op op) {
    unsigned modifiers = cvt_modifiers(op);
    if (op.dst == PTO_F16 || op.src == PTO_F16 || cvt_is_small(op.src) || cvt_is_integer(op.src))
        modifiers &= ~(unsigned)CVT_FTZ;
    if (cvt_is_small(op.dst)) modifiers &= ~(unsigned)CVT_SATFINITE;
    if (cvt_is_integer(op.dst) && !cvt_is_integer(op.src)) modifiers &= ~(unsigned)(CVT_SAT | CVT_FTZ);
    return modifiers;
}

static bool is_to_nearest(pto_cvt_op op) {
    return op.round == PTO_ROUND_NONE || op.round == PTO_RN;
}

static const struct cvt_kernel *integer_kernel(pto_cvt_op op, unsigned modifiers) {
    if (cvt_is_integer(op.src) && op.dst != PTO_BF16)
        return (op.sat ? any_kernels : plain_kernels)[op.dst][op.src];
    if (op.round == PTO_RZI || (op.round == PTO_RZ && truncated_kernels[op.dst][op.src] != NULL))
        return truncated_kernels[op.dst][op.src];
    return (modifiers == 0 && op.round == PTO_RN ? plain_kernels : any_kernels)[op.dst][op.src];
}

/* Returns the kernel for conversions to f32 whose .ftz FPCR does not implement, or NULL. NaNs from f64 keep their
 * payload, except under .sat. */
static const struct cvt_kernel *flushing_kernel(pto_cvt_op op, unsigned modifiers) {
    if (op.dst != PTO_F32 || (modifiers & (CVT_FTZ | CVT_SAT)) == 0) return NULL;
    switch (op.src) {
    case PTO_F64: return op.sat ? &sat_F32_F64 : &flushed_F32_F64;
    case PTO_BF16: return &flushed_F32_BF16;
    case PTO_UE8M0: return &flushed_F32_UE8M0;
    default: return NULL;
    }
}

/* Returns whether the conversion never rounds. */
static bool is_exact(pto_cvt_op op) {
    return any_kernels[op.dst][op.src] == NULL || cvt_is_small(op.src) || op.src == PTO_UE5M3 ||
           op.src == PTO_UE8M0 || op.src == PTO_S2F6;
}

static const struct cvt_kernel *float_kernel(pto_cvt_op op, unsigned modifiers) {
    const struct cvt_kernel *plain = plain_kernels[op.dst][op.src], *any = any_kernels[op.dst][op.src];
    const struct cvt_kernel *flushing = flushing_kernel(op, modifiers);
    if (cvt_is_integral_round(op.round)) return (op.sat ? integral_sat_kernels : integral_kernels)[op.dst];
    if (flushing != NULL) return flushing;
    if (modifiers != 0) return any;
    if (plain != NULL && (is_to_nearest(op) || is_exact(op))) return plain;
    return op.round == PTO_RZ && truncated_kernels[op.dst][op.src] != NULL ? truncated_kernels[op.dst][op.src]
                                                                           : any;
}

const struct cvt_kernel *pto_cvt_sve(pto_cvt_op op) {
    const unsigned modifiers = effective_modifiers(op);
    if (cvt_is_copy(op)) return pto_cvt_neon(op);
    if (op.round == PTO_RS) return stochastic_kernels[op.dst][op.src];
    if (op.scale != PTO_SCALE_NONE) return scaled_kernels[op.dst][op.src];
    if (op.round == PTO_RNA) return &away_TF32_F32;
    return cvt_is_integer(op.dst) || cvt_is_integer(op.src) ? integer_kernel(op, modifiers)
                                                            : float_kernel(op, modifiers);
}
