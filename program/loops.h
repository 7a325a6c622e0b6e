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

#endif
