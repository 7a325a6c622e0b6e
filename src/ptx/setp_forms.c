/* SPDX-License-Identifier: MIT */
/* Decides which forms of setp and set are legal, and enumerates them. */
#include "ptx/setp_forms.h"

#include "core/lowering.h"
#include "pto/forms.h"
#include "ptx/words.h"

bool pto_is_pair(pto_dtype t) {
    return t == PTO_F16X2 || t == PTO_BF16X2;
}

bool pto_is_packed(pto_dtype t) {
    return pto_element_type(t) != t && !pto_is_pair(t);
}

const struct dtype_info *pto_setp_type(pto_dtype t) {
    const struct dtype_info *type = one_lane_info(pto_is_pair(t) ? pto_element_type(t) : t);
    return type != NULL && type->bits != 8 ? type : NULL;
}

const struct dtype_info *pto_set_type(pto_dtype t) {
    return pto_is_packed(t) ? one_lane_info(pto_element_type(t)) : pto_setp_type(t);
}

u32 pto_set_true(pto_dtype dtype, pto_dtype stype) {
    const struct dtype_info *type = pto_set_type(stype);
    bool half = stype == PTO_F16 || stype == PTO_BF16;
    if (type == NULL) return 0;
    if (pto_is_packed(stype) || pto_is_packed(dtype)) return dtype == stype ? (u32)low_bits(type->bits) : 0;
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

/* Checks an operator and its modifiers on a type that PTX compares. Returns PTO_OK, PTO_ERR_OP or PTO_ERR_MODIFIER. */
static pto_status compare_legal(const struct dtype_info *type, pto_cmp cmp, bool ftz, pto_boolop boolop) {
    struct lowering unused;
    const pto_status status = lower(type, cmp, ftz, &unused);
    return status == PTO_OK && (unsigned)boolop >= BOOLOP_COUNT ? PTO_ERR_MODIFIER : status;
}

pto_status pto_setp_legal(pto_setp_op op) {
    const struct dtype_info *type = pto_setp_type(op.type);
    return type == NULL ? PTO_ERR_TYPE : compare_legal(type, op.cmp, op.ftz, op.boolop);
}

pto_status pto_set_legal(pto_set_op op) {
    pto_status status;
    if (pto_set_true(op.dtype, op.stype) == 0) return PTO_ERR_TYPE;
    status = compare_legal(pto_set_type(op.stype), op.cmp, op.ftz, op.boolop);
    if (status == PTO_OK && op.boolop != PTO_BOOL_NONE && pto_is_packed(op.stype)) return PTO_ERR_MODIFIER;
    return status == PTO_OK && op.ftz && op.dtype == PTO_BF16 ? PTO_ERR_MODIFIER : status;
}

pto_status pto_set_check_not_c(pto_status status, pto_set_op op) {
    const bool dangling = op.not_c && op.boolop == PTO_BOOL_NONE;
    return status == PTO_OK && dangling ? PTO_ERR_MODIFIER : status;
}

/* ---- enumeration of all forms, ordered by pair of types, operator, ftz, and BoolOp ---- */

typedef pto_status legal(pto_set_op op);

static pto_status legal_as_setp(pto_set_op op) {
    return op.dtype == op.stype ? pto_setp_legal(setp_of_set(op)) : PTO_ERR_TYPE;
}

/* Returns how many values of `boolop` a form takes: all of them if it takes .and, otherwise one, PTO_BOOL_NONE. */
static size_t boolops_of(legal *is_legal, pto_set_op form) {
    form.boolop = PTO_AND;
    return is_legal(form) == PTO_OK ? BOOLOP_COUNT : 1;
}

/* Sets *op to form i and returns true. If there is no form i, returns false and sets *count to the number of forms. */
static bool find_form(legal *is_legal, size_t i, pto_set_op *op, size_t *count) {
    *count = 0;
    for (int pair = 0; pair < DTYPE_COUNT * DTYPE_COUNT; ++pair) {
        pto_set_op form = {.dtype = (pto_dtype)(pair / DTYPE_COUNT),
                           .stype = (pto_dtype)(pair % DTYPE_COUNT)};
        if (is_legal(form) == PTO_ERR_TYPE) continue;
        for (int rest = 0; rest < CMP_COUNT * 2; ++rest) {
            size_t boolops;
            form.cmp = (pto_cmp)(rest / 2);
            form.ftz = rest % 2 != 0;
            if (is_legal(form) != PTO_OK) continue;
            boolops = boolops_of(is_legal, form);
            if (i - *count < boolops) {
                form.boolop = (pto_boolop)(i - *count);
                *op = form;
                return true;
            }
            *count += boolops;
        }
    }
    return false;
}

static size_t form_count(legal *is_legal) {
    pto_set_op unused;
    size_t count;
    (void)find_form(is_legal, SIZE_MAX, &unused, &count);
    return count;
}

size_t pto_setp_form_count(void) {
    return form_count(legal_as_setp);
}

size_t pto_set_form_count(void) {
    return form_count(pto_set_legal);
}

pto_status pto_setp_form(size_t i, pto_setp_op *op) {
    pto_set_op form;
    size_t count;
    if (op == NULL) return PTO_ERR_NULL;
    if (!find_form(legal_as_setp, i, &form, &count)) return PTO_ERR_SIZE;
    *op = setp_of_set(form);
    return PTO_OK;
}

pto_status pto_set_form(size_t i, pto_set_op *op) {
    pto_set_op form;
    size_t count;
    if (op == NULL) return PTO_ERR_NULL;
    if (!find_form(pto_set_legal, i, &form, &count)) return PTO_ERR_SIZE;
    *op = form;
    return PTO_OK;
}
