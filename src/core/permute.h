/* SPDX-License-Identifier: MIT */
/* The kernel interface of pto_vpermute(). */
#ifndef PTO_CORE_PERMUTE_H
#define PTO_CORE_PERMUTE_H

#include "core/kernels.h"

/* Within each group of `lanes` lanes, sets dst[i] to src[index[i] mod lanes]. n is a multiple of `lanes`. dst may be
 * exactly `index`, and must not overlap src. */
typedef void permute_fn(size_t lanes, const void *src, const void *index, void *dst, size_t n);

/* Kernels by the width of an element. */
struct permute_table {
    permute_fn *width[WIDTHS];
};

#define PERMUTE_EXPORTS(ISA, isa, attribute) extern const struct permute_table pto_permute_##isa attribute;
EVERY_ISA(PERMUTE_EXPORTS)
#undef PERMUTE_EXPORTS

#endif
