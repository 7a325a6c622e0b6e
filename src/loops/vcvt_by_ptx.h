/* SPDX-License-Identifier: MIT */
/*
 * PTO's conversions that an ISA's kernels of PTX's do as well: they differ in their NaNs alone. Include with ISA, NAME
 * and VBYTES defined. Leaves vcvt_by_ptx, which chooses.
 */
#include "core/formats.h"
#include "core/kernels.h"
#include "core/vcvt.h"

/* PTX's NaN is a code of all ones but the sign; it becomes another, lower one. No other code is as high, and what
 * is done to it is arithmetic, so there is no comparison. */
#define MEND_NANS(width)                                                                                     \
    typedef CAT(u, width) nan_codes_##width __attribute__((vector_size(VBYTES), aligned(1), may_alias));     \
    static ALWAYS_INLINE void mend_nans_##width(u8 *p, size_t n, CAT(u, width) nan) {                        \
        const CAT(u, width) ones = (CAT(u, width))low_bits((width)-1), down = (CAT(u, width))(ones - nan);   \
        for (size_t i = 0; i < n * (width) / 8; i += VBYTES) {                                               \
            const nan_codes_##width x = *(nan_codes_##width *)(p + i),                                       \
                                    is_nan = ((x & ones) + 1) >> ((width)-1);                                \
            *(nan_codes_##width *)(p + i) = x - (-is_nan & down);                                            \
        }                                                                                                    \
    }
MEND_NANS(8)
MEND_NANS(16)
MEND_NANS(32)

static ALWAYS_INLINE bool vcvt_is_direct(pto_vrnd rnd) {
    return rnd != PTO_VRND_A && rnd != PTO_VRND_O;
}

static pto_cvt_op vcvt_as_ptx(pto_vcvt_op op) {
    static const u8 fractional[VRNDS] = {PTO_RN, PTO_ROUND_NONE, PTO_RM, PTO_RP, PTO_RZ, PTO_ROUND_NONE},
                    whole[VRNDS] = {PTO_RNI, PTO_ROUND_NONE, PTO_RMI, PTO_RPI, PTO_RZI, PTO_ROUND_NONE};
    const bool exact = op.dst == PTO_F32 && !cvt_is_integer(op.src);
    const pto_cvt_op as = {.dst = op.dst,
                           .src = op.src,
                           .round = exact ? PTO_ROUND_NONE
                                          : (pto_round)(cvt_is_integer(op.dst) ? whole : fractional)[op.rnd],
                           .satfinite = cvt_is_small(op.dst)};
    return as;
}

static ALWAYS_INLINE void run_by_ptx(const pto_vcvt_op *op, const void *src, void *dst, size_t n) {
    const pto_cvt_op as = vcvt_as_ptx(*op);
    NAME(pto_cvt)(as)->run(&as, src, dst, NULL, n);
}

enum { PTX_STEP = CVT_LONGEST_STEP };
_Static_assert(PTX_STEP % VBYTES == 0, "a step of bytes is whole vectors");

#define BY_PTX(name, ...)                                                                                    \
    static void run_##name(const pto_vcvt_op *op, const void *src, void *dst, size_t n) {                    \
        run_by_ptx(op, src, dst, n);                                                                         \
        __VA_ARGS__;                                                                                         \
    }                                                                                                        \
    static const struct vcvt_kernel name = {run_##name, PTX_STEP, FP_IEEE};
BY_PTX(integers_by_ptx, (void)0)
BY_PTX(small_by_ptx, mend_nans_8(dst, n, 0))
BY_PTX(halves_by_ptx, mend_nans_16(dst, n, (u16)vcvt_nan(op->dst)))
BY_PTX(singles_by_ptx, mend_nans_32(dst, n, (u32)vcvt_nan(op->dst)))

/* Overflow is the same to nearest even alone, and the NaN of f32 from bf16 would keep its payload. */
static const struct vcvt_kernel *vcvt_floats_by_ptx(pto_vcvt_op op) {
    if (op.rnd != PTO_VRND_R || op.dst == op.src) return NULL;
    switch (op.dst) {
    case PTO_E4M3:
    case PTO_E5M2: return op.sat ? &small_by_ptx : NULL;
    case PTO_F16:
    case PTO_BF16: return op.src == PTO_F32 && !op.sat ? &halves_by_ptx : NULL;
    case PTO_F32: return op.src != PTO_BF16 && op.src != PTO_HIF8 ? &singles_by_ptx : NULL;
    default: return NULL;
    }
}

/* Integers clamp in PTX, and only s64 has another NaN. */
static const struct vcvt_kernel *vcvt_by_ptx(pto_vcvt_op op) {
    const bool clamps = op.sat || (op.dst == PTO_S32 && op.src == PTO_F16);
    const bool to_integer = cvt_is_integer(op.dst), from_integer = cvt_is_integer(op.src);
    if (!to_integer && !from_integer) return vcvt_floats_by_ptx(op);
    if (to_integer && (from_integer || !clamps || op.dst == PTO_S64)) return NULL;
    return vcvt_is_direct(op.rnd) ? &integers_by_ptx : NULL;
}
