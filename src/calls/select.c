/* SPDX-License-Identifier: MIT */
/* Selections by masks and by comparisons, and their plans. */
#include "pto/select.h"

#include "calls/comparison.h"
#include "calls/plan.h"
#include "calls/small_floats.h"
#include "calls/broadcast.h"
#include "core/block.h"
#include "core/check.h"
#include "dispatch/dispatch.h"

struct select_plan {
    select_fn *select;
    u8 element_bits;
};

_Static_assert(sizeof(struct select_plan) <= PLAN_BYTES, "a select plan must fit pto_plan");

static ALWAYS_INLINE pto_status select_prepare(struct select_plan *p, pto_dtype t, pto_mask_kind mask) {
    const struct dtype_info *type = selectable_info(t);

    if (type == NULL) return PTO_ERR_TYPE;
    if (!mask_fits(mask, type->bits)) return PTO_ERR_MASK;
    p->select = pto_active_kernels()->select[mask_storage(mask)][width_index(type->bits)];
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
    plan_make(plan, select_run, &p, sizeof p,
              (struct plan_shapes){
                  .src = {shape_array(p.element_bits), shape_array(p.element_bits), shape_mask(mask)},
                  .dst = {shape_array(p.element_bits)}});
    return PTO_OK;
}

pto_status pto_vsel(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst, size_t n) {
    struct select_plan p;
    pto_status status;

    if (n != 0 && (src0 == NULL || src1 == NULL || m.data == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = select_prepare(&p, t, m.kind);
    if (status != PTO_OK) return status;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!overlaps_allowed(operand_array(dst, p.element_bits, n),
                          (const struct operand[]){operand_array(src0, p.element_bits, n),
                                                   operand_array(src1, p.element_bits, n),
                                                   operand_mask(m, n)},
                          3))
        return PTO_ERR_OVERLAP;
    p.select(src0, src1, m.data, dst, n);
    return PTO_OK;
}

/* ---- with scalars ---- */

struct vsels_plan {
    selects_fn *select;
    fill_fn *fill;
    u8 element_bits;
    u8 scalars; /* bit i: source i is a scalar */
};

_Static_assert(sizeof(struct vsels_plan) <= PLAN_BYTES, "a vsels plan must fit pto_plan");

static ALWAYS_INLINE pto_status vsels_prepare(struct vsels_plan *p, pto_dtype t, unsigned scalars,
                                              pto_mask_kind mask) {
    const struct dtype_info *type = selectable_info(t);
    const struct pto_kernels *k;
    if (type == NULL) return PTO_ERR_TYPE;
    if (scalars >> 2 != 0) return PTO_ERR_MODIFIER;
    if (!mask_fits(mask, type->bits)) return PTO_ERR_MASK;
    k = pto_active_kernels();
    p->select = pto_choose_kernels(k)->selects[mask_storage(mask)][width_index(type->bits)];
    p->fill = k->fill[width_index(type->bits)];
    p->element_bits = type->bits;
    p->scalars = (u8)scalars;
    return PTO_OK;
}

static ALWAYS_INLINE void vsels_lanes(const struct vsels_plan *p, const void *src0, const void *src1,
                                      const void *m, void *dst, size_t n) {
    u8 blocks[2][BROADCAST_LANES * sizeof(u64)];
    struct sources sources;
    sources.scalars = p->scalars;
    broadcast_operand(p->fill, src0, (p->scalars & 1) != 0, &sources, 0, blocks[0], BROADCAST_LANES);
    broadcast_operand(p->fill, src1, (p->scalars & 2) != 0, &sources, 1, blocks[1], BROADCAST_LANES);
    p->select(&sources, m, dst, n);
}

static void vsels_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                      size_t n) {
    struct vsels_plan p;
    memcpy(&p, plan->priv, sizeof p);
    if (n != 0) vsels_lanes(&p, a, b, m, dst, n);
}

pto_status pto_plan_vsels(pto_plan *plan, pto_dtype t, unsigned scalars, pto_mask_kind mask) {
    struct vsels_plan p;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = vsels_prepare(&p, t, scalars, mask);
    if (status != PTO_OK) return status;
    plan_make(plan, vsels_run, &p, sizeof p,
              (struct plan_shapes){.src = {shape_in(p.element_bits, (scalars & 1) != 0),
                                           shape_in(p.element_bits, (scalars & 2) != 0), shape_mask(mask)},
                                   .dst = {shape_array(p.element_bits)}});
    return PTO_OK;
}

pto_status pto_vsels(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n) {
    struct vsels_plan p;
    pto_status status;

    if (n != 0 && (src0.data == NULL || src1.data == NULL || m.data == NULL || dst == NULL))
        return PTO_ERR_NULL;
    status = vsels_prepare(&p, t, (unsigned)src0.scalar | (unsigned)src1.scalar << 1, m.kind);
    if (status != PTO_OK) return status;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!operand_overlap_allowed(dst, src0.data, src0.scalar, p.element_bits, n) ||
        !operand_overlap_allowed(dst, src1.data, src1.scalar, p.element_bits, n) ||
        !overlap_allowed(operand_array(dst, p.element_bits, n), operand_mask(m, n)))
        return PTO_ERR_OVERLAP;
    vsels_lanes(&p, src0.data, src1.data, m.data, dst, n);
    return PTO_OK;
}

pto_status pto_vselr(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst, size_t n) {
    return pto_vsel(t, src1, src0, m, dst, n); /* reversed: NOLINT(readability-suspicious-call-argument) */
}

pto_status pto_vselrv2(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst, size_t n) {
    return pto_vsel(t, src1, src0, m, dst, n); /* reversed: NOLINT(readability-suspicious-call-argument) */
}

pto_status pto_vbr(pto_dtype t, const void *scalar, void *dst, size_t n) {
    const struct dtype_info *type = selectable_info(t);
    if (n != 0 && (scalar == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (type == NULL) return PTO_ERR_TYPE;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!overlap_allowed(operand_array(dst, type->bits, n), operand_array(scalar, type->bits, 1)))
        return PTO_ERR_OVERLAP;
    pto_active_kernels()->fill[width_index(type->bits)](scalar, dst, n);
    return PTO_OK;
}

/* Returns the table entry of t, or NULL if PTX's selp and slct do not take t. They take types of 16 to 64 bits, but not
 * f16 and bf16, which programs select as b16. */
static const struct dtype_info *selp_type(pto_dtype t) {
    const struct dtype_info *type = one_lane_info(t);
    return type != NULL && type->bits != 8 && t != PTO_F16 && t != PTO_BF16 ? type : NULL;
}

pto_status pto_selp(pto_dtype t, const void *a, const void *b, pto_mask p, void *dst, size_t n) {
    if (n != 0 && (a == NULL || b == NULL || p.data == NULL || dst == NULL)) return PTO_ERR_NULL;
    return selp_type(t) == NULL ? PTO_ERR_TYPE : pto_vsel(t, a, b, p, dst, n);
}

enum { SLCT_LANES = 512 }; /* lanes of a block: the data of both passes over it stay in the L1 cache */

struct slct_plan {
    struct comparison at_least_zero;
    select_fn *select;
    u8 element_bits;
};

_Static_assert(sizeof(struct slct_plan) <= PLAN_BYTES, "a slct plan must fit pto_plan");

static pto_status slct_prepare(struct slct_plan *p, pto_dtype t, pto_dtype ctype, bool ftz) {
    const struct dtype_info *type = selp_type(t);
    const struct pto_kernels *k;
    struct lowering l;
    if (type == NULL || (ctype != PTO_S32 && ctype != PTO_F32)) return PTO_ERR_TYPE;
    if (lower(one_lane_info(ctype), PTO_GE, ftz, &l) != PTO_OK) return PTO_ERR_MODIFIER;
    k = pto_active_kernels();
    p->at_least_zero = bind(&l, k, true, MASK_AS_BITS);
    p->select = k->select[MASK_AS_BITS][width_index(type->bits)];
    p->element_bits = type->bits;
    return PTO_OK;
}

static void slct_blocks(const struct slct_plan *p, const void *a, const void *b, const void *c, void *dst,
                        size_t n) {
    static const u32 zero;
    u64 bits[SLCT_LANES / 64];
    const fp_state saved = compare_enter(p->at_least_zero.entry);
    for (size_t i = 0; i < n; i += SLCT_LANES) {
        const size_t lanes = min_size(n - i, SLCT_LANES), at = i * (p->element_bits / 8U);
        comparison_run(&p->at_least_zero, c, &zero, i, bits, lanes);
        p->select((const u8 *)a + at, (const u8 *)b + at, bits, (u8 *)dst + at, lanes);
    }
    compare_leave(p->at_least_zero.entry, saved);
}

static void slct_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    struct slct_plan p;
    memcpy(&p, plan->priv, sizeof p);
    slct_blocks(&p, a, b, m, dst, n);
}

pto_status pto_plan_slct(pto_plan *plan, pto_dtype t, pto_dtype ctype, bool ftz) {
    struct slct_plan p;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = slct_prepare(&p, t, ctype, ftz);
    if (status != PTO_OK) return status;
    plan_make(plan, slct_run, &p, sizeof p,
              (struct plan_shapes){
                  .src = {shape_array(p.element_bits), shape_array(p.element_bits), shape_array(32)},
                  .dst = {shape_array(p.element_bits)}});
    return PTO_OK;
}

pto_status pto_slct(pto_dtype t, pto_dtype ctype, bool ftz, const void *a, const void *b, const void *c,
                    void *dst, size_t n) {
    struct slct_plan p;
    pto_status status;

    if (n != 0 && (a == NULL || b == NULL || c == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = slct_prepare(&p, t, ctype, ftz);
    if (status != PTO_OK) return status;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!overlaps_allowed(operand_array(dst, p.element_bits, n),
                          (const struct operand[]){operand_array(a, p.element_bits, n),
                                                   operand_array(b, p.element_bits, n),
                                                   operand_array(c, 32, n)},
                          3))
        return PTO_ERR_OVERLAP;
    slct_blocks(&p, a, b, c, dst, n);
    return PTO_OK;
}

/* ---- compare and select in one ---- */

enum { VCMPSEL_SOURCES = 4 }; /* x, y, u and v */

/* A vcmpsel bound to its kernel. Choose kernels have neither mirrored relations nor complements, so operands are
 * exchanged instead. */
struct vcmpsel_plan {
    choose_fn *choose;
    const struct compare_entry *entry;
    u8 element_bits;
    bool mirrored, complement; /* x and y are exchanged; u and v are exchanged */
    u8 scalars;                /* bit i: operand i is a scalar, counted after the exchanges */
};

_Static_assert(sizeof(struct vcmpsel_plan) <= PLAN_BYTES, "a vcmpsel plan must fit pto_plan");

/* Returns `bits`, with bits 2 i and 2 i + 1 exchanged if `exchange` is set. */
static ALWAYS_INLINE unsigned exchanged_bits(unsigned bits, unsigned i, bool exchange) {
    const unsigned differ = exchange ? (bits >> 2 * i ^ bits >> (2 * i + 1)) & 1 : 0;
    return bits ^ (differ * 3) << 2 * i;
}

static ALWAYS_INLINE pto_status vcmpsel_prepare(struct vcmpsel_plan *p, pto_dtype t, pto_cmp op,
                                                unsigned flags, unsigned scalars) {
    const struct dtype_info *type = one_lane_info(t);
    const struct pto_kernels *k;
    struct lowering l;
    enum relation direct;
    pto_status status;

    if (unlikely(type == NULL)) return PTO_ERR_TYPE;
    status = lower(type, op, (flags & PTO_FTZ) != 0, &l);
    if (unlikely(status != PTO_OK)) return status;
    if (unlikely((flags & ~(unsigned)PTO_FTZ) != 0 || scalars >> VCMPSEL_SOURCES != 0))
        return PTO_ERR_MODIFIER;
    k = pto_active_kernels();
    direct = relation_direct((enum relation)l.relation);
    p->choose = pto_choose_kernels(k)->lane[l.lane]->by_relation[direct];
    p->entry = &k->compare[l.lane];
    p->element_bits = type->bits;
    p->mirrored = direct != l.relation;
    p->complement = l.complement;
    p->scalars = (u8)exchanged_bits(exchanged_bits(scalars, 0, p->mirrored), 1, p->complement);
    return PTO_OK;
}

static ALWAYS_INLINE void vcmpsel_lanes(const struct vcmpsel_plan *p, const void *x, const void *y,
                                        const void *u, const void *v, void *dst, size_t n) {
    const void *const in[VCMPSEL_SOURCES] = {p->mirrored ? y : x, p->mirrored ? x : y, p->complement ? v : u,
                                             p->complement ? u : v};
    u64 copies[VCMPSEL_SOURCES];
    struct sources sources;
    fp_state saved;
    sources.scalars = p->scalars;
    UNROLL
    for (size_t i = 0; i < VCMPSEL_SOURCES; ++i)
        copy_scalar_operand(in[i], (p->scalars >> i & 1) != 0, &sources, i, &copies[i], p->element_bits);
    saved = compare_enter(p->entry);
    p->choose(&sources, dst, n);
    compare_leave(p->entry, saved);
}

/* Runs a plan of vcmpsel. It has more operands than pto_run() can pass, so `a` points to a pto_operands. */
static void vcmpsel_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                        size_t n) {
    const pto_operands *const o = a;
    struct vcmpsel_plan p;
    (void)b, (void)m, (void)dst;
    if (n == 0) return;
    memcpy(&p, plan->priv, sizeof p);
    vcmpsel_lanes(&p, o->src[0], o->src[1], o->src[2], o->src[3], o->dst[0], n);
}

/* ---- compare and select small floats ---- */

enum { SMALL_LANES = 2048 }; /* lanes of a block */

/* A vcmpsel of small floats: comparisons of blocks, and selections of bytes. */
struct small_vcmpsel {
    small_compare_fn *compare;
    select_fn *select; /* by a mask of bytes */
    const struct small_float *format;
    u8 outcomes, scalars;
};

_Static_assert(sizeof(struct small_vcmpsel) <= PLAN_BYTES, "a plan of small floats must fit pto_plan");

static pto_status small_prepare(struct small_vcmpsel *p, pto_dtype t, pto_cmp op, unsigned flags,
                                unsigned scalars) {
    const struct pto_kernels *k = pto_active_kernels();
    const struct small_float *f = pto_small_float(t);
    unsigned outcomes;
    if (f == NULL) return PTO_ERR_TYPE;
    if (!pto_small_outcomes(op, &outcomes)) return PTO_ERR_OP;
    if (flags != 0 || scalars >> VCMPSEL_SOURCES != 0) return PTO_ERR_MODIFIER;
    *p = (struct small_vcmpsel){pto_small_compare(k), k->select[MASK_AS_BYTES][width_index(8)], f,
                                (u8)outcomes, (u8)scalars};
    return PTO_OK;
}

/* dst may overwrite scalars, so each is first copied to as many lanes as kernels read. */
static void small_blocks(const struct small_vcmpsel *p, const void *const *in, u8 *dst, size_t n) {
    const u8 *from[VCMPSEL_SOURCES];
    u8 copies[VCMPSEL_SOURCES][SMALL_LANES], truth[SMALL_LANES];
    size_t offset_mask[VCMPSEL_SOURCES];
    for (size_t k = 0; k < VCMPSEL_SOURCES; ++k) {
        const bool scalar = (p->scalars >> k & 1) != 0;
        if (scalar) memset(copies[k], *(const u8 *)in[k], SMALL_LANES);
        from[k] = scalar ? copies[k] : in[k];
        offset_mask[k] = scalar ? 0 : SIZE_MAX;
    }
    for (size_t i = 0; i < n; i += SMALL_LANES) {
        const size_t lanes = min_size(n - i, SMALL_LANES);
        p->compare(p->format, p->outcomes, false, from[0] + (i & offset_mask[0]),
                   from[1] + (i & offset_mask[1]), truth, lanes);
        p->select(from[2] + (i & offset_mask[2]), from[3] + (i & offset_mask[3]), truth, dst + i, lanes);
    }
}

static NOINLINE pto_status small_vcmpsel(pto_dtype t, pto_cmp op, unsigned flags, unsigned scalars,
                                         const void *const *in, void *dst, size_t n) {
    struct small_vcmpsel p;
    const pto_status status = small_prepare(&p, t, op, flags, scalars);
    if (status != PTO_OK) return status;
    if (is_empty_or_too_large(n)) return size_status(n);
    for (unsigned i = 0; i < VCMPSEL_SOURCES; ++i)
        if (!operand_overlap_allowed(dst, in[i], (scalars >> i & 1) != 0, 8, n)) return PTO_ERR_OVERLAP;
    small_blocks(&p, in, dst, n);
    return PTO_OK;
}

static void run_small_vcmpsel(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                              size_t n) {
    const pto_operands *const o = a;
    struct small_vcmpsel p;
    (void)b, (void)m, (void)dst;
    memcpy(&p, plan->priv, sizeof p);
    if (n != 0) small_blocks(&p, o->src, o->dst[0], n);
}

pto_status pto_plan_vcmpsel(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, unsigned scalars) {
    struct plan_shapes shapes = {{0}, {0}, 0, 0};
    struct vcmpsel_plan p;
    struct small_vcmpsel small;
    pto_status status;
    size_t bits;
    bool is_small;
    if (plan == NULL) return PTO_ERR_NULL;
    is_small = pto_small_float(t) != NULL;
    status =
        is_small ? small_prepare(&small, t, op, flags, scalars) : vcmpsel_prepare(&p, t, op, flags, scalars);
    if (status != PTO_OK) return status;
    bits = pto_dtype_bits(t);
    for (size_t i = 0; i < VCMPSEL_SOURCES; ++i) shapes.src[i] = shape_in(bits, (scalars >> i & 1) != 0);
    shapes.dst[0] = shape_array(bits);
    if (is_small)
        plan_make(plan, run_small_vcmpsel, &small, sizeof small, shapes);
    else
        plan_make(plan, vcmpsel_run, &p, sizeof p, shapes);
    return PTO_OK;
}

/* Checks the arguments and runs the kernel. Specialised at compile time for scalars == 0. */
static ALWAYS_INLINE pto_status vcmpsel_call(pto_dtype t, pto_cmp op, unsigned flags, unsigned scalars,
                                             const void *const *in, void *dst, size_t n) {
    struct vcmpsel_plan p;
    pto_status status = vcmpsel_prepare(&p, t, op, flags, scalars);
    if (unlikely(status == PTO_ERR_TYPE)) return small_vcmpsel(t, op, flags, scalars, in, dst, n);
    if (unlikely(status != PTO_OK)) return status;
    if (unlikely(is_empty_or_too_large(n))) return size_status(n);
    UNROLL
    for (unsigned i = 0; i < VCMPSEL_SOURCES; ++i)
        if (unlikely(!operand_overlap_allowed(dst, in[i], (scalars >> i & 1) != 0, p.element_bits, n)))
            return PTO_ERR_OVERLAP;
    vcmpsel_lanes(&p, in[0], in[1], in[2], in[3], dst, n);
    return PTO_OK;
}

/* Runs a call with scalars. It is not inlined, so that calls on arrays execute little code. */
static NOINLINE pto_status vcmpsel_scalars(pto_dtype t, pto_cmp op, unsigned flags, const pto_in *in,
                                           void *dst, size_t n) {
    const void *const data[VCMPSEL_SOURCES] = {in[0].data, in[1].data, in[2].data, in[3].data};
    unsigned scalars = 0;
    for (unsigned i = 0; i < VCMPSEL_SOURCES; ++i) scalars |= (unsigned)in[i].scalar << i;
    return vcmpsel_call(t, op, flags, scalars, data, dst, n);
}

pto_status pto_vcmpsel(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u, pto_in v,
                       void *dst, size_t n) {
    if (unlikely(x.data == NULL || y.data == NULL || u.data == NULL || v.data == NULL || dst == NULL) &&
        n != 0)
        return PTO_ERR_NULL;
    if (unlikely(x.scalar || y.scalar || u.scalar || v.scalar))
        return vcmpsel_scalars(t, op, flags, (const pto_in[]){x, y, u, v}, dst, n);
    return vcmpsel_call(t, op, flags, 0, (const void *const[]){x.data, y.data, u.data, v.data}, dst, n);
}
