/* SPDX-License-Identifier: MIT */
/* pto_vcmp(), pto_vcmps() and their plans. */
#include "pto/compare.h"

#include "calls/comparison.h"
#include "calls/plan.h"
#include "calls/small_floats.h"
#include "core/block.h"
#include "core/check.h"
#include "dispatch/dispatch.h"

/* Checks the types, operator, flags and mask kinds of vcmp or vcmps, in the order of types.h, and lowers the
 * comparison to *l. */
static ALWAYS_INLINE pto_status compare_lower(pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                                              pto_mask_kind dst, struct lowering *l) {
    const struct dtype_info *type = one_lane_info(t);
    pto_status status;

    if (unlikely(type == NULL)) return PTO_ERR_TYPE;
    status = lower(type, op, (flags & PTO_FTZ) != 0, l);
    if (unlikely(status != PTO_OK)) return status;
    if (unlikely((flags & ~(unsigned)(PTO_FTZ | PTO_MERGE)) != 0)) return PTO_ERR_MODIFIER;
    if (unlikely(!mask_fits(dst, type->bits) || !mask_fits(seed, type->bits))) return PTO_ERR_MASK;
    return PTO_OK;
}

/*
 * Compares with a seed, block by block. Each block is compared to packed bits. These are combined with the seed and, if
 * `merge` is set, with the old mask. The result is stored in the caller's mask kind. The kernel of c must write packed
 * bits.
 */
static void compare_blocks(const struct comparison *c, const struct pto_kernels *k, const void *a,
                           const void *b, pto_mask seed, pto_mask dst, bool merge, size_t n) {
    u64 bits[BLOCK_WORDS];
    u8 scalar[8];
    const fp_state saved = compare_enter(c->entry);
    if (c->scalar) b = memcpy(scalar, b, c->element_bits / 8U); /* dst may overwrite it */
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        const size_t lanes = min_size(n - i, BLOCK_LANES);
        comparison_run(c, a, b, i, bits, lanes);
        block_store(k, bits, seed, dst, merge, i, lanes);
    }
    compare_leave(c->entry, saved);
}

/* ---- small floats ---- */

/* A comparison of small floats. */
struct small_comparison {
    const struct pto_kernels *k;
    small_compare_fn *kernel;
    const struct small_float *format;
    u8 outcomes;
    u8 seed, dst; /* mask kinds */
    bool scalar, merge;
};

_Static_assert(sizeof(struct small_comparison) <= PLAN_BYTES, "a plan of small floats must fit pto_plan");

/* Does what compare_lower() does, for a small float. */
static pto_status small_prepare(struct small_comparison *c, bool scalar, pto_dtype t, pto_cmp op,
                                unsigned flags, pto_mask_kind seed, pto_mask_kind dst) {
    const struct pto_kernels *k = pto_active_kernels();
    const struct small_float *f = pto_small_float(t);
    unsigned outcomes;
    if (f == NULL) return PTO_ERR_TYPE;
    if (!pto_small_outcomes(op, &outcomes)) return PTO_ERR_OP;
    if ((flags & ~(unsigned)PTO_MERGE) != 0) return PTO_ERR_MODIFIER;
    if (!mask_fits(dst, 8) || !mask_fits(seed, 8)) return PTO_ERR_MASK;
    *c = (struct small_comparison){
        k, pto_small_compare(k), f, (u8)outcomes, (u8)seed, (u8)dst, scalar, flags != 0};
    return PTO_OK;
}

/* The kernel writes bytes, which are the mask itself if that is of bytes and there is no seed. */
static void small_blocks(const struct small_comparison *c, const void *a, const void *b, const void *seed,
                         void *dst, size_t n) {
    const pto_mask on = pto_mask_in(seed, (pto_mask_kind)c->seed),
                   to = pto_mask_at(dst, (pto_mask_kind)c->dst);
    u8 truth[BLOCK_LANES], scalar = 0;
    u64 bits[BLOCK_WORDS];
    if (c->scalar) { /* dst may overwrite it */
        scalar = *(const u8 *)b;
        b = &scalar;
    }
    if (seed == NULL && to.kind == PTO_MASK_BYTE) {
        c->kernel(c->format, c->outcomes, c->scalar, a, b, dst, n);
        return;
    }
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        const size_t lanes = min_size(n - i, BLOCK_LANES);
        const u8 *const y = c->scalar ? b : (const u8 *)b + i;
        c->kernel(c->format, c->outcomes, c->scalar, (const u8 *)a + i, y, truth, lanes);
        c->k->mask_load[PTO_MASK_BYTE](truth, bits, lanes);
        block_store(c->k, bits, on, to, c->merge, i, lanes);
    }
}

static NOINLINE pto_status small_compare(bool scalar, pto_dtype t, pto_cmp op, unsigned flags, const void *a,
                                         const void *b, pto_mask seed, pto_mask dst, size_t n) {
    struct small_comparison c;
    const pto_status status =
        small_prepare(&c, scalar, t, op, flags, seed.data != NULL ? seed.kind : PTO_MASK_PACKED, dst.kind);
    if (status != PTO_OK) return status;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!overlaps_allowed(operand_mask(dst, n),
                          (const struct operand[]){operand_array(a, 8, n),
                                                   operand_array(b, 8, scalar ? 1 : n),
                                                   operand_mask(seed, n)},
                          3))
        return PTO_ERR_OVERLAP;
    small_blocks(&c, a, b, seed.data, dst.data, n);
    return PTO_OK;
}

static void run_small(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                      size_t n) {
    struct small_comparison c;
    memcpy(&c, plan->priv, sizeof c);
    if (n != 0) small_blocks(&c, a, b, m, dst, n);
}

static pto_status plan_small(pto_plan *plan, bool scalar, pto_dtype t, pto_cmp op, unsigned flags,
                             pto_mask_kind seed, pto_mask_kind dst) {
    struct small_comparison c;
    const pto_status status = small_prepare(&c, scalar, t, op, flags, seed, dst);
    if (status != PTO_OK) return status;
    plan_make(
        plan, run_small, &c, sizeof c,
        (struct plan_shapes){.src = {shape_array(8), shape_in(8, scalar), shape_optional(shape_mask(seed))},
                             .dst = {shape_mask(dst)}});
    return PTO_OK;
}

/* ---- calls ---- */

/* Checks the arguments, binds the comparison and runs it. `scalar` and `seeded` must be compile-time constants. So
 * calls without a seed, most of which are on few lanes, execute little code. */
static ALWAYS_INLINE pto_status compare_call(bool scalar, bool seeded, pto_dtype t, pto_cmp op,
                                             unsigned flags, const void *a, const void *b, pto_mask seed,
                                             pto_mask dst, size_t n) {
    struct lowering l;
    struct comparison c;
    const struct pto_kernels *k;
    pto_status status;

    if (unlikely(a == NULL || b == NULL || dst.data == NULL) && n != 0) return PTO_ERR_NULL;
    status = compare_lower(t, op, flags, seeded ? seed.kind : PTO_MASK_PACKED, dst.kind, &l);
    if (unlikely(status == PTO_ERR_TYPE)) return small_compare(scalar, t, op, flags, a, b, seed, dst, n);
    if (unlikely(status != PTO_OK)) return status;
    if (unlikely(is_empty_or_too_large(n))) return size_status(n);
    if (!overlaps_allowed(
            operand_mask(dst, n),
            (const struct operand[]){operand_array(a, l.element_bits, n),
                                     operand_array(b, l.element_bits, scalar ? 1 : n),
                                     seeded ? operand_mask(seed, n) : operand_mask(PTO_NO_MASK, 0)},
            seeded ? 3 : 2))
        return PTO_ERR_OVERLAP;
    k = pto_active_kernels();
    c = bind(&l, k, scalar, seeded ? MASK_AS_BITS : mask_storage(dst.kind));
    if (!seeded) return comparison_run_all(&c, a, b, dst.data, n);
    compare_blocks(&c, k, a, b, seed, dst, (flags & PTO_MERGE) != 0, n);
    return PTO_OK;
}

static NOINLINE pto_status vcmp_seeded(pto_dtype t, pto_cmp op, unsigned flags, const void *src0,
                                       const void *src1, pto_mask seed, pto_mask dst, size_t n) {
    return compare_call(false, true, t, op, flags, src0, src1, seed, dst, n);
}

static NOINLINE pto_status vcmps_seeded(pto_dtype t, pto_cmp op, unsigned flags, const void *src,
                                        const void *scalar, pto_mask seed, pto_mask dst, size_t n) {
    return compare_call(true, true, t, op, flags, src, scalar, seed, dst, n);
}

pto_status pto_vcmp(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                    pto_mask seed, pto_mask dst, size_t n) {
    if (unlikely(seed.data != NULL)) return vcmp_seeded(t, op, flags, src0, src1, seed, dst, n);
    return compare_call(false, false, t, op, flags, src0, src1, PTO_NO_MASK, dst, n);
}

pto_status pto_vcmps(pto_dtype t, pto_cmp op, unsigned flags, const void *src, const void *scalar,
                     pto_mask seed, pto_mask dst, size_t n) {
    if (unlikely(seed.data != NULL)) return vcmps_seeded(t, op, flags, src, scalar, seed, dst, n);
    return compare_call(true, false, t, op, flags, src, scalar, PTO_NO_MASK, dst, n);
}

/* ---- plans ---- */

/* The state of a plan: the comparison bound to the result's kind, and bound to bits for runs with a seed. */
struct compare_plan {
    compare_fn *to_mask, *to_bits;
    const struct compare_entry *entry;
    const struct pto_kernels *k;
    u64 flip;
    u8 element_bits;
    u8 seed, dst; /* mask kinds */
    bool scalar;
    bool merge; /* lanes whose seed bit is 0 keep the old result */
};

_Static_assert(sizeof(struct compare_plan) <= PLAN_BYTES, "a compare plan must fit pto_plan");

static ALWAYS_INLINE struct comparison bound_comparison(const struct compare_plan *p, compare_fn *kernel) {
    return (struct comparison){kernel, p->flip, p->entry, p->element_bits, p->scalar};
}

static NOINLINE void run_seeded(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                                size_t n) {
    struct compare_plan p;
    struct comparison c;
    memcpy(&p, plan->priv, sizeof p);
    c = bound_comparison(&p, p.to_bits);
    compare_blocks(&c, p.k, a, b, pto_mask_in(m, (pto_mask_kind)p.seed),
                   pto_mask_at(dst, (pto_mask_kind)p.dst), p.merge, n);
}

static void run_compare(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                        size_t n) {
    struct compare_plan p;
    struct comparison c;
    if (unlikely(n == 0)) return;
    if (unlikely(m != NULL)) {
        run_seeded(plan, a, b, m, dst, n);
        return;
    }
    memcpy(&p, plan->priv, sizeof p);
    c = bound_comparison(&p, p.to_mask);
    (void)comparison_run_all(&c, a, b, dst, n);
}

static pto_status plan_compare(pto_plan *plan, bool scalar, pto_dtype t, pto_cmp op, unsigned flags,
                               pto_mask_kind seed, pto_mask_kind dst) {
    struct compare_plan p;
    struct comparison c;
    struct lowering l;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = compare_lower(t, op, flags, seed, dst, &l);
    if (status == PTO_ERR_TYPE) return plan_small(plan, scalar, t, op, flags, seed, dst);
    if (status != PTO_OK) return status;
    p.k = pto_active_kernels();
    c = bind(&l, p.k, scalar, mask_storage(dst));
    p.to_mask = c.kernel;
    p.to_bits = bind(&l, p.k, scalar, MASK_AS_BITS).kernel;
    p.entry = c.entry;
    p.flip = c.flip;
    p.element_bits = c.element_bits;
    p.seed = (u8)seed;
    p.dst = (u8)dst;
    p.scalar = scalar;
    p.merge = (flags & PTO_MERGE) != 0;
    plan_make(plan, run_compare, &p, sizeof p,
              (struct plan_shapes){.src = {shape_array(c.element_bits), shape_in(c.element_bits, scalar),
                                           shape_optional(shape_mask(seed))},
                                   .dst = {shape_mask(dst)}});
    return PTO_OK;
}

pto_status pto_plan_vcmp(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                         pto_mask_kind dst) {
    return plan_compare(plan, false, t, op, flags, seed, dst);
}

pto_status pto_plan_vcmps(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                          pto_mask_kind dst) {
    return plan_compare(plan, true, t, op, flags, seed, dst);
}
