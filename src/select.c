/* SPDX-License-Identifier: MIT */
#include "pto/select.h"

#include "block.h"
#include "check.h"
#include "comparison.h"
#include "dispatch.h"

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

static void select_lanes(const struct select_plan *p, const void *a, const void *b, const void *m, void *dst,
                         size_t n) {
    if (p->mask_bits == 1)
        p->select(a, b, m, dst, n);
    else
        select_blocks(p, a, b, m, dst, n);
}

static pto_status select_prepare(struct select_plan *p, pto_dtype t, pto_mask_kind mask) {
    const struct dtype_info *type = pto_one_lane(t);
    const struct pto_kernels *k = pto_active_kernels();

    if (type == NULL) return PTO_ERR_TYPE;
    if (!mask_fits(mask, type->bits)) return PTO_ERR_MASK;
    p->select = k->select[width_index(type->bits)];
    p->load = k->mask_load[mask];
    p->element_bytes = type->bits / 8;
    p->mask_bits = (u8)mask_lane_bits(mask);
    return PTO_OK;
}

static void select_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                       size_t n) {
    struct select_plan p;
    memcpy(&p, plan->priv, sizeof p);
    if (n != 0) select_lanes(&p, a, b, m, dst, n);
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
    struct operand d;
    size_t bits;

    if (n != 0 && (src0 == NULL || src1 == NULL || m.data == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = select_prepare(&p, t, m.kind);
    if (status != PTO_OK || n == 0) return status;
    bits = 8 * (size_t)p.element_bytes;
    d = operand_array(dst, bits, n);
    if (!apart(d, operand_array(src0, bits, n)) || !apart(d, operand_array(src1, bits, n)) ||
        !apart(d, operand_mask(m, n)))
        return PTO_ERR_OVERLAP;
    select_lanes(&p, src0, src1, m.data, dst, n);
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

/* PTX selects words of 16 to 64 bits, halves as b16. */
static const struct dtype_info *selp_type(pto_dtype t) {
    const struct dtype_info *type = pto_one_lane(t);
    return type != NULL && type->bits != 8 && t != PTO_F16 && t != PTO_BF16 ? type : NULL;
}

pto_status pto_selp(pto_dtype t, const void *a, const void *b, pto_mask p, void *dst, size_t n) {
    if (n != 0 && (a == NULL || b == NULL || p.data == NULL || dst == NULL)) return PTO_ERR_NULL;
    return selp_type(t) == NULL ? PTO_ERR_TYPE : pto_vsel(t, a, b, p, dst, n);
}

enum { FUSED_LANES = 512 }; /* what a block compares, and selects again, stays in the first-level cache */

/* An operand of a fused call: a scalar is copied out of dst's way, and spread over a block where it is
 * selected. */
struct fused_in {
    const u8 *data;
    size_t step; /* bytes from block lane to block lane, 0 for a scalar */
};

static void fused_blocks(const struct comparison *c, const struct pto_kernels *k, const void *x,
                         const void *y, struct fused_in u, struct fused_in v, unsigned width, u8 *dst,
                         size_t n) {
    u64 bits[FUSED_LANES / 64];
    for (size_t i = 0; i < n; i += FUSED_LANES) {
        size_t lanes = min_size(n - i, FUSED_LANES);
        comparison_run(c, x, y, i, bits, lanes);
        k->select[width_index(width)](u.data + i * u.step, v.data + i * v.step, bits, dst + i * (width / 8),
                                      lanes);
    }
}

pto_status pto_slct(pto_dtype t, pto_dtype ctype, bool ftz, const void *a, const void *b, const void *c,
                    void *dst, size_t n) {
    static const u32 zero;
    const struct dtype_info *type = selp_type(t);
    const struct pto_kernels *k = pto_active_kernels();
    struct fused_in u, v;
    struct operand d;
    struct comparison at_least_zero;
    fp_state saved;

    if (n != 0 && (a == NULL || b == NULL || c == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (type == NULL || (ctype != PTO_S32 && ctype != PTO_F32)) return PTO_ERR_TYPE;
    if (pto_comparison(&at_least_zero, k, pto_one_lane(ctype), PTO_GE, ftz, FORM_VS) != PTO_OK)
        return PTO_ERR_MODIFIER;
    if (n == 0) return PTO_OK;
    d = operand_array(dst, type->bits, n);
    if (!apart(d, operand_array(a, type->bits, n)) || !apart(d, operand_array(b, type->bits, n)) ||
        !apart(d, operand_array(c, 32, n)))
        return PTO_ERR_OVERLAP;

    u.data = a;
    v.data = b;
    u.step = v.step = type->bits / 8;
    saved = comparison_enter(&at_least_zero);
    fused_blocks(&at_least_zero, k, c, &zero, u, v, type->bits, dst, n);
    comparison_leave(&at_least_zero, saved);
    return PTO_OK;
}

/* A block of copies of a scalar, or the array itself. */
static struct fused_in spread(const struct pto_kernels *k, pto_in in, unsigned width, u64 *block, size_t n) {
    struct fused_in f = {in.data, width / 8};
    if (in.scalar) {
        k->fill[width_index(width)](in.data, block, min_size(n, FUSED_LANES));
        f.data = (const u8 *)block;
        f.step = 0;
    }
    return f;
}

pto_status pto_vcmpsel(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u, pto_in v,
                       void *dst, size_t n) {
    const struct dtype_info *type = pto_one_lane(t);
    const struct pto_kernels *k = pto_active_kernels();
    const pto_in ins[] = {x, y, u, v};
    enum operand_form form = y.scalar ? FORM_VS : x.scalar ? FORM_SV : FORM_VV;
    u64 x_block[FUSED_LANES], u_block[FUSED_LANES], v_block[FUSED_LANES], x_scalar, y_scalar;
    struct comparison c;
    struct fused_in fu, fv;
    pto_status status;
    fp_state saved;

    for (size_t i = 0; n != 0 && i < 4; ++i)
        if (ins[i].data == NULL) return PTO_ERR_NULL;
    if (n != 0 && dst == NULL) return PTO_ERR_NULL;
    if (type == NULL) return PTO_ERR_TYPE;
    status = pto_comparison(&c, k, type, op, (flags & PTO_FTZ) != 0, form);
    if (status != PTO_OK) return status;
    if (flags & ~(unsigned)PTO_FTZ) return PTO_ERR_MODIFIER;
    if (n == 0) return PTO_OK;
    for (size_t i = 0; i < 4; ++i)
        if (!apart(operand_array(dst, type->bits, n),
                   operand_array(ins[i].data, type->bits, ins[i].scalar ? 1 : n)))
            return PTO_ERR_OVERLAP;

    fu = spread(k, u, type->bits, u_block, n);
    fv = spread(k, v, type->bits, v_block, n);
    if (y.scalar) y.data = memcpy(&y_scalar, y.data, type->bits / 8);
    if (x.scalar &&
        y.scalar) { /* the kernel's left side is an array: one block of copies, read again and again */
        x.data = spread(k, x, type->bits, x_block, n).data;
        c.a_step = 0;
    } else if (x.scalar) {
        x.data = memcpy(&x_scalar, x.data, type->bits / 8);
    }
    saved = comparison_enter(&c);
    fused_blocks(&c, k, x.data, y.data, fu, fv, type->bits, dst, n);
    comparison_leave(&c, saved);
    return PTO_OK;
}
