/* SPDX-License-Identifier: MIT */
/* pto_cast() and its plan. */
#include "core/cast.h"

#include "calls/plan.h"
#include "calls/vcvt_call.h"
#include "core/check.h"
#include "dispatch/dispatch.h"
#include "ptx/cvt_forms.h"

#define KERNEL(ISA, isa, attribute) [PTO_ISA_##ISA] = pto_cast_##isa,

static cast_fn *kernel_of(pto_isa isa) {
    static cast_fn *const by_isa[] = {BUILT_ISAS(KERNEL)};
    return by_isa[isa] != NULL ? by_isa[isa] : pto_cast_scalar; /* NULL: a weak symbol that is not linked */
}

/* ---- conversions of PTX and PTO with the same results, which have faster kernels ---- */

static bool has_nan(pto_dtype type) {
    return type == PTO_UE8M0 ||
           (!cast_is_integer(type) && type != PTO_S2F6 && cvt_format_of(type).specials != SPECIALS_NONE);
}

static bool has_infinity(pto_dtype type) {
    return !cast_is_integer(type) && cast_infinity(type) != cast_nan(type);
}

/* Returns whether a legal cvt between floats gives a NaN the result of op. */
static bool has_same_nan(pto_cast_op op, pto_cvt_op cvt) {
    const struct cvt_nan nan = cvt_nan_of(cvt);
    if (!has_nan(op.src) || op.dst == PTO_UE8M0) return true;
    return !nan.keeps_payload && nan.bits == cast_nan(op.dst);
}

/* Returns PTX's rounding to an integral value, or the others unchanged. */
static pto_round integral_round(pto_round round) {
    switch (round) {
    case PTO_RN: return PTO_RNI;
    case PTO_RZ: return PTO_RZI;
    case PTO_RM: return PTO_RMI;
    case PTO_RP: return PTO_RPI;
    default: return round;
    }
}

static bool is_legal(pto_cvt_op cvt) {
    return pto_cvt_status(cvt) == PTO_OK;
}

static bool integer_as_cvt(pto_cast_op op, pto_cvt_op *cvt) {
    *cvt = (pto_cvt_op){.dst = op.dst, .src = op.src};
    if (cast_is_integer(op.src)) {
        cvt->sat = true;
        if (is_legal(*cvt)) return true;
        cvt->sat = false;
        return is_legal(*cvt);
    }
    cvt->round = integral_round(op.round);
    return is_legal(*cvt) && (!has_nan(op.src) || cvt_integer_nan(*cvt, pto_dtypes[op.dst].bits) == 0);
}

static bool float_as_cvt(pto_cast_op op, pto_cvt_op *cvt) {
    const bool is_finite = !has_nan(op.dst) && !cast_is_integer(op.dst);
    *cvt = (pto_cvt_op){.dst = op.dst, .src = op.src, .round = op.round};
    cvt->satfinite = is_finite || op.overflow != PTO_OVERFLOW_IEEE;
    if (op.overflow == PTO_OVERFLOW_SATURATE_FINITE && has_infinity(op.src) && !is_finite) return false;
    if (is_legal(*cvt)) return has_same_nan(op, *cvt);
    /* PTX has exact conversions, and some to f16 and bf16, only without .satfinite. If op saturates, they may be used
     * only if nothing can saturate: the source has no infinities, and the destination is not f16. */
    if (cvt->satfinite && !is_finite && (has_infinity(op.src) || op.dst == PTO_F16)) return false;
    cvt->satfinite = false;
    if (!is_legal(*cvt) && op.round == PTO_RN) cvt->round = PTO_ROUND_NONE;
    return is_legal(*cvt) && has_same_nan(op, *cvt);
}

/* Sets *cvt to a conversion of PTX that has the same results as op. Returns false if there is none. */
static bool as_cvt(pto_cast_op op, pto_cvt_op *cvt) {
    const bool is_ptx = op.round == PTO_RN || op.round == PTO_RZ || op.round == PTO_RM || op.round == PTO_RP;
    if (!is_ptx || op.dst == op.src) return false;
    if (op.dst == PTO_S2F6 || (op.src == PTO_UE5M3 && op.dst == PTO_F16))
        return false; /* our loops are faster */
    return cast_is_integer(op.dst) ? integer_as_cvt(op, cvt) : float_as_cvt(op, cvt);
}

/* Sets *vcvt to a conversion of PTO that has the same results as op. Returns false if there is none. Only roundings to
 * nearest qualify: in the others PTO gives an infinity where op keeps the largest finite value. */
static bool as_vcvt(pto_cast_op op, pto_vcvt_op *vcvt) {
    if ((op.round != PTO_RN && op.round != PTO_RNA) || op.overflow != PTO_OVERFLOW_IEEE) return false;
    if (op.dst != PTO_E4M3 && op.dst != PTO_E5M2 && op.dst != PTO_HIF8) return false;
    *vcvt = (pto_vcvt_op){op.dst, op.src, op.round == PTO_RN ? PTO_VRND_R : PTO_VRND_A, false};
    return pto_vcvt_check(*vcvt) == PTO_OK;
}

/* ---- running ---- */

/* A conversion that runs by pto_vcvt() or by a kernel of pto_cast(), not by pto_cvt(). */
struct cast_plan {
    const struct pto_kernels *k;
    cast_fn *kernel; /* NULL if it is a conversion of PTO */
    union {
        pto_cast_op cast;
        pto_vcvt_op vcvt;
    } op;
};

_Static_assert(sizeof(struct cast_plan) <= PLAN_BYTES, "a plan of a cast must fit pto_plan");

static struct cast_plan prepare(pto_cast_op op) {
    struct cast_plan p = {.k = pto_active_kernels()};
    if (as_vcvt(op, &p.op.vcvt)) return p;
    p.kernel = kernel_of(p.k->isa);
    p.op.cast = op;
    return p;
}

/* Converts n > 0 elements. `random_bits` is ignored if the rounding is not PTO_RS. */
static void run(const struct cast_plan *p, const void *src, void *dst, const void *random_bits, size_t n) {
    if (p->kernel == NULL)
        pto_vcvt_run(p->k, p->op.vcvt, src, dst, n);
    else
        p->kernel(&p->op.cast, src, dst, p->op.cast.round == PTO_RS ? random_bits : NULL, n);
}

static pto_status convert(pto_cast_op op, const void *src, void *dst, const void *random_bits, size_t n) {
    pto_cvt_op cvt;
    struct cast_plan p;
    if (as_cvt(op, &cvt)) return pto_cvt(cvt, src, dst, NULL, n);
    p = prepare(op);
    run(&p, src, dst, random_bits, n);
    return PTO_OK;
}

/* ---- the calls ---- */

static bool random_disjoint(struct operand dst, const void *random, size_t n) {
    return random == NULL || disjoint(dst, operand_array(random, 32, n));
}

pto_status pto_cast(pto_cast_op op, const void *src, void *dst, const void *random_bits, size_t n) {
    const bool is_random = op.round == PTO_RS;
    struct operand d;
    pto_status status;
    if (n != 0 && (src == NULL || dst == NULL || (is_random && random_bits == NULL))) return PTO_ERR_NULL;
    status = pto_cast_status(op);
    if (status != PTO_OK) return status;
    if (!is_random && random_bits != NULL) return PTO_ERR_MODIFIER;
    if (is_empty_or_too_large(n)) return size_status(n);
    d = operand_bits(dst, pto_dtypes[op.dst].bits, n);
    if (!overlap_allowed(d, operand_bits(src, pto_dtypes[op.src].bits, n)) ||
        !random_disjoint(d, random_bits, n))
        return PTO_ERR_OVERLAP;
    return convert(op, src, dst, random_bits, n);
}

pto_status pto_cast_check(pto_cast_op op) {
    return pto_cast_status(op);
}

/* ---- plan ---- */

static void run_plan(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    struct cast_plan p;
    (void)b;
    if (n == 0) return;
    memcpy(&p, plan->priv, sizeof p);
    run(&p, a, dst, m, n);
}

/* Plans a conversion for which pto_cvt() has no form. */
static void make_plan(pto_plan *plan, pto_cast_op op) {
    const struct cast_plan p = prepare(op);
    struct plan_shapes shapes = {.src = {shape_array(pto_dtypes[op.src].bits)},
                                 .dst = {shape_array(pto_dtypes[op.dst].bits)}};
    if (op.round == PTO_RS) shapes.src[2] = (u8)(shape_array(CAST_RANDOM_BITS) | SHAPE_DISJOINT);
    plan_make(plan, run_plan, &p, sizeof p, shapes);
}

pto_status pto_plan_cast(pto_plan *plan, pto_cast_op op) {
    pto_cvt_op cvt;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = pto_cast_status(op);
    if (status != PTO_OK) return status;
    if (as_cvt(op, &cvt)) return pto_plan_cvt(plan, cvt);
    make_plan(plan, op);
    return PTO_OK;
}
