/* SPDX-License-Identifier: MIT */
/* Decides which conversions pto_cast() takes, and looks up results in tables. */
#include "core/cast.h"

#include "core/types.h"

static bool has_value(pto_dtype type) {
    const pto_class class = pto_dtype_class(type);
    if (has_shared_exponent(type)) return false;
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

static ALWAYS_INLINE void look_up(size_t bytes, const u8 *table, const u8 *src, u8 *dst, size_t n) {
    UNROLL_4 for (size_t i = 0; i < n; ++i) memcpy(dst + bytes * i, table + bytes * src[i], bytes);
}

void pto_look_up(size_t bytes, const u8 *table, const u8 *src, u8 *dst, size_t n) {
    switch (bytes) {
    case 1: look_up(1, table, src, dst, n); break;
    case 2: look_up(2, table, src, dst, n); break;
    case 4: look_up(4, table, src, dst, n); break;
    case 8: look_up(8, table, src, dst, n); break;
    default: look_up(LOOKUP_MAX_BYTES, table, src, dst, n); break;
    }
}
