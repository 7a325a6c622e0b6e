/* SPDX-License-Identifier: MIT */
/* Chooses the loops of an instruction set. */
#include "loops.h"

const struct loops *pto_loops(void) {
    static const struct loops base = {pto_floats_base, pto_integers_base};
#ifdef PTO_PROGRAM_AVX2
    /* The loops of floats also need FMA, which nearly every CPU with AVX2 has. */
    static const struct loops avx2 = {pto_floats_avx2, pto_integers_avx2},
                              avx2_without_fma = {pto_floats_base, pto_integers_avx2};
#endif
#ifdef PTO_PROGRAM_AVX512
    static const struct loops avx512 = {pto_floats_avx512, pto_integers_avx512};
#endif
    switch (pto_isa_active()) {
#ifdef PTO_PROGRAM_AVX2
    case PTO_ISA_AVX2: return __builtin_cpu_supports("fma") ? &avx2 : &avx2_without_fma;
#endif
#ifdef PTO_PROGRAM_AVX512
    case PTO_ISA_AVX512: return &avx512;
#endif
    default: return &base;
    }
}
