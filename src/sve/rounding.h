/* SPDX-License-Identifier: MIT */
/* Sets the rounding mode of FPCR for the duration of a loop. */
#ifndef PTO_SVE_ROUNDING_H
#define PTO_SVE_ROUNDING_H

#include "core/formats.h"

enum { FPCR_ROUNDING_AT = 22 };

static ALWAYS_INLINE u64 fpcr_rounding(pto_round round) {
    switch (round) {
    case PTO_RP:
    case PTO_RPI: return (u64)1 << FPCR_ROUNDING_AT;
    case PTO_RM:
    case PTO_RMI: return (u64)2 << FPCR_ROUNDING_AT;
    case PTO_RZ:
    case PTO_RZI: return (u64)3 << FPCR_ROUNDING_AT;
    default: return 0;
    }
}

/* Switches FPCR from the default rounding to `round`, or back. The compiler moves no load or store of the loop across
 * it. */
static ALWAYS_INLINE void toggle_rounding(pto_round round) {
    u64 fpcr;
    if (fpcr_rounding(round) == 0) return;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr) : : "memory");
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr ^ fpcr_rounding(round)) : "memory");
}

#endif
