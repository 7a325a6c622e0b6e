/* SPDX-License-Identifier: MIT */
/* The table of element types, and the functions that return their widths, names and classes. */
#include "pto/types.h"

#include "core/types.h"

const struct dtype_info pto_dtypes[DTYPE_COUNT] = {
    [PTO_B8] = {8, PTO_CLASS_BITS, LANE_U8, LANE_NONE},
    [PTO_B16] = {16, PTO_CLASS_BITS, LANE_U16, LANE_NONE},
    [PTO_B32] = {32, PTO_CLASS_BITS, LANE_U32, LANE_NONE},
    [PTO_B64] = {64, PTO_CLASS_BITS, LANE_U64, LANE_NONE},
    [PTO_U8] = {8, PTO_CLASS_UNSIGNED, LANE_U8, LANE_NONE},
    [PTO_U16] = {16, PTO_CLASS_UNSIGNED, LANE_U16, LANE_NONE},
    [PTO_U32] = {32, PTO_CLASS_UNSIGNED, LANE_U32, LANE_NONE},
    [PTO_U64] = {64, PTO_CLASS_UNSIGNED, LANE_U64, LANE_NONE},
    [PTO_S8] = {8, PTO_CLASS_SIGNED, LANE_S8, LANE_NONE},
    [PTO_S16] = {16, PTO_CLASS_SIGNED, LANE_S16, LANE_NONE},
    [PTO_S32] = {32, PTO_CLASS_SIGNED, LANE_S32, LANE_NONE},
    [PTO_S64] = {64, PTO_CLASS_SIGNED, LANE_S64, LANE_NONE},
    [PTO_F16] = {16, PTO_CLASS_FLOAT, LANE_F16, LANE_F16Z},
    [PTO_BF16] = {16, PTO_CLASS_FLOAT, LANE_BF16, LANE_NONE},
    [PTO_F32] = {32, PTO_CLASS_FLOAT, LANE_F32, LANE_F32Z},
    [PTO_F64] = {64, PTO_CLASS_FLOAT, LANE_F64, LANE_NONE},
    [PTO_TF32] = {32, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E4M3] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E5M2] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E2M3] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E3M2] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E2M1] = {4, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_UE8M0] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_S2F6] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_UE5M3] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_F16X2] = {32, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_BF16X2] = {32, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_U8X4] = {32, PTO_CLASS_UNSIGNED, LANE_NONE, LANE_NONE},
    [PTO_S8X4] = {32, PTO_CLASS_SIGNED, LANE_NONE, LANE_NONE},
    [PTO_U16X2] = {32, PTO_CLASS_UNSIGNED, LANE_NONE, LANE_NONE},
    [PTO_S16X2] = {32, PTO_CLASS_SIGNED, LANE_NONE, LANE_NONE},
    [PTO_E1M2] = {4, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_HIF8] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E4M3FNUZ] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E5M2FNUZ] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E4M3B11FNUZ] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E4M3IEEE] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E3M4] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_U4] = {4, PTO_CLASS_UNSIGNED, LANE_NONE, LANE_NONE},
    [PTO_S4] = {4, PTO_CLASS_SIGNED, LANE_NONE, LANE_NONE},
    [PTO_U2] = {2, PTO_CLASS_UNSIGNED, LANE_NONE, LANE_NONE},
    [PTO_S2] = {2, PTO_CLASS_SIGNED, LANE_NONE, LANE_NONE},
    [PTO_BFP8] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_BFP4] = {4, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_BINARY8P3SE] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_BINARY8P4SE] = {8, PTO_CLASS_FLOAT, LANE_NONE, LANE_NONE},
};

static const char *const names[DTYPE_COUNT] = {
    [PTO_B8] = "b8",
    [PTO_B16] = "b16",
    [PTO_B32] = "b32",
    [PTO_B64] = "b64",
    [PTO_U8] = "u8",
    [PTO_U16] = "u16",
    [PTO_U32] = "u32",
    [PTO_U64] = "u64",
    [PTO_S8] = "s8",
    [PTO_S16] = "s16",
    [PTO_S32] = "s32",
    [PTO_S64] = "s64",
    [PTO_F16] = "f16",
    [PTO_BF16] = "bf16",
    [PTO_F32] = "f32",
    [PTO_F64] = "f64",
    [PTO_TF32] = "tf32",
    [PTO_E4M3] = "e4m3",
    [PTO_E5M2] = "e5m2",
    [PTO_E2M3] = "e2m3",
    [PTO_E3M2] = "e3m2",
    [PTO_E2M1] = "e2m1",
    [PTO_UE8M0] = "ue8m0",
    [PTO_S2F6] = "s2f6",
    [PTO_UE5M3] = "ue5m3",
    [PTO_F16X2] = "f16x2",
    [PTO_BF16X2] = "bf16x2",
    [PTO_U8X4] = "u8x4",
    [PTO_S8X4] = "s8x4",
    [PTO_U16X2] = "u16x2",
    [PTO_S16X2] = "s16x2",
    [PTO_E1M2] = "e1m2",
    [PTO_HIF8] = "hif8",
    [PTO_E4M3FNUZ] = "e4m3fnuz",
    [PTO_E5M2FNUZ] = "e5m2fnuz",
    [PTO_E4M3B11FNUZ] = "e4m3b11fnuz",
    [PTO_E4M3IEEE] = "e4m3ieee",
    [PTO_E3M4] = "e3m4",
    [PTO_U4] = "u4",
    [PTO_S4] = "s4",
    [PTO_U2] = "u2",
    [PTO_S2] = "s2",
    [PTO_BFP8] = "bfp8",
    [PTO_BFP4] = "bfp4",
    [PTO_BINARY8P3SE] = "binary8p3se",
    [PTO_BINARY8P4SE] = "binary8p4se",
};

pto_dtype pto_element_type(pto_dtype type) {
    switch (type) {
    case PTO_F16X2: return PTO_F16;
    case PTO_BF16X2: return PTO_BF16;
    case PTO_U8X4: return PTO_U8;
    case PTO_S8X4: return PTO_S8;
    case PTO_U16X2: return PTO_U16;
    case PTO_S16X2: return PTO_S16;
    default: return type;
    }
}

size_t pto_dtype_bits(pto_dtype type) {
    const struct dtype_info *info = dtype_info(type);
    return info != NULL ? info->bits : 0;
}

const char *pto_dtype_name(pto_dtype type) {
    return dtype_info(type) != NULL ? names[type] : "?";
}

pto_class pto_dtype_class(pto_dtype type) {
    const struct dtype_info *info = dtype_info(type);
    if (info == NULL) return PTO_CLASS_NONE;
    return pto_element_type(type) == type ? (pto_class)info->class : PTO_CLASS_PACKED;
}
