/* SPDX-License-Identifier: MIT */
/* Chooses the instruction set and the rounding mode for arithmetic on floats. */
#include "floats.h"

#include <fenv.h>

/* The loops for AVX2 also need FMA, which nearly every CPU with AVX2 has. */
static float_loops *active_loops(void) {
    switch (pto_isa_active()) {
#ifdef PTO_PROGRAM_AVX2
    case PTO_ISA_AVX2: return __builtin_cpu_supports("fma") ? pto_floats_avx2 : pto_floats_base;
#endif
#ifdef PTO_PROGRAM_AVX512
    case PTO_ISA_AVX512: return pto_floats_avx512;
#endif
    default: return pto_floats_base;
    }
}

/* Sets the rounding mode. Returns whether this machine has it. */
static bool set_rounding(pto_round round) {
    switch (round) {
#ifdef FE_TOWARDZERO
    case PTO_RZ: return fesetround(FE_TOWARDZERO) == 0;
#endif
#ifdef FE_DOWNWARD
    case PTO_RM: return fesetround(FE_DOWNWARD) == 0;
#endif
#ifdef FE_UPWARD
    case PTO_RP: return fesetround(FE_UPWARD) == 0;
#endif
    default: return false;
    }
}

static bool rounds_to_nearest(pto_round round) {
    return round != PTO_RZ && round != PTO_RM && round != PTO_RP;
}

pto_status pto_floats(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                      size_t n) {
    float_loops *loops = active_loops();
    if (rounds_to_nearest(t->round)) {
        loops(op, t, at, n);
        return PTO_OK;
    }
    if (!set_rounding(t->round)) return PTO_ERR_ISA;
    loops(op, t, at, n);
    (void)fesetround(FE_TONEAREST);
    return PTO_OK;
}
