/* SPDX-License-Identifier: MIT */
/* Every conversion kernel of an ISA, one line each, and the functions that choose one. Part of convert.h. */

/* Conversions between floats: X(destination, source, working width). Kernels with the working width 32 compute in f32,
 * those with 64 in f64. */
#define FLOAT_PAIRS(X)                                                                                       \
    X(F16, F16, 32)                                                                                          \
    X(F16, BF16, 32)                                                                                         \
    X(F16, F32, 32)                                                                                          \
    X(F16, F64, 64)                                                                                          \
    X(F16, E4M3, 32)                                                                                         \
    X(F16, E5M2, 32)                                                                                         \
    X(F16, E2M3, 32)                                                                                         \
    X(F16, E3M2, 32)                                                                                         \
    X(BF16, F16, 32)                                                                                         \
    X(BF16, BF16, 32)                                                                                        \
    X(BF16, F32, 32)                                                                                         \
    X(BF16, F64, 64)                                                                                         \
    X(BF16, E4M3, 32)                                                                                        \
    X(BF16, E5M2, 32)                                                                                        \
    X(BF16, E2M3, 32)                                                                                        \
    X(BF16, E3M2, 32)                                                                                        \
    X(BF16, UE8M0, 32)                                                                                       \
    X(BF16, S2F6, 32)                                                                                        \
    X(BF16, UE5M3, 32)                                                                                       \
    X(F16, UE5M3, 32)                                                                                        \
    X(F32, F16, 32)                                                                                          \
    X(F32, BF16, 32)                                                                                         \
    X(F32, F32, 32)                                                                                          \
    X(F32, F64, 64)                                                                                          \
    X(F32, E4M3, 32)                                                                                         \
    X(F32, E5M2, 32)                                                                                         \
    X(F32, E2M3, 32)                                                                                         \
    X(F32, E3M2, 32)                                                                                         \
    X(F32, UE8M0, 32)                                                                                        \
    X(F64, F16, 64)                                                                                          \
    X(F64, BF16, 64)                                                                                         \
    X(F64, F32, 64)                                                                                          \
    X(F64, F64, 64)                                                                                          \
    X(E4M3, F16, 32)                                                                                         \
    X(E4M3, BF16, 32)                                                                                        \
    X(E4M3, F32, 32)                                                                                         \
    X(E5M2, F16, 32)                                                                                         \
    X(E5M2, BF16, 32)                                                                                        \
    X(E5M2, F32, 32)                                                                                         \
    X(E2M3, F16, 32)                                                                                         \
    X(E2M3, BF16, 32)                                                                                        \
    X(E2M3, F32, 32)                                                                                         \
    X(E3M2, F16, 32)                                                                                         \
    X(E3M2, BF16, 32)                                                                                        \
    X(E3M2, F32, 32)                                                                                         \
    X(UE5M3, F16, 32)                                                                                        \
    X(UE5M3, BF16, 32)                                                                                       \
    X(UE5M3, F32, 32)

/* Conversions to and from e2m1, which has two elements per byte: X(destination, source). Their working width is 32. */
#define TO_NIBBLE_PAIRS(X)                                                                                   \
    X(E2M1, F16)                                                                                             \
    X(E2M1, BF16)                                                                                            \
    X(E2M1, F32)
#define FROM_NIBBLE_PAIRS(X)                                                                                 \
    X(F16, E2M1)                                                                                             \
    X(BF16, E2M1)                                                                                            \
    X(F32, E2M1)

#define STOCHASTIC_PAIRS(X)                                                                                  \
    X(F16, F32)                                                                                              \
    X(BF16, F32)                                                                                             \
    X(E4M3, F32)                                                                                             \
    X(E5M2, F32)                                                                                             \
    X(E2M3, F32)                                                                                             \
    X(E3M2, F32)                                                                                             \
    X(E2M1, F32)                                                                                             \
    X(E4M3, BF16)                                                                                            \
    X(E5M2, BF16)                                                                                            \
    X(E2M3, BF16)                                                                                            \
    X(E3M2, BF16)                                                                                            \
    X(E2M1, BF16)

#define SCALED_TO(X, dst)                                                                                    \
    X(dst, F16)                                                                                              \
    X(dst, BF16)                                                                                             \
    X(dst, F32)

#define SCALED_PAIRS(X)                                                                                      \
    SCALED_TO(X, E4M3)                                                                                       \
    SCALED_TO(X, E5M2)                                                                                       \
    SCALED_TO(X, E2M3)                                                                                       \
    SCALED_TO(X, E3M2)                                                                                       \
    SCALED_TO(X, E2M1)                                                                                       \
    SCALED_TO(X, UE5M3)                                                                                      \
    X(S2F6, BF16)                                                                                            \
    X(S2F6, F32)                                                                                             \
    X(BF16, E4M3)                                                                                            \
    X(BF16, E5M2)                                                                                            \
    X(BF16, E2M3)                                                                                            \
    X(BF16, E3M2)                                                                                            \
    X(BF16, E2M1)                                                                                            \
    X(BF16, UE5M3)                                                                                           \
    X(BF16, S2F6)

#define INTEGRAL_TYPES(X)                                                                                    \
    X(F16, 32)                                                                                               \
    X(BF16, 32)                                                                                              \
    X(F32, 32)                                                                                               \
    X(F64, 64)

/* Conversions of floats to integers: X(bytes of the destination, source, working width). FROM_INTEGER_TYPES lists the
 * integer sources for `dst`, which is a destination type or the size of one in bytes. `narrow_width` is the working
 * width for sources of at most 32 bits. */
#define TO_INTEGER_PAIRS(X)                                                                                  \
    X(1, F16, 32)                                                                                            \
    X(1, BF16, 32)                                                                                           \
    X(1, F32, 32)                                                                                            \
    X(1, F64, 64)                                                                                            \
    X(2, F16, 32)                                                                                            \
    X(2, BF16, 32)                                                                                           \
    X(2, F32, 32)                                                                                            \
    X(2, F64, 64)                                                                                            \
    X(4, F16, 32)                                                                                            \
    X(4, BF16, 32)                                                                                           \
    X(4, F32, 32)                                                                                            \
    X(4, F64, 64)                                                                                            \
    X(8, F16, 64)                                                                                            \
    X(8, BF16, 64)                                                                                           \
    X(8, F32, 64)                                                                                            \
    X(8, F64, 64)

#define FROM_INTEGER_TYPES(X, dst, narrow_width)                                                             \
    X(dst, U8, narrow_width)                                                                                 \
    X(dst, S8, narrow_width)                                                                                 \
    X(dst, U16, narrow_width)                                                                                \
    X(dst, S16, narrow_width)                                                                                \
    X(dst, U32, narrow_width)                                                                                \
    X(dst, S32, narrow_width)                                                                                \
    X(dst, U64, 64)                                                                                          \
    X(dst, S64, 64)

#define FROM_INTEGER_PAIRS(X)                                                                                \
    FROM_INTEGER_TYPES(X, F16, 32)                                                                           \
    FROM_INTEGER_TYPES(X, BF16, 32)                                                                          \
    FROM_INTEGER_TYPES(X, F32, 32)                                                                           \
    FROM_INTEGER_TYPES(X, F64, 64)

#define INTEGER_PAIRS(X)                                                                                     \
    FROM_INTEGER_TYPES(X, 1, 32)                                                                             \
    FROM_INTEGER_TYPES(X, 2, 32)                                                                             \
    FROM_INTEGER_TYPES(X, 4, 32)                                                                             \
    FROM_INTEGER_TYPES(X, 8, 64)

/* ---- kernels ---- */

/* Defines a kernel from a loop of convert.h. */
#define KERNEL(name, call) CVT_KERNEL(name, GRANULE, FP_ANY, call)

/* Returns the op without modifiers: round to nearest even, and .satfinite only where PTX requires it. Because
 * it is a constant, the compiler folds the modifiers away. */
static ALWAYS_INLINE pto_cvt_op plain(pto_dtype dst, pto_dtype src) {
    const pto_cvt_op op = {.dst = dst, .src = src, .round = PTO_RN, .satfinite = cvt_is_small(dst)};
    return op;
}

#define FLOAT(dst_, src_, word)                                                                              \
    KERNEL(any_##dst_##_##src_, CAT(float_to_float_, word)(PTO_##dst_, PTO_##src_, *op, src, dst, n))        \
    KERNEL(plain_##dst_##_##src_,                                                                            \
           CAT(float_to_float_, word)(PTO_##dst_, PTO_##src_, plain(PTO_##dst_, PTO_##src_), src, dst, n))
FLOAT_PAIRS(FLOAT)

#define TO_NIBBLE(dst_, src_)                                                                                \
    KERNEL(any_##dst_##_##src_, float_to_e2m1(PTO_##src_, *op, src, dst, n))                                 \
    KERNEL(plain_##dst_##_##src_, float_to_e2m1(PTO_##src_, plain(PTO_##dst_, PTO_##src_), src, dst, n))
TO_NIBBLE_PAIRS(TO_NIBBLE)

#define FROM_NIBBLE(dst_, src_)                                                                              \
    KERNEL(any_##dst_##_##src_, e2m1_to_float(PTO_##dst_, *op, src, dst, n))                                 \
    KERNEL(plain_##dst_##_##src_, e2m1_to_float(PTO_##dst_, plain(PTO_##dst_, PTO_##src_), src, dst, n))
FROM_NIBBLE_PAIRS(FROM_NIBBLE)

#define STOCHASTIC(dst_, src_)                                                                               \
    KERNEL(stochastic_##dst_##_##src_, float_stochastically(PTO_##dst_, PTO_##src_, *op, src, dst, extra, n))
STOCHASTIC_PAIRS(STOCHASTIC)

#define SCALED(dst_, src_)                                                                                   \
    KERNEL(scaled_##dst_##_##src_, float_scaled(PTO_##dst_, PTO_##src_, *op, src, dst, extra, n))
SCALED_PAIRS(SCALED)

#define INTEGRAL_KERNEL(type, word)                                                                          \
    KERNEL(integral_##type, CAT(float_to_integral_, word)(PTO_##type, *op, src, dst, n))
INTEGRAL_TYPES(INTEGRAL_KERNEL)

#define TO_INTEGER(bytes, src_, word)                                                                        \
    KERNEL(to_##bytes##_##src_, CAT(float_to_integer_, word)(bytes, PTO_##src_, *op, src, dst, n))
TO_INTEGER_PAIRS(TO_INTEGER)

#define FROM_INTEGER(dst_, src_, word)                                                                       \
    KERNEL(any_##dst_##_##src_, CAT(integer_to_float_, word)(PTO_##dst_, PTO_##src_, *op, src, dst, n))
FROM_INTEGER_PAIRS(FROM_INTEGER)

#define INTEGER(bytes, src_, word)                                                                           \
    KERNEL(to_##bytes##_##src_, CAT(integer_to_integer_, word)(bytes, PTO_##src_, *op, src, dst, n))
INTEGER_PAIRS(INTEGER)

KERNEL(any_copy, copy(op, src, dst, n))
KERNEL(any_TF32_F32, float_to_tf32(*op, src, dst, n))
KERNEL(away_TF32_F32, float_to_tf32_away(*op, src, dst, n))
KERNEL(any_UE8M0_F32, float_to_ue8m0(PTO_F32, *op, src, dst, n))
KERNEL(any_UE8M0_BF16, float_to_ue8m0(PTO_BF16, *op, src, dst, n))

/* ---- choosing a kernel ---- */

#define ANY_ROW(dst_, src_, word)    [PTO_##dst_][PTO_##src_] = &any_##dst_##_##src_,
#define ANY_NIBBLE_ROW(dst_, src_)   [PTO_##dst_][PTO_##src_] = &any_##dst_##_##src_,
#define PLAIN_ROW(dst_, src_, word)  [PTO_##dst_][PTO_##src_] = &plain_##dst_##_##src_,
#define PLAIN_NIBBLE_ROW(dst_, src_) [PTO_##dst_][PTO_##src_] = &plain_##dst_##_##src_,
#define STOCHASTIC_ROW(dst_, src_)   [PTO_##dst_][PTO_##src_] = &stochastic_##dst_##_##src_,
#define SCALED_ROW(dst_, src_)       [PTO_##dst_][PTO_##src_] = &scaled_##dst_##_##src_,
#define INTEGRAL_ROW(type, word)     [PTO_##type] = &integral_##type,
#define BYTES_ROW(bytes, src_, word) [WIDTH_INDEX(8 * (bytes))][PTO_##src_] = &to_##bytes##_##src_,

static const struct cvt_kernel *const any_kernels[CVT_TYPES][CVT_TYPES] = {
    FLOAT_PAIRS(ANY_ROW) TO_NIBBLE_PAIRS(ANY_NIBBLE_ROW) FROM_NIBBLE_PAIRS(ANY_NIBBLE_ROW)
        FROM_INTEGER_PAIRS(ANY_ROW) ANY_ROW(TF32, F32, 32) ANY_ROW(UE8M0, F32, 32) ANY_ROW(UE8M0, BF16, 32)};
static const struct cvt_kernel *const plain_kernels[CVT_TYPES][CVT_TYPES] = {
    FLOAT_PAIRS(PLAIN_ROW) TO_NIBBLE_PAIRS(PLAIN_NIBBLE_ROW) FROM_NIBBLE_PAIRS(PLAIN_NIBBLE_ROW)};
static const struct cvt_kernel *const stochastic_kernels[CVT_TYPES][CVT_TYPES] = {
    STOCHASTIC_PAIRS(STOCHASTIC_ROW)};
static const struct cvt_kernel *const scaled_kernels[CVT_TYPES][CVT_TYPES] = {SCALED_PAIRS(SCALED_ROW)};
static const struct cvt_kernel *const integral_kernels[CVT_TYPES] = {INTEGRAL_TYPES(INTEGRAL_ROW)};
static const struct cvt_kernel *const to_integer_kernels[WIDTHS][CVT_TYPES] = {TO_INTEGER_PAIRS(BYTES_ROW)
                                                                                   INTEGER_PAIRS(BYTES_ROW)};

static ALWAYS_INLINE bool is_plain(pto_cvt_op op) {
    const unsigned expected = cvt_is_small(op.dst) ? CVT_SATFINITE : 0U;
    return (op.round == PTO_ROUND_NONE || op.round == PTO_RN) && cvt_modifiers(op) == expected;
}

static NOINLINE const struct cvt_kernel *generic_kernel(pto_cvt_op op) {
    const struct cvt_kernel *unmodified = plain_kernels[op.dst][op.src];
    if (cvt_is_copy(op)) return &any_copy;
    if (cvt_is_integer(op.dst))
        return to_integer_kernels[width_index((unsigned)pto_dtype_bits(op.dst))][op.src];
    if (op.round == PTO_RS) return stochastic_kernels[op.dst][op.src];
    if (op.scale != PTO_SCALE_NONE || op.dst == PTO_S2F6) return scaled_kernels[op.dst][op.src];
    if (op.round == PTO_RNA) return &away_TF32_F32;
    if (cvt_is_integral_round(op.round)) return integral_kernels[op.dst];
    return unmodified != NULL && is_plain(op) ? unmodified : any_kernels[op.dst][op.src];
}

/* native_kernel() returns the ISA's own kernel for an op, or NULL. CVT_NATIVE names the file that defines it. */
#ifdef CVT_NATIVE
#    include CVT_NATIVE
#    include "loops/convert_staged.h"
#else
static const struct cvt_kernel *native_kernel(pto_cvt_op op) {
    (void)op;
    return NULL;
}

static const struct cvt_kernel *staged_kernel(pto_cvt_op op) {
    (void)op;
    return NULL;
}
#endif

const struct cvt_kernel *NAME(pto_cvt)(pto_cvt_op op) {
    const struct cvt_kernel *own = native_kernel(op), *by_stages = own != NULL ? NULL : staged_kernel(op);
    if (own != NULL) return own;
    return by_stages != NULL ? by_stages : generic_kernel(op);
}
