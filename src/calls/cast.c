/* SPDX-License-Identifier: MIT */
/* pto_cast(). */
#include "core/cast.h"

#include "core/check.h"
#include "dispatch/dispatch.h"

#define KERNEL(ISA, isa, attribute) [PTO_ISA_##ISA] = pto_cast_##isa,

static cast_fn *kernel_of(pto_isa isa) {
    static cast_fn *const by_isa[] = {BUILT_ISAS(KERNEL)};
    return by_isa[isa] != NULL ? by_isa[isa] : pto_cast_scalar; /* NULL: a weak symbol that is not linked */
}

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
    kernel_of(pto_active_kernels()->isa)(&op, src, dst, random_bits, n);
    return PTO_OK;
}

pto_status pto_cast_check(pto_cast_op op) {
    return pto_cast_status(op);
}
