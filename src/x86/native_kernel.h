/* SPDX-License-Identifier: MIT */
/* Chooses the native AVX2 or AVX-512 kernel of a conversion; native_kernel() returns NULL if there is none.
 * Included at the end of each folder's convert_native.h. */
#include "core/convert_native.h"

static const struct cvt_kernel *native_kernel(pto_cvt_op op) {
    const struct cvt_kernel *small = small_kernels[op.dst][op.src], *narrow = narrow_kernel(op),
                            *wide = widen_kernel(op), *saturating = sat_kernel(op);
    if (small != NULL && is_plain(op)) return small;
    if (narrow != NULL) return narrow;
    if (wide != NULL) return wide;
    if (saturating != NULL) return saturating;
    return is_native(op) && op.round != PTO_RS ? natives[op.dst][op.src][rounding_index[op.round]] : NULL;
}
