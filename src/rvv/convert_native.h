/* SPDX-License-Identifier: MIT */
/*
 * Conversions by groups of registers of any length: those that RVV has instructions for, or that are short in f32. All
 * others are loops in the compiler's vectors.
 */
#include "core/convert_choice.h"
#include "rvv/convert_integer.h"

/* ---- the rounding of fcsr ---- */

/* RISC-V counts roundings as rounding_index does. No load or store of a loop crosses. */
static ALWAYS_INLINE void set_rounding(pto_round round) {
    __asm__ volatile("fsrm %0" : : "r"((unsigned long)rounding_index[round]) : "memory");
}

/* ---- kernels; any length is whole steps of one ---- */

/* Beyond f16's numbers all is what the next power of two is, infinity. */
static ALWAYS_INLINE struct form plain_form(pto_dtype dst, pto_dtype src) {
    const s32 largest = adder_of(cvt_format_of(dst)).largest;
    const pto_cvt_op op = {.dst = dst, .src = src, .satfinite = cvt_is_small(dst)};
    struct form f = {.dst = dst, .src = src, .most = 65536};
    if (cvt_is_small(dst)) memcpy(&f.most, &largest, sizeof f.most);
    if (cvt_is_integer(dst))
        f.nan = cvt_integer_nan(op, 8 * (unsigned)element_bytes(dst));
    else
        f.nan = cvt_nan_of(op).bits;
    return f;
}

static ALWAYS_INLINE struct form cut_form(pto_dtype dst, pto_dtype src) {
    struct form f = plain_form(dst, src);
    f.cut = true;
    return f;
}

static ALWAYS_INLINE struct form clamped_form(pto_dtype dst, pto_dtype src) {
    struct form f = plain_form(dst, src);
    f.bounded = true;
    return f;
}

static ALWAYS_INLINE struct form positive_form(pto_dtype dst, pto_dtype src) {
    struct form f = plain_form(dst, src);
    f.positive = true;
    return f;
}

/* X(bits of lanes, convert, dst, src): those without modifiers. First those that nothing is rounded in. */
#define OF_SMALL(X, convert, dst)                                                                            \
    X(32, convert, dst, E4M3)                                                                                \
    X(32, convert, dst, E2M3)                                                                                \
    X(32, convert, dst, E3M2)
#define EXACT(X)                                                                                             \
    X(32, to_f32, F32, F16)                                                                                  \
    X(32, to_f32, F32, BF16)                                                                                 \
    X(64, f64_of_f32, F64, F32)                                                                              \
    X(32, to_f32, F32, E5M2)                                                                                 \
    X(32, bf16_of_small, BF16, E5M2)                                                                         \
    X(32, f16_of_e5m2_array, F16, E5M2)                                                                      \
    OF_SMALL(X, to_f32, F32) OF_SMALL(X, bf16_of_small, BF16) OF_SMALL(X, f16_of_small, F16)

/* To nearest, bf16 towards zero too. */
#define FROM_NARROW_INTEGERS(X, bits, convert, dst)                                                          \
    X(bits, convert, dst, U8)                                                                                \
    X(bits, convert, dst, S8)                                                                                \
    X(bits, convert, dst, U16)                                                                               \
    X(bits, convert, dst, S16)
#define TO_F16(X) X(32, to_f16, F16, F32) X(32, to_f16, F16, BF16) FROM_NARROW_INTEGERS(X, 32, to_f16, F16)
#define TO_BF16(X)                                                                                           \
    X(32, to_bf16, BF16, F32) X(32, to_bf16, BF16, F16) FROM_NARROW_INTEGERS(X, 32, to_bf16, BF16)

/* In the rounding of fcsr. */
#define TO_INTEGERS(X, src)                                                                                  \
    X(32, integer_of_word, U8, src)                                                                          \
    X(32, integer_of_word, S8, src)                                                                          \
    X(32, integer_of_word, U16, src)                                                                         \
    X(32, integer_of_word, S16, src)                                                                         \
    X(32, integer_of_word, U32, src)                                                                         \
    X(32, integer_of_word, S32, src)
#define TURNED(X)                                                                                            \
    X(64, f32_of_f64, F32, F64)                                                                              \
    FROM_NARROW_INTEGERS(X, 32, to_f32, F32)                                                                 \
    X(32, to_f32, F32, U32)                                                                                  \
    X(32, to_f32, F32, S32)                                                                                  \
    X(64, f32_of_long, F32, U64)                                                                             \
    X(64, f32_of_long, F32, S64)                                                                             \
    FROM_NARROW_INTEGERS(X, 64, f64_of_integer, F64)                                                         \
    X(64, f64_of_integer, F64, U32)                                                                          \
    X(64, f64_of_integer, F64, S32)                                                                          \
    X(64, f64_of_integer, F64, U64)                                                                          \
    X(64, f64_of_integer, F64, S64)                                                                          \
    TO_INTEGERS(X, F32)                                                                                      \
    TO_INTEGERS(X, F16)                                                                                      \
    TO_INTEGERS(X, BF16)                                                                                     \
    X(64, long_of_f32, U64, F32)                                                                             \
    X(64, long_of_f32, S64, F32)                                                                             \
    X(64, integer_of_f64, U32, F64)                                                                          \
    X(64, integer_of_f64, S32, F64)                                                                          \
    X(64, integer_of_f64, U64, F64)                                                                          \
    X(64, integer_of_f64, S64, F64)

/* The small formats, with .relu and without. */
#define SMALL(X, src)                                                                                        \
    X(32, to_small, E4M3, src)                                                                               \
    X(32, to_small, E5M2, src)                                                                               \
    X(32, to_small, E2M3, src)                                                                               \
    X(32, to_small, E3M2, src)
#define TO_SMALL(X) SMALL(X, F32) SMALL(X, F16) SMALL(X, BF16)

/* Integers, in lanes of the wider type. Those of one width are here only if they are clamped: else it is a copy. */
#define EACH_SIGN(X, bits, dst, src)                                                                         \
    X(bits, integer_in_##bits, U##dst, U##src)                                                               \
    X(bits, integer_in_##bits, U##dst, S##src)                                                               \
    X(bits, integer_in_##bits, S##dst, U##src)                                                               \
    X(bits, integer_in_##bits, S##dst, S##src)
#define BOTH_WAYS(X, bits, narrow) EACH_SIGN(X, bits, bits, narrow) EACH_SIGN(X, bits, narrow, bits)
#define OF_ONE_WIDTH(X)                                                                                      \
    EACH_SIGN(X, 16, 8, 8) EACH_SIGN(X, 16, 16, 16) EACH_SIGN(X, 32, 32, 32) EACH_SIGN(X, 64, 64, 64)
#define OF_TWO_WIDTHS(X)                                                                                     \
    BOTH_WAYS(X, 16, 8)                                                                                      \
    BOTH_WAYS(X, 32, 8)                                                                                      \
    BOTH_WAYS(X, 32, 16)                                                                                     \
    BOTH_WAYS(X, 64, 8)                                                                                      \
    BOTH_WAYS(X, 64, 16)                                                                                     \
    BOTH_WAYS(X, 64, 32)

#define LOOP(form, bits, convert, dst_, src_)                                                                \
    each_group(convert, form(PTO_##dst_, PTO_##src_), bits, src, dst, n)
#define PLAINLY(bits, convert, dst_, src_)                                                                   \
    CVT_KERNEL(native_##dst_##_##src_, 1, FP_IEEE, LOOP(plain_form, bits, convert, dst_, src_))
#define CUT(bits, convert, dst_, src_)                                                                       \
    CVT_KERNEL(cut_##dst_##_##src_, 1, FP_IEEE, LOOP(cut_form, bits, convert, dst_, src_))
#define ROUNDED(bits, convert, dst_, src_)                                                                   \
    CVT_KERNEL(native_##dst_##_##src_, 1, FP_IEEE, set_rounding(op->round),                                  \
               LOOP(plain_form, bits, convert, dst_, src_), set_rounding(PTO_ROUND_NONE))
#define POSITIVE(bits, convert, dst_, src_)                                                                  \
    CVT_KERNEL(positive_##dst_##_##src_, 1, FP_IEEE, LOOP(positive_form, bits, convert, dst_, src_))
#define EXTENDED_OR_CUT(bits, convert, dst_, src_)                                                           \
    CVT_KERNEL(native_##dst_##_##src_, 1, FP_ANY, LOOP(plain_form, bits, convert, dst_, src_))
#define CLAMPED_TO(bits, convert, dst_, src_)                                                                \
    CVT_KERNEL(clamped_##dst_##_##src_, 1, FP_ANY, LOOP(clamped_form, bits, convert, dst_, src_))
EXACT(PLAINLY)
TO_F16(PLAINLY)
TO_BF16(PLAINLY)
TO_BF16(CUT)
TURNED(ROUNDED)
TO_SMALL(PLAINLY)
TO_SMALL(POSITIVE)
OF_TWO_WIDTHS(EXTENDED_OR_CUT)
OF_TWO_WIDTHS(CLAMPED_TO)
OF_ONE_WIDTH(CLAMPED_TO)

/* ---- the choice ---- */

#define AS_NATIVE(bits, convert, dst_, src_)   [PTO_##dst_][PTO_##src_] = &native_##dst_##_##src_,
#define AS_CUT(bits, convert, dst_, src_)      [PTO_##dst_][PTO_##src_] = &cut_##dst_##_##src_,
#define AS_POSITIVE(bits, convert, dst_, src_) [PTO_##dst_][PTO_##src_] = &positive_##dst_##_##src_,
#define AS_CLAMPED(bits, convert, dst_, src_)  [PTO_##dst_][PTO_##src_] = &clamped_##dst_##_##src_,

static const struct cvt_kernel *const exact_kernels[CVT_TYPES][CVT_TYPES] = {EXACT(AS_NATIVE)};
static const struct cvt_kernel *const turned_kernels[CVT_TYPES][CVT_TYPES] = {TURNED(AS_NATIVE)};
static const struct cvt_kernel *const nearest_kernels[CVT_TYPES][CVT_TYPES] = {
    TO_F16(AS_NATIVE) TO_BF16(AS_NATIVE) TO_SMALL(AS_NATIVE)};
static const struct cvt_kernel *const cut_kernels[CVT_TYPES][CVT_TYPES] = {TO_BF16(AS_CUT)};
static const struct cvt_kernel *const positive_kernels[CVT_TYPES][CVT_TYPES] = {TO_SMALL(AS_POSITIVE)};
static const struct cvt_kernel *const integer_kernels[CVT_TYPES][CVT_TYPES] = {OF_TWO_WIDTHS(AS_NATIVE)};
static const struct cvt_kernel *const clamped_kernels[CVT_TYPES][CVT_TYPES] = {OF_TWO_WIDTHS(AS_CLAMPED)
                                                                                   OF_ONE_WIDTH(AS_CLAMPED)};

/* Whether the kernels for all roundings do as op says: RISC-V flushes nothing, which is seen where a subnormal number is
 * rounded away from zero. */
static ALWAYS_INLINE bool is_turned(pto_cvt_op op) {
    return is_native(op) && !(op.ftz && cvt_flushes_source(op) && rounding_index[op.round] > 1);
}

static const struct cvt_kernel *native(pto_cvt_op op) {
    const unsigned said = cvt_modifiers(op);
    const pto_dtype d = op.dst, s = op.src;
    const bool to_nearest = op.round == PTO_ROUND_NONE || op.round == PTO_RN;
    if (cvt_is_copy(op)) return NULL;
    if (cvt_is_integer(d) && cvt_is_integer(s)) return (op.sat ? clamped_kernels : integer_kernels)[d][s];
    if (turned_kernels[d][s] != NULL) return is_turned(op) ? turned_kernels[d][s] : NULL;
    if (exact_kernels[d][s] != NULL) return is_native(op) && op.round != PTO_RS ? exact_kernels[d][s] : NULL;
    if (cut_kernels[d][s] != NULL && said == 0 && op.round == PTO_RZ) return cut_kernels[d][s];
    if (cvt_is_small(d) && to_nearest && said == (CVT_SATFINITE | CVT_RELU)) return positive_kernels[d][s];
    return is_plain(op) ? nearest_kernels[d][s] : NULL;
}
