/* SPDX-License-Identifier: MIT */
/* Which forms an ISA's own instructions serve, and which kernel of a row is for a rounding: to nearest, 0. */
#ifndef PTO_CORE_CONVERT_CHOICE_H
#define PTO_CORE_CONVERT_CHOICE_H

#include "core/formats.h"

static const u8 rounding_index[CVT_ROUNDS] = {
    [PTO_RZ] = 1, [PTO_RZI] = 1, [PTO_RM] = 2, [PTO_RMI] = 2, [PTO_RP] = 3, [PTO_RPI] = 3};

/* Whether the instructions do as op says: .sat only where it changes nothing, and .ftz only where nothing is
 * flushed, or, for integers and integral values, the FP state does it. A type's kernels to itself are those. */
static ALWAYS_INLINE bool is_native(pto_cvt_op op) {
    const unsigned said = cvt_modifiers(op);
    const bool to_integer = cvt_is_integer(op.dst), is_integral = cvt_is_integral_round(op.round),
               ftz_is_void = cvt_is_integer(op.src) || op.dst == PTO_F16 || op.src == PTO_F16;
    if (op.dst == op.src && !is_integral) return false;
    if (said == 0) return true;
    return (said & ~((to_integer ? CVT_SAT : 0U) | (is_integral || ftz_is_void ? CVT_FTZ : 0U))) == 0;
}

#endif
