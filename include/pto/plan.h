/* SPDX-License-Identifier: MIT */
/**
 * @file plan.h
 * Plans: calls prepared once and run many times, for hot loops.
 */
#ifndef PTO_PLAN_H
#define PTO_PLAN_H

#include "convert.h"
#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A prepared call for hot loops: checked and looked up once, run many times (cf. an FFTW plan).
 *
 * A plain value: copy it, share it between threads, never free it. It keeps the ISA that was active when it
 * was made and is good for this process alone. All rules of types.h hold, but nothing is checked any more:
 * pointers must be good, and only such overlap is allowed as the checked call takes.
 */
typedef struct pto_plan {
    void (*run)(const struct pto_plan *, const void *a, const void *b, const void *m, void *dst, size_t n);
    uint64_t priv[7];
} pto_plan;

/**
 * Plan pto_vcmp or pto_vcmps with these arguments, the masks being of the given kinds. In pto_run, a and b
 * are the sources (vcmps: b points to the scalar), m is the data of the seed (NULL: every lane), dst that of
 * the result.
 *
 * Returns PTO_OK or what the checked call would: PTO_ERR_NULL (plan), _TYPE, _OP, _MODIFIER, _MASK. On an
 * error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_vcmp(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                                  pto_mask_kind dst);
PTO_CALL pto_status pto_plan_vcmps(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                   pto_mask_kind seed, pto_mask_kind dst);

/**
 * Plan pto_vsel with a mask of this kind. In pto_run, a is src0, b is src1 (swap them for vselr), m the
 * mask's data. Returns PTO_OK, PTO_ERR_NULL (plan), PTO_ERR_TYPE or PTO_ERR_MASK.
 */
PTO_CALL pto_status pto_plan_vsel(pto_plan *plan, pto_dtype t, pto_mask_kind mask);

/**
 * Plan pto_cvt, composed pairs included. In pto_run, a is src, b is unused, m the random bits of PTO_RS; for
 * PTO_RS n must be a multiple of the group. Returns PTO_OK, PTO_ERR_NULL (plan), PTO_ERR_TYPE or
 * PTO_ERR_MODIFIER.
 */
PTO_CALL pto_status pto_plan_cvt(pto_plan *plan, pto_cvt_op op);

/** Run a plan over n lanes. */
static inline void pto_run(const pto_plan *p, const void *a, const void *b, const void *m, void *dst,
                           size_t n) {
    p->run(p, a, b, m, dst, n);
}

#ifdef __cplusplus
}
#endif
#endif
