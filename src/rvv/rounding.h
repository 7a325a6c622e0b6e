/* SPDX-License-Identifier: MIT */
/* Sets the rounding mode of fcsr for the duration of a loop. */
#ifndef PTO_RVV_ROUNDING_H
#define PTO_RVV_ROUNDING_H

#include "core/convert_native.h"

/* RISC-V's rounding modes: those of rounding_index in the same order, then to nearest with ties away from zero. */
enum { FRM_NEAREST, FRM_TOWARDS_ZERO, FRM_DOWN, FRM_UP, FRM_AWAY };

/* Sets the rounding mode. The compiler moves no load or store of a loop across it. */
static ALWAYS_INLINE void set_frm(u8 frm) {
    __asm__ volatile("fsrm %0" : : "r"((unsigned long)frm) : "memory");
}

static ALWAYS_INLINE void set_rounding(pto_round round) {
    set_frm(rounding_index[round]);
}

#endif
