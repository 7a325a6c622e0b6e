/* SPDX-License-Identifier: MIT */
/* The values of a kernel's registers in the lanes of a group, and the error message of a launch. */
#include "launch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const pto_dtype by_bytes[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};

static const struct reg *reg_of(const struct launch *l, int reg) {
    return &l->kernel->code.regs[reg];
}

bool pto_launch_is_filled(const struct lane_values *v) {
    const struct ramp *a = &v->filled, *b = &v->ramp;
    return v->has_filled && a->first == b->first && a->per_thread == b->per_thread &&
           a->per_block == b->per_block;
}

void pto_launch_fill(const struct launch *l, int reg, const struct ramp *ramp, void *to) {
    const struct reg *r = reg_of(l, reg);
    const size_t bytes = pto_reg_bits(r) / 8;
    if (r->predicate)
        memset(to, ramp->first & 1 ? 0xff : 0, pto_reg_block_bytes(r, l->group.lanes));
    else if (!pto_ramp_is_uniform(ramp) ||
             pto_vbr(by_bytes[bytes], &ramp->first, to, l->group.lanes) != PTO_OK)
        pto_ramp_fill(ramp, &l->group, bytes, to);
}

const void *pto_launch_lanes(struct launch *l, int reg) {
    struct lane_values *v = &l->values[reg];
    if (!v->is_ramp) return v->data;
    if (pto_launch_is_filled(v)) return v->own;
    pto_launch_fill(l, reg, &v->ramp, v->own);
    v->filled = v->ramp;
    v->has_filled = true;
    return v->own;
}

void *pto_launch_result(struct launch *l, int reg) {
    struct lane_values *v = &l->values[reg];
    v->is_ramp = v->has_filled = false;
    v->data = v->own;
    return v->own;
}

pto_status pto_launch_merge(struct launch *l, int reg, const void *computed, const struct lane_mask *mask) {
    const struct reg *r = reg_of(l, reg);
    const void *old = pto_launch_lanes(l, reg);
    void *to = pto_launch_result(l, reg);
    if (r->predicate)
        return pto_mask_sel(pto_packed_in(computed), pto_packed_in(old), pto_packed_in(mask->words),
                            pto_packed(to), l->group.lanes);
    return pto_vsel(by_bytes[pto_reg_bits(r) / 8], computed, old, pto_packed_in(mask->words), to,
                    l->group.lanes);
}

pto_status pto_launch_error(struct launch *l, const struct step *s, const char *word, pto_status status,
                            const char *format, ...) {
    va_list arguments;
    memset(&l->problem, 0, sizeof l->problem);
    if (s) {
        l->problem.line = s->line;
        l->problem.column = s->column;
    }
    (void)snprintf(l->problem.word, sizeof l->problem.word, "%s", word);
    va_start(arguments, format);
    (void)vsnprintf(l->problem.text, sizeof l->problem.text, format, arguments);
    va_end(arguments);
    return status;
}
