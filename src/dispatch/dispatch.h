/* SPDX-License-Identifier: MIT */
/* The table that calls use now. */
#ifndef PTO_DISPATCH_DISPATCH_H
#define PTO_DISPATCH_DISPATCH_H

#include <stdatomic.h>

#include "core/kernels.h"

/* NULL until first use. The tables are constants, so the pointer publishes nothing and needs no ordering. */
extern _Atomic(const struct pto_kernels *) pto_active;

/* The choice at first use. */
const struct pto_kernels *pto_first_kernels(void);

static inline const struct pto_kernels *pto_active_kernels(void) {
    const struct pto_kernels *k = atomic_load_explicit(&pto_active, memory_order_relaxed);
    return unlikely(k == NULL) ? pto_first_kernels() : k;
}

/* The backend's kernel for a form that pto_cvt takes. */
const struct cvt_kernel *pto_cvt_kernel(pto_isa isa, pto_cvt_op op);

#endif
