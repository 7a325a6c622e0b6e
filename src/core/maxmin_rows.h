/* SPDX-License-Identifier: MIT */
/* Initialises a struct maxmin_table from the backend's kernels NAME(u8) and so on. */
/* clang-format off */
.lane =
    {
        [LANE_U8] = NAME(u8),
        [LANE_U16] = NAME(u16),
        [LANE_U32] = NAME(u32),
        [LANE_U64] = NAME(u64),
        [LANE_S8] = NAME(s8),
        [LANE_S16] = NAME(s16),
        [LANE_S32] = NAME(s32),
        [LANE_S64] = NAME(s64),
        [LANE_F16] = NAME(f16),
        [LANE_BF16] = NAME(bf16),
        [LANE_F32] = NAME(f32),
        [LANE_F64] = NAME(f64),
    },
    /* clang-format on */
