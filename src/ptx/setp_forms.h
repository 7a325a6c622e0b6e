/* SPDX-License-Identifier: MIT */
/* Functions that check which forms of setp and set PTX has. The calls and the text parsers use them; they need no
 * backend. */
#ifndef PTO_PTX_SETP_FORMS_H
#define PTO_PTX_SETP_FORMS_H

#include "core/types.h"
#include "pto/compare.h"

/* Return PTO_OK if PTX has op, otherwise the first that applies of PTO_ERR_TYPE, PTO_ERR_OP and PTO_ERR_MODIFIER. not_c
 * is not checked, because it belongs to the operands. */
pto_status pto_setp_legal(pto_setp_op op);
pto_status pto_set_legal(pto_set_op op);

/* Returns PTO_ERR_MODIFIER if `status` is PTO_OK and op has not_c without a BoolOp, because without a BoolOp there is
 * no c. Otherwise returns `status`. Packed types never have a BoolOp. */
pto_status pto_set_check_not_c(pto_status status, pto_set_op op);

/* Convert between a set and the setp with the same comparison. A setp has no dtype; set_of_setp() sets dtype to the
 * type of the setp. */
static inline pto_setp_op setp_of_set(pto_set_op op) {
    return (pto_setp_op){op.stype, op.cmp, op.boolop, op.not_c, op.ftz};
}

static inline pto_set_op set_of_setp(pto_setp_op op) {
    return (pto_set_op){op.type, op.type, op.cmp, op.boolop, op.not_c, op.ftz};
}

/* Returns whether t is f16x2 or bf16x2. */
bool pto_is_pair(pto_dtype t);

/* Returns whether t is u8x4, s8x4, u16x2 or s16x2. Only set has these types, and then dtype and stype are equal. */
bool pto_is_packed(pto_dtype t);

/* Returns the type that setp compares for operands of type t: the type of the halves if t is a pair, otherwise t.
 * Returns NULL if setp does not take t. */
const struct dtype_info *pto_setp_type(pto_dtype t);

/* Returns the type that set compares for operands of type t: the type of the elements if t is a pair or packed,
 * otherwise t. Returns NULL if set does not take t. */
const struct dtype_info *pto_set_type(pto_dtype t);

/* Returns the bits that set writes for true, in one element of dtype. Returns 0 if PTX does not have this pair of
 * types. */
u32 pto_set_true(pto_dtype dtype, pto_dtype stype);

#endif
