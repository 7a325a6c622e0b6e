/* SPDX-License-Identifier: MIT */
/* The PTX ISA version and the target that introduced a conversion. */
#include "pto/forms.h"

#include "ptx/cvt_forms.h"
#include "ptx/cvt_rules.h"

/* If need n applies to op, raises *isa and *target to the version and target of n, unless they are later already. */
static void add_need(const struct cvt_need *n, pto_cvt_op op, int *isa, enum cvt_target *target) {
    if ((n->dst >> op.dst & n->src >> op.src & n->rounds >> op.round & 1) == 0) return;
    if ((n->flags & ~cvt_modifiers(op)) != 0) return;
    if (*isa < n->isa) *isa = n->isa;
    if (*target < n->target) *target = n->target;
}

/* Raises *isa and *target to what one PTX instruction needs. */
static void add_needs(pto_cvt_op op, int *isa, enum cvt_target *target) {
    for (size_t i = 0; i < sizeof cvt_needs / sizeof cvt_needs[0]; ++i)
        add_need(&cvt_needs[i], op, isa, target);
}

static pto_status needs_of(pto_cvt_op op, int *isa, enum cvt_target *target) {
    const pto_status status = pto_cvt_check(op);
    pto_cvt_op instructions[2];
    *isa = 0;
    *target = SM_75;
    if (status != PTO_OK) return status;
    if (pto_cvt_is_ptx(op)) {
        add_needs(op, isa, target);
        return PTO_OK;
    }
    pto_cvt_split(op, instructions);
    add_needs(instructions[0], isa, target);
    add_needs(instructions[1], isa, target);
    return PTO_OK;
}

pto_status pto_cvt_since(pto_cvt_op op, int *isa) {
    int version;
    enum cvt_target target;
    pto_status status;
    if (isa == NULL) return PTO_ERR_NULL;
    status = needs_of(op, &version, &target);
    if (status == PTO_OK) *isa = version;
    return status;
}

pto_status pto_cvt_target(pto_cvt_op op, const char **name) {
    int version;
    enum cvt_target target;
    pto_status status;
    if (name == NULL) return PTO_ERR_NULL;
    status = needs_of(op, &version, &target);
    if (status == PTO_OK) *name = cvt_target_names[target];
    return status;
}

bool pto_cvt_pairs_are_newer(pto_cvt_op op, int *isa, const char **name) {
    const struct cvt_spelling scalar = {CVT_X1, CVT_X1}, pairs = {CVT_X2, CVT_X1};
    int version, newer;
    enum cvt_target target, later;
    if (pto_cvt_spelling_status(op, &scalar) != PTO_OK || pto_cvt_spelling_status(op, &pairs) != PTO_OK)
        return false;
    if (needs_of(op, &version, &target) != PTO_OK) return false;
    newer = version;
    later = target;
    add_need(&cvt_need_of_pairs, op, &newer, &later);
    if (newer == version && later == target) return false;
    *isa = newer;
    *name = cvt_target_names[later];
    return true;
}
