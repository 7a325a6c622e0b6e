/* SPDX-License-Identifier: MIT */
/* The kernel interface of max, min, clamp and relu. */
#ifndef PTO_CORE_MAXMIN_H
#define PTO_CORE_MAXMIN_H

#include "core/kernels.h"

/* The argument `what` of a kernel is one of the first four, ORed with the caller's flags. MAXMIN_OPS is the mask of the
 * bits that hold the operation. */
enum maxmin_op { MAXMIN_MAX = 0, MAXMIN_MIN = 16, MAXMIN_CLAMP = 32, MAXMIN_RELU = 48, MAXMIN_OPS = 48 };

enum { MAXMIN_OPERANDS = 3 };

/* Returns how many operands the operation in `what` has. */
static ALWAYS_INLINE size_t maxmin_operands(unsigned what) {
    const unsigned op = what & MAXMIN_OPS;
    return op == MAXMIN_RELU ? 1 : op == MAXMIN_CLAMP ? 3 : 2;
}

/* Kernels are grouped by their number of operands, so that a static program links only the groups that it calls. */
enum maxmin_group { MAXMIN_OF_ONE, MAXMIN_OF_TWO, MAXMIN_OF_THREE };

static ALWAYS_INLINE enum maxmin_group maxmin_group(unsigned what) {
    const size_t operands = maxmin_operands(what);
    return operands == 1 ? MAXMIN_OF_ONE : operands == 2 ? MAXMIN_OF_TWO : MAXMIN_OF_THREE;
}

/*
 * Sets dst[i] to
 *   max, min  the maximum or minimum of in[0][i] and in[1][i]; if only one of them is a scalar, it is in[1]
 *   clamp     min(max(x, lo), hi), where in[] is x, lo and hi
 *   relu      the maximum of in[0][i] and +0
 */
typedef void maxmin_fn(unsigned what, const struct sources *c, void *dst, size_t n);

/* Kernels by lane type. The flags in `what` include PTO_FTZ, so the lane types LANE_F16Z and LANE_F32Z have no entry. A
 * kernel runs in the FP state that comparisons of its lane type need. */
struct maxmin_table {
    maxmin_fn *lane[LANE_COUNT];
};

/* These macros expand to X(what) for every value of `what` that a kernel is called with. `flags` (0 or PTO_FTZ) is ORed
 * into each. MAXMIN_PLAIN is for integers, MAXMIN_DOUBLE for f64, MAXMIN_FLAGGED for f16, bf16 and f32. */
/* clang-format off */
#define MAXMIN_PLAIN(X, flags)                   \
    X(MAXMIN_MAX | (flags))                      \
    X(MAXMIN_MIN | (flags))                      \
    X(MAXMIN_CLAMP | (flags))                    \
    X(MAXMIN_RELU | (flags))
#define MAXMIN_DOUBLE(X)                         \
    MAXMIN_PLAIN(X, 0)                           \
    MAXMIN_PLAIN(X, PTO_PROPAGATE_NAN)
#define MAXMIN_SIGNED(X, flags)                  \
    X(MAXMIN_MAX | PTO_XORSIGN_ABS | (flags))    \
    X(MAXMIN_MIN | PTO_XORSIGN_ABS | (flags))
#define MAXMIN_FLAGGED(X, flags)                 \
    MAXMIN_PLAIN(X, flags)                       \
    MAXMIN_PLAIN(X, PTO_PROPAGATE_NAN | (flags)) \
    MAXMIN_SIGNED(X, flags)                      \
    MAXMIN_SIGNED(X, PTO_PROPAGATE_NAN | (flags))
/* clang-format on */

/* Each backend's tables for two operands (max, min), three (clamp) and one (relu). */
#define MAXMIN_EXPORTS(ISA, isa, attribute)                                                                  \
    extern const struct maxmin_table pto_maxmin_##isa attribute;                                             \
    extern const struct maxmin_table pto_clamp_##isa attribute;                                              \
    extern const struct maxmin_table pto_relu_##isa attribute;
EVERY_ISA(MAXMIN_EXPORTS)
#undef MAXMIN_EXPORTS

/* On a CPU with FP16 these replace the f16 kernel of pto_maxmin_avx512, of pto_maxmin_neon, and of all three RVV
 * tables. */
maxmin_fn pto_maxmin_f16_avx512_fp16, pto_maxmin_f16_neon_fp16, pto_maxmin_f16_rvv_fp16;

#endif
