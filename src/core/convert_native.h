/* SPDX-License-Identifier: MIT */
/* Decides which conversions a backend's own conversion instructions implement, and defines the order of native kernels
 * by rounding. */
#ifndef PTO_CORE_CONVERT_NATIVE_H
#define PTO_CORE_CONVERT_NATIVE_H

#include "core/formats.h"

/* Index of a rounding in a row of kernels; to nearest is 0. */
static const u8 rounding_index[CVT_ROUNDS] = {
    [PTO_RZ] = 1, [PTO_RZI] = 1, [PTO_RM] = 2, [PTO_RMI] = 2, [PTO_RP] = 3, [PTO_RPI] = 3};

/* Returns whether the native instructions give the results that op specifies. .sat is accepted only in conversions to
 * integers, where it changes nothing. .ftz is accepted where it has no effect, and with integral roundings, where the
 * FP state flushes the sources. Conversions from a type to itself are native only with integral roundings. */
static ALWAYS_INLINE bool is_native(pto_cvt_op op) {
    const unsigned modifiers = cvt_modifiers(op);
    const bool to_integer = cvt_is_integer(op.dst), is_integral = cvt_is_integral_round(op.round),
               ftz_is_void = cvt_is_integer(op.src) || op.dst == PTO_F16 || op.src == PTO_F16;
    if (op.dst == op.src && !is_integral) return false;
    if (modifiers == 0) return true;
    return (modifiers & ~((to_integer ? CVT_SAT : 0U) | (is_integral || ftz_is_void ? CVT_FTZ : 0U))) == 0;
}

#endif
