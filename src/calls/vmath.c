/* SPDX-License-Identifier: MIT */
#include "pto/vmath.h"

#include "core/block.h"
#include "core/check.h"
#include "core/fpenv.h"
#include "core/types.h"
#include "dispatch/dispatch.h"

enum { EXP_LANES = 512 };

/* Which NaN an exp kernel returns depends on the instruction set; make it the one that vmath.h names. */
static void canonical_nans_f32(u8 *dst, size_t lanes) {
    for (size_t i = 0; i < lanes; ++i) {
        u32 x;
        memcpy(&x, dst + 4 * i, sizeof x);
        x = (x & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : x;
        memcpy(dst + 4 * i, &x, sizeof x);
    }
}

static void canonical_nans_f64(u8 *dst, size_t lanes) {
    const u64 infinity = (u64)0x7ff << 52;
    for (size_t i = 0; i < lanes; ++i) {
        u64 x = load64(dst + 8 * i);
        store64(dst + 8 * i, (x & ~(u64)0 >> 1) > infinity ? (u64)0xfff << 51 : x);
    }
}

/* exp(0) is not 0, so lanes that are off are cleared afterwards; what they held has left no trace (see
 * fpenv.h). */
static void exp_block(const struct pto_kernels *k, pto_dtype t, const u8 *src, const u64 *on, u8 *dst,
                      size_t lanes) {
    static const u64 zeros[EXP_LANES];
    if (t == PTO_F32) {
        k->exp_f32(src, dst, lanes);
        canonical_nans_f32(dst, lanes);
    } else {
        k->exp_f64(src, dst, lanes);
        canonical_nans_f64(dst, lanes);
    }
    if (on != NULL) k->select[AS_BITS][width_index(t == PTO_F32 ? 32 : 64)](dst, zeros, on, dst, lanes);
}

pto_status pto_vexp(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n) {
    const struct pto_kernels *k;
    size_t bits = pto_dtype_bits(t);
    u64 on[EXP_LANES / 64];
    fp_state saved;

    if (n != 0 && (src == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (t != PTO_F32 && t != PTO_F64) return PTO_ERR_TYPE;
    if (m.data != NULL && !mask_fits(m.kind, bits)) return PTO_ERR_MASK;
    if (nothing_to_do(n)) return nothing_status(n);
    if (!dst_fits(operand_array(dst, bits, n),
                  (const struct operand[]){operand_array(src, bits, n), operand_mask(m, n)}, 2))
        return PTO_ERR_OVERLAP;

    k = pto_active_kernels();
    saved = fp_enter(FP_IEEE);
    for (size_t i = 0; i < n; i += EXP_LANES) {
        size_t lanes = min_size(n - i, EXP_LANES), at = i * (bits / 8);
        const void *lanes_on = m.data != NULL ? block_bits(k, m, i, on, lanes) : NULL;
        exp_block(k, t, (const u8 *)src + at, lanes_on, (u8 *)dst + at, lanes);
    }
    fp_leave(saved);
    return PTO_OK;
}
