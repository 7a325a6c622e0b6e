/* SPDX-License-Identifier: MIT */
/* Chooses the loops of an instruction set. */
#include "loops.h"

struct loops pto_loops(void) {
    const struct loops base = {pto_floats_base, pto_integers_base};
    switch (pto_isa_active()) {
#ifdef PTO_PROGRAM_AVX2
    case PTO_ISA_AVX2:
        /* The loops of floats also need FMA, which nearly every CPU with AVX2 has. */
        return (struct loops){__builtin_cpu_supports("fma") ? pto_floats_avx2 : base.floats,
                              pto_integers_avx2};
#endif
#ifdef PTO_PROGRAM_AVX512
    case PTO_ISA_AVX512: return (struct loops){pto_floats_avx512, pto_integers_avx512};
#endif
    default: return base;
    }
}
