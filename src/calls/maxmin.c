/* SPDX-License-Identifier: MIT */
#include "pto/maxmin.h"

#include "calls/comparison.h"
#include "calls/spread.h"
#include "core/check.h"
#include "core/maxmin.h"
#include "core/types.h"
#include "dispatch/dispatch.h"

/* A call bound to its kernel. */
struct maxmin {
    maxmin_fn *kernel;
    const struct pto_kernels *k;
    u8 what, operands;
    u8 bits; /* of an element */
    u8 lane;
};

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

static pto_status prepare(pto_dtype t, enum maxmin_op op, unsigned flags, unsigned refused,
                          struct maxmin *m) {
    const struct dtype_info *type = one_lane(t);
    if (type == NULL || type->class == CLASS_BITS) return PTO_ERR_TYPE;
    if ((flags & ~(flags_taken(t, op) & ~refused)) != 0) return PTO_ERR_MODIFIER;
    m->k = pto_active_kernels();
    m->kernel = pto_maxmin_kernels(m->k)->lane[type->lane];
    m->what = (u8)((unsigned)op | flags);
    m->operands = op == MAXMIN_CLAMP ? 3 : 2;
    m->bits = type->bits;
    m->lane = type->lane;
    return PTO_OK;
}

static void run(const struct maxmin *m, const pto_in *in, void *dst, size_t n) {
    const struct compare_entry *entry = &m->k->compare[m->lane];
    u8 blocks[MAXMIN_OPERANDS][SPREAD_BYTES];
    struct choice choice;
    fp_state saved;
    for (size_t i = 0; i < m->operands; ++i) spread_operand(m->k, in[i], m->bits, &choice, i, blocks[i]);
    saved = compare_enter(entry);
    m->kernel(m->what, &choice, dst, n);
    compare_leave(entry, saved);
}

/* Check what follows the type and the flags, and run. */
static pto_status check_and_run(const struct maxmin *m, const pto_in *in, void *dst, size_t n) {
    if (nothing_to_do(n)) return nothing_status(n);
    for (size_t i = 0; i < m->operands; ++i)
        if (!operand_fits(dst, in[i], m->bits, n)) return PTO_ERR_OVERLAP;
    run(m, in, dst, n);
    return PTO_OK;
}

static pto_status two_operands(pto_dtype t, enum maxmin_op op, unsigned flags, pto_in a, pto_in b, void *dst,
                               size_t n) {
    const pto_in in[] = {a, b};
    struct maxmin m;
    pto_status status;
    if (n != 0 && (a.data == NULL || b.data == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = prepare(t, op, flags, 0, &m);
    return status != PTO_OK ? status : check_and_run(&m, in, dst, n);
}

pto_status pto_vmax(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    return two_operands(t, MAXMIN_MAX, flags, a, b, dst, n);
}

pto_status pto_vmin(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    return two_operands(t, MAXMIN_MIN, flags, a, b, dst, n);
}

pto_status pto_vclamp(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst, size_t n) {
    const pto_in in[] = {x, lo, hi};
    struct maxmin m;
    pto_status status;
    if (n != 0 && (x.data == NULL || lo.data == NULL || hi.data == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = prepare(t, MAXMIN_CLAMP, flags, 0, &m);
    return status != PTO_OK ? status : check_and_run(&m, in, dst, n);
}

/* Zeros of every type. */
static const u64 zero;

pto_status pto_vrelu(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n) {
    const pto_in in[] = {pto_in_array(x), pto_in_scalar(&zero)};
    struct maxmin m;
    pto_status status;
    if (n != 0 && (x == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = prepare(t, MAXMIN_MAX, flags, PTO_XORSIGN_ABS, &m);
    return status != PTO_OK ? status : check_and_run(&m, in, dst, n);
}
