/* SPDX-License-Identifier: MIT */
/* Since when PTX has a conversion, and on which target. */
#include "pto/forms.h"

#include "ptx/cvt_forms.h"
#include "ptx/cvt_rules.h"

/* Raise isa and target to what one instruction of PTX needs. */
static void add_needs(pto_cvt_op op, int *isa, enum cvt_target *target) {
    const unsigned flags = cvt_modifiers(op);
    for (size_t i = 0; i < sizeof cvt_needs / sizeof cvt_needs[0]; ++i) {
        const struct cvt_need *n = &cvt_needs[i];
        if ((n->dst >> op.dst & n->src >> op.src & n->rounds >> op.round & 1) == 0) continue;
        if ((n->flags & ~flags) != 0) continue;
        if (*isa < n->isa) *isa = n->isa;
        if (*target < n->target) *target = n->target;
    }
}

static pto_status needs_of(pto_cvt_op op, int *isa, enum cvt_target *target) {
    const pto_status status = pto_cvt_check(op);
    pto_cvt_op steps[2];
    *isa = 0;
    *target = SM_75;
    if (status != PTO_OK) return status;
    if (pto_cvt_is_ptx(op)) {
        add_needs(op, isa, target);
        return PTO_OK;
    }
    pto_cvt_steps(op, steps);
    add_needs(steps[0], isa, target);
    add_needs(steps[1], isa, target);
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
