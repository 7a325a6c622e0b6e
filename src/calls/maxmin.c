/* SPDX-License-Identifier: MIT */
/* max, min, clamp and relu, and their plans. */
#include "pto/maxmin.h"

#include "calls/comparison.h"
#include "calls/plan.h"
#include "calls/small_floats.h"
#include "calls/broadcast.h"
#include "core/check.h"
#include "core/maxmin.h"
#include "core/types.h"
#include "dispatch/dispatch.h"

enum { SMALL_LANES = 2048 }; /* lanes of a block of small floats */

/* A call bound to its kernel. */
struct maxmin {
    maxmin_fn *kernel;                 /* of all types except small floats, which have small_kernel */
    small_extreme_fn *small_kernel;    /* of two operands */
    const struct compare_entry *entry; /* for comparisons of this lane type, which need the same FP state */
    u8 what;                           /* enum maxmin_op and flags */
    u8 scalars;                        /* bit i: operand i is a scalar */
    u8 element_bits;
    u8 small; /* the pto_dtype of small floats, otherwise 0 */
};

_Static_assert(sizeof(struct maxmin) <= PLAN_BYTES, "a plan of max, min or clamp must fit pto_plan");

/* Returns the flags that the operation takes for the type, which are PTX's, and NaN propagation for f64. Only
 * operations with two operands take .xorsign.abs. */
static unsigned flags_taken(pto_dtype t, enum maxmin_op op) {
    const unsigned signs = maxmin_operands(op) == 2 ? PTO_XORSIGN_ABS : 0;
    switch (t) {
    case PTO_F16:
    case PTO_F32: return PTO_FTZ | PTO_PROPAGATE_NAN | signs;
    case PTO_BF16: return PTO_PROPAGATE_NAN | signs;
    case PTO_F64: return PTO_PROPAGATE_NAN;
    default: return pto_small_float(t) != NULL ? PTO_PROPAGATE_NAN : 0;
    }
}

static ALWAYS_INLINE pto_status maxmin_prepare(struct maxmin *m, pto_dtype t, enum maxmin_op op,
                                               unsigned flags, unsigned scalars) {
    const struct dtype_info *type = selectable_info(t);
    const struct pto_kernels *k;
    if (type == NULL || type->class == PTO_CLASS_BITS) return PTO_ERR_TYPE;
    if ((flags & ~flags_taken(t, op)) != 0 || scalars >> maxmin_operands(op) != 0) return PTO_ERR_MODIFIER;
    k = pto_active_kernels();
    m->small = type->lane == LANE_NONE ? (u8)t : 0;
    if (unlikely(m->small != 0)) {
        m->small_kernel = pto_small_extreme(k);
    } else {
        m->kernel = pto_maxmin_kernel(k, op, (enum lane)type->lane);
        m->entry = &k->compare[type->lane];
    }
    m->what = (u8)((unsigned)op | flags);
    m->scalars = (u8)scalars;
    m->element_bits = type->bits;
    return PTO_OK;
}

/* Finds the maximum or minimum of two operands that are arrays or, with their bits in `scalars`, copies of scalars. */
static void small_extreme(const struct maxmin *m, unsigned op, unsigned scalars, const u8 *a, const u8 *b,
                          u8 *dst, size_t n) {
    const struct small_float *f = pto_small_float((pto_dtype)m->small);
    const unsigned what = op | (m->what & PTO_PROPAGATE_NAN);
    const bool exchange = scalars == 1;
    if (scalars != 3) {
        m->small_kernel(f, what, scalars != 0, exchange ? b : a, exchange ? a : b, dst, n);
        return;
    }
    m->small_kernel(f, what, true, a, b, dst, 1);
    memset(dst, *dst, n);
}

/* Clamps in blocks: dst may be x, lo or hi, so the maximum of the first two goes through a buffer. */
static void small_clamp(const struct maxmin *m, const u8 *x, const u8 *lo, const u8 *hi, u8 *dst, size_t n) {
    u8 above[SMALL_LANES];
    const size_t x_mask = (m->scalars & 1) != 0 ? 0 : SIZE_MAX,
                 lo_mask = (m->scalars & 2) != 0 ? 0 : SIZE_MAX,
                 hi_mask = (m->scalars & 4) != 0 ? 0 : SIZE_MAX;
    for (size_t i = 0; i < n; i += SMALL_LANES) {
        const size_t lanes = min_size(n - i, SMALL_LANES);
        small_extreme(m, MAXMIN_MAX, m->scalars & 3, x + (i & x_mask), lo + (i & lo_mask), above, lanes);
        small_extreme(m, MAXMIN_MIN, m->scalars >> 2 << 1, above, hi + (i & hi_mask), dst + i, lanes);
    }
}

/* dst may overwrite scalars, so copies of them are taken. relu is the maximum of x and +0, whose code is 0. */
static NOINLINE void small_lanes(const struct maxmin *m, size_t operands, const void *const *in, u8 *dst,
                                 size_t n) {
    const unsigned op = m->what & MAXMIN_OPS;
    u8 copies[MAXMIN_OPERANDS] = {0};
    const u8 *from[MAXMIN_OPERANDS] = {NULL};
    for (size_t k = 0; k < operands; ++k) {
        const bool scalar = (m->scalars >> k & 1) != 0;
        if (scalar) copies[k] = *(const u8 *)in[k];
        from[k] = scalar ? &copies[k] : in[k];
    }
    if (op == MAXMIN_CLAMP)
        small_clamp(m, from[0], from[1], from[2], dst, n);
    else if (op == MAXMIN_RELU)
        small_extreme(m, MAXMIN_MAX, 2, from[0], &copies[1], dst, n);
    else
        small_extreme(m, op, m->scalars, from[0], from[1], dst, n);
}

/* Runs a bound call on n lanes. `operands` must be a compile-time constant. */
static ALWAYS_INLINE void maxmin_lanes(const struct maxmin *m, size_t operands, const void *const *in,
                                       void *dst, size_t n) {
    u64 copies[MAXMIN_OPERANDS];
    struct sources sources;
    fp_state saved;
    if (unlikely(m->small != 0)) {
        small_lanes(m, operands, in, dst, n);
        return;
    }
    sources.scalars = m->scalars;
    UNROLL
    for (size_t i = 0; i < operands; ++i)
        copy_scalar_operand(in[i], (m->scalars >> i & 1) != 0, &sources, i, &copies[i], m->element_bits);
    saved = compare_enter(m->entry);
    m->kernel(m->what, &sources, dst, n);
    compare_leave(m->entry, saved);
}

/* ---- calls ---- */

static ALWAYS_INLINE pto_status maxmin_call(pto_dtype t, enum maxmin_op op, unsigned flags, const pto_in *in,
                                            void *dst, size_t n) {
    const size_t operands = maxmin_operands(op);
    const void *data[MAXMIN_OPERANDS];
    unsigned scalars = 0;
    struct maxmin m;
    pto_status status;
    UNROLL
    for (size_t i = 0; i < operands; ++i) {
        if (unlikely(in[i].data == NULL) && n != 0) return PTO_ERR_NULL;
        data[i] = in[i].data;
        scalars |= (unsigned)in[i].scalar << i;
    }
    if (unlikely(dst == NULL) && n != 0) return PTO_ERR_NULL;
    status = maxmin_prepare(&m, t, op, flags, scalars);
    if (unlikely(status != PTO_OK)) return status;
    if (unlikely(is_empty_or_too_large(n))) return size_status(n);
    UNROLL
    for (size_t i = 0; i < operands; ++i)
        if (unlikely(!operand_overlap_allowed(dst, data[i], in[i].scalar, m.element_bits, n)))
            return PTO_ERR_OVERLAP;
    maxmin_lanes(&m, operands, data, dst, n);
    return PTO_OK;
}

/* Returns whether the scalar is a NaN of f64. */
static bool is_nan_f64(const void *scalar) {
    u64 bits;
    memcpy(&bits, scalar, sizeof bits);
    return bits << 1 > (u64)0x7ff << 53;
}

/* Returns whether the result of two NaNs is the second one, made quiet, and not the canonical NaN. */
static bool second_nan_results(pto_dtype t, unsigned flags) {
    return t == PTO_F64 && (flags & PTO_PROPAGATE_NAN) == 0;
}

/*
 * Kernels expect an array first, so a scalar `a` and an array `b` are exchanged. That changes the result in only one
 * case: of two f64 NaNs, the second operand is the result, unless NaNs propagate. If `a` is an f64 NaN, the result must
 * be b, made quiet if it is a NaN. The kernel gives this result if both of its operands are b.
 */
static ALWAYS_INLINE pto_status extreme_call(pto_dtype t, enum maxmin_op op, unsigned flags, pto_in a,
                                             pto_in b, void *dst, size_t n) {
    const bool exchange = a.scalar && !b.scalar;
    if (exchange && second_nan_results(t, flags) && a.data != NULL && is_nan_f64(a.data)) a = b;
    return maxmin_call(t, op, flags, (const pto_in[]){exchange ? b : a, exchange ? a : b}, dst, n);
}

pto_status pto_vmax(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    return extreme_call(t, MAXMIN_MAX, flags, a, b, dst, n);
}

pto_status pto_vmin(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    return extreme_call(t, MAXMIN_MIN, flags, a, b, dst, n);
}

pto_status pto_vclamp(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst, size_t n) {
    return maxmin_call(t, MAXMIN_CLAMP, flags, (const pto_in[]){x, lo, hi}, dst, n);
}

pto_status pto_vrelu(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n) {
    return maxmin_call(t, MAXMIN_RELU, flags, (const pto_in[]){pto_in_array(x)}, dst, n);
}

/* ---- plans ---- */

static void run_one(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    struct maxmin bound;
    (void)b, (void)m;
    memcpy(&bound, plan->priv, sizeof bound);
    if (n != 0) maxmin_lanes(&bound, 1, (const void *const[]){a}, dst, n);
}

static void run_two(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    struct maxmin bound;
    (void)m;
    memcpy(&bound, plan->priv, sizeof bound);
    if (n != 0) maxmin_lanes(&bound, 2, (const void *const[]){a, b}, dst, n);
}

/* Runs a plan of a scalar and an array, exchanged as in extreme_call(). */
static void run_exchanged(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                          size_t n) {
    run_two(plan, b, a, m, dst, n);
}

static void run_exchanged_f64(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                              size_t n) {
    struct maxmin bound;
    memcpy(&bound, plan->priv, sizeof bound);
    if (n == 0 || !is_nan_f64(a)) { /* a may be NULL if n is 0 */
        run_exchanged(plan, a, b, m, dst, n);
        return;
    }
    bound.scalars = 0;
    maxmin_lanes(&bound, 2, (const void *const[]){b, b}, dst, n);
}

static void run_three(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                      size_t n) {
    struct maxmin bound;
    memcpy(&bound, plan->priv, sizeof bound);
    if (n != 0) maxmin_lanes(&bound, 3, (const void *const[]){a, b, m}, dst, n);
}

static ALWAYS_INLINE pto_status maxmin_plan(pto_plan *plan, pto_dtype t, enum maxmin_op op, unsigned flags,
                                            unsigned scalars) {
    static plan_run_fn *const runs[] = {run_one, run_two, run_three};
    const size_t operands = maxmin_operands(op);
    struct plan_shapes shapes = {{0}, {0}, 0, 0};
    plan_run_fn *run = runs[operands - 1];
    struct maxmin m;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = maxmin_prepare(&m, t, op, flags, scalars);
    if (status != PTO_OK) return status;
    for (size_t i = 0; i < operands; ++i) shapes.src[i] = shape_in(m.element_bits, (scalars >> i & 1) != 0);
    shapes.dst[0] = shape_array(m.element_bits);
    if (operands == 2 && scalars == 1) {
        m.scalars = 2;
        run = second_nan_results(t, flags) ? run_exchanged_f64 : run_exchanged;
    }
    plan_make(plan, run, &m, sizeof m, shapes);
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
    return maxmin_plan(plan, t, MAXMIN_RELU, flags, 0);
}
