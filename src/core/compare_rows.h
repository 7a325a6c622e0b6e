/* SPDX-License-Identifier: MIT */
/*
 * Initialises a struct compare_kernels from kernels named NAME(vv_EQ_BITS_), NAME(vs_EQ_BYTES_) and so on.
 * LANE_RELATIONS is the list of relations that the lane type has. IMAGE_FORM is the mask form whose kernels write
 * predicate images: IMAGE, or another form that is written identically.
 */
/* clang-format off */
#define VV(form, r, outcomes, mirror)   [RELATION_##r] = NAME(vv_##r##_##form##_),
#define VS(form, r, outcomes, mirror)   [RELATION_##r] = NAME(vs_##r##_##form##_),
.vv = {
    [AS_BITS] = {LANE_RELATIONS(VV, VV, BITS)},
    [AS_BYTES] = {LANE_RELATIONS(VV, VV, BYTES)},
    [AS_IMAGE] = {LANE_RELATIONS(VV, VV, IMAGE_FORM)},
},
.vs = {
    [AS_BITS] = {LANE_RELATIONS(VS, VS, BITS)},
    [AS_BYTES] = {LANE_RELATIONS(VS, VS, BYTES)},
    [AS_IMAGE] = {LANE_RELATIONS(VS, VS, IMAGE_FORM)},
},
#undef VV
#undef VS
    /* clang-format on */
