/* SPDX-License-Identifier: MIT */
/* The loops of float_loops.h and integer_loops.h, which are compiled for several instruction sets. */
#ifndef PTO_PROGRAM_LOOPS_H
#define PTO_PROGRAM_LOOPS_H

#include "floats.h"
#include "integers.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Computes one of the operations up to ARITHMETIC_SQRT in the current rounding mode. */
typedef void float_loops(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                         size_t n);
float_loops pto_floats_base, pto_floats_avx2, pto_floats_avx512;

/* Computes an operation on n lanes. */
typedef void integer_loops(const struct integer_parameters *p, const struct addresses *at, size_t n);
integer_loops pto_integers_base, pto_integers_avx2, pto_integers_avx512;

/* The loops of one instruction set. */
struct loops {
    float_loops *floats;
    integer_loops *integers;
};

/* Returns the loops of the active instruction set. */
const struct loops *pto_loops(void);

/* Returns the high 64 bits of a product. The product of unsigned numbers is too large by b if a is negative as a signed
 * number, and by a if b is. */
static ALWAYS_INLINE uint64_t high_product(bool sign, uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 product;
    __extension__ typedef __int128 signed_product;
    return sign ? (uint64_t)((signed_product)(int64_t)a * (int64_t)b >> 64)
                : (uint64_t)((product)a * b >> 64);
#else
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    const uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
    return sign ? high - (b & (0 - (a >> 63))) - (a & (0 - (b >> 63))) : high;
#endif
}

#endif
