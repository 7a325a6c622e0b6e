/* SPDX-License-Identifier: MIT */
/*
 * What the native conversions of AVX2 and AVX-512 have in common: which forms their instructions serve, and
 * the lists of kernels. Part of each folder's convert_native.h.
 */

enum {
    ROUND_RN = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC,
    ROUND_RZ = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC,
    ROUND_RM = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC,
    ROUND_RP = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC,
    ROUNDINGS = 4
};

/* A kernel for each rounding, in the order of rounding_index. */
#define EACH_ROUNDING(X, name)                                                                               \
    X(name, rn, ROUND_RN)                                                                                    \
    X(name, rz, ROUND_RZ)                                                                                    \
    X(name, rm, ROUND_RM)                                                                                    \
    X(name, rp, ROUND_RP)

static unsigned rounding_index(pto_round round) {
    switch (round) {
    case PTO_RZ:
    case PTO_RZI: return 1;
    case PTO_RM:
    case PTO_RMI: return 2;
    case PTO_RP:
    case PTO_RPI: return 3;
    default: return 0;
    }
}

/* Whether the instructions do as op says: never .relu and .satfinite, .sat only where it changes nothing, and
 * .ftz only where nothing is flushed, or, for integers, DAZ does it. */
static bool is_native(pto_cvt_op op) {
    const bool from_integer = cvt_is_integer(op.src), to_integer = cvt_is_integer(op.dst);
    if (op.round == PTO_RS || op.relu || op.satfinite || (op.sat && !to_integer)) return false;
    return !op.ftz || to_integer || from_integer || op.dst == PTO_F16 || op.src == PTO_F16;
}

/* ---- tables ---- */

#define NAMED(name, r, mode) native_##name##_##r,
#define ROW(dst_, src_)      [PTO_##dst_][PTO_##src_] = {EACH_ROUNDING(NAMED, dst_##_##src_)}
#define SAME(dst_, src_)                                                                                     \
    [PTO_##dst_][PTO_##src_] = {native_##dst_##_##src_, native_##dst_##_##src_, native_##dst_##_##src_,      \
                                native_##dst_##_##src_}

/* Round to nearest alone. */
#define NEAREST(dst_, src_) [PTO_##dst_][PTO_##src_] = {native_##dst_##_##src_}

/* The small formats, by to_small and from_small. */
#define TO_SMALL(dst_, src_)   KERNEL(small_##dst_##_##src_, to_small(PTO_##dst_, PTO_##src_, src, dst, n))
#define FROM_SMALL(dst_, src_) KERNEL(small_##dst_##_##src_, from_small(PTO_##dst_, PTO_##src_, src, dst, n))
#define TO_ALL_SMALL(X)                                                                                      \
    X(E4M3, F32)                                                                                             \
    X(E5M2, F32)                                                                                             \
    X(E2M3, F32)                                                                                             \
    X(E3M2, F32)                                                                                             \
    X(E2M1, F32)                                                                                             \
    X(E4M3, F16)                                                                                             \
    X(E5M2, F16)                                                                                             \
    X(E2M1, F16)                                                                                             \
    X(E4M3, BF16)                                                                                            \
    X(E5M2, BF16)                                                                                            \
    X(E2M3, BF16)                                                                                            \
    X(E3M2, BF16)                                                                                            \
    X(E2M1, BF16)
#define FROM_ALL_SMALL(X, dst_)                                                                              \
    X(dst_, E4M3)                                                                                            \
    X(dst_, E5M2)                                                                                            \
    X(dst_, E2M3)                                                                                            \
    X(dst_, E3M2)                                                                                            \
    X(dst_, E2M1)
#define ALL_SMALL(to, from)                                                                                  \
    TO_ALL_SMALL(to)                                                                                         \
    FROM_ALL_SMALL(from, F16)                                                                                \
    FROM_ALL_SMALL(from, BF16)                                                                               \
    FROM_ALL_SMALL(from, F32)
#define SMALL(dst_, src_) [PTO_##dst_][PTO_##src_] = small_##dst_##_##src_,
