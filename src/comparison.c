/* SPDX-License-Identifier: MIT */
#include "comparison.h"

/* How an operator is made: a basis relation, perhaps complemented. */
struct lowering {
    u8 legal, basis, complement;
};

enum { CMPS = PTO_NAN + 1 };

/* Integers are never unordered, so LE is the complement of GT and so on. */
static const struct lowering integer_ops[CMPS] = {
    [PTO_EQ] = {1, BASIS_EQ, 0}, [PTO_NE] = {1, BASIS_EQ, 1}, [PTO_LT] = {1, BASIS_LT, 0},
    [PTO_LE] = {1, BASIS_GT, 1}, [PTO_GT] = {1, BASIS_GT, 0}, [PTO_GE] = {1, BASIS_LT, 1},
    [PTO_LO] = {1, BASIS_LT, 0}, [PTO_LS] = {1, BASIS_GT, 1}, [PTO_HI] = {1, BASIS_GT, 0},
    [PTO_HS] = {1, BASIS_LT, 1},
};

/* A complement turns false on NaN into true on NaN: LTU is "not GE". NE is ordered: less or greater. */
static const struct lowering float_ops[CMPS] = {
    [PTO_EQ] = {1, BASIS_EQ, 0},   [PTO_NE] = {1, BASIS_LG, 0},   [PTO_LT] = {1, BASIS_LT, 0},
    [PTO_LE] = {1, BASIS_LE, 0},   [PTO_GT] = {1, BASIS_GT, 0},   [PTO_GE] = {1, BASIS_GE, 0},
    [PTO_EQU] = {1, BASIS_LG, 1},  [PTO_NEU] = {1, BASIS_EQ, 1},  [PTO_LTU] = {1, BASIS_GE, 1},
    [PTO_LEU] = {1, BASIS_GT, 1},  [PTO_GTU] = {1, BASIS_LE, 1},  [PTO_GEU] = {1, BASIS_LT, 1},
    [PTO_NUM] = {1, BASIS_ORD, 0}, [PTO_NAN] = {1, BASIS_ORD, 1},
};

static const struct lowering *lower(const struct dtype_info *type, pto_cmp op) {
    const struct lowering *l;
    if ((unsigned)op >= CMPS) return NULL;
    if (type->class == CLASS_BITS && op != PTO_EQ && op != PTO_NE) return NULL;
    if (type->class == CLASS_SIGNED && op >= PTO_LO && op <= PTO_HS) return NULL;
    l = type->class == CLASS_FLOAT ? &float_ops[op] : &integer_ops[op];
    return l->legal ? l : NULL;
}

/* a R b is b R' a. */
static unsigned mirrored(unsigned basis) {
    switch (basis) {
    case BASIS_LT: return BASIS_GT;
    case BASIS_LE: return BASIS_GE;
    case BASIS_GT: return BASIS_LT;
    case BASIS_GE: return BASIS_LE;
    default: return basis;
    }
}

pto_status pto_comparison(struct comparison *c, const struct pto_kernels *k, const struct dtype_info *type,
                          pto_cmp op, bool ftz, enum operand_form form) {
    const struct lowering *l = lower(type, op);
    const struct compare_entry *entry;
    unsigned basis;

    if (l == NULL) return PTO_ERR_OP;
    if (ftz && type->lane_ftz == LANE_NONE) return PTO_ERR_MODIFIER;
    entry = &k->compare[ftz ? type->lane_ftz : type->lane];
    basis = l->basis;
    /* Kernels of two vectors have no GT and GE, those of a scalar have it on the right. */
    c->swap = form == FORM_SV || (form == FORM_VV && (basis == BASIS_GT || basis == BASIS_GE));
    if (c->swap) basis = mirrored(basis);
    c->kernel = form == FORM_VV ? entry->kernels->vv[basis] : entry->kernels->vs[basis];
    c->flip = l->complement ? ~(u64)0 : 0;
    c->fp = (u8)entry->fp;
    c->element_bytes = type->bits / 8;
    c->a_step = form == FORM_SV ? 0 : c->element_bytes;
    c->b_step = form == FORM_VS ? 0 : c->element_bytes;
    return PTO_OK;
}
