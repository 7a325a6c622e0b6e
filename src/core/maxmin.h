/* SPDX-License-Identifier: MIT */
/* What max, min and clamp are to a backend. */
#ifndef PTO_CORE_MAXMIN_H
#define PTO_CORE_MAXMIN_H

#include "core/kernels.h"

/* A kernel is told what to do by one of these and the caller's flags, in one number. */
enum maxmin_op { MAXMIN_MAX = 0, MAXMIN_MIN = 16, MAXMIN_CLAMP = 32, MAXMIN_RELU = 48, MAXMIN_OPS = 48 };

enum { MAXMIN_OPERANDS = 3 };

/* How many of them an operation has, whatever its flags. */
static ALWAYS_INLINE size_t maxmin_operands(unsigned what) {
    const unsigned op = what & MAXMIN_OPS;
    return op == MAXMIN_RELU ? 1 : op == MAXMIN_CLAMP ? 3 : 2;
}

/* Kernels are grouped by operands, so that a static program that calls one operation links only its group. */
enum maxmin_group { MAXMIN_OF_ONE, MAXMIN_OF_TWO, MAXMIN_OF_THREE };

static ALWAYS_INLINE enum maxmin_group maxmin_group(unsigned what) {
    const size_t operands = maxmin_operands(what);
    return operands == 1 ? MAXMIN_OF_ONE : operands == 2 ? MAXMIN_OF_TWO : MAXMIN_OF_THREE;
}

/* dst[i] = the maximum or minimum of in[0][i] and in[1][i], of which in[0] is an array if one of them is; for clamp, with x,
 * lo and hi in in[], the minimum of hi and the maximum of x and lo; for relu the maximum of in[0][i] and +0. */
typedef void maxmin_fn(unsigned what, const struct choice *c, void *dst, size_t n);

/* By lanes without .ftz: flags say what else. Kernels run in the FP state that comparisons of the lane need. */
struct maxmin_table {
    maxmin_fn *lane[LANE_COUNT];
};

/* Every value of `what` that a kernel is called with, for each kind of lane: X(what). */
/* clang-format off */
#define MAXMIN_PLAIN(X, flags)                   \
    X(MAXMIN_MAX | (flags))                      \
    X(MAXMIN_MIN | (flags))                      \
    X(MAXMIN_CLAMP | (flags))                    \
    X(MAXMIN_RELU | (flags))
#define MAXMIN_SIGNED(X, flags)                  \
    X(MAXMIN_MAX | PTO_XORSIGN_ABS | (flags))    \
    X(MAXMIN_MIN | PTO_XORSIGN_ABS | (flags))
#define MAXMIN_FLAGGED(X, flags)                 \
    MAXMIN_PLAIN(X, flags)                       \
    MAXMIN_PLAIN(X, PTO_PROPAGATE_NAN | (flags)) \
    MAXMIN_SIGNED(X, flags)                      \
    MAXMIN_SIGNED(X, PTO_PROPAGATE_NAN | (flags))
/* clang-format on */

/* Of two operands, three (clamp) and one (relu). */
#define MAXMIN_EXPORTS(ISA, isa, attribute)                                                                  \
    extern const struct maxmin_table pto_maxmin_##isa attribute;                                             \
    extern const struct maxmin_table pto_clamp_##isa attribute;                                              \
    extern const struct maxmin_table pto_relu_##isa attribute;
EVERY_ISA(MAXMIN_EXPORTS)
#undef MAXMIN_EXPORTS

/* Replaces the kernel for f16 in pto_maxmin_avx512 and the like, on a CPU with FP16. */
maxmin_fn pto_maxmin_f16_avx512_fp16, pto_maxmin_f16_neon_fp16, pto_maxmin_f16_rvv_fp16;

#endif
