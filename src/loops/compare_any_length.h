/* SPDX-License-Identifier: MIT */
/*
 * The comparison and choose kernels of one lane type and their tables, for vectors whose length is known only at run
 * time. sve/compare.h and rvv/compare.h include this file near their end. They define NAME, ELEMENT_BYTES,
 * compare_as(), which is the loop of all comparisons, and CHOOSE(context, r, outcomes, mirror), which defines the
 * kernel NAME(choose_##r##_). This file undefines the macros that both of them define.
 */

/* The image of 8-bit lanes is packed bits. The image of 64-bit lanes is written like a byte mask. */
#if WIDTH == 8
#    define IMAGE_STORAGE BITS
#elif WIDTH == 64
#    define IMAGE_STORAGE BYTES
#else
#    define IMAGE_STORAGE IMAGE
#endif

#if FLOATING
#    define LANE_RELATIONS RELATIONS
#else
#    define LANE_RELATIONS INTEGER_RELATIONS
#endif

#define VV(storage, r, outcomes, mirror)                                                                     \
    static pto_status NAME(vv_##r##_##storage##_)(const void *a, const void *b, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        return compare_as(MASK_AS_##storage, RELATION_##r, false, a, b, mask, n, flip);                      \
    }
#define VV_MIRRORED(storage, r, outcomes, mirror)                                                            \
    static pto_status NAME(vv_##r##_##storage##_)(const void *a, const void *b, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        return NAME(vv_##mirror##_##storage##_)(b, a, mask, n, flip);                                        \
    }
#define VS(storage, r, outcomes, mirror)                                                                     \
    static pto_status NAME(vs_##r##_##storage##_)(const void *a, const void *s, void *mask, size_t n,        \
                                                  u64 flip) {                                                \
        return compare_as(MASK_AS_##storage, RELATION_##r, true, a, s, mask, n, flip);                       \
    }
LANE_RELATIONS(VV, VV_MIRRORED, BITS)
LANE_RELATIONS(VS, VS, BITS)
LANE_RELATIONS(VV, VV_MIRRORED, BYTES)
LANE_RELATIONS(VS, VS, BYTES)
#if WIDTH == 16 || WIDTH == 32
LANE_RELATIONS(VV, VV_MIRRORED, IMAGE)
LANE_RELATIONS(VS, VS, IMAGE)
#endif
#undef VV
#undef VV_MIRRORED
#undef VS

#define NOTHING(context, r, outcomes, mirror)
LANE_RELATIONS(CHOOSE, NOTHING, )
#undef CHOOSE

#define CHOOSE(context, r, outcomes, mirror) [RELATION_##r] = NAME(choose_##r##_),
const struct choose_kernels NAME(pto_choose_) = {{LANE_RELATIONS(CHOOSE, NOTHING, )}};
#undef CHOOSE
#undef NOTHING

const struct compare_kernels NAME(pto_compare_) = {
#include "core/compare_rows.h"
};

#undef NAME
#undef ELEMENT_BYTES
#undef related
#undef compare_as
#undef IMAGE_STORAGE
#undef LANE_RELATIONS
#undef LANE
#undef WIDTH
#undef FLOATING
