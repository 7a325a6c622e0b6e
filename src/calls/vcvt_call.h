/* SPDX-License-Identifier: MIT */
/* pto_vcvt() without its checks, for calls that have done them. */
#ifndef PTO_CALLS_VCVT_CALL_H
#define PTO_CALLS_VCVT_CALL_H

#include "core/kernels.h"
#include "pto/vcvt.h"

/* Converts n > 0 elements by the kernels of `k`, without a mask. `op` must be legal. */
void pto_vcvt_run(const struct pto_kernels *k, pto_vcvt_op op, const void *src, void *dst, size_t n);

#endif
