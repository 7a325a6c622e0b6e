/* SPDX-License-Identifier: MIT */
/* What the library knows of each element type: one row a type, for every group of calls. */
#ifndef PTO_CORE_TYPES_H
#define PTO_CORE_TYPES_H

#include "core/kernels.h"

enum dtype_class { CLASS_BITS, CLASS_UNSIGNED, CLASS_SIGNED, CLASS_FLOAT, DTYPE_CLASSES };

struct dtype_info {
    u8 bits;           /* storage width */
    u8 class;          /* enum dtype_class */
    u8 lane, lane_ftz; /* kernels for it without and with .ftz; LANE_NONE: no one-lane type, no .ftz */
};

enum { DTYPES = PTO_HIF8 + 1 };

extern const struct dtype_info pto_dtypes[DTYPES];

/* The row of a type, NULL for a value that is no type. */
static inline const struct dtype_info *dtype_info(pto_dtype type) {
    return (unsigned)type < DTYPES ? &pto_dtypes[type] : NULL;
}

/* The same for the one-lane types only. */
static inline const struct dtype_info *one_lane(pto_dtype type) {
    const struct dtype_info *info = dtype_info(type);
    return info != NULL && info->lane != LANE_NONE ? info : NULL;
}

/* The type of one element: of F16X2 F16, of U8X4 U8; what is no word of several is its own. */
pto_dtype pto_element_type(pto_dtype type);

#endif
