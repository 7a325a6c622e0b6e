/* SPDX-License-Identifier: MIT */
/*
 * What pto_vexp runs on. These kernels are no part of struct pto_kernels, so that a static program without
 * pto_vexp links nothing of SLEEF.
 */
#ifndef PTO_CORE_EXP_H
#define PTO_CORE_EXP_H

#include "core/common.h"
#include "core/isas.h"

/* dst[i] = exp(src[i]), in the default FP state. dst may be src. */
typedef void exp_fn(const void *src, void *dst, size_t n);

struct exp_kernels {
    exp_fn *f32, *f64;
};

#define EXPORTS(ISA, isa, attribute) extern const struct exp_kernels pto_exp_##isa attribute;
EVERY_ISA(EXPORTS)
#undef EXPORTS

/* For the tables of vectors that SLEEF does not know. */
exp_fn pto_exp_f32_scalar, pto_exp_f64_scalar;

/* 1, the one NaN that exp gives, and the largest finite number. */
#define EXP_F32_ONE     ((u32)0x3f800000)
#define EXP_F32_NAN     ((u32)0x7fffffff)
#define EXP_F64_ONE     ((u64)0x3ff0000000000000)
#define EXP_F64_NAN     ((u64)0x7ff8000000000000)
#define EXP_F64_LARGEST ((u64)0x7fefffffffffffff)

/*
 * Where none of the bits NOT_TINY is set, and so the magnitude's bits are below TINY_END, |x| is below 2^-63
 * (f32) or 2^-511 (f64): exp(x) is 1, as exp(0) is, which costs no microcode assist as arithmetic on
 * subnormals does.
 */
#define EXP_F32_NOT_TINY ((u32)0x60000000)
#define EXP_F32_TINY_END ((u32)0x20000000)
#define EXP_F64_NOT_TINY ((u64)0x6000000000000000)
#define EXP_F64_TINY_END ((u64)0x2000000000000000)

/*
 * From EXP_F64_TOP on to EXP_F64_LAST, the last double whose exp is finite, SLEEF already gives infinity.
 * These are bits of positive doubles, so integers compare as the numbers do.
 */
#define EXP_F64_TOP  ((u64)0x40862e42fe102c84)
#define EXP_F64_LAST ((u64)0x40862e42fefa39ef)

static inline bool exp_f64_is_top(u64 x) {
    return x >= EXP_F64_TOP && x <= EXP_F64_LAST;
}

/*
 * exp there, as exp(last) * exp(x - last): the difference is exact and below 2^-19, so the last sum alone
 * rounds by as much as half a ULP.
 */
static inline double exp_f64_top(double x) {
    const double last = 0x1.62e42fefa39efp+9, exp_last = 0x1.fffffffffff2ap+1023;
    const double exp_last_rest = 0x1.b0e263400d160p+967; /* what exp_last lacks */
    const double d = x - last;
    return exp_last + (exp_last * (d + d * d * (0.5 + d / 6)) + exp_last_rest);
}

#endif
