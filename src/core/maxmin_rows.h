/* SPDX-License-Identifier: MIT */
/* Initialises a struct maxmin_table from the backend's kernels NAME(maxmin_u8) and so on. */
/* clang-format off */
.lane =
    {
        [LANE_U8] = NAME(maxmin_u8),
        [LANE_U16] = NAME(maxmin_u16),
        [LANE_U32] = NAME(maxmin_u32),
        [LANE_U64] = NAME(maxmin_u64),
        [LANE_S8] = NAME(maxmin_s8),
        [LANE_S16] = NAME(maxmin_s16),
        [LANE_S32] = NAME(maxmin_s32),
        [LANE_S64] = NAME(maxmin_s64),
        [LANE_F16] = NAME(maxmin_f16),
        [LANE_BF16] = NAME(maxmin_bf16),
        [LANE_F32] = NAME(maxmin_f32),
        [LANE_F64] = NAME(maxmin_f64),
    },
    /* clang-format on */
