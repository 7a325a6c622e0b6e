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

/* ---- f16 and bf16 ---- */

/* What a call on halves needs: f32's exp, and the conversions to f32 and back. */
struct half_exp {
    exp_fn *f32;
    const struct cvt_kernel *widen, *narrow;
    pto_cvt_op to_f32, to_half;
};

static struct half_exp half_exp_of(const struct pto_kernels *k, pto_dtype t) {
    struct half_exp h = {.f32 = exp_kernels_of(k->isa)->f32,
                         .to_f32 = {.dst = PTO_F32, .src = t},
                         .to_half = {.dst = t, .src = PTO_F32, .round = PTO_RN}};
    h.widen = pto_cvt_kernel(k, h.to_f32);
    h.narrow = pto_cvt_kernel(k, h.to_half);
    return h;
}

/*
 * Computes exp of at most EXP_LANES halves, correctly rounded. The result of f32, at most 1 ULP off, is rounded again.
 * That gives another value than rounding the exact one only if a value between two halves is that near. This is so for
 * two values of f16, whose results are one too large, and for no bf16. The test of every value (check_vexp_halves.c)
 * shows it.
 */
static void exp_halves(const struct half_exp *h, const u8 *src, u8 *dst, size_t lanes) {
    enum { UNITS = EXP_LANES / CVT_MAX_GRANULE };
    const size_t whole = (lanes + CVT_MAX_GRANULE - 1) / CVT_MAX_GRANULE * CVT_MAX_GRANULE;
    u16 from[UNITS * CVT_MAX_GRANULE], to[UNITS * CVT_MAX_GRANULE];
    u32 words[UNITS * CVT_MAX_GRANULE];
    memset(from, 0, whole * sizeof *from); /* kernels convert whole granules */
    memcpy(from, src, lanes * sizeof *from);
    h->widen->run(&h->to_f32, from, words, NULL, whole);
    h->f32(words, words, whole);
    h->narrow->run(&h->to_half, words, to, NULL, whole);
    for (size_t i = 0; h->to_f32.src == PTO_F16 && i < whole; ++i)
        to[i] = (u16)(to[i] - (from[i] == 0x1f79 || from[i] == 0x25cf));
    memcpy(dst, to, lanes * sizeof *to);
}

/* ---- the call ---- */

/* Returns the kernel of f32 or f64, or NULL for halves. */
static exp_fn *kernel_of(const struct pto_kernels *k, pto_dtype t) {
    return t == PTO_F32 ? exp_kernels_of(k->isa)->f32 : t == PTO_F64 ? exp_kernels_of(k->isa)->f64 : NULL;
}

static bool has_exp(pto_dtype t) {
    return t == PTO_F16 || t == PTO_BF16 || t == PTO_F32 || t == PTO_F64;
}

pto_status pto_vexp(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const struct pto_kernels *k;
    struct half_exp halves = {0};
    exp_fn *exp;
    size_t bits = pto_dtype_bits(t);
    u64 on[EXP_LANES / 64];
    fp_state saved;

    if (n != 0 && (src == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (!has_exp(t)) return PTO_ERR_TYPE;
    if (m.data != NULL && !mask_fits(m.kind, bits)) return PTO_ERR_MASK;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!overlaps_allowed(operand_array(dst, bits, n),
                          (const struct operand[]){operand_array(src, bits, n), operand_mask(m, n)}, 2))
        return PTO_ERR_OVERLAP;

    k = pto_active_kernels();
    exp = kernel_of(k, t);
    if (exp == NULL) halves = half_exp_of(k, t);
    saved = fp_enter(FP_IEEE);
    for (size_t i = 0; i < n; i += EXP_LANES) {
        size_t lanes = min_size(n - i, EXP_LANES), at = i * (bits / 8);
        const u64 *lanes_on = m.data != NULL ? block_bits(k, m, i, on, lanes) : NULL;
        if (exp != NULL)
            exp((const u8 *)src + at, (u8 *)dst + at, lanes);
        else
            exp_halves(&halves, (const u8 *)src + at, (u8 *)dst + at, lanes);
        if (lanes_on != NULL) clear_inactive(k, bits, lanes_on, (u8 *)dst + at, lanes);
    }
    fp_leave(saved);
    return PTO_OK;
}
