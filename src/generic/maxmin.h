/* SPDX-License-Identifier: MIT */
/* Max, min, clamp and relu kernels with the suffix ISA, in the vectors of generic/vec.h. */
#include "generic/vec.h"

static ALWAYS_INLINE vec v_max_f32(vec x, vec y) {
    return v_key_32(v_max_s32(v_key_32(x), v_key_32(y)));
}

static ALWAYS_INLINE vec v_min_f32(vec x, vec y) {
    return v_key_32(v_min_s32(v_key_32(x), v_key_32(y)));
}

static ALWAYS_INLINE vec v_max_f64(vec x, vec y) {
    return v_key_64(v_max_s64(v_key_64(x), v_key_64(y)));
}

static ALWAYS_INLINE vec v_min_f64(vec x, vec y) {
    return v_key_64(v_min_s64(v_key_64(x), v_key_64(y)));
}

static ALWAYS_INLINE vec v_add_16(vec x, vec y) {
    return (vec)((u_lanes_16)x + (u_lanes_16)y);
}

#include "loops/maxmin_all.h"
