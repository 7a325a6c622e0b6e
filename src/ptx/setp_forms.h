/* SPDX-License-Identifier: MIT */
/* Which forms of setp and set PTX has: asked by the calls and by the text parsers alike. No backend is needed
 * to answer. */
#ifndef PTO_PTX_SETP_FORMS_H
#define PTO_PTX_SETP_FORMS_H

#include "core/types.h"
#include "pto/compare.h"

/* PTO_OK, or PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER, in this order. not_c is the operands' affair. */
pto_status pto_setp_legal(pto_setp_op op);
pto_status pto_set_legal(pto_set_op op);

/* PTO_ERR_MODIFIER for what is legal but for not_c: without a BoolOp, and packed types take none, there is no c. */
pto_status pto_set_with_c(pto_status status, pto_set_op op);

/* What setp compares as set does, and the other way round: dtype, which setp has not, is its type again. */
static inline pto_setp_op setp_of_set(pto_set_op op) {
    return (pto_setp_op){op.stype, op.cmp, op.boolop, op.not_c, op.ftz};
}

static inline pto_set_op set_of_setp(pto_setp_op op) {
    return (pto_set_op){op.type, op.type, op.cmp, op.boolop, op.not_c, op.ftz};
}

/* f16x2 and bf16x2. */
bool pto_is_pair(pto_dtype t);

/* u8x4, s8x4, u16x2 and s16x2: for set alone, whose one type they are. */
bool pto_is_packed(pto_dtype t);

/* The type that setp compares, of a pair its halves'; NULL if it takes no such type. */
const struct dtype_info *pto_setp_type(pto_dtype t);

/* The same of set, of a packed type its elements'. */
const struct dtype_info *pto_set_type(pto_dtype t);

/* What set writes for true, in dtype or an element of it; 0 for a pair of types that PTX does not have. */
u32 pto_set_true(pto_dtype dtype, pto_dtype stype);

#endif
