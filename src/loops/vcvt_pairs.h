/* SPDX-License-Identifier: MIT */
/* The type pairs of PTO's conversions, X(dst, src), grouped by how backends whose vector length is known only
 * at run time do them. */
#ifndef PTO_LOOPS_VCVT_PAIRS_H
#define PTO_LOOPS_VCVT_PAIRS_H

#define VCVT_TO_F16(X)  X(F16, F32) X(F16, BF16)
#define VCVT_TO_BF16(X) X(BF16, F32) X(BF16, F16)
#define VCVT_TO_SMALL(X)                                                                                     \
    X(E4M3, F32)                                                                                             \
    X(E4M3, F16)                                                                                             \
    X(E4M3, BF16)                                                                                            \
    X(E5M2, F32)                                                                                             \
    X(E5M2, F16)                                                                                             \
    X(E5M2, BF16)                                                                                            \
    X(E2M1, BF16)                                                                                            \
    X(E1M2, BF16)
#define VCVT_TO_HIF8(X) X(HIF8, F32) X(HIF8, F16)

/* Conversions of floats to a wider type, which are exact. */
#define VCVT_TO_F32(X)                                                                                       \
    X(F32, F16)                                                                                              \
    X(F32, BF16)                                                                                             \
    X(F32, E4M3)                                                                                             \
    X(F32, E5M2)
#define VCVT_FROM_NIBBLES(X) X(BF16, E2M1) X(BF16, E1M2)
#define VCVT_FROM_HIF8(X)    X(F32, HIF8) X(F16, HIF8)

/* Conversions of integers that are exact in f32, and of integers that f32 may have to round. */
#define VCVT_FROM_NARROW(X) X(F16, U8) X(F16, S8) X(F16, S16) X(F32, S16)
#define VCVT_FROM_WIDE(X)   X(F32, U32) X(F32, S32) X(F32, S64)

#define VCVT_TO_INTEGERS(X)                                                                                  \
    X(U8, F16)                                                                                               \
    X(S8, F16)                                                                                               \
    X(S16, F16)                                                                                              \
    X(S32, F16)                                                                                              \
    X(S16, F32)                                                                                              \
    X(S32, F32)                                                                                              \
    X(S32, BF16)                                                                                             \
    X(S64, F32)

#define VTRC_TYPES(X)                                                                                        \
    X(F16)                                                                                                   \
    X(BF16)                                                                                                  \
    X(F32)

#endif
