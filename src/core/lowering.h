/* SPDX-License-Identifier: MIT */
/*
 * Lowering expresses a comparison operator on a type by one of the relations that backends have kernels for. lower() is
 * inline, because it is a large part of a short call. It needs no backend, so legality can be checked without one.
 */
#ifndef PTO_CORE_LOWERING_H
#define PTO_CORE_LOWERING_H

#include "core/types.h"
#include "pto/types.h"

/* A lowered comparison: the lane type, the relation, and whether its result is to be complemented. */
struct lowering {
    u8 lane; /* enum lane */
    u8 relation;
    u8 element_bits;
    bool complement;
};

/* An entry of pto_lowerings is a relation (enum relation), ORed with LOWERED and, if the result is to be complemented,
 * with LOWERED_COMPLEMENT. An entry of 0 means that the class does not have the operator. */
enum { LOWERED_RELATION_MASK = 0x0f, LOWERED = 0x10, LOWERED_COMPLEMENT = 0x20 };

enum { CMP_COUNT = PTO_NAN + 1, CMP_CAPACITY = 32 };

/* Entries by pto_class and pto_cmp. */
extern const u8 pto_lowerings[ELEMENT_CLASSES][CMP_CAPACITY];

/*
 * Sets *l to the lowered comparison. Returns PTO_ERR_OP if the type does not have the operator, or PTO_ERR_MODIFIER if
 * `ftz` is set and the type does not take it. The operator is checked first, as in every call.
 */
static inline pto_status lower(const struct dtype_info *type, pto_cmp op, bool ftz, struct lowering *l) {
    unsigned lowered, lane = type->lane;

    if (unlikely((unsigned)op >= CMP_COUNT)) return PTO_ERR_OP;
    lowered = pto_lowerings[type->class][op];
    if (unlikely(lowered == 0)) return PTO_ERR_OP;
    if (ftz) {
        lane = type->lane_ftz;
        if (unlikely(lane == LANE_NONE)) return PTO_ERR_MODIFIER;
    }
    l->lane = (u8)lane;
    l->relation = lowered & LOWERED_RELATION_MASK;
    l->element_bits = type->bits;
    l->complement = (lowered & LOWERED_COMPLEMENT) != 0;
    return PTO_OK;
}

#endif
