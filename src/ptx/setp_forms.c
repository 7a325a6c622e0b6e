/* SPDX-License-Identifier: MIT */
/* Which comparisons PTX has. */
#include "ptx/setp_forms.h"

#include "core/lowering.h"

bool pto_is_pair(pto_dtype t) {
    return t == PTO_F16X2 || t == PTO_BF16X2;
}

const struct dtype_info *pto_compared_type(pto_dtype t) {
    const struct dtype_info *type = one_lane(t == PTO_F16X2 ? PTO_F16 : t == PTO_BF16X2 ? PTO_BF16 : t);
    return type != NULL && type->bits != 8 ? type : NULL;
}

u32 pto_set_true(pto_dtype dtype, pto_dtype stype) {
    const struct dtype_info *type = pto_compared_type(stype);
    bool half = stype == PTO_F16 || stype == PTO_BF16;
    if (type == NULL) return 0;
    if (pto_is_pair(stype) && dtype != PTO_U32 && dtype != PTO_S32 && dtype != stype) return 0;
    switch (dtype) {
    case PTO_U16:
    case PTO_S16: return half ? 0xffff : 0;
    case PTO_U32:
    case PTO_S32: return pto_is_pair(stype) ? 0xffff : 0xffffffff;
    case PTO_F32: return half ? 0 : 0x3f800000;
    case PTO_F16: return stype == PTO_BF16 ? 0 : 0x3c00;
    case PTO_BF16: return 0x3f80;
    case PTO_F16X2: return pto_is_pair(stype) ? 0x3c00 : 0;
    case PTO_BF16X2: return pto_is_pair(stype) ? 0x3f80 : 0;
    default: return 0;
    }
}

/* An operator and its modifiers on a type that PTX compares. */
static pto_status compare_legal(const struct dtype_info *type, pto_cmp cmp, bool ftz, pto_boolop boolop) {
    struct lowering unused;
    const pto_status status = lower(type, cmp, ftz, &unused);
    return status == PTO_OK && (unsigned)boolop > PTO_XOR ? PTO_ERR_MODIFIER : status;
}

pto_status pto_setp_legal(pto_setp_op op) {
    const struct dtype_info *type = pto_compared_type(op.type);
    return type == NULL ? PTO_ERR_TYPE : compare_legal(type, op.cmp, op.ftz, op.boolop);
}

pto_status pto_set_legal(pto_set_op op) {
    pto_status status;
    if (pto_set_true(op.dtype, op.stype) == 0) return PTO_ERR_TYPE;
    status = compare_legal(pto_compared_type(op.stype), op.cmp, op.ftz, op.boolop);
    return status == PTO_OK && op.ftz && op.dtype == PTO_BF16 ? PTO_ERR_MODIFIER : status;
}
