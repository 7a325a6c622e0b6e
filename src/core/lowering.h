/* SPDX-License-Identifier: MIT */
/*
 * How an operator on a type is made from the relations that backends have kernels for. Inline, because short
 * calls are made of little else; no backend is needed, so that legality can be asked without one.
 */
#ifndef PTO_CORE_LOWERING_H
#define PTO_CORE_LOWERING_H

#include "core/types.h"
#include "pto/types.h"

/* The relation of these lanes, its truth complemented or not. */
struct lowering {
    u8 lane; /* enum lane */
    u8 basis;
    u8 element_bits;
    bool complement;
};

/* One byte for each operator of a class: a basis relation, perhaps complemented. 0: no such operator. */
enum { LOWERED_TO = 0x0f, LOWERED = 0x10, LOWERED_COMPLEMENT = 0x20 };

enum { CMPS = PTO_NAN + 1, CMPS_ROOM = 32 };

/* By enum dtype_class and operator. */
extern const u8 pto_lowerings[DTYPE_CLASSES][CMPS_ROOM];

/*
 * PTO_ERR_OP: the type does not have the operator; PTO_ERR_MODIFIER: the type does not flush. The operator is
 * checked first, as everywhere.
 */
static inline pto_status lower(const struct dtype_info *type, pto_cmp op, bool ftz, struct lowering *l) {
    unsigned lowered, lane = type->lane;

    if (unlikely((unsigned)op >= CMPS)) return PTO_ERR_OP;
    lowered = pto_lowerings[type->class][op];
    if (unlikely(lowered == 0)) return PTO_ERR_OP;
    if (ftz) {
        lane = type->lane_ftz;
        if (unlikely(lane == LANE_NONE)) return PTO_ERR_MODIFIER;
    }
    l->lane = (u8)lane;
    l->basis = lowered & LOWERED_TO;
    l->element_bits = type->bits;
    l->complement = (lowered & LOWERED_COMPLEMENT) != 0;
    return PTO_OK;
}

#endif
