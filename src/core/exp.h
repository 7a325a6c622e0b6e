/* SPDX-License-Identifier: MIT */
/*
 * The kernels of pto_vexp(). They are not part of struct pto_kernels, so that a static program that does not call
 * pto_vexp() links nothing of SLEEF.
 */
#ifndef PTO_CORE_EXP_H
#define PTO_CORE_EXP_H

#include "core/common.h"
#include "core/isas.h"

/* Sets dst[i] to exp(src[i]). Requires the default FP state. dst may be src. */
typedef void exp_fn(const void *src, void *dst, size_t n);

struct exp_kernels {
    exp_fn *f32, *f64;
};

#define EXPORTS(ISA, isa, attribute) extern const struct exp_kernels pto_exp_##isa attribute;
EVERY_ISA(EXPORTS)
#undef EXPORTS

/* Backends whose vectors SLEEF does not support have these kernels in their tables. */
exp_fn pto_exp_f32_scalar, pto_exp_f64_scalar;

/* Bits of 1, of the only NaN that exp returns, and of the largest finite value. */
#define EXP_F32_ONE     ((u32)0x3f800000)
#define EXP_F32_NAN     ((u32)0x7fffffff)
#define EXP_F32_LARGEST ((u32)0x7f7fffff)
#define EXP_F64_ONE     ((u64)0x3ff0000000000000)
#define EXP_F64_NAN     ((u64)0x7ff8000000000000)
#define EXP_F64_LARGEST ((u64)0x7fefffffffffffff)

/*
 * If none of the bits NOT_TINY is set in x, the bits of its magnitude are below TINY_END, and |x| is below 2^-63 (f32)
 * or 2^-511 (f64). exp(x) is then 1, the same as exp(0). Kernels use 0 for such an x, because arithmetic on subnormals
 * takes microcode assists.
 */
#define EXP_F32_NOT_TINY ((u32)0x60000000)
#define EXP_F32_TINY_END ((u32)0x20000000)
#define EXP_F64_NOT_TINY ((u64)0x6000000000000000)
#define EXP_F64_TINY_END ((u64)0x2000000000000000)

/*
 * EXP_F64_LAST_FINITE is the last double whose exp is finite. From EXP_F64_OVERFLOW_ZONE to EXP_F64_LAST_FINITE, SLEEF
 * 3.5.1 already returns infinity, and the result of SLEEF 3.9.0 differs from libpto's in the last bit for one value.
 * The constants are bits of positive doubles, so comparing them as integers orders the values.
 */
#define EXP_F64_OVERFLOW_ZONE ((u64)0x40862e42fe102c84)
#define EXP_F64_LAST_FINITE   ((u64)0x40862e42fefa39ef)

/* The largest result that is taken from SLEEF; for f64 it is exp of the last double before EXP_F64_OVERFLOW_ZONE. */
#define EXP_F32_LARGEST_FROM_SLEEF EXP_F32_LARGEST
#define EXP_F64_LARGEST_FROM_SLEEF ((u64)0x7feffffc57ca84a9)

static inline bool exp_f64_is_near_overflow(u64 x) {
    return x >= EXP_F64_OVERFLOW_ZONE && x <= EXP_F64_LAST_FINITE;
}

/*
 * For x from EXP_F64_OVERFLOW_ZONE to EXP_F64_LAST_FINITE, exp(x) is computed as exp(last) * exp(x - last). The
 * difference x - last is exact and its magnitude is below 2^-19. So only the last addition has a rounding error of up
 * to half a ULP; those of the other operations are far smaller. OF_LAST is exp(last) rounded to f64, and OF_LAST_REST
 * is its rounding error.
 */
#define EXP_F64_OF_LAST      0x1.fffffffffff2ap+1023
#define EXP_F64_OF_LAST_REST 0x1.b0e263400d160p+967

static inline double exp_f64_near_overflow(double x) {
    const double last = 0x1.62e42fefa39efp+9, d = x - last;
    return EXP_F64_OF_LAST + (EXP_F64_OF_LAST * (d + d * d * (0.5 + d / 6)) + EXP_F64_OF_LAST_REST);
}

/*
 * SUBNORMAL_BELOW is the smallest x whose result is normal. Results for smaller x are subnormal, and those for x up to
 * ZERO_UP_TO are 0. SLEEF's last multiplications would take microcode assists there. So SLEEF gets the reduced
 * argument, whose exp is near 1, and an addition and integer operations scale the result:
 *
 *   q     x / ln 2, rounded to the nearest integer. Adding ROUND rounds it and leaves q in the low bits of the sum.
 *   y     exp(x - q ln 2). It has the bits that SLEEF would scale by 2^q, because ln 2 is split into LN2 and LN2_REST
 *         as in SLEEF.
 *   grid  MIN_NORMAL, the smallest normal value, divided by 2^q. It is a power of two and at least y. So y + grid is
 *         rounded at the last place of the subnormal y 2^q.
 *
 * The bits of the result are the bits of y + grid minus those of grid.
 */
#define EXP_F32_SUBNORMAL_BELOW (-0x1.5d589ep+6f)
#define EXP_F32_ZERO_UP_TO      (-104.0f)
#define EXP_F32_PER_LN2         0x1.715476p+0f
#define EXP_F32_ROUND           0x1.8p+23f
#define EXP_F32_LN2             0x1.62e4p-1f
#define EXP_F32_LN2_REST        0x1.7f7d1cp-20f
#define EXP_F32_MIN_NORMAL      ((u32)0x00800000)
#define EXP_F64_SUBNORMAL_BELOW (-0x1.6232bdd7abcd2p+9)
#define EXP_F64_ZERO_UP_TO      (-746.0)
#define EXP_F64_PER_LN2         0x1.71547652b82fep+0
#define EXP_F64_ROUND           0x1.8p+52
#define EXP_F64_LN2             0x1.62e42fefa3p-1
#define EXP_F64_LN2_REST        0x1.3de6af278ece6p-42
#define EXP_F64_MIN_NORMAL      ((u64)0x0010000000000000)

/* The position of the lowest exponent bit. q is shifted left by it. */
enum { EXP_F32_EXPONENT_AT = 23, EXP_F64_EXPONENT_AT = 52 };

#endif
