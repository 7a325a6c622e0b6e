/* SPDX-License-Identifier: MIT */
#include "pto/maxmin.h"

#include "calls/comparison.h"
#include "calls/plan.h"
#include "calls/spread.h"
#include "core/check.h"
#include "core/maxmin.h"
#include "core/types.h"
#include "dispatch/dispatch.h"

/* A call bound to its kernel. */
struct maxmin {
    maxmin_fn *kernel;
    const struct compare_entry *entry; /* comparisons of this lane, for their FP state */
    fill_fn *fill;
    u8 what, operands;
    u8 scalars; /* bit i: operand i is one element */
    u8 element_bits;
};

_Static_assert(sizeof(struct maxmin) <= PLAN_BYTES, "a plan of max, min or clamp must fit pto_plan");

/* PTX's flags of max and min, type by type; clamp has no .xorsign.abs, for it has no two signs. */
static unsigned flags_taken(pto_dtype t, enum maxmin_op op) {
    const unsigned signs = op == MAXMIN_CLAMP ? 0 : PTO_XORSIGN_ABS;
    switch (t) {
    case PTO_F16:
    case PTO_F32: return PTO_FTZ | PTO_PROPAGATE_NAN | signs;
    case PTO_BF16: return PTO_PROPAGATE_NAN | signs;
    default: return 0;
    }
}

static ALWAYS_INLINE pto_status maxmin_prepare(struct maxmin *m, pto_dtype t, enum maxmin_op op,
                                               unsigned flags, unsigned refused, unsigned scalars) {
    const struct dtype_info *type = one_lane(t);
    const struct pto_kernels *k;
    m->operands = op == MAXMIN_CLAMP ? 3 : 2;
    if (type == NULL || type->class == CLASS_BITS) return PTO_ERR_TYPE;
    if ((flags & ~(flags_taken(t, op) & ~refused)) != 0 || scalars >> m->operands != 0)
        return PTO_ERR_MODIFIER;
    k = pto_active_kernels();
    m->kernel = pto_maxmin_kernels(k)->lane[type->lane];
    m->entry = &k->compare[type->lane];
    m->fill = k->fill[width_index(type->bits)];
    m->what = (u8)((unsigned)op | flags);
    m->scalars = (u8)scalars;
    m->element_bits = type->bits;
    return PTO_OK;
}

static ALWAYS_INLINE void maxmin_lanes(const struct maxmin *m, const void *const *in, void *dst, size_t n) {
    u8 blocks[MAXMIN_OPERANDS][SPREAD_BYTES];
    struct choice choice;
    fp_state saved;
    for (size_t i = 0; i < m->operands; ++i)
        spread_operand(m->fill, in[i], (m->scalars >> i & 1) != 0, &choice, i, blocks[i],
                       SPREAD_BYTES * 8 / m->element_bits);
    saved = compare_enter(m->entry);
    m->kernel(m->what, &choice, dst, n);
    compare_leave(m->entry, saved);
}

/* ---- calls ---- */

static pto_status maxmin_call(pto_dtype t, enum maxmin_op op, unsigned flags, const pto_in *in, void *dst,
                              size_t n) {
    const size_t operands = op == MAXMIN_CLAMP ? 3 : 2;
    const void *data[MAXMIN_OPERANDS];
    unsigned scalars = 0;
    struct maxmin m;
    pto_status status;
    for (size_t i = 0; i < operands; ++i) {
        if (n != 0 && in[i].data == NULL) return PTO_ERR_NULL;
        data[i] = in[i].data;
        scalars |= (unsigned)in[i].scalar << i;
    }
    if (n != 0 && dst == NULL) return PTO_ERR_NULL;
    status = maxmin_prepare(&m, t, op, flags, 0, scalars);
    if (status != PTO_OK) return status;
    if (nothing_to_do(n)) return nothing_status(n);
    for (size_t i = 0; i < operands; ++i)
        if (!operand_fits(dst, data[i], in[i].scalar, m.element_bits, n)) return PTO_ERR_OVERLAP;
    maxmin_lanes(&m, data, dst, n);
    return PTO_OK;
}

pto_status pto_vmax(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    return maxmin_call(t, MAXMIN_MAX, flags, (const pto_in[]){a, b}, dst, n);
}

pto_status pto_vmin(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    return maxmin_call(t, MAXMIN_MIN, flags, (const pto_in[]){a, b}, dst, n);
}

pto_status pto_vclamp(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst, size_t n) {
    return maxmin_call(t, MAXMIN_CLAMP, flags, (const pto_in[]){x, lo, hi}, dst, n);
}

/* The zero of every type, and that it is the second operand. */
static const u64 zero;
enum { RELU_SCALARS = PTO_SCALAR_1 };

pto_status pto_vrelu(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n) {
    struct maxmin m;
    pto_status status;
    if (n != 0 && (x == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = maxmin_prepare(&m, t, MAXMIN_MAX, flags, PTO_XORSIGN_ABS, RELU_SCALARS);
    if (status != PTO_OK) return status;
    if (nothing_to_do(n)) return nothing_status(n);
    if (!operand_fits(dst, x, false, m.element_bits, n)) return PTO_ERR_OVERLAP;
    maxmin_lanes(&m, (const void *const[]){x, &zero}, dst, n);
    return PTO_OK;
}

/* ---- plans ---- */

static void maxmin_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                       size_t n) {
    struct maxmin bound;
    memcpy(&bound, plan->priv, sizeof bound);
    if (n != 0) maxmin_lanes(&bound, (const void *const[]){a, b, m}, dst, n);
}

static void relu_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    (void)b;
    maxmin_run(plan, a, &zero, m, dst, n);
}

static pto_status maxmin_plan(pto_plan *plan, pto_dtype t, enum maxmin_op op, unsigned flags,
                              unsigned scalars) {
    struct plan_shapes shapes = {{0}, {0}, 0, 0};
    struct maxmin m;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = maxmin_prepare(&m, t, op, flags, 0, scalars);
    if (status != PTO_OK) return status;
    for (size_t i = 0; i < m.operands; ++i) shapes.src[i] = shape_in(m.element_bits, (scalars >> i & 1) != 0);
    shapes.dst[0] = shape_array(m.element_bits);
    plan_make(plan, maxmin_run, &m, sizeof m, shapes);
    return PTO_OK;
}

pto_status pto_plan_vmax(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars) {
    return maxmin_plan(plan, t, MAXMIN_MAX, flags, scalars);
}

pto_status pto_plan_vmin(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars) {
    return maxmin_plan(plan, t, MAXMIN_MIN, flags, scalars);
}

pto_status pto_plan_vclamp(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars) {
    return maxmin_plan(plan, t, MAXMIN_CLAMP, flags, scalars);
}

pto_status pto_plan_vrelu(pto_plan *plan, pto_dtype t, unsigned flags) {
    struct maxmin m;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = maxmin_prepare(&m, t, MAXMIN_MAX, flags, PTO_XORSIGN_ABS, RELU_SCALARS);
    if (status != PTO_OK) return status;
    plan_make(
        plan, relu_run, &m, sizeof m,
        (struct plan_shapes){.src = {shape_array(m.element_bits)}, .dst = {shape_array(m.element_bits)}});
    return PTO_OK;
}
