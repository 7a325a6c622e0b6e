/* SPDX-License-Identifier: MIT */
/*
 * The floats of 8 bits and less as lanes. They have no kernels of their own: their codes are ordered like the codes of
 * f16, so blocks of them become f16 numbers of the same order, signs, zeros and NaNs, but other magnitudes. f16 kernels
 * compare these, or find their maximum, which is turned back.
 */
#ifndef PTO_CALLS_SMALL_FLOATS_H
#define PTO_CALLS_SMALL_FLOATS_H

#include "core/common.h"
#include "core/types.h"

/* How the codes of a type are ordered. Codes have a sign bit, and bits below it for the magnitude; bits above it are
 * ignored. A code is a NaN if (code ^ nan_flip) & nan_mask is at most nan_most. */
struct small_float {
    u8 sign_at;
    u8 nan_flip, nan_mask;
    s8 nan_most; /* -1: no NaNs */
    u8 nan;      /* the canonical NaN */
};

enum { SMALL_LANES = 512 }; /* lanes of a block */

/* Returns the order of a type, or NULL if it is not a small float that is compared and selected. */
const struct small_float *pto_small_float(pto_dtype type);

/* Turns n codes into f16 numbers, and back. */
void pto_small_to_f16(const struct small_float *f, const u8 *codes, u16 *numbers, size_t n);
void pto_small_from_f16(const struct small_float *f, const u16 *numbers, u8 *codes, size_t n);

/* Returns the table entry of a type that can be selected: a one-lane type or a small float. Otherwise returns NULL. */
static inline const struct dtype_info *selectable_info(pto_dtype type) {
    const struct dtype_info *info = one_lane_info(type);
    return info != NULL || pto_small_float(type) == NULL ? info : dtype_info(type);
}

#endif
