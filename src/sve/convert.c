/* SPDX-License-Identifier: MIT */
/*
 * Conversions that SVE has instructions for, or arithmetic that is short: those without a scale, random bits or
 * nibbles, most of them with modifiers. All others are NEON's. Instructions round, flush and raise as FPCR says, so most
 * kernels ask for its default state, in which roundings other than to nearest are set for the time of a loop.
 */
#include "loops/convert_kernel.h"
#include "sve/convert_integer.h"
#include "sve/convert_small.h"

/* ---- FPCR's rounding ---- */

enum { FPCR_ROUNDING_AT = 22 };

static ALWAYS_INLINE u64 fpcr_rounding(pto_round round) {
    switch (round) {
    case PTO_RP:
    case PTO_RPI: return (u64)1 << FPCR_ROUNDING_AT;
    case PTO_RM:
    case PTO_RMI: return (u64)2 << FPCR_ROUNDING_AT;
    case PTO_RZ:
    case PTO_RZI: return (u64)3 << FPCR_ROUNDING_AT;
    default: return 0;
    }
}

/* From the default rounding to that of the form, or back. No load or store of a loop crosses. */
static ALWAYS_INLINE void turn_rounding(pto_round round) {
    u64 fpcr;
    if (fpcr_rounding(round) == 0) return;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr) : : "memory");
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr ^ fpcr_rounding(round)) : "memory");
}

/* ---- forms ---- */

/* To nearest, and cut where an integer is; no modifiers but what a small format demands. */
static ALWAYS_INLINE struct form plain_form(pto_dtype dst, pto_dtype src) {
    const pto_cvt_op op = {.dst = dst, .src = src, .satfinite = cvt_is_small(dst)};
    struct form f = {.dst = dst, .src = src, .round = PTO_RN};
    if (!cvt_is_integer(dst)) f.nan = cvt_nan_of(op).bits;
    return f;
}

/* Whether a NaN that keeps its payload is the instruction's own. */
static ALWAYS_INLINE bool keeps_payload(pto_dtype dst, pto_dtype src) {
    return dst == PTO_F32 && src == PTO_F64;
}

/* To whatever the rounding, set in FPCR, and within the bounds that modifiers set. */
static ALWAYS_INLINE struct form any_form(pto_dtype dst, pto_dtype src, const pto_cvt_op *op) {
    const double most = op->satfinite ? 65504 : __builtin_inf(); /* of f16, which alone has .satfinite here */
    struct form f = {.dst = dst, .src = src, .round = PTO_RN, .bounded = !keeps_payload(dst, src)};
    f.lo = op->relu || op->sat ? 0 : -most;
    f.hi = op->sat ? 1 : most;
    f.nan = cvt_nan_of(*op).bits;
    return f;
}

static ALWAYS_INLINE struct form to_integer_form(pto_dtype dst, pto_dtype src, pto_round round) {
    const pto_cvt_op op = {.dst = dst, .src = src};
    struct form f = {.dst = dst, .src = src, .round = round};
    f.nan = cvt_integer_nan(op, 8 * (unsigned)element_bytes(dst));
    return f;
}

/* ---- loops ---- */

static ALWAYS_INLINE void float_to_float(struct form f, const u8 *src, u8 *dst, size_t n) {
    const size_t in = element_bytes(f.src), out = element_bytes(f.dst);
    if (cvt_is_small(f.dst))
        each_four(small_of_words, &f, src, in, false, dst, n);
    else if (f.src == PTO_F64)
        each_64(f.dst == PTO_F32 ? f32_of_f64 : f16_of_f64, &f, src, in, false, dst, out, n);
    else if (f.dst == PTO_F64)
        each_64(f64_of_words, &f, src, in, false, dst, out, n);
    else if (f.dst == PTO_F32)
        each_32(f.src == PTO_F16 ? f32_of_f16 : f32_of_bf16, &f, src, in, false, dst, out, n);
    else
        each_pair(f.dst == PTO_F16 ? f16_of_words : bf16_of_words, &f, src, in, cvt_is_signed(f.src), dst, n);
}

static ALWAYS_INLINE void small_to_float(struct form f, const u8 *src, u8 *dst, size_t n) {
    const bool is_signed = small_is_byte(f.src);
    if (f.dst == PTO_F32)
        each_32(word_of_small, &f, src, 1, is_signed, dst, 4, n);
    else if (f.dst == PTO_F16)
        each_16(f16_of_small, &f, src, 1, is_signed, dst, 2, n);
    else {
        f.nan <<= 16; /* of the f32 whose upper half is the result */
        each_pair(bf16_of_small, &f, src, 1, is_signed, dst, n);
    }
}

static ALWAYS_INLINE void float_to_integral(struct form f, const u8 *src, u8 *dst, size_t n) {
    const size_t bytes = element_bytes(f.src);
    if (f.src == PTO_F64)
        each_64(integral_long, &f, src, bytes, false, dst, bytes, n);
    else
        each_32(integral_word, &f, src, bytes, false, dst, bytes, n);
}

static ALWAYS_INLINE void float_to_integer(struct form f, const u8 *src, u8 *dst, size_t n) {
    const size_t in = element_bytes(f.src), out = element_bytes(f.dst);
    if (in == 8 || out == 8)
        each_64(integer_of_long, &f, src, in, false, dst, out, n);
    else
        each_32(integer_of_word, &f, src, in, false, dst, out, n);
}

static ALWAYS_INLINE void integer_to_float(struct form f, const u8 *src, u8 *dst, size_t n) {
    const size_t in = element_bytes(f.src), out = element_bytes(f.dst);
    if (in == 8 || out == 8)
        each_64(long_of_integer, &f, src, in, cvt_is_signed(f.src), dst, out, n);
    else
        each_32(word_of_integer, &f, src, in, cvt_is_signed(f.src), dst, out, n);
}

/* In lanes of the wider type, and of 16 bits at least. */
static ALWAYS_INLINE void integer_to_integer(struct form f, const u8 *src, u8 *dst, size_t n) {
    const size_t in = element_bytes(f.src), out = element_bytes(f.dst), wider = in < out ? out : in;
    if (wider == 8)
        each_64(clamped_64, &f, src, in, cvt_is_signed(f.src), dst, out, n);
    else if (wider == 4)
        each_32(clamped_32, &f, src, in, cvt_is_signed(f.src), dst, out, n);
    else
        each_16(clamped_16, &f, src, in, cvt_is_signed(f.src), dst, out, n);
}

/* ---- kernels; any length is whole steps of one ---- */

#define KERNEL(name, fp, call) CVT_KERNEL(name, 1, fp, call)
#define TURNED(call)           turn_rounding(op->round), call, turn_rounding(op->round)

/* To nearest without modifiers, and all else. */
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
    X(E3M2, src)
#define SMALL_TO(X, dst)                                                                                     \
    X(dst, E4M3)                                                                                             \
    X(dst, E5M2)                                                                                             \
    X(dst, E2M3)                                                                                             \
    X(dst, E3M2)
#define TO_SMALL(X)   SMALL_FROM(X, F32) SMALL_FROM(X, F16) SMALL_FROM(X, BF16)
#define FROM_SMALL(X) SMALL_TO(X, F32) SMALL_TO(X, F16) SMALL_TO(X, BF16)

/* To nearest, and cut. */
#define TO_BF16(X)                                                                                           \
    X(BF16, F32)                                                                                             \
    X(BF16, F16)                                                                                             \
    X(BF16, U8)                                                                                              \
    X(BF16, S8)                                                                                              \
    X(BF16, U16)                                                                                             \
    X(BF16, S16)

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

#define FLOAT(dst_, src_)                                                                                    \
    KERNEL(plain_##dst_##_##src_, FP_IEEE, float_to_float(plain_form(PTO_##dst_, PTO_##src_), src, dst, n))  \
    KERNEL(any_##dst_##_##src_, FP_IEEE,                                                                     \
           TURNED(float_to_float(any_form(PTO_##dst_, PTO_##src_, op), src, dst, n)))
FLOATS(FLOAT)

#define SMALL(dst_, src_)                                                                                    \
    KERNEL(plain_##dst_##_##src_, FP_IEEE, float_to_float(plain_form(PTO_##dst_, PTO_##src_), src, dst, n))  \
    KERNEL(any_##dst_##_##src_, FP_IEEE, float_to_float(any_form(PTO_##dst_, PTO_##src_, op), src, dst, n))
TO_SMALL(SMALL)

#define WIDE(dst_, src_)                                                                                     \
    KERNEL(plain_##dst_##_##src_, FP_IEEE, small_to_float(plain_form(PTO_##dst_, PTO_##src_), src, dst, n))
FROM_SMALL(WIDE)

static ALWAYS_INLINE struct form cut_form(pto_dtype dst, pto_dtype src) {
    struct form f = plain_form(dst, src);
    f.round = PTO_RZ;
    return f;
}
#define BF16(dst_, src_)                                                                                     \
    KERNEL(plain_##dst_##_##src_, FP_IEEE, float_to_float(plain_form(PTO_##dst_, PTO_##src_), src, dst, n))  \
    KERNEL(cut_##dst_##_##src_, FP_IEEE, float_to_float(cut_form(PTO_##dst_, PTO_##src_), src, dst, n))
TO_BF16(BF16)
KERNEL(plain_F32_BF16, FP_ANY, float_to_float(plain_form(PTO_F32, PTO_BF16), src, dst, n))

#define FROM_INTEGER(dst_, src_)                                                                             \
    KERNEL(plain_##dst_##_##src_, FP_IEEE,                                                                   \
           TURNED(integer_to_float(plain_form(PTO_##dst_, PTO_##src_), src, dst, n)))
FROM_INTEGERS(FROM_INTEGER)

#define TO_INTEGER(src_, dst_)                                                                               \
    KERNEL(cut_##dst_##_##src_, FP_IEEE,                                                                     \
           float_to_integer(to_integer_form(PTO_##dst_, PTO_##src_, PTO_RZI), src, dst, n))                  \
    KERNEL(any_##dst_##_##src_, FP_IEEE,                                                                     \
           TURNED(float_to_integer(to_integer_form(PTO_##dst_, PTO_##src_, PTO_RNI), src, dst, n)))
TO_INTEGERS(TO_INTEGER)

static ALWAYS_INLINE struct form clamped_form(pto_dtype dst, pto_dtype src) {
    const struct form f = {.dst = dst, .src = src, .bounded = true};
    return f;
}
#define INTEGER(dst_, src_)                                                                                  \
    KERNEL(plain_##dst_##_##src_, FP_ANY,                                                                    \
           integer_to_integer(plain_form(PTO_##dst_, PTO_##src_), src, dst, n))                              \
    KERNEL(clamped_##dst_##_##src_, FP_ANY,                                                                  \
           integer_to_integer(clamped_form(PTO_##dst_, PTO_##src_), src, dst, n))
INTEGERS(INTEGER)

#define INTEGRAL(type)                                                                                       \
    KERNEL(integral_##type, FP_IEEE,                                                                         \
           TURNED(float_to_integral(plain_form(PTO_##type, PTO_##type), src, dst, n)))
INTEGRALS(INTEGRAL)

/* ---- the choice ---- */

#define PLAINLY(dst_, src_) [PTO_##dst_][PTO_##src_] = &plain_##dst_##_##src_,
#define ANYHOW(dst_, src_)  [PTO_##dst_][PTO_##src_] = &any_##dst_##_##src_,
#define CUT(dst_, src_)     [PTO_##dst_][PTO_##src_] = &cut_##dst_##_##src_,
#define CLAMPED(dst_, src_) [PTO_##dst_][PTO_##src_] = &clamped_##dst_##_##src_,
#define INTEGRALLY(type)    [PTO_##type] = &integral_##type,
#define ANY_INTEGER(s, d)   ANYHOW(d, s)
#define CUT_INTEGER(s, d)   CUT(d, s)

/* To nearest, or exact; integers that are cut. */
static const struct cvt_kernel *const plain_kernels[CVT_TYPES][CVT_TYPES] = {
    FLOATS(PLAINLY) TO_SMALL(PLAINLY) FROM_SMALL(PLAINLY) TO_BF16(PLAINLY) PLAINLY(F32, BF16)
        FROM_INTEGERS(PLAINLY) INTEGERS(PLAINLY)};
/* In any rounding, with modifiers. */
static const struct cvt_kernel *const any_kernels[CVT_TYPES][CVT_TYPES] = {
    FLOATS(ANYHOW) TO_SMALL(ANYHOW) TO_INTEGERS(ANY_INTEGER) INTEGERS(CLAMPED)};
/* Towards zero without modifiers. */
static const struct cvt_kernel *const cut_kernels[CVT_TYPES][CVT_TYPES] = {TO_BF16(CUT)
                                                                               TO_INTEGERS(CUT_INTEGER)};
static const struct cvt_kernel *const integral_kernels[CVT_TYPES] = {INTEGRALS(INTEGRALLY)};

/* What is left of the modifiers where those that change nothing are forgotten: sources of f16 and below are no
 * subnormals of f32, nor do they become any; .satfinite is what small formats always are, and integers clamp. */
static unsigned modifiers_that_matter(pto_cvt_op op) {
    unsigned said = cvt_modifiers(op);
    if (op.dst == PTO_F16 || op.src == PTO_F16 || cvt_is_small(op.src) || cvt_is_integer(op.src))
        said &= ~(unsigned)CVT_FTZ;
    if (cvt_is_small(op.dst)) said &= ~(unsigned)CVT_SATFINITE;
    if (cvt_is_integer(op.dst) && !cvt_is_integer(op.src)) said &= ~(unsigned)(CVT_SAT | CVT_FTZ);
    return said;
}

static const struct cvt_kernel *integer_kernel(pto_cvt_op op, unsigned said) {
    if (cvt_is_copy(op)) return NULL;
    if (cvt_is_integer(op.dst) && cvt_is_integer(op.src))
        return (op.sat ? any_kernels : plain_kernels)[op.dst][op.src];
    if (said != 0) return NULL;
    if (cvt_is_integer(op.dst)) return (op.round == PTO_RZI ? cut_kernels : any_kernels)[op.dst][op.src];
    if (op.dst != PTO_BF16 || op.round == PTO_RN) return plain_kernels[op.dst][op.src];
    return op.round == PTO_RZ ? cut_kernels[op.dst][op.src] : NULL;
}

/* Which modifiers the kernel for all else takes; FPCR flushes sources of f32. */
static unsigned modifiers_taken(pto_cvt_op op) {
    if (cvt_is_small(op.dst)) return CVT_RELU;
    if (keeps_payload(op.dst, op.src)) return 0;
    return CVT_SAT | CVT_RELU | CVT_SATFINITE | (op.dst == PTO_F64 ? CVT_FTZ : 0U);
}

static const struct cvt_kernel *float_kernel(pto_cvt_op op, unsigned said) {
    const bool to_nearest = op.round == PTO_ROUND_NONE || op.round == PTO_RN;
    const bool is_exact = plain_kernels[op.dst][op.src] != NULL && any_kernels[op.dst][op.src] == NULL &&
                          cut_kernels[op.dst][op.src] == NULL;
    if (cvt_is_integral_round(op.round))
        return (said & ~(unsigned)CVT_FTZ) == 0 ? integral_kernels[op.dst] : NULL;
    if (said == 0 && (to_nearest || is_exact)) return plain_kernels[op.dst][op.src];
    if (said == 0 && op.round == PTO_RZ && cut_kernels[op.dst][op.src] != NULL)
        return cut_kernels[op.dst][op.src];
    if ((said & ~modifiers_taken(op)) != 0 || (cvt_is_small(op.dst) && !to_nearest)) return NULL;
    return any_kernels[op.dst][op.src];
}

const struct cvt_kernel *pto_cvt_sve(pto_cvt_op op) {
    const unsigned said = modifiers_that_matter(op);
    const struct cvt_kernel *own = NULL;
    if (op.round != PTO_RS && (said & (CVT_ANY_SCALE | CVT_PZO)) == 0)
        own = cvt_is_integer(op.dst) || cvt_is_integer(op.src) ? integer_kernel(op, said)
                                                               : float_kernel(op, said);
    return own != NULL ? own : pto_cvt_neon(op);
}
