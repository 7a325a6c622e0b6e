/* SPDX-License-Identifier: MIT */
/* Chooses the rounding mode for arithmetic on floats. */
#include "approximate.h"
#include "loops.h"

#include <fenv.h>

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

pto_status pto_floats(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                      size_t n) {
    float_loops *loops = pto_loops()->floats;
    if (op >= ARITHMETIC_EX2) return pto_approximate(op, t, at, n);
    if (!pto_is_directed(t->round)) {
        loops(op, t, at, n);
        return PTO_OK;
    }
    if (!set_rounding(t->round)) return PTO_ERR_ISA;
    loops(op, t, at, n);
    (void)fesetround(FE_TONEAREST);
    return PTO_OK;
}
