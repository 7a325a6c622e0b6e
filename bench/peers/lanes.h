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

/* X(name of a pto_cmp without PTO_, the same comparison of x and y in C, further arguments that the caller passes) */
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

#endif
