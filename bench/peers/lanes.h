/* SPDX-License-Identifier: MIT */
/**
 * @file lanes.h
 * The list of lane types, operators and conversions. The cells, the plain C loops and the Highway peer are generated
 * from it.
 */
#ifndef PTO_BENCH_LANES_H
#define PTO_BENCH_LANES_H

/* X(pto_dtype without PTO_, element type in C, unsigned type of the same size) */
#define BENCH_INTEGERS(X)                                                                                    \
    X(U8, uint8_t, uint8_t)                                                                                  \
    X(U16, uint16_t, uint16_t)                                                                               \
    X(U32, uint32_t, uint32_t)                                                                               \
    X(U64, uint64_t, uint64_t)                                                                               \
    X(S8, int8_t, uint8_t)                                                                                   \
    X(S16, int16_t, uint16_t)                                                                                \
    X(S32, int32_t, uint32_t)                                                                                \
    X(S64, int64_t, uint64_t)

#define BENCH_FLOATS(X)                                                                                      \
    X(F32, float, uint32_t)                                                                                  \
    X(F64, double, uint64_t)

#define BENCH_HALVES(X)                                                                                      \
    X(F16, uint16_t, uint16_t)                                                                               \
    X(BF16, uint16_t, uint16_t)

/* X(pto_cmp without PTO_, the relation of x and y in C, further arguments of the user) */
#define BENCH_ORDER(X, ...)                                                                                  \
    X(EQ, x == y, __VA_ARGS__)                                                                               \
    X(LT, x < y, __VA_ARGS__)                                                                                \
    X(LE, x <= y, __VA_ARGS__)                                                                               \
    X(GT, x > y, __VA_ARGS__)                                                                                \
    X(GE, x >= y, __VA_ARGS__)

#define BENCH_INTEGER_OPERATORS(X, ...)                                                                      \
    BENCH_ORDER(X, __VA_ARGS__)                                                                              \
    X(NE, x != y, __VA_ARGS__)

#define BENCH_FLOAT_OPERATORS(X, ...)                                                                        \
    BENCH_ORDER(X, __VA_ARGS__)                                                                              \
    X(NE, x<y || x> y, __VA_ARGS__)                                                                          \
    X(NEU, x != y, __VA_ARGS__)                                                                              \
    X(LTU, !(x >= y), __VA_ARGS__)                                                                           \
    X(NUM, x == x && y == y, __VA_ARGS__)

/* X(destination, source, rounding, satfinite), with the modifiers that PTX requires */
#define BENCH_CVT_WIDE(X)                                                                                    \
    X(F16, F32, RN, false)                                                                                   \
    X(BF16, F32, RN, false)                                                                                  \
    X(S32, F32, RZI, false)                                                                                  \
    X(F32, F16, ROUND_NONE, false)                                                                           \
    X(F32, BF16, ROUND_NONE, false)                                                                          \
    X(F32, S32, RN, false)                                                                                   \
    X(F32, F64, RN, false)                                                                                   \
    X(F64, F32, ROUND_NONE, false)

/* Bytes to f32, as in decoding pictures. They are measured without a goal. */
#define BENCH_CVT_FROM_BYTES(X) X(F32, S8, RN, false) X(F32, U8, RN, false)

#define BENCH_CVT_TO_SMALL(X)                                                                                \
    X(E4M3, F32, RN, true)                                                                                   \
    X(E5M2, F32, RN, true)                                                                                   \
    X(E2M3, F32, RN, true)                                                                                   \
    X(E3M2, F32, RN, true)                                                                                   \
    X(E2M1, F32, RN, true)                                                                                   \
    X(UE8M0, F32, RZ, true)

#define BENCH_CVT_FROM_SMALL(X)                                                                              \
    X(F16, E4M3, RN, false)                                                                                  \
    X(F16, E5M2, RN, false)                                                                                  \
    X(F16, E2M3, RN, false)                                                                                  \
    X(F16, E3M2, RN, false)                                                                                  \
    X(F16, E2M1, RN, false)                                                                                  \
    X(F32, E4M3, ROUND_NONE, false)                                                                          \
    X(F32, E5M2, ROUND_NONE, false)                                                                          \
    X(F32, E2M3, ROUND_NONE, false)                                                                          \
    X(F32, E3M2, ROUND_NONE, false)                                                                          \
    X(F32, E2M1, ROUND_NONE, false)                                                                          \
    X(F32, UE8M0, ROUND_NONE, false)

/* Conversions of PTX ISA 9.1 to 9.5, first those with a goal, then the others.
 * X(destination, source, rounding, satfinite, scale) */
#define BENCH_CVT_SMALL_BF16(X)                                                                              \
    X(E4M3, BF16, RN, true, NONE)                                                                            \
    X(BF16, E4M3, RN, false, N2)

#define BENCH_CVT_LATE(X)                                                                                    \
    X(E4M3, BF16, RN, true, N1)                                                                              \
    X(E4M3, F32, RN, true, N1)                                                                               \
    X(E4M3, F32, RZ, true, NONE)                                                                             \
    X(E2M1, BF16, RN, true, NONE)                                                                            \
    X(E2M1, BF16, RN, true, N1)                                                                              \
    X(UE5M3, F32, RN, false, NONE)                                                                           \
    X(S2F6, F32, RN, true, NONE)                                                                             \
    X(BF16, S2F6, RN, false, N2)

#endif
