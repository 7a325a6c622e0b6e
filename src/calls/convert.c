/* SPDX-License-Identifier: MIT */
#include "pto/convert.h"

#include "calls/plan.h"
#include "core/check.h"
#include "core/fpenv.h"
#include "core/types.h"
#include "dispatch/dispatch.h"
#include "ptx/cvt_forms.h"

/* What a plan keeps between calls. */
struct cvt_plan {
    const struct cvt_kernel *kernel;
    pto_cvt_op op;
    enum fp_need fp; /* the kernel's, or FP_FLUSH where .ftz asks for that */
};

_Static_assert(sizeof(struct cvt_plan) <= PLAN_BYTES, "a conversion plan must fit pto_plan");

static size_t bits_of(pto_dtype type) {
    return pto_dtypes[type].bits;
}

/* The third operand: random bits by the group, or scales; nothing for most ops. */
static bool takes_extra(pto_cvt_op op) {
    return op.round == PTO_RS || op.scale != PTO_SCALE_NONE;
}

static size_t extra_bytes(pto_cvt_op op, size_t n) {
    return op.round == PTO_RS ? n / cvt_random_group(op.dst) * sizeof(u32) : cvt_scale_bytes(op.scale, n);
}

/* The last n < step elements, through stack buffers of one step, padded with zeros and scales of 1: others are not
 * what kernels are quick with, and one that is a NaN would show in the high nibble of an odd last e2m1. */
static NOINLINE void convert_rest(const struct cvt_plan *p, const u8 *src, u8 *dst, const u8 *extra,
                                  size_t n) {
    const size_t in = bits_of(p->op.src), out = bits_of(p->op.dst);
    u8 from[CVT_LONGEST_STEP * 8], to[CVT_LONGEST_STEP * 8];
    u32 third[CVT_LONGEST_STEP];
    memset(from, 0, p->kernel->step * in / 8);
    memcpy(from, src, (n * in + 7) / 8);
    if (extra != NULL) {
        memset(third, UE8M0_BIAS, sizeof third);
        memcpy(third, extra, extra_bytes(p->op, n));
    }
    p->kernel->run(&p->op, from, to, third, p->kernel->step);
    if (n * out % 8 != 0) to[n * out / 8] &= 0xf;
    memcpy(dst, to, (n * out + 7) / 8);
}

static ALWAYS_INLINE void convert_some(const struct cvt_plan *p, const u8 *src, u8 *dst, const u8 *extra,
                                       size_t n) {
    const size_t rest = n & (p->kernel->step - 1U), whole = n - rest;
    if (whole != 0) p->kernel->run(&p->op, src, dst, extra, whole);
    if (rest == 0) return;
    convert_rest(p, src + whole / 8 * bits_of(p->op.src), dst + whole / 8 * bits_of(p->op.dst),
                 takes_extra(p->op) ? extra + extra_bytes(p->op, whole) : NULL, rest);
}

/* From LONG_RUN elements on it pays that no store is to two lines of the cache: 1.07 to 1.2 times as fast (Zen 4). */
enum { LONG_RUN = 16 << 10, LINE_BITS = 64 * 8 };

/* Of the elements that share a byte, a scale or random bits. */
static size_t lanes_together(pto_cvt_op op) {
    if (op.round == PTO_RS) return cvt_random_group(op.dst);
    return op.scale != PTO_SCALE_NONE || bits_of(op.src) < 8 ? 2 : 1;
}

/* 0 where no such group begins a line. */
static size_t lanes_before_line(pto_cvt_op op, const u8 *dst) {
    const size_t bits = -((uintptr_t)dst * 8) % LINE_BITS, width = bits_of(op.dst);
    return bits % (lanes_together(op) * width) == 0 ? bits / width : 0;
}

static NOINLINE void convert_many(const struct cvt_plan *p, const u8 *src, u8 *dst, const u8 *extra,
                                  size_t n) {
    const size_t head = lanes_before_line(p->op, dst);
    convert_some(p, src, dst, extra, head);
    convert_some(p, src + head * bits_of(p->op.src) / 8, dst + head * bits_of(p->op.dst) / 8,
                 takes_extra(p->op) ? extra + extra_bytes(p->op, head) : NULL, n - head);
}

static ALWAYS_INLINE void convert_lanes(const struct cvt_plan *p, const u8 *src, u8 *dst, const u8 *extra,
                                        size_t n) {
    if (n < LONG_RUN)
        convert_some(p, src, dst, extra, n);
    else
        convert_many(p, src, dst, extra, n);
}

static ALWAYS_INLINE void convert_in_state(const struct cvt_plan *p, const void *src, void *dst,
                                           const void *extra, size_t n) {
    fp_state saved;
    if (p->fp == FP_ANY) {
        convert_lanes(p, src, dst, extra, n);
        return;
    }
    saved = fp_enter(p->fp);
    convert_lanes(p, src, dst, extra, n);
    fp_leave(saved);
}

static void cvt_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    struct cvt_plan p;
    (void)b;
    memcpy(&p, plan->priv, sizeof p);
    convert_in_state(&p, a, dst, m, n);
}

static ALWAYS_INLINE pto_status cvt_prepare(struct cvt_plan *p, pto_cvt_op op) {
    pto_status status = pto_cvt_takes(op);
    if (status != PTO_OK) return status;
    p->kernel = pto_cvt_kernel(pto_active_kernels(), op);
    p->op = op;
    p->fp = (enum fp_need)p->kernel->fp;
    if (p->fp == FP_IEEE && cvt_flushes_source(op)) p->fp = FP_FLUSH;
    return PTO_OK;
}

static struct plan_shapes cvt_shapes(pto_cvt_op op) {
    enum { SOME = 8 }; /* lanes, a multiple of every group */
    struct plan_shapes shapes = {.src = {shape_array(bits_of(op.src))},
                                 .dst = {shape_array(bits_of(op.dst))}};
    if (takes_extra(op)) shapes.src[2] = (u8)(shape_array(extra_bytes(op, SOME) * 8 / SOME) | SHAPE_APART);
    if (op.round == PTO_RS) shapes.group = (u8)cvt_random_group(op.dst);
    return shapes;
}

pto_status pto_plan_cvt(pto_plan *plan, pto_cvt_op op) {
    struct cvt_plan p;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = cvt_prepare(&p, op);
    if (status != PTO_OK) return status;
    plan_make(plan, cvt_run, &p, sizeof p, cvt_shapes(op));
    return PTO_OK;
}

/* A source that no destination may touch. */
static bool extra_apart(pto_cvt_op op, struct operand dst, const void *extra, size_t n) {
    return extra == NULL || disjoint(dst, operand_array(extra, 8, extra_bytes(op, n)));
}

pto_status pto_cvt(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const bool random = op.round == PTO_RS, third = takes_extra(op);
    struct cvt_plan p;
    pto_status status;
    struct operand d;

    if (n != 0 && (src == NULL || dst == NULL || (third && extra == NULL))) return PTO_ERR_NULL;
    status = cvt_prepare(&p, op);
    if (status != PTO_OK) return status;
    if (!third && extra != NULL) return PTO_ERR_MODIFIER;
    if (random && n % cvt_random_group(op.dst) != 0) return PTO_ERR_SIZE;
    if (nothing_to_do(n)) return nothing_status(n);
    d = operand_bits(dst, bits_of(op.dst), n);
    if (!overlap_allowed(d, operand_bits(src, bits_of(op.src), n)) || !extra_apart(op, d, extra, n))
        return PTO_ERR_OVERLAP;
    convert_in_state(&p, src, dst, extra, n);
    return PTO_OK;
}
