/* SPDX-License-Identifier: MIT */
/* The rounding of fcsr, for the time of a loop. */
#ifndef PTO_RVV_ROUNDING_H
#define PTO_RVV_ROUNDING_H

#include "core/convert_choice.h"

/* RISC-V counts roundings as rounding_index does, and then it has ties away from zero. */
enum { FRM_NEAREST, FRM_TOWARDS_ZERO, FRM_DOWN, FRM_UP, FRM_AWAY };

/* No load or store of a loop crosses. */
static ALWAYS_INLINE void set_frm(u8 frm) {
    __asm__ volatile("fsrm %0" : : "r"((unsigned long)frm) : "memory");
}

static ALWAYS_INLINE void set_rounding(pto_round round) {
    set_frm(rounding_index[round]);
}

#endif
