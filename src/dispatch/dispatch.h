/* SPDX-License-Identifier: MIT */
/* The kernel tables of the active backend. */
#ifndef PTO_DISPATCH_DISPATCH_H
#define PTO_DISPATCH_DISPATCH_H

#include <stdatomic.h>

#include "core/codes.h"
#include "core/kernels.h"
#include "core/maxmin.h"
#include "core/permute.h"
#include "core/scaling.h"
#include "core/variants.h"
#include "core/vcvt.h"

/* The active backend, NULL until first use. The tables are constants, so the pointer publishes no data and needs no
 * memory ordering. */
extern _Atomic(const struct pto_kernels *) pto_active;

/* Chooses the backend at first use, stores it in pto_active and returns it. */
const struct pto_kernels *pto_first_kernels(void);

static inline const struct pto_kernels *pto_active_kernels(void) {
    const struct pto_kernels *k = atomic_load_explicit(&pto_active, memory_order_relaxed);
    return unlikely(k == NULL) ? pto_first_kernels() : k;
}

/* Returns whether the CPU has the variant's extension and the environment allows it. Callers must check themselves that
 * the kernels are built. */
bool pto_uses_variant(enum variant variant);

/* These return kernels of backend k that are not in its struct pto_kernels: the flags, permutation and block scaling
 * kernels, those for classes and for small floats, and the kernel for op, which must be a form that pto_cvt() or
 * pto_vcvt() takes. */
const struct flags_kernels *pto_flags_kernels(const struct pto_kernels *k);
const struct cvt_kernel *pto_cvt_kernel(const struct pto_kernels *k, pto_cvt_op op);
const struct vcvt_kernel *pto_vcvt_kernel(const struct pto_kernels *k, pto_vcvt_op op);
const struct permute_table *pto_permute_kernels(const struct pto_kernels *k);
const struct classify_table *pto_classify_kernels(const struct pto_kernels *k);
small_compare_fn *pto_small_compare(const struct pto_kernels *k);
small_extreme_fn *pto_small_extreme(const struct pto_kernels *k);
const struct scaling_kernels *pto_scaling_kernels(const struct pto_kernels *k);
const struct scaling_extras *pto_scaling_extras(const struct pto_kernels *k); /* or NULL */

/* Tables by pto_isa. Choose and max kernels are looked up inline, because a call on few lanes takes little longer than
 * the look-up. */
extern const struct choose_table *const pto_choose_tables[];
extern const struct maxmin_table *const pto_maxmin_tables[];
extern const struct maxmin_table *const pto_clamp_tables[];
extern const struct maxmin_table *const pto_relu_tables[];

static inline const struct choose_table *pto_choose_kernels(const struct pto_kernels *k) {
#ifdef PTO_BUILD_AVX512_FP16
    if (k == &pto_kernels_avx512_fp16) return &pto_choose_avx512_fp16;
#endif
#ifdef PTO_BUILD_NEON_FP16
    if (k == &pto_kernels_neon_fp16) return &pto_choose_neon_fp16;
#endif
#ifdef PTO_BUILD_RVV_FP16
    if (k == &pto_kernels_rvv_fp16) return &pto_choose_rvv_fp16;
#endif
    return pto_choose_tables[k->isa];
}

/* Returns the max, min, clamp or relu kernel of backend k for a lane type. `op` must be a compile-time constant: then
 * the code refers only to the table of that operation, and a static program links no other. */
static ALWAYS_INLINE maxmin_fn *pto_maxmin_kernel(const struct pto_kernels *k, enum maxmin_op op,
                                                  enum lane lane) {
    const enum maxmin_group group = maxmin_group(op);
#ifdef PTO_BUILD_AVX512_FP16
    if (group == MAXMIN_OF_TWO && k == &pto_kernels_avx512_fp16 && lane == LANE_F16)
        return pto_maxmin_f16_avx512_fp16;
#endif
#ifdef PTO_BUILD_NEON_FP16
    if (group == MAXMIN_OF_TWO && k == &pto_kernels_neon_fp16 && lane == LANE_F16)
        return pto_maxmin_f16_neon_fp16;
#endif
#ifdef PTO_BUILD_RVV_FP16
    if (k == &pto_kernels_rvv_fp16 && lane == LANE_F16) return pto_maxmin_f16_rvv_fp16;
#endif
    switch (group) {
    // cppcheck-suppress CastIntegerToAddressAtReturn // it mistakes the function pointer for an integer
    case MAXMIN_OF_ONE: return pto_relu_tables[k->isa]->lane[lane];
    // cppcheck-suppress CastIntegerToAddressAtReturn
    case MAXMIN_OF_THREE: return pto_clamp_tables[k->isa]->lane[lane];
    // cppcheck-suppress CastIntegerToAddressAtReturn
    default: return pto_maxmin_tables[k->isa]->lane[lane];
    }
}

#endif
