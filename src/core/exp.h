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

/* 1, the one NaN that exp gives, the largest finite number. */
#define EXP_F32_ONE     ((u32)0x3f800000)
#define EXP_F32_NAN     ((u32)0x7fffffff)
#define EXP_F32_LARGEST ((u32)0x7f7fffff)
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
 * From EXP_F64_TOP on to EXP_F64_LAST, the last double whose exp is finite, SLEEF 3.5.1 already gives infinity, and
 * 3.9.0 for one of these another last bit than we do. These are bits of positive doubles, so integers compare as the
 * numbers do.
 */
#define EXP_F64_TOP  ((u64)0x40862e42fe102c84)
#define EXP_F64_LAST ((u64)0x40862e42fefa39ef)

/* The largest result that is SLEEF's: of f64 that of the last double before TOP. */
#define EXP_F32_LEFT_ALONE EXP_F32_LARGEST
#define EXP_F64_LEFT_ALONE ((u64)0x7feffffc57ca84a9)

static inline bool exp_f64_is_top(u64 x) {
    return x >= EXP_F64_TOP && x <= EXP_F64_LAST;
}

/*
 * exp there, as exp(last) * exp(x - last): the difference is exact and below 2^-19, so the last sum alone
 * rounds by as much as half a ULP. OF_LAST is exp(last), and OF_LAST_REST what that lacks.
 */
#define EXP_F64_OF_LAST      0x1.fffffffffff2ap+1023
#define EXP_F64_OF_LAST_REST 0x1.b0e263400d160p+967

static inline double exp_f64_top(double x) {
    const double last = 0x1.62e42fefa39efp+9, d = x - last;
    return EXP_F64_OF_LAST + (EXP_F64_OF_LAST * (d + d * d * (0.5 + d / 6)) + EXP_F64_OF_LAST_REST);
}

/*
 * Below LOW, the least number whose result is normal, results are subnormal, and from ZERO down 0. There SLEEF's
 * last multiplications would take microcode assists. So SLEEF is given the reduced argument, whose exp is near 1,
 * and scaling that is left to an addition and to integers:
 *
 *   q     x / ln 2, to the nearest integer: adding ROUND rounds, and leaves q in the low bits of the sum.
 *   y     exp(x - q ln 2), with the bits that SLEEF would scale by 2^q, as ln 2 is split into LN2 and LN2_REST
 *         where SLEEF splits it.
 *   grid  LEAST, the least normal number, divided by 2^q: a power of two, and no less than y. So y + grid is
 *         rounded where y 2^q, a subnormal, has its last place.
 *
 * The result's bits are what the bits of y + grid are above those of grid.
 */
#define EXP_F32_LOW      (-0x1.5d589ep+6f)
#define EXP_F32_ZERO     (-104.0f)
#define EXP_F32_PER_LN2  0x1.715476p+0f
#define EXP_F32_ROUND    0x1.8p+23f
#define EXP_F32_LN2      0x1.62e4p-1f
#define EXP_F32_LN2_REST 0x1.7f7d1cp-20f
#define EXP_F32_LEAST    ((u32)0x00800000)
#define EXP_F64_LOW      (-0x1.6232bdd7abcd2p+9)
#define EXP_F64_ZERO     (-746.0)
#define EXP_F64_PER_LN2  0x1.71547652b82fep+0
#define EXP_F64_ROUND    0x1.8p+52
#define EXP_F64_LN2      0x1.62e42fefa3p-1
#define EXP_F64_LN2_REST 0x1.3de6af278ece6p-42
#define EXP_F64_LEAST    ((u64)0x0010000000000000)

/* Where the bits of the exponent begin, to which those of q are shifted. */
enum { EXP_F32_EXPONENT_AT = 23, EXP_F64_EXPONENT_AT = 52 };

#endif
