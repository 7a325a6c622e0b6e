/* SPDX-License-Identifier: MIT */
/* Decides which conversions pto_cast() takes. */
#include "core/cast.h"

static bool has_value(pto_dtype type) {
    const pto_class class = pto_dtype_class(type);
    return class == PTO_CLASS_UNSIGNED || class == PTO_CLASS_SIGNED || class == PTO_CLASS_FLOAT;
}

static bool has_rounding(pto_round round) {
    switch (round) {
    case PTO_RN:
    case PTO_RNA:
    case PTO_RZ:
    case PTO_RM:
    case PTO_RP:
    case PTO_RS:
    case PTO_RO: return true;
    default: return false;
    }
}

pto_status pto_cast_status(pto_cast_op op) {
    if (!has_value(op.dst) || !has_value(op.src)) return PTO_ERR_TYPE;
    if (!has_rounding(op.round) || (unsigned)op.overflow > PTO_OVERFLOW_SATURATE_FINITE)
        return PTO_ERR_MODIFIER;
    return PTO_OK;
}
