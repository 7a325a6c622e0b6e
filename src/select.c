/* SPDX-License-Identifier: MIT */
#include "pto/select.h"

#include "block.h"
#include "check.h"
#include "dispatch.h"
#include "dtype.h"

struct select_plan {
    select_fn *select;
    mask_fn *load;
    u8 element_bytes, mask_bits;
};

_Static_assert(sizeof(struct select_plan) <= sizeof((pto_plan){0}).priv, "a select plan must fit pto_plan");

static void select_blocks(const struct select_plan *p, const u8 *x, const u8 *y, const u8 *m, u8 *dst,
                          size_t n) {
    u64 bits[BLOCK_WORDS];
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        size_t lanes = min_size(n - i, BLOCK_LANES), at = i * p->element_bytes;
        block_load(p->load, m + block_bytes(i, p->mask_bits), bits, lanes);
        p->select(x + at, y + at, bits, dst + at, lanes);
    }
}

static void select_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                       size_t n) {
    struct select_plan p;
    memcpy(&p, plan->priv, sizeof p);
    if (n == 0) return;
    if (p.mask_bits == 1)
        p.select(a, b, m, dst, n);
    else
        select_blocks(&p, a, b, m, dst, n);
}

static pto_status select_plan(pto_plan *plan, pto_dtype t, pto_mask_kind mask) {
    const struct dtype_info *type = pto_one_lane(t);
    const struct pto_kernels *k = pto_active_kernels();
    struct select_plan p;

    if (type == NULL) return PTO_ERR_TYPE;
    if (!mask_fits(mask, type->bits)) return PTO_ERR_MASK;
    p.select = k->select[width_index(type->bits)];
    p.load = k->mask_load[mask];
    p.element_bytes = type->bits / 8;
    p.mask_bits = (u8)mask_lane_bits(mask);
    plan->run = select_run;
    memcpy(plan->priv, &p, sizeof p);
    return PTO_OK;
}

pto_status pto_plan_vsel(pto_plan *plan, pto_dtype t, pto_mask_kind mask) {
    return plan == NULL ? PTO_ERR_NULL : select_plan(plan, t, mask);
}

pto_status pto_vsel(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst, size_t n) {
    pto_plan plan;
    pto_status status;
    size_t bits = pto_dtype_bits(t);
    struct operand d = operand_array(dst, bits, n);

    if (n != 0 && (src0 == NULL || src1 == NULL || m.data == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = select_plan(&plan, t, m.kind);
    if (status != PTO_OK || n == 0) return status;
    if (!apart(d, operand_array(src0, bits, n)) || !apart(d, operand_array(src1, bits, n)) ||
        !apart(d, operand_mask(m, n)))
        return PTO_ERR_OVERLAP;
    select_run(&plan, src0, src1, m.data, dst, n);
    return PTO_OK;
}

pto_status pto_vselr(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst, size_t n) {
    return pto_vsel(t, src1, src0, m, dst, n); /* reversed: NOLINT(readability-suspicious-call-argument) */
}

pto_status pto_vselrv2(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst, size_t n) {
    return pto_vsel(t, src1, src0, m, dst, n); /* reversed: NOLINT(readability-suspicious-call-argument) */
}

pto_status pto_vbr(pto_dtype t, const void *scalar, void *dst, size_t n) {
    const struct dtype_info *type = pto_one_lane(t);
    if (n != 0 && (scalar == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (type == NULL) return PTO_ERR_TYPE;
    if (n == 0) return PTO_OK;
    if (!apart(operand_array(dst, type->bits, n), operand_array(scalar, type->bits, 1)))
        return PTO_ERR_OVERLAP;
    pto_active_kernels()->fill[width_index(type->bits)](scalar, dst, n);
    return PTO_OK;
}
