/* SPDX-License-Identifier: MIT */
#include "pto/types.h"

#include "dtype.h"
#include "pto/version.h"

const struct dtype_info pto_dtypes[DTYPES] = {
    [PTO_B8] = {"b8", 8, CLASS_BITS, LANE_U8, LANE_NONE},
    [PTO_B16] = {"b16", 16, CLASS_BITS, LANE_U16, LANE_NONE},
    [PTO_B32] = {"b32", 32, CLASS_BITS, LANE_U32, LANE_NONE},
    [PTO_B64] = {"b64", 64, CLASS_BITS, LANE_U64, LANE_NONE},
    [PTO_U8] = {"u8", 8, CLASS_UNSIGNED, LANE_U8, LANE_NONE},
    [PTO_U16] = {"u16", 16, CLASS_UNSIGNED, LANE_U16, LANE_NONE},
    [PTO_U32] = {"u32", 32, CLASS_UNSIGNED, LANE_U32, LANE_NONE},
    [PTO_U64] = {"u64", 64, CLASS_UNSIGNED, LANE_U64, LANE_NONE},
    [PTO_S8] = {"s8", 8, CLASS_SIGNED, LANE_S8, LANE_NONE},
    [PTO_S16] = {"s16", 16, CLASS_SIGNED, LANE_S16, LANE_NONE},
    [PTO_S32] = {"s32", 32, CLASS_SIGNED, LANE_S32, LANE_NONE},
    [PTO_S64] = {"s64", 64, CLASS_SIGNED, LANE_S64, LANE_NONE},
    [PTO_F16] = {"f16", 16, CLASS_FLOAT, LANE_F16, LANE_F16Z},
    [PTO_BF16] = {"bf16", 16, CLASS_FLOAT, LANE_BF16, LANE_NONE},
    [PTO_F32] = {"f32", 32, CLASS_FLOAT, LANE_F32, LANE_F32Z},
    [PTO_F64] = {"f64", 64, CLASS_FLOAT, LANE_F64, LANE_NONE},
    [PTO_TF32] = {"tf32", 32, CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E4M3] = {"e4m3", 8, CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E5M2] = {"e5m2", 8, CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E2M3] = {"e2m3", 8, CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E3M2] = {"e3m2", 8, CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_E2M1] = {"e2m1", 4, CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_UE8M0] = {"ue8m0", 8, CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_F16X2] = {"f16x2", 32, CLASS_FLOAT, LANE_NONE, LANE_NONE},
    [PTO_BF16X2] = {"bf16x2", 32, CLASS_FLOAT, LANE_NONE, LANE_NONE},
};

size_t pto_dtype_bits(pto_dtype type) {
    const struct dtype_info *info = dtype_info(type);
    return info != NULL ? info->bits : 0;
}

const char *pto_dtype_name(pto_dtype type) {
    const struct dtype_info *info = dtype_info(type);
    return info != NULL ? info->name : "?";
}

const char *pto_strerror(pto_status status) {
    switch (status) {
    case PTO_OK: return "success";
    case PTO_ERR_NULL: return "a pointer that is needed is NULL";
    case PTO_ERR_TYPE: return "this operation does not take this type";
    case PTO_ERR_OP: return "this type does not have this operator";
    case PTO_ERR_MODIFIER: return "a flag or modifier is not legal here";
    case PTO_ERR_MASK: return "the mask kind does not fit the width of the elements";
    case PTO_ERR_OVERLAP: return "the destination overlaps a source other than exactly in place";
    case PTO_ERR_ISA: return "this CPU or this build lacks that instruction set";
    case PTO_ERR_PARSE: return "the text does not follow the grammar";
    case PTO_ERR_PATTERN: return "no such predicate pattern, or it does not fit the register";
    }
    return "not a libpto status";
}

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

const char *pto_version(void) {
    return TEXT(PTO_VERSION_MAJOR) "." TEXT(PTO_VERSION_MINOR) "." TEXT(PTO_VERSION_PATCH);
}
