/* SPDX-License-Identifier: MIT */
#include "pto/select.h"

#include "calls/comparison.h"
#include "calls/spread.h"
#include "core/block.h"
#include "core/check.h"
#include "dispatch/dispatch.h"
#include "pto/plan.h"

struct select_plan {
    select_fn *select;
    u8 element_bits;
};

_Static_assert(sizeof(struct select_plan) <= sizeof((pto_plan){0}).priv, "a select plan must fit pto_plan");

static ALWAYS_INLINE pto_status select_prepare(struct select_plan *p, pto_dtype t, pto_mask_kind mask) {
    const struct dtype_info *type = one_lane(t);

    if (type == NULL) return PTO_ERR_TYPE;
    if (!mask_fits(mask, type->bits)) return PTO_ERR_MASK;
    p->select = pto_active_kernels()->select[mask_form(mask)][width_index(type->bits)];
    p->element_bits = type->bits;
    return PTO_OK;
}

static void select_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                       size_t n) {
    struct select_plan p;
    memcpy(&p, plan->priv, sizeof p);
    if (n != 0) p.select(a, b, m, dst, n);
}

pto_status pto_plan_vsel(pto_plan *plan, pto_dtype t, pto_mask_kind mask) {
    struct select_plan p;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = select_prepare(&p, t, mask);
    if (status != PTO_OK) return status;
    plan->run = select_run;
    memcpy(plan->priv, &p, sizeof p);
    return PTO_OK;
}

pto_status pto_vsel(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst, size_t n) {
    struct select_plan p;
    pto_status status;

    if (n != 0 && (src0 == NULL || src1 == NULL || m.data == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = select_prepare(&p, t, m.kind);
    if (status != PTO_OK) return status;
    if (nothing_to_do(n)) return nothing_status(n);
    if (!dst_fits(operand_array(dst, p.element_bits, n),
                  (const struct operand[]){operand_array(src0, p.element_bits, n),
                                           operand_array(src1, p.element_bits, n), operand_mask(m, n)},
                  3))
        return PTO_ERR_OVERLAP;
    p.select(src0, src1, m.data, dst, n);
    return PTO_OK;
}

pto_status pto_vsels(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n) {
    const struct dtype_info *type = one_lane(t);
    const struct pto_kernels *k;
    u8 blocks[2][SPREAD_LANES * 8];
    struct choice choice;

    if (n != 0 && (src0.data == NULL || src1.data == NULL || m.data == NULL || dst == NULL))
        return PTO_ERR_NULL;
    if (type == NULL) return PTO_ERR_TYPE;
    if (!mask_fits(m.kind, type->bits)) return PTO_ERR_MASK;
    if (nothing_to_do(n)) return nothing_status(n);
    if (!operand_fits(dst, src0, type->bits, n) || !operand_fits(dst, src1, type->bits, n) ||
        !overlap_allowed(operand_array(dst, type->bits, n), operand_mask(m, n)))
        return PTO_ERR_OVERLAP;
    k = pto_active_kernels();
    spread_lanes(k, src0, type->bits, &choice, 0, blocks[0], SPREAD_LANES);
    spread_lanes(k, src1, type->bits, &choice, 1, blocks[1], SPREAD_LANES);
    pto_choose_kernels(k)->selects[mask_form(m.kind)][width_index(type->bits)](&choice, m.data, dst, n);
    return PTO_OK;
}

pto_status pto_vselr(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst, size_t n) {
    return pto_vsel(t, src1, src0, m, dst, n); /* reversed: NOLINT(readability-suspicious-call-argument) */
}

pto_status pto_vselrv2(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst, size_t n) {
    return pto_vsel(t, src1, src0, m, dst, n); /* reversed: NOLINT(readability-suspicious-call-argument) */
}

pto_status pto_vbr(pto_dtype t, const void *scalar, void *dst, size_t n) {
    const struct dtype_info *type = one_lane(t);
    if (n != 0 && (scalar == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (type == NULL) return PTO_ERR_TYPE;
    if (nothing_to_do(n)) return nothing_status(n);
    if (!overlap_allowed(operand_array(dst, type->bits, n), operand_array(scalar, type->bits, 1)))
        return PTO_ERR_OVERLAP;
    pto_active_kernels()->fill[width_index(type->bits)](scalar, dst, n);
    return PTO_OK;
}

/* PTX selects words of 16 to 64 bits, halves as b16. */
static const struct dtype_info *selp_type(pto_dtype t) {
    const struct dtype_info *type = one_lane(t);
    return type != NULL && type->bits != 8 && t != PTO_F16 && t != PTO_BF16 ? type : NULL;
}

pto_status pto_selp(pto_dtype t, const void *a, const void *b, pto_mask p, void *dst, size_t n) {
    if (n != 0 && (a == NULL || b == NULL || p.data == NULL || dst == NULL)) return PTO_ERR_NULL;
    return selp_type(t) == NULL ? PTO_ERR_TYPE : pto_vsel(t, a, b, p, dst, n);
}

enum { SLCT_LANES = 512 }; /* what a block compares, and then selects from, stays in the first-level cache */

pto_status pto_slct(pto_dtype t, pto_dtype ctype, bool ftz, const void *a, const void *b, const void *c,
                    void *dst, size_t n) {
    static const u32 zero;
    const struct dtype_info *type = selp_type(t);
    const struct pto_kernels *k;
    u64 bits[SLCT_LANES / 64];
    struct lowering l;
    struct comparison at_least_zero;
    fp_state saved;

    if (n != 0 && (a == NULL || b == NULL || c == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (type == NULL || (ctype != PTO_S32 && ctype != PTO_F32)) return PTO_ERR_TYPE;
    if (lower(one_lane(ctype), PTO_GE, ftz, &l) != PTO_OK) return PTO_ERR_MODIFIER;
    if (nothing_to_do(n)) return nothing_status(n);
    if (!dst_fits(operand_array(dst, type->bits, n),
                  (const struct operand[]){operand_array(a, type->bits, n), operand_array(b, type->bits, n),
                                           operand_array(c, 32, n)},
                  3))
        return PTO_ERR_OVERLAP;

    k = pto_active_kernels();
    at_least_zero = bind(&l, k, true, AS_BITS);
    saved = compare_enter(at_least_zero.entry);
    for (size_t i = 0; i < n; i += SLCT_LANES) {
        const size_t lanes = min_size(n - i, SLCT_LANES), at = i * (type->bits / 8);
        comparison_run(&at_least_zero, c, &zero, i, bits, lanes);
        k->select[AS_BITS][width_index(type->bits)]((const u8 *)a + at, (const u8 *)b + at, bits,
                                                    (u8 *)dst + at, lanes);
    }
    compare_leave(at_least_zero.entry, saved);
    return PTO_OK;
}

static void swap_operands(pto_in *a, pto_in *b) {
    const pto_in kept = *a;
    *a = *b;
    *b = kept;
}

/* Choose kernels know mirrored relations as those of exchanged operands, and no complement: in[] is x, y, u
 * and v. */
static enum basis choose_lowered(const struct lowering *l, pto_in in[4]) {
    const enum basis direct = basis_direct((enum basis)l->basis);
    if (direct != l->basis) swap_operands(&in[0], &in[1]);
    if (l->complement) swap_operands(&in[2], &in[3]);
    return direct;
}

pto_status pto_vcmpsel(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u, pto_in v,
                       void *dst, size_t n) {
    const struct dtype_info *type = one_lane(t);
    const struct compare_entry *entry;
    const struct pto_kernels *k;
    pto_in in[] = {x, y, u, v};
    u8 blocks[4][SPREAD_BYTES];
    struct lowering l;
    struct choice choice;
    choose_fn *choose;
    pto_status status;
    fp_state saved;

    for (size_t i = 0; n != 0 && i < 4; ++i)
        if (in[i].data == NULL) return PTO_ERR_NULL;
    if (n != 0 && dst == NULL) return PTO_ERR_NULL;
    if (type == NULL) return PTO_ERR_TYPE;
    status = lower(type, op, (flags & PTO_FTZ) != 0, &l);
    if (status != PTO_OK) return status;
    if (flags & ~(unsigned)PTO_FTZ) return PTO_ERR_MODIFIER;
    if (nothing_to_do(n)) return nothing_status(n);
    for (size_t i = 0; i < 4; ++i)
        if (!operand_fits(dst, in[i], type->bits, n)) return PTO_ERR_OVERLAP;

    k = pto_active_kernels();
    entry = &k->compare[l.lane];
    choose = pto_choose_kernels(k)->lane[l.lane]->of[choose_lowered(&l, in)];
    for (size_t i = 0; i < 4; ++i) spread_operand(k, in[i], type->bits, &choice, i, blocks[i]);
    saved = compare_enter(entry);
    choose(&choice, dst, n);
    compare_leave(entry, saved);
    return PTO_OK;
}
