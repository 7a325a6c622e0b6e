/* SPDX-License-Identifier: MIT */
/**
 * @file operations.h
 * The lists of operations and of peers. Each operation is described in a file in operations/, with its call and its
 * cells. Each file of a peer, such as loop_compare.c or highway_select.cpp, has functions for some operations; they are
 * searched in the order of these lists.
 */
#ifndef PTO_BENCH_OPERATIONS_H
#define PTO_BENCH_OPERATIONS_H

/* X(enumerator, name), in the order of the table of results. */
#define BENCH_OPERATIONS(X)                                                                                  \
    X(VCMP, vcmp)                                                                                            \
    X(VCMPS, vcmps)                                                                                          \
    X(TESTP, testp)       /* is an element normal? */                                                        \
    X(SETP, setp)         /* p and q = t AND c, !t AND c */                                                  \
    X(VSEL, vsel)         /* m ? a : b */                                                                    \
    X(VSELR, vselr)       /* m ? b : a */                                                                    \
    X(VSELS, vsels)       /* m ? a : *b */                                                                   \
    X(VPERMUTE, vpermute) /* a[b[i] mod lanes] in groups of 256 bytes */                                     \
    X(VCOMPRESS, vcompress)                                                                                  \
    X(VEXPAND, vexpand)                                                                                      \
    X(VCMPSEL, vcmpsel) /* (a CMP b) ? u : v */                                                              \
    X(VMAX, vmax)                                                                                            \
    X(VMIN, vmin)                                                                                            \
    X(VCLAMP, vclamp) /* between two scalars */                                                              \
    X(VRELU, vrelu)                                                                                          \
    X(VARGMAX, vargmax)                                                                                      \
    X(VARGMIN, vargmin)                                                                                      \
    X(VEXP, vexp)                                                                                            \
    X(ROWS, rows)               /* vmax over rows of 16 lanes */                                             \
    X(PROGRAM, program)         /* lines of PTX */                                                           \
    X(KERNEL, kernel)           /* the same lines with loads and stores */                                   \
    X(INSTRUCTION, instruction) /* programs of one line */                                                   \
    X(MASK_COPY, mask_copy)                                                                                  \
    X(RANDOM, random)                                                                                        \
    X(CVT, cvt)                                                                                              \
    X(VCVT, vcvt) /* PTO's conversions */                                                                    \
    X(CAST, cast) /* between any two formats */                                                              \
    X(VTRC, vtrc)                                                                                            \
    X(QUANTIZE, quantize) /* blocks of elements, and their scales */                                         \
    X(DEQUANTIZE, dequantize)

/* X(name, further arguments of the user) */
#define BENCH_LOOPS(X, ...)                                                                                  \
    X(compare, __VA_ARGS__)                                                                                  \
    X(select, __VA_ARGS__)                                                                                   \
    X(maxmin, __VA_ARGS__)                                                                                   \
    X(bits, __VA_ARGS__)                                                                                     \
    X(convert, __VA_ARGS__)                                                                                  \
    X(block, __VA_ARGS__)                                                                                    \
    X(text, __VA_ARGS__)

#define BENCH_HIGHWAYS(X, ...)                                                                               \
    X(compare, __VA_ARGS__)                                                                                  \
    X(select, __VA_ARGS__)                                                                                   \
    X(move, __VA_ARGS__)                                                                                     \
    X(maxmin, __VA_ARGS__)                                                                                   \
    X(convert, __VA_ARGS__)

#endif
