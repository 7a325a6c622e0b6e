/* SPDX-License-Identifier: MIT */
/*
 * Initialises a struct choose_table. The including file must define:
 *   NAME(name)        as for table_rows.h
 *   CHOOSE(lane)      the struct choose_kernels of a lane type
 *   CHOOSE_F16(lane)  the same for f16 and f16z
 *   CHOOSE_F32Z       the same for f32 with .ftz
 */
/* clang-format off */
.lane =
    {
        [LANE_U8] = &CHOOSE(u8),
        [LANE_U16] = &CHOOSE(u16),
        [LANE_U32] = &CHOOSE(u32),
        [LANE_U64] = &CHOOSE(u64),
        [LANE_S8] = &CHOOSE(s8),
        [LANE_S16] = &CHOOSE(s16),
        [LANE_S32] = &CHOOSE(s32),
        [LANE_S64] = &CHOOSE(s64),
        [LANE_F16] = &CHOOSE_F16(f16),
        [LANE_F16Z] = &CHOOSE_F16(f16z),
        [LANE_BF16] = &CHOOSE(bf16),
        [LANE_F32] = &CHOOSE(f32),
        [LANE_F32Z] = &CHOOSE_F32Z,
        [LANE_F64] = &CHOOSE(f64),
    },
.selects[MASK_AS_BITS] = {NAME(selects_8), NAME(selects_16), NAME(selects_32), NAME(selects_64)},
.selects[MASK_AS_BYTES] = {NAME(selects_by_bytes_8), NAME(selects_by_bytes_16), NAME(selects_by_bytes_32),
                     NAME(selects_by_bytes_64)},
.selects[MASK_AS_IMAGE] = {NAME(selects_8), NAME(selects_by_image_16), NAME(selects_by_image_32),
                     NAME(selects_by_image_64)},
    /* clang-format on */
