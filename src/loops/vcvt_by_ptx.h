/* SPDX-License-Identifier: MIT */
/*
 * PTO's conversions that an ISA's kernels of PTX's do as well: they differ in their NaNs alone. Part of vcvt.h. Leaves
 * vcvt_by_ptx, which chooses.
 */
#include "core/formats.h"
#include "core/kernels.h"
#include "core/vcvt.h"

/* PTX's NaN is a code of all ones but the sign; it becomes another, lower one. */
#define MEND_NANS(width)                                                                                     \
    typedef CAT(u, width) nan_codes_##width __attribute__((vector_size(VBYTES), aligned(1), may_alias));     \
    static ALWAYS_INLINE void mend_nans_##width(u8 *p, size_t n, CAT(u, width) nan) {                        \
        const CAT(u, width) ones = (CAT(u, width))low_bits((width)-1), down = (CAT(u, width))(ones - nan);   \
        for (size_t i = 0; i < n * (width) / 8; i += VBYTES) {                                               \
            const nan_codes_##width x = *(nan_codes_##width *)(p + i),                                       \
                                    is_nan = (nan_codes_##width)(x == ones);                                 \
            *(nan_codes_##width *)(p + i) = x - (is_nan & down);                                             \
        }                                                                                                    \
    }
MEND_NANS(8)
MEND_NANS(16)
MEND_NANS(32)

/* The same of sources, whose NaNs are all codes above infinity: no NaN goes in where it shall be zero, and what vtrc makes of
 * one is itself, quiet. */
#define SOURCE_NANS(width)                                                                                   \
    static ALWAYS_INLINE nan_codes_##width are_nans_##width(nan_codes_##width x, CAT(u, width) infinity) {   \
        const CAT(u, width) ones = (CAT(u, width))low_bits((width)-1);                                       \
        return -(((x & ones) + (CAT(u, width))(ones - infinity)) >> ((width)-1));                            \
    }                                                                                                        \
    static ALWAYS_INLINE void drop_nans_##width(const u8 *p, u8 *q, size_t n, CAT(u, width) infinity) {      \
        for (size_t i = 0; i < n * (width) / 8; i += VBYTES) {                                               \
            const nan_codes_##width x = *(const nan_codes_##width *)(p + i);                                 \
            *(nan_codes_##width *)(q + i) = x & ~are_nans_##width(x, infinity);                              \
        }                                                                                                    \
    }                                                                                                        \
    static ALWAYS_INLINE void keep_nans_##width(const u8 *p, const u8 *results, u8 *q, size_t n,             \
                                                CAT(u, width) infinity, CAT(u, width) quiet) {               \
        for (size_t i = 0; i < n * (width) / 8; i += VBYTES) {                                               \
            const nan_codes_##width x = *(const nan_codes_##width *)(p + i);                                 \
            const nan_codes_##width y = *(const nan_codes_##width *)(results + i);                           \
            const nan_codes_##width is_nan = are_nans_##width(x, infinity);                                  \
            *(nan_codes_##width *)(q + i) = (y & ~is_nan) | ((x | quiet) & is_nan);                          \
        }                                                                                                    \
    }
SOURCE_NANS(16)
SOURCE_NANS(32)

/* One NaN for those of f32 that have payloads. */
static ALWAYS_INLINE void one_nan_32(u8 *p, size_t n, u32 nan) {
    for (size_t i = 0; i < n * sizeof(u32); i += VBYTES) {
        const nan_codes_32 x = *(nan_codes_32 *)(p + i), is_nan = are_nans_32(x, infinity_bits_32());
        *(nan_codes_32 *)(p + i) = (x & ~is_nan) | (is_nan & nan);
    }
}

static ALWAYS_INLINE bool vcvt_is_direct(pto_vrnd rnd) {
    return rnd != PTO_VRND_A && rnd != PTO_VRND_O;
}

static ALWAYS_INLINE void run_by_ptx(const struct ptx_cvt *as, const void *src, void *dst, size_t n) {
    as->kernel->run(&as->op, src, dst, NULL, n);
}

/* Block by block, since dst may be src. */
static ALWAYS_INLINE void run_without_nans(pto_dtype src_type, const struct ptx_cvt *as, const u8 *src,
                                           u8 *dst, size_t n) {
    const u64 infinity = cvt_inf_code(cvt_format_of(src_type));
    const size_t in = element_bytes(src_type), out = (size_t)pto_dtype_bits(as->op.dst);
    u8 numbers[BLOCK * sizeof(u32)];
    for (size_t i = 0; i < n; i += BLOCK) {
        const size_t lanes = min_size(n - i, BLOCK);
        if (in == 2) drop_nans_16(src + in * i, numbers, lanes, (u16)infinity);
        if (in == 4) drop_nans_32(src + in * i, numbers, lanes, (u32)infinity);
        run_by_ptx(as, numbers, dst + out * i / 8, lanes);
    }
}

static ALWAYS_INLINE void run_keeping_nans(pto_dtype type, const struct ptx_cvt *as, const u8 *src, u8 *dst,
                                           size_t n) {
    const struct cvt_format format = cvt_format_of(type);
    const u64 infinity = cvt_inf_code(format), quiet = (u64)1 << (format.fraction_bits - 1);
    const size_t bytes = element_bytes(type);
    u8 results[BLOCK * sizeof(u32)];
    for (size_t i = 0; i < n; i += BLOCK) {
        const size_t lanes = min_size(n - i, BLOCK);
        const u8 *from = src + bytes * i;
        u8 *to = dst + bytes * i;
        run_by_ptx(as, from, results, lanes);
        if (bytes == 2) keep_nans_16(from, results, to, lanes, (u16)infinity, (u16)quiet);
        if (bytes == 4) keep_nans_32(from, results, to, lanes, (u32)infinity, (u32)quiet);
    }
}

enum { PTX_STEP = CVT_LONGEST_STEP };
_Static_assert(PTX_STEP % VBYTES == 0, "a step of bytes is whole vectors");

#define BY_PTX(name, ...)                                                                                    \
    static void run_##name(const pto_vcvt_op *op, const struct ptx_cvt *as, const void *src, void *dst,      \
                           size_t n) {                                                                       \
        (void)op;                                                                                            \
        __VA_ARGS__;                                                                                         \
    }                                                                                                        \
    static const struct vcvt_kernel name = {run_##name, PTX_STEP, FP_IEEE, true};
BY_PTX(same_by_ptx, run_by_ptx(as, src, dst, n))
BY_PTX(small_by_ptx, run_by_ptx(as, src, dst, n); mend_nans_8(dst, n, 0))
BY_PTX(halves_by_ptx, run_by_ptx(as, src, dst, n); mend_nans_16(dst, n, op->sat ? 0 : (u16)vcvt_nan(op->dst)))
BY_PTX(singles_by_ptx, run_by_ptx(as, src, dst, n); mend_nans_32(dst, n, (u32)vcvt_nan(op->dst)))
BY_PTX(widened_by_ptx, run_by_ptx(as, src, dst, n); one_nan_32(dst, n, (u32)vcvt_nan(PTO_F32)))
BY_PTX(nibbles_by_ptx, run_without_nans(PTO_BF16, as, src, dst, n))
BY_PTX(wide_by_ptx, run_without_nans(PTO_F32, as, src, dst, n))
BY_PTX(whole_F16, run_keeping_nans(PTO_F16, as, src, dst, n))
BY_PTX(whole_BF16, run_keeping_nans(PTO_BF16, as, src, dst, n))
BY_PTX(whole_F32, run_keeping_nans(PTO_F32, as, src, dst, n))

/* Whether PTX's kernel is one of the ISA's own. Those that serve every form are no faster than PTO's. */
static bool ptx_is_quick(pto_vcvt_op op) {
    const pto_cvt_op as = pto_vcvt_as_ptx(op);
    return native(as) != NULL || staged_kernel(as) != NULL;
}

/* Without saturation overflow is the same to nearest even alone, but f16 overflows no bf16. With it bf16 from f32 has no
 * kernel of PTX's that is faster than PTO's. */
static const struct vcvt_kernel *halves_of_ptx(pto_vcvt_op op) {
    const bool saturates = op.sat || op.src == PTO_F16;
    if (op.src == PTO_E2M1) return &same_by_ptx;
    if (op.dst == PTO_BF16 && op.src == PTO_F32 && op.sat) return NULL;
    if (op.src != PTO_F32 && op.src != PTO_F16 && op.src != PTO_BF16) return NULL;
    return (op.rnd == PTO_VRND_R || saturates) && ptx_is_quick(op) ? &halves_by_ptx : NULL;
}

static const struct vcvt_kernel *vcvt_floats_by_ptx(pto_vcvt_op op) {
    const bool is_nearest_or_cut = op.rnd == PTO_VRND_R || op.rnd == PTO_VRND_Z;
    switch (op.dst) {
    case PTO_E4M3:
    case PTO_E5M2: return op.sat && is_nearest_or_cut ? &small_by_ptx : NULL;
    case PTO_E2M1: return is_nearest_or_cut ? &nibbles_by_ptx : NULL;
    case PTO_F16:
    case PTO_BF16: return halves_of_ptx(op);
    case PTO_F32: return op.src == PTO_HIF8 ? NULL : op.src == PTO_BF16 ? &widened_by_ptx : &singles_by_ptx;
    default: return NULL;
    }
}

static const struct vcvt_kernel *vtrc_by_ptx(pto_vcvt_op op) {
    if (!ptx_is_quick(op)) return NULL;
    return op.dst == PTO_F32 ? &whole_F32 : op.dst == PTO_F16 ? &whole_F16 : &whole_BF16;
}

/* Integers clamp in PTX, and only s64 has another NaN. */
static const struct vcvt_kernel *vcvt_by_ptx(pto_vcvt_op op) {
    const bool clamps = op.sat || (op.dst == PTO_S32 && op.src == PTO_F16);
    const bool to_integer = cvt_is_integer(op.dst), from_integer = cvt_is_integer(op.src);
    if (!vcvt_is_direct(op.rnd)) return NULL;
    if (op.dst == op.src) return vtrc_by_ptx(op);
    if (!to_integer && !from_integer) return vcvt_floats_by_ptx(op);
    if (to_integer && (from_integer || !clamps)) return NULL;
    if (op.dst == PTO_S64) return ptx_is_quick(op) ? &wide_by_ptx : NULL;
    return &same_by_ptx;
}
