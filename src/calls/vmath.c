/* SPDX-License-Identifier: MIT */
/* pto_vexp(). */
#include "pto/vmath.h"

#include "core/block.h"
#include "core/check.h"
#include "core/exp.h"
#include "core/fpenv.h"
#include "core/types.h"
#include "dispatch/dispatch.h"

enum { EXP_LANES = 512 };

#define EXP(ISA, isa, attribute) [PTO_ISA_##ISA] = &pto_exp_##isa,

static const struct exp_kernels *exp_kernels_of(pto_isa isa) {
    static const struct exp_kernels *const by_isa[] = {BUILT_ISAS(EXP)};
    return by_isa[isa] != NULL ? by_isa[isa] : &pto_exp_scalar; /* NULL: a weak symbol that is not linked */
}

/* Sets the lanes to zero whose bit in `on` is 0. The kernel has computed them, too; fp_leave() removes the exception
 * flags that this may have raised. Replacing their sources by 0 instead would give 1, because exp(0) is 1. */
static void clear_inactive(const struct pto_kernels *k, size_t bits, const u64 *on, u8 *dst, size_t lanes) {
    static const u64 zeros[EXP_LANES];
    k->select[MASK_AS_BITS][width_index((unsigned)bits)](dst, zeros, on, dst, lanes);
}

pto_status pto_vexp(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const struct pto_kernels *k;
    exp_fn *exp;
    size_t bits = pto_dtype_bits(t);
    u64 on[EXP_LANES / 64];
    fp_state saved;

    if (n != 0 && (src == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (t != PTO_F32 && t != PTO_F64) return PTO_ERR_TYPE;
    if (m.data != NULL && !mask_fits(m.kind, bits)) return PTO_ERR_MASK;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!overlaps_allowed(operand_array(dst, bits, n),
                          (const struct operand[]){operand_array(src, bits, n), operand_mask(m, n)}, 2))
        return PTO_ERR_OVERLAP;

    k = pto_active_kernels();
    exp = t == PTO_F32 ? exp_kernels_of(k->isa)->f32 : exp_kernels_of(k->isa)->f64;
    saved = fp_enter(FP_IEEE);
    for (size_t i = 0; i < n; i += EXP_LANES) {
        size_t lanes = min_size(n - i, EXP_LANES), at = i * (bits / 8);
        const u64 *lanes_on = m.data != NULL ? block_bits(k, m, i, on, lanes) : NULL;
        exp((const u8 *)src + at, (u8 *)dst + at, lanes);
        if (lanes_on != NULL) clear_inactive(k, bits, lanes_on, (u8 *)dst + at, lanes);
    }
    fp_leave(saved);
    return PTO_OK;
}
