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

/* Block by block: compare, then seed and merge as logic on bits, then store as the caller's kind. */
static void compare_blocks(struct compare_plan *p, const void *a, const void *b, const void *m, void *d,
                           size_t n) {
    const struct pto_kernels *k = p->k;
    const pto_mask seed = pto_image(m, (pto_mask_kind)p->seed), dst = pto_image(d, (pto_mask_kind)p->dst);
    u64 bits[BLOCK_WORDS], on_buffer[BLOCK_WORDS], old_buffer[BLOCK_WORDS], out_buffer[BLOCK_WORDS];
    u8 scalar[8];
    const fp_state saved = compare_enter(p->c.entry);
    comparison_give(&p->c, AS_BITS);
    if (p->c.scalar) b = memcpy(scalar, b, p->c.element_bits / 8U); /* dst may begin where it lies */
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        const size_t lanes = min_size(n - i, BLOCK_LANES);
        const void *on = block_bits(k, seed, i, on_buffer, lanes);
        const void *old = p->merge ? block_bits(k, dst, i, old_buffer, lanes) : on;
        void *out = block_target(dst, i, out_buffer);
        comparison_run(&p->c, a, b, i, bits, lanes);
        k->logic[p->merge ? LOGIC_SEL : LOGIC_AND](bits, old, on, out, lanes, 0, 0);
        block_end(k, dst, i, out, lanes);
    }
    compare_leave(p->c.entry, saved);
}

static ALWAYS_INLINE pto_status compare_prepare(struct compare_plan *p, pto_dtype t, pto_cmp op,
                                                unsigned flags, pto_mask_kind seed, pto_mask_kind dst,
                                                bool scalar) {
    const struct dtype_info *type = one_lane(t);
    pto_status status;

    if (rare(type == NULL)) return PTO_ERR_TYPE;
    p->k = pto_active_kernels();
    status = comparison_make(&p->c, p->k, type, op, (flags & PTO_FTZ) != 0, scalar);
    if (rare(status != PTO_OK)) return status;
    if (rare((flags & ~(unsigned)(PTO_FTZ | PTO_MERGE)) != 0)) return PTO_ERR_MODIFIER;
    if (rare(!mask_fits(dst, type->bits) || !mask_fits(seed, type->bits))) return PTO_ERR_MASK;
    comparison_give(&p->c, mask_form(dst));
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

    if (rare(a == NULL || b == NULL || dst.data == NULL) && n != 0) return PTO_ERR_NULL;
    status =
        compare_prepare(&p, t, op, flags, seed.data != NULL ? seed.kind : PTO_MASK_PACKED, dst.kind, scalar);
    if (rare(status != PTO_OK || n == 0)) return status;
    d = operand_mask(dst, n);
    x = operand_array(a, p.c.element_bits, n);
    y = operand_array(b, p.c.element_bits, scalar ? 1 : n);
    if (rare(!apart(d, x) || !apart(d, y))) return PTO_ERR_OVERLAP;
    if (seed.data == NULL) return comparison_whole(&p.c, a, b, dst.data, n);
    if (!apart(d, operand_mask(seed, n))) return PTO_ERR_OVERLAP;
    compare_blocks(&p, a, b, seed.data, dst.data, n);
    return PTO_OK;
}

/* With a seed. Apart from the calls without, most of which are short, so that those are short themselves. */
static NOINLINE pto_status vcmp_seeded(pto_dtype t, pto_cmp op, unsigned flags, const void *src0,
                                       const void *src1, pto_mask seed, pto_mask dst, size_t n) {
    return compare_checked(t, op, flags, src0, src1, seed, dst, n, false);
}

static NOINLINE pto_status vcmps_seeded(pto_dtype t, pto_cmp op, unsigned flags, const void *src,
                                        const void *scalar, pto_mask seed, pto_mask dst, size_t n) {
    return compare_checked(t, op, flags, src, scalar, seed, dst, n, true);
}

/* The same for plans. */
static NOINLINE void run_seeded(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                                size_t n) {
    struct compare_plan p;
    memcpy(&p, plan->priv, sizeof p);
    compare_blocks(&p, a, b, m, dst, n);
}

static void compare_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                        size_t n) {
    struct compare_plan p;
    if (rare(n == 0)) return;
    if (rare(m != NULL)) {
        run_seeded(plan, a, b, m, dst, n);
        return;
    }
    memcpy(&p, plan->priv, sizeof p);
    (void)comparison_whole(&p.c, a, b, dst, n);
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
    if (rare(seed.data != NULL)) return vcmp_seeded(t, op, flags, src0, src1, seed, dst, n);
    return compare_checked(t, op, flags, src0, src1, PTO_NO_MASK, dst, n, false);
}

pto_status pto_vcmps(pto_dtype t, pto_cmp op, unsigned flags, const void *src, const void *scalar,
                     pto_mask seed, pto_mask dst, size_t n) {
    if (rare(seed.data != NULL)) return vcmps_seeded(t, op, flags, src, scalar, seed, dst, n);
    return compare_checked(t, op, flags, src, scalar, PTO_NO_MASK, dst, n, true);
}

pto_status pto_plan_vcmp(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                         pto_mask_kind dst) {
    return compare_plan(plan, t, op, flags, seed, dst, false);
}

pto_status pto_plan_vcmps(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                          pto_mask_kind dst) {
    return compare_plan(plan, t, op, flags, seed, dst, true);
}
