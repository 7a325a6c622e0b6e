/* SPDX-License-Identifier: MIT */
#include "pto/compare.h"

#include "block.h"
#include "check.h"
#include "comparison.h"
#include "dispatch.h"

/* What a plan keeps between calls. */
struct compare_plan {
    struct comparison c;
    const struct pto_kernels *k;
    u8 seed, dst; /* mask kinds */
    u8 merge;     /* lanes whose seed is off keep the old result */
};

_Static_assert(sizeof(struct compare_plan) <= sizeof((pto_plan){0}).priv, "a compare plan must fit pto_plan");

/* Block by block: compare, then seed and merge as logic on bits, then store as the caller's kind. The plan is
 * a copy, so that short calls, which do not come here, have theirs in registers. */
static void compare_blocks(struct compare_plan p, const void *a, const void *b, const void *m, void *d,
                           size_t n) {
    const struct pto_kernels *k = p.k;
    const pto_mask seed = pto_image(m, (pto_mask_kind)p.seed), dst = pto_image(d, (pto_mask_kind)p.dst);
    u64 bits[BLOCK_WORDS], on_buffer[BLOCK_WORDS], old_buffer[BLOCK_WORDS], out_buffer[BLOCK_WORDS];
    u8 scalar[8];
    comparison_give(&p.c, AS_BITS);
    if (p.c.form == FORM_VS) b = memcpy(scalar, b, p.c.element_bytes); /* dst may begin where it lies */
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        const size_t lanes = min_size(n - i, BLOCK_LANES);
        const void *on = block_bits(k, seed, i, on_buffer, lanes);
        const void *old = p.merge ? block_bits(k, dst, i, old_buffer, lanes) : on;
        void *out = block_target(dst, i, out_buffer);
        comparison_run(&p.c, a, b, i, bits, lanes);
        k->logic[p.merge ? LOGIC_SEL : LOGIC_AND](bits, old, on, out, lanes, 0, 0);
        block_end(k, dst, i, out, lanes);
    }
}

static ALWAYS_INLINE void compare_lanes(const struct compare_plan *p, const void *a, const void *b,
                                        const void *m, void *dst, size_t n) {
    const fp_state saved = comparison_enter(&p->c);
    if (m == NULL)
        comparison_run(&p->c, a, b, 0, dst, n);
    else
        compare_blocks(*p, a, b, m, dst, n);
    comparison_leave(&p->c, saved);
}

static ALWAYS_INLINE pto_status compare_prepare(struct compare_plan *p, pto_dtype t, pto_cmp op,
                                                unsigned flags, pto_mask_kind seed, pto_mask_kind dst,
                                                bool scalar) {
    const struct dtype_info *type = one_lane(t);
    pto_status status;

    if (type == NULL) return PTO_ERR_TYPE;
    p->k = pto_active_kernels();
    status = comparison_make(&p->c, p->k, type, op, (flags & PTO_FTZ) != 0, scalar ? FORM_VS : FORM_VV,
                             mask_form(dst));
    if (status != PTO_OK) return status;
    if (flags & ~(unsigned)(PTO_FTZ | PTO_MERGE)) return PTO_ERR_MODIFIER;
    if (!mask_fits(dst, type->bits) || !mask_fits(seed, type->bits)) return PTO_ERR_MASK;
    p->seed = (u8)seed;
    p->dst = (u8)dst;
    p->merge = (flags & PTO_MERGE) != 0;
    return PTO_OK;
}

static ALWAYS_INLINE pto_status compare_checked(pto_dtype t, pto_cmp op, unsigned flags, const void *a,
                                                const void *b, pto_mask seed, pto_mask dst, size_t n,
                                                bool scalar) {
    struct compare_plan p;
    pto_status status;
    struct operand d, x, y;

    if (n != 0 && (a == NULL || b == NULL || dst.data == NULL)) return PTO_ERR_NULL;
    status =
        compare_prepare(&p, t, op, flags, seed.data != NULL ? seed.kind : PTO_MASK_PACKED, dst.kind, scalar);
    if (status != PTO_OK || n == 0) return status;
    d = operand_mask(dst, n);
    x = operand_array(a, 8 * (size_t)p.c.element_bytes, n);
    y = operand_array(b, 8 * (size_t)p.c.element_bytes, scalar ? 1 : n);
    if (!apart(d, x) || !apart(d, y)) return PTO_ERR_OVERLAP;
    if (seed.data != NULL && !apart(d, operand_mask(seed, n))) return PTO_ERR_OVERLAP;
    compare_lanes(&p, a, b, seed.data, dst.data, n);
    return PTO_OK;
}

static void compare_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                        size_t n) {
    struct compare_plan p;
    memcpy(&p, plan->priv, sizeof p);
    if (n != 0) compare_lanes(&p, a, b, m, dst, n);
}

static ALWAYS_INLINE pto_status compare_plan(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                             pto_mask_kind seed, pto_mask_kind dst, bool scalar) {
    struct compare_plan p;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = compare_prepare(&p, t, op, flags, seed, dst, scalar);
    if (status != PTO_OK) return status;
    plan->run = compare_run;
    memcpy(plan->priv, &p, sizeof p);
    return PTO_OK;
}

pto_status pto_vcmp(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                    pto_mask seed, pto_mask dst, size_t n) {
    return compare_checked(t, op, flags, src0, src1, seed, dst, n, false);
}

pto_status pto_vcmps(pto_dtype t, pto_cmp op, unsigned flags, const void *src, const void *scalar,
                     pto_mask seed, pto_mask dst, size_t n) {
    return compare_checked(t, op, flags, src, scalar, seed, dst, n, true);
}

pto_status pto_plan_vcmp(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                         pto_mask_kind dst) {
    return compare_plan(plan, t, op, flags, seed, dst, false);
}

pto_status pto_plan_vcmps(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                          pto_mask_kind dst) {
    return compare_plan(plan, t, op, flags, seed, dst, true);
}
