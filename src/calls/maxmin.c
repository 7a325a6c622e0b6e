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

/* A call bound to its kernel. */
struct maxmin {
    maxmin_fn *kernel;
    const struct compare_entry *entry; /* for comparisons of this lane type, which need the same FP state */
    u8 what;                           /* enum maxmin_op and flags */
    u8 scalars;                        /* bit i: operand i is a scalar */
    u8 element_bits;
    u8 small; /* the pto_dtype of small floats, whose kernel is that of f16; otherwise 0 */
};

_Static_assert(sizeof(struct maxmin) <= PLAN_BYTES, "a plan of max, min or clamp must fit pto_plan");

/* Returns the flags that the operation takes for the type, which are PTX's, and NaN propagation for f64. Only operations with two operands take
 * .xorsign.abs. */
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
    enum lane lane;
    if (type == NULL || type->class == PTO_CLASS_BITS) return PTO_ERR_TYPE;
    if ((flags & ~flags_taken(t, op)) != 0 || scalars >> maxmin_operands(op) != 0) return PTO_ERR_MODIFIER;
    k = pto_active_kernels();
    m->small = type->lane == LANE_NONE ? (u8)t : 0;
    lane = type->lane == LANE_NONE ? LANE_F16 : (enum lane)type->lane;
    m->kernel = pto_maxmin_kernel(k, op, lane);
    m->entry = &k->compare[lane];
    m->what = (u8)((unsigned)op | flags);
    m->scalars = (u8)scalars;
    m->element_bits = type->bits;
    return PTO_OK;
}

/* Finds the results of small floats by f16 numbers, in blocks. dst may overwrite a scalar, so scalars are read first. */
static NOINLINE void small_lanes(const struct maxmin *m, size_t operands, const void *const *in, u8 *dst,
                                 size_t n) {
    const struct small_float *f = pto_small_float((pto_dtype)m->small);
    u16 numbers[MAXMIN_OPERANDS][SMALL_LANES], results[SMALL_LANES];
    const struct sources sources = {{numbers[0], numbers[1], numbers[2]}, m->scalars};
    const fp_state saved = compare_enter(m->entry);
    for (size_t k = 0; k < operands; ++k)
        if (is_scalar(&sources, k)) pto_small_to_f16(f, in[k], numbers[k], 1);
    for (size_t i = 0; i < n; i += SMALL_LANES) {
        const size_t lanes = min_size(n - i, SMALL_LANES);
        for (size_t k = 0; k < operands; ++k)
            if (!is_scalar(&sources, k)) pto_small_to_f16(f, (const u8 *)in[k] + i, numbers[k], lanes);
        m->kernel(m->what, &sources, results, lanes);
        pto_small_from_f16(f, results, dst + i, lanes);
    }
    compare_leave(m->entry, saved);
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
 * case: of two f64 NaNs, the second operand is the result, unless NaNs propagate. If `a` is an f64 NaN, the result must be b, made quiet if it
 * is a NaN. The kernel gives this result if both of its operands are b.
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
