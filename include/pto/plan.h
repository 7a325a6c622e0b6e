/* SPDX-License-Identifier: MIT */
/**
 * @file plan.h
 * Plans: calls prepared once and run many times, for hot loops.
 *
 * @code
 * // A row of four at a time; each mask of four lanes takes a byte of its own.
 * const float rows[3][4] = {{1, -1, 2, -2}, {0, 0, 0, 0}, {-3, 3, -3, 3}}, zero = 0;
 * uint8_t masks[3];
 * pto_plan plan;
 * if (pto_plan_vcmps(&plan, PTO_F32, PTO_GT, 0, PTO_MASK_PACKED, PTO_MASK_PACKED) != PTO_OK) return 1;
 * for (int i = 0; i < 3; i++) pto_run(&plan, rows[i], &zero, NULL, &masks[i], 4);
 * assert(masks[0] == 0x5 && masks[1] == 0 && masks[2] == 0xa);
 * @endcode
 */
#ifndef PTO_PLAN_H
#define PTO_PLAN_H

#include "convert.h"
#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A prepared call: checked and looked up once, run many times (cf. an FFTW plan).
 *
 * A plain value: copy it, share it between threads, never free it. It keeps the backend that was active when
 * it was made and is good for this process alone. All rules of types.h hold, but nothing is checked any more:
 * pointers must be good, n no more than SIZE_MAX / 16, and only such overlap is allowed as the checked call
 * takes.
 */
typedef struct pto_plan {
    /** what pto_run calls */
    void (*run)(const struct pto_plan *, const void *a, const void *b, const void *m, void *dst, size_t n);
    uint64_t priv[7]; /**< not for users */
} pto_plan;

/**
 * Plan pto_vcmp() with this type, operator and flags, and masks of these kinds.
 *
 * In pto_run(), a and b are the sources, m is the data of the seed (NULL: every lane), dst that of the
 * result.
 *
 * seed is checked although a run may go without one: PTO_MASK_PACKED for a plan that never has a seed. (The
 * checked call looks at the kind of a seed only if it has data.)
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER,
 * PTO_ERR_MASK (dst or seed of a kind that does not fit the type). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_vcmp(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                                  pto_mask_kind dst);

/** Plan pto_vcmps(). In pto_run(), b points to the scalar. All else as for pto_plan_vcmp(). */
PTO_CALL pto_status pto_plan_vcmps(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                   pto_mask_kind seed, pto_mask_kind dst);

/**
 * Plan pto_vsel() with this type and a mask of this kind.
 *
 * In pto_run(), a is src0, b is src1 (swap them for vselr), m the mask's data, which is needed.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MASK. On an error the plan is
 * unchanged.
 */
PTO_CALL pto_status pto_plan_vsel(pto_plan *plan, pto_dtype t, pto_mask_kind mask);

/**
 * Plan pto_cvt(), composed pairs included.
 *
 * In pto_run(), a is src, b is unused, m pto_cvt()'s extra: the random bits of PTO_RS or the scales, otherwise
 * unused; for PTO_RS n must be a multiple of the group.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MODIFIER. On an error the plan
 * is unchanged.
 */
PTO_CALL pto_status pto_plan_cvt(pto_plan *plan, pto_cvt_op op);

/** Run a plan over n lanes. What a, b, m and dst are is said where the plan is made. */
static inline void pto_run(const pto_plan *p, const void *a, const void *b, const void *m, void *dst,
                           size_t n) {
    p->run(p, a, b, m, dst, n);
}

#ifdef __cplusplus
}
#endif
#endif
