/* SPDX-License-Identifier: MIT */
/*
 * Initialises a struct compare_kernels from kernels named NAME(vv_EQ_BITS_), NAME(vs_EQ_BYTES_) and so on.
 * LANE_RELATIONS is the list of relations that the lane type has. IMAGE_STORAGE names the mask storage whose kernels
 * write predicate images: IMAGE, or BITS or BYTES if these write the same bytes for this element width.
 */
/* clang-format off */
#define VV(storage, r, outcomes, mirror)   [RELATION_##r] = NAME(vv_##r##_##storage##_),
#define VS(storage, r, outcomes, mirror)   [RELATION_##r] = NAME(vs_##r##_##storage##_),
.vv = {
    [MASK_AS_BITS] = {LANE_RELATIONS(VV, VV, BITS)},
    [MASK_AS_BYTES] = {LANE_RELATIONS(VV, VV, BYTES)},
    [MASK_AS_IMAGE] = {LANE_RELATIONS(VV, VV, IMAGE_STORAGE)},
},
.vs = {
    [MASK_AS_BITS] = {LANE_RELATIONS(VS, VS, BITS)},
    [MASK_AS_BYTES] = {LANE_RELATIONS(VS, VS, BYTES)},
    [MASK_AS_IMAGE] = {LANE_RELATIONS(VS, VS, IMAGE_STORAGE)},
},
#undef VV
#undef VS
    /* clang-format on */
