/* SPDX-License-Identifier: MIT */
/* Table of the element types: width, class and lane type of each. */
#ifndef PTO_CORE_TYPES_H
#define PTO_CORE_TYPES_H

#include "core/kernels.h"

/* The size of tables that are indexed by the class of an element. Packed types have no class of their own there:
 * `class` in struct dtype_info is the class of their elements. */
enum { ELEMENT_CLASSES = PTO_CLASS_FLOAT + 1 };

struct dtype_info {
    u8 bits;           /* storage width */
    u8 class;          /* pto_class of its elements */
    u8 lane, lane_ftz; /* enum lane without and with .ftz; LANE_NONE if the type has no such lane type */
};

enum { DTYPE_COUNT = PTO_BINARY8P4SE + 1 };

extern const struct dtype_info pto_dtypes[DTYPE_COUNT];

/* Returns the table entry of `type`, or NULL if the value is not a pto_dtype. */
static inline const struct dtype_info *dtype_info(pto_dtype type) {
    return (unsigned)type < DTYPE_COUNT ? &pto_dtypes[type] : NULL;
}

/* Returns whether elements of this type share an exponent, so that a code alone has no value. */
static inline bool has_shared_exponent(pto_dtype type) {
    return type == PTO_BFP8 || type == PTO_BFP4;
}

/* Returns the table entry of `type` if it is a one-lane type, otherwise NULL. */
static inline const struct dtype_info *one_lane_info(pto_dtype type) {
    const struct dtype_info *info = dtype_info(type);
    return info != NULL && info->lane != LANE_NONE ? info : NULL;
}

/* Returns the element type of a packed type: F16 for F16X2, U8 for U8X4. Other types map to themselves. */
pto_dtype pto_element_type(pto_dtype type);

#endif
