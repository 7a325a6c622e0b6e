/* SPDX-License-Identifier: MIT */
/**
 * @file isa.h
 * Which instruction set the kernels use, and plans for hot loops.
 */
#ifndef PTO_ISA_H
#define PTO_ISA_H

#include "convert.h"
#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The backends. All give the same bits; SCALAR, plain integer C one lane at a time, is the definition and in
 * every build. AVX2 needs BMI2 and F16C too, AVX512 besides F, BW, DQ and VL; where the CPU has FP16 as well,
 * AVX512 compares f16 with it. On x86 the NEON backend is built through SIMDe, for cross-checking: it can be
 * asked for but is never chosen by itself.
 */
typedef enum pto_isa { PTO_ISA_SCALAR, PTO_ISA_AVX2, PTO_ISA_AVX512, PTO_ISA_NEON } pto_isa;

/** "scalar", "avx2", "avx512" or "neon", as the environment variable PTO_ISA spells it; "?" for no such ISA.
 */
PTO_API const char *pto_isa_name(pto_isa isa);

/** Whether this build has the backend and this CPU and operating system can run it. */
PTO_API bool pto_isa_available(pto_isa isa);

/**
 * The backend that calls use now. It is chosen at the first use of the library: the one that the environment
 * variable PTO_ISA names, else the best available. A name that is unknown or unavailable gives the best one,
 * and one line on stderr. Where PTO_AVX512_FP16 is 0 when AVX512 is chosen, here or by pto_isa_use, it does
 * without FP16.
 */
PTO_API pto_isa pto_isa_active(void);

/**
 * Use this backend from now on, in every thread; calls that are under way finish with the one they started
 * with. Returns PTO_OK, or PTO_ERR_ISA (and changes nothing) if it is not available.
 */
PTO_API pto_status pto_isa_use(pto_isa isa);

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
PTO_API pto_status pto_plan_vcmp(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                                 pto_mask_kind dst);
PTO_API pto_status pto_plan_vcmps(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                                  pto_mask_kind dst);

/**
 * Plan pto_vsel with a mask of this kind. In pto_run, a is src0, b is src1 (swap them for vselr), m the
 * mask's data. Returns PTO_OK, PTO_ERR_NULL (plan), PTO_ERR_TYPE or PTO_ERR_MASK.
 */
PTO_API pto_status pto_plan_vsel(pto_plan *plan, pto_dtype t, pto_mask_kind mask);

/**
 * Plan pto_cvt, composed pairs included. In pto_run, a is src, b is unused, m the random bits of PTO_RS; for
 * PTO_RS n must be a multiple of the group. Returns PTO_OK, PTO_ERR_NULL (plan), PTO_ERR_TYPE or
 * PTO_ERR_MODIFIER.
 */
PTO_API pto_status pto_plan_cvt(pto_plan *plan, pto_cvt_op op);

/** Run a plan over n lanes. */
static inline void pto_run(const pto_plan *p, const void *a, const void *b, const void *m, void *dst,
                           size_t n) {
    p->run(p, a, b, m, dst, n);
}

#ifdef __cplusplus
}
#endif
#endif
