/* SPDX-License-Identifier: MIT */
/* pto_vpermute(). */
#include "core/permute.h"

#include "calls/small_floats.h"
#include "core/check.h"
#include "dispatch/dispatch.h"
#include "pto/select.h"

pto_status pto_vpermute(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    const struct dtype_info *type = selectable_info(t);
    struct operand to;
    if (n != 0 && (src == NULL || index == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (type == NULL) return PTO_ERR_TYPE;
    if (lanes == 0 || n % lanes != 0) return PTO_ERR_SIZE;
    if (is_empty_or_too_large(n)) return size_status(n);
    to = operand_array(dst, type->bits, n);
    if (!disjoint(to, operand_array(src, type->bits, n)) ||
        !overlap_allowed(to, operand_array(index, type->bits, n)))
        return PTO_ERR_OVERLAP;
    pto_permute_kernels(pto_active_kernels())->width[width_index(type->bits)](lanes, src, index, dst, n);
    return PTO_OK;
}
