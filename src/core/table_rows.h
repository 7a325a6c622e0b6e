/* SPDX-License-Identifier: MIT */
/*
 * Initialises the struct pto_kernels of a backend. The including file must define:
 *   PTO_ISA_SELF       the backend's pto_isa value
 *   NAME(name)         the backend's kernel of that name, which must be declared
 *   COMPARE(lane, fp)  the struct compare_entry of a lane type; `fp` is the FP state that native instructions need
 *   COMPARE_F16(lane)  the same for f16 and f16z
 *   COMPARE_BF16       the same for bf16
 *   COMPARE_F32Z       the same for f32 with .ftz
 */
/* clang-format off */
.isa = PTO_ISA_SELF,
.compare =
    {
        [LANE_U8] = COMPARE(u8, FP_ANY),
        [LANE_U16] = COMPARE(u16, FP_ANY),
        [LANE_U32] = COMPARE(u32, FP_ANY),
        [LANE_U64] = COMPARE(u64, FP_ANY),
        [LANE_S8] = COMPARE(s8, FP_ANY),
        [LANE_S16] = COMPARE(s16, FP_ANY),
        [LANE_S32] = COMPARE(s32, FP_ANY),
        [LANE_S64] = COMPARE(s64, FP_ANY),
        [LANE_F16] = COMPARE_F16(f16),
        [LANE_F16Z] = COMPARE_F16(f16z),
        [LANE_BF16] = COMPARE_BF16,
        [LANE_F32] = COMPARE(f32, FP_IEEE),
        [LANE_F32Z] = COMPARE_F32Z,
        [LANE_F64] = COMPARE(f64, FP_IEEE),
    },
.select[MASK_AS_BITS] = {NAME(select_8), NAME(select_16), NAME(select_32), NAME(select_64)},
.select[MASK_AS_BYTES] = {NAME(select_by_bytes_8), NAME(select_by_bytes_16), NAME(select_by_bytes_32),
                     NAME(select_by_bytes_64)},
.select[MASK_AS_IMAGE] = {NAME(select_8), NAME(select_by_image_16), NAME(select_by_image_32),
                     NAME(select_by_image_64)},
.fill = {NAME(fill_8), NAME(fill_16), NAME(fill_32), NAME(fill_64)},
.mask_load =
    {
        [PTO_MASK_PACKED] = NAME(copy_packed),
        [PTO_MASK_B8] = NAME(copy_packed),
        [PTO_MASK_B16] = NAME(load_b16),
        [PTO_MASK_B32] = NAME(load_b32),
        [PTO_MASK_B64] = NAME(load_b64),
        [PTO_MASK_BYTE] = NAME(load_byte),
    },
.mask_store =
    {
        [PTO_MASK_PACKED] = NAME(copy_packed),
        [PTO_MASK_B8] = NAME(copy_packed),
        [PTO_MASK_B16] = NAME(store_b16),
        [PTO_MASK_B32] = NAME(store_b32),
        [PTO_MASK_B64] = NAME(store_byte), /* a B64 image is written like a BYTE mask */
        [PTO_MASK_BYTE] = NAME(store_byte),
    },
.shift_bits = NAME(shift_bits),
.logic = {NAME(logic_and), NAME(logic_or), NAME(logic_xor), NAME(logic_sel)},
    /* clang-format on */
