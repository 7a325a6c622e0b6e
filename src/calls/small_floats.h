/* SPDX-License-Identifier: MIT */
/* The floats of 8 bits and less as lanes. Their kernels are those of core/codes.h. */
#ifndef PTO_CALLS_SMALL_FLOATS_H
#define PTO_CALLS_SMALL_FLOATS_H

#include "core/codes.h"
#include "core/types.h"

/* Returns the codes of a type, or NULL if it is not a small float that is compared and selected. */
const struct small_float *pto_small_float(pto_dtype type);

/* Sets the outcomes of comparing floats for which the operator is true. Returns false if floats do not have the
 * operator. */
bool pto_small_outcomes(pto_cmp op, unsigned *outcomes);

/* Returns the table entry of a type that can be selected: a one-lane type or a small float. Otherwise returns NULL. */
static inline const struct dtype_info *selectable_info(pto_dtype type) {
    const struct dtype_info *info = one_lane_info(type);
    return info != NULL || pto_small_float(type) == NULL ? info : dtype_info(type);
}

#endif
