/* SPDX-License-Identifier: MIT */
/*
 * PTO's conversions by the ISA's kernels for PTX. The results of these kernels differ from PTO's only in NaNs and
 * overflow, which are fixed up before or after. Part of vcvt.h. Defines vcvt_by_ptx(), which chooses the kernel.
 */
#include "core/formats.h"
#include "core/kernels.h"
#include "core/vcvt.h"

/* Replaces PTX's NaN, a code of all ones without the sign, by `nan`, which is a smaller integer. */
#define CANONICALIZE_NANS(width)                                                                             \
    typedef CAT(u, width) nan_codes_##width __attribute__((vector_size(VBYTES), aligned(1), may_alias));     \
    static ALWAYS_INLINE void canonicalize_nans_##width(u8 *p, size_t n, CAT(u, width) nan) {                \
        const CAT(u, width) ones = (CAT(u, width))low_bits((width)-1), down = (CAT(u, width))(ones - nan);   \
        for (size_t i = 0; i < n * (width) / 8; i += VBYTES) {                                               \
            const nan_codes_##width x = *(nan_codes_##width *)(p + i),                                       \
                                    is_nan = (nan_codes_##width)(x == ones);                                 \
            *(nan_codes_##width *)(p + i) = x - (is_nan & down);                                             \
        }                                                                                                    \
    }
CANONICALIZE_NANS(8)
CANONICALIZE_NANS(16)
CANONICALIZE_NANS(32)

/* Functions for NaNs of sources, which are all codes above infinity. drop_nans replaces them by zero. keep_nans copies
 * results, except where the source is a NaN: there it stores the source, made quiet, as vtrc needs. */
#define SOURCE_NANS(width)                                                                                   \
    static ALWAYS_INLINE nan_codes_##width are_above_##width(nan_codes_##width x, CAT(u, width) bound) {     \
        const CAT(u, width) ones = (CAT(u, width))low_bits((width)-1);                                       \
        return -(((x & ones) + (CAT(u, width))(ones - bound)) >> ((width)-1));                               \
    }                                                                                                        \
    static ALWAYS_INLINE void drop_nans_##width(const u8 *p, u8 *q, size_t n, CAT(u, width) infinity) {      \
        for (size_t i = 0; i < n * (width) / 8; i += VBYTES) {                                               \
            const nan_codes_##width x = *(const nan_codes_##width *)(p + i);                                 \
            *(nan_codes_##width *)(q + i) = x & ~are_above_##width(x, infinity);                             \
        }                                                                                                    \
    }                                                                                                        \
    static ALWAYS_INLINE void keep_nans_##width(const u8 *p, const u8 *results, u8 *q, size_t n,             \
                                                CAT(u, width) infinity, CAT(u, width) quiet) {               \
        for (size_t i = 0; i < n * (width) / 8; i += VBYTES) {                                               \
            const nan_codes_##width x = *(const nan_codes_##width *)(p + i);                                 \
            const nan_codes_##width y = *(const nan_codes_##width *)(results + i);                           \
            const nan_codes_##width is_nan = are_above_##width(x, infinity);                                 \
            *(nan_codes_##width *)(q + i) = (y & ~is_nan) | ((x | quiet) & is_nan);                          \
        }                                                                                                    \
    }
SOURCE_NANS(16)
SOURCE_NANS(32)

/* Replaces all NaNs of f32, which may have payloads, by `nan`. */
static ALWAYS_INLINE void unify_nans_32(u8 *p, size_t n, u32 nan) {
    for (size_t i = 0; i < n * sizeof(u32); i += VBYTES) {
        const nan_codes_32 x = *(nan_codes_32 *)(p + i), is_nan = are_above_32(x, infinity_bits_32());
        *(nan_codes_32 *)(p + i) = (x & ~is_nan) | (is_nan & nan);
    }
}

/* Saturates results: infinities become the largest finite values, whose codes precede theirs, and PTX's NaN
 * becomes zero. */
static ALWAYS_INLINE void saturate_halves(u8 *p, size_t n, u16 infinity) {
    const u16 ones = (u16)low_bits(15);
    for (size_t i = 0; i < n * sizeof(u16); i += VBYTES) {
        const nan_codes_16 x = *(nan_codes_16 *)(p + i);
        const nan_codes_16 minus_infinite = (nan_codes_16)((x & ones) == infinity);
        const nan_codes_16 is_nan = (nan_codes_16)(x == ones);
        *(nan_codes_16 *)(p + i) = (x + minus_infinite) & ~is_nan;
    }
}

/* Replaces all values of magnitude `least` or more by infinity, except NaNs. PTX's directed roundings would turn some
 * of them into the largest finite value. */
#define MAKE_INFINITE(width)                                                                                 \
    static ALWAYS_INLINE void make_infinite_##width(const u8 *p, u8 *q, size_t n, CAT(u, width) least,       \
                                                    CAT(u, width) infinity) {                                \
        const CAT(u, width) ones = (CAT(u, width))low_bits((width)-1);                                       \
        for (size_t i = 0; i < n * (width) / 8; i += VBYTES) {                                               \
            const nan_codes_##width x = *(const nan_codes_##width *)(p + i);                                 \
            const nan_codes_##width is_large = are_above_##width(x, least - 1);                              \
            const nan_codes_##width cut = is_large & ~are_above_##width(x, infinity);                        \
            *(nan_codes_##width *)(q + i) = (x & ~(cut & ones)) | (cut & infinity);                          \
        }                                                                                                    \
    }
MAKE_INFINITE(16)
MAKE_INFINITE(32)

/* Returns whether no magnitude is above `bound`, and no element has the bit `sign`. If a magnitude is above,
 * the difference has its top bit set. */
#define ALL_AT_MOST(width)                                                                                   \
    static ALWAYS_INLINE bool all_at_most_##width(const u8 *p, size_t n, CAT(u, width) bound,                \
                                                  CAT(u, width) sign) {                                      \
        const CAT(u, width) ones = (CAT(u, width))low_bits((width)-1);                                       \
        const u64 top_bits = ~(u64)0 / low_bits(width) << ((width)-1);                                       \
        nan_codes_##width above = {0};                                                                       \
        u64 words[VBYTES / 8], any = 0;                                                                      \
        for (size_t i = 0; i < n * (width) / 8; i += VBYTES) {                                               \
            const nan_codes_##width x = *(const nan_codes_##width *)(p + i);                                 \
            above |= (bound - (x & ones)) | (x & sign);                                                      \
        }                                                                                                    \
        memcpy(words, &above, VBYTES);                                                                       \
        UNROLL for (size_t k = 0; k < VBYTES / 8; ++k) any |= words[k];                                      \
        return (any & top_bits) == 0;                                                                        \
    }
ALL_AT_MOST(16)
ALL_AT_MOST(32)

static ALWAYS_INLINE bool vcvt_is_direct(pto_vrnd rnd) {
    return rnd != PTO_VRND_A && rnd != PTO_VRND_O;
}

static ALWAYS_INLINE void run_by_ptx(const struct ptx_cvt *ptx, const void *src, void *dst, size_t n) {
    ptx->kernel->run(&ptx->op, src, dst, NULL, n);
}

/* Converts with NaNs replaced by zero. It goes chunk by chunk through a buffer, because dst may be src. */
static ALWAYS_INLINE void run_without_nans(pto_dtype src_type, const struct ptx_cvt *ptx, const u8 *src,
                                           u8 *dst, size_t n) {
    const u64 infinity = cvt_inf_code(cvt_format_of(src_type));
    const size_t in = element_bytes(src_type), out = (size_t)pto_dtype_bits(ptx->op.dst);
    u8 replaced[CHUNK * sizeof(u32)];
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        if (in == 2) drop_nans_16(src + in * i, replaced, lanes, (u16)infinity);
        if (in == 4) drop_nans_32(src + in * i, replaced, lanes, (u32)infinity);
        run_by_ptx(ptx, replaced, dst + out * i / 8, lanes);
    }
}

static ALWAYS_INLINE void run_keeping_nans(pto_dtype type, const struct ptx_cvt *ptx, const u8 *src, u8 *dst,
                                           size_t n) {
    const struct cvt_format format = cvt_format_of(type);
    const u64 infinity = cvt_inf_code(format), quiet = (u64)1 << (format.fraction_bits - 1);
    const size_t bytes = element_bytes(type);
    u8 results[CHUNK * sizeof(u32)];
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        const u8 *from = src + bytes * i;
        u8 *to = dst + bytes * i;
        run_by_ptx(ptx, from, results, lanes);
        if (bytes == 2) keep_nans_16(from, results, to, lanes, (u16)infinity, (u16)quiet);
        if (bytes == 4) keep_nans_32(from, results, to, lanes, (u32)infinity, (u32)quiet);
    }
}

/* Converts to f16 in directed roundings and without saturation. From 2^16 on, a value overflows in every
 * rounding mode. */
static ALWAYS_INLINE void run_unbounded(pto_dtype src_type, const struct ptx_cvt *ptx, const u8 *src, u8 *dst,
                                        size_t n) {
    const struct cvt_format from = cvt_format_of(src_type), to = cvt_format_of(PTO_F16);
    const u64 least = (u64)(from.bias + to.bias + 1) << from.fraction_bits, infinity = cvt_inf_code(from);
    const size_t in = element_bytes(src_type);
    u8 replaced[CHUNK * sizeof(u32)];
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        if (in == 2) make_infinite_16(src + in * i, replaced, lanes, (u16)least, (u16)infinity);
        if (in == 4) make_infinite_32(src + in * i, replaced, lanes, (u32)least, (u32)infinity);
        run_by_ptx(ptx, replaced, dst + sizeof(u16) * i, lanes);
    }
}

/* Returns the largest value of an integer type as a code of `from`. If `from` cannot represent it, returns the largest
 * value of `from` below 2^bits. */
static ALWAYS_INLINE u64 integer_bound(struct cvt_format from, pto_dtype dst) {
    const int bits = (int)pto_dtype_bits(dst) - cvt_is_signed(dst);
    const int spare = from.fraction_bits + 1 - bits; /* fraction bits that 2^bits - 1 has below 1 */
    return ((u64)(from.bias + bits) << from.fraction_bits) - ((u64)1 << (spare > 0 ? spare : 0));
}

static ALWAYS_INLINE u64 small_bound(struct cvt_format from, struct cvt_format to) {
    return (cvt_max_code(to) << (from.fraction_bits - to.fraction_bits)) +
           ((u64)(from.bias - to.bias) << from.fraction_bits);
}

/* Returns the largest source magnitude, as a code of the source, that overflows in no rounding mode. */
static ALWAYS_INLINE u64 bound_of_dst(pto_vcvt_op op) {
    const struct cvt_format from = cvt_format_of(op.src);
    return cvt_is_integer(op.dst) ? integer_bound(from, op.dst) : small_bound(from, cvt_format_of(op.dst));
}

/* Converts without saturation. PTX's conversion saturates, so it is used for chunks in which nothing overflows.
 * To unsigned integers, negative values overflow, too. */
static ALWAYS_INLINE void run_if_no_overflow(size_t in, const pto_vcvt_op *op, const struct ptx_cvt *ptx,
                                             const u8 *src, u8 *dst, size_t n) {
    const struct vcvt_kernel *generic = vcvt_kernels[op->dst][op->src];
    const u64 bound = bound_of_dst(*op), out = element_bytes(op->dst);
    const u64 sign = cvt_is_integer(op->dst) && !cvt_is_signed(op->dst) ? (u64)1 << (8 * in - 1) : 0;
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        const u8 *from = src + in * i;
        u8 *to = dst + out * i;
        const bool in_range = in == 2 ? all_at_most_16(from, lanes, (u16)bound, (u16)sign)
                                      : all_at_most_32(from, lanes, (u32)bound, (u32)sign);
        if (in_range)
            run_by_ptx(ptx, from, to, lanes);
        else
            generic->run(op, ptx, from, to, lanes);
    }
}

enum { PTX_GRANULE = CVT_MAX_GRANULE };
_Static_assert(PTX_GRANULE % VBYTES == 0, "a granule of bytes must be a whole number of vectors");

#define BY_PTX(name, ...)                                                                                    \
    static void run_##name(const pto_vcvt_op *op, const struct ptx_cvt *ptx, const void *src, void *dst,     \
                           size_t n) {                                                                       \
        (void)op;                                                                                            \
        __VA_ARGS__;                                                                                         \
    }                                                                                                        \
    static const struct vcvt_kernel name = {run_##name, PTX_GRANULE, FP_IEEE, true};
BY_PTX(same_by_ptx, run_by_ptx(ptx, src, dst, n))
BY_PTX(fp8_by_ptx, run_by_ptx(ptx, src, dst, n); canonicalize_nans_8(dst, n, 0))
BY_PTX(f16_bf16_by_ptx, run_by_ptx(ptx, src, dst, n); canonicalize_nans_16(dst, n, (u16)vcvt_nan(op->dst)))
BY_PTX(saturated_by_ptx, run_by_ptx(ptx, src, dst, n);
       saturate_halves(dst, n, (u16)cvt_inf_code(cvt_format_of(op->dst))))
BY_PTX(unbounded_F32, run_unbounded(PTO_F32, ptx, src, dst, n);
       canonicalize_nans_16(dst, n, (u16)vcvt_nan(PTO_F16)))
BY_PTX(unbounded_BF16, run_unbounded(PTO_BF16, ptx, src, dst, n);
       canonicalize_nans_16(dst, n, (u16)vcvt_nan(PTO_F16)))
BY_PTX(no_overflow_16, run_if_no_overflow(2, op, ptx, src, dst, n))
BY_PTX(no_overflow_32, run_if_no_overflow(4, op, ptx, src, dst, n))
BY_PTX(f32_by_ptx, run_by_ptx(ptx, src, dst, n); canonicalize_nans_32(dst, n, (u32)vcvt_nan(op->dst)))
BY_PTX(widened_by_ptx, run_by_ptx(ptx, src, dst, n); unify_nans_32(dst, n, (u32)vcvt_nan(PTO_F32)))
BY_PTX(nibbles_by_ptx, run_without_nans(PTO_BF16, ptx, src, dst, n))
BY_PTX(s64_by_ptx, run_without_nans(PTO_F32, ptx, src, dst, n))
BY_PTX(vtrc_F16_by_ptx, run_keeping_nans(PTO_F16, ptx, src, dst, n))
BY_PTX(vtrc_BF16_by_ptx, run_keeping_nans(PTO_BF16, ptx, src, dst, n))
BY_PTX(vtrc_F32_by_ptx, run_keeping_nans(PTO_F32, ptx, src, dst, n))

/* Returns whether the kernel for PTX is one of the ISA's own. The others, which serve every form, are not
 * faster than PTO's. */
static bool ptx_has_native_kernel(pto_vcvt_op op) {
    pto_cvt_op ptx;
    pto_vcvt_as_ptx(op, &ptx);
    return native_kernel(ptx) != NULL || staged_kernel(ptx) != NULL;
}

/* Chooses a kernel for conversions to f16 or bf16. Without saturation, overflow is the same as in PTX when
 * rounding to nearest even. For bf16, which has the exponents of f32, it is the same in every rounding mode. */
static const struct vcvt_kernel *f16_bf16_of_ptx(pto_vcvt_op op) {
    const bool same_overflow = op.rnd == PTO_VRND_R || op.dst == PTO_BF16;
    if (op.src == PTO_E2M1) return &same_by_ptx;
    if ((op.src != PTO_F32 && op.src != PTO_F16 && op.src != PTO_BF16) || !ptx_has_native_kernel(op))
        return NULL;
    if (op.sat) return &saturated_by_ptx;
    return same_overflow ? &f16_bf16_by_ptx : op.src == PTO_F32 ? &unbounded_F32 : &unbounded_BF16;
}

static const struct vcvt_kernel *no_overflow_kernel(pto_vcvt_op op) {
    if (!ptx_has_native_kernel(op)) return NULL;
    return element_bytes(op.src) == 2 ? &no_overflow_16 : &no_overflow_32;
}

static const struct vcvt_kernel *vcvt_floats_by_ptx(pto_vcvt_op op) {
    const bool is_nearest_or_zero = op.rnd == PTO_VRND_R || op.rnd == PTO_VRND_Z;
    switch (op.dst) {
    case PTO_E4M3:
    case PTO_E5M2:
        if (!is_nearest_or_zero) return NULL;
        return op.sat ? &fp8_by_ptx : no_overflow_kernel(op);
    case PTO_E2M1: return is_nearest_or_zero ? &nibbles_by_ptx : NULL;
    case PTO_F16:
    case PTO_BF16: return f16_bf16_of_ptx(op);
    case PTO_F32: return op.src == PTO_HIF8 ? NULL : op.src == PTO_BF16 ? &widened_by_ptx : &f32_by_ptx;
    default: return NULL;
    }
}

static const struct vcvt_kernel *vtrc_by_ptx(pto_vcvt_op op) {
    if (!ptx_has_native_kernel(op)) return NULL;
    return op.dst == PTO_F32 ? &vtrc_F32_by_ptx : op.dst == PTO_F16 ? &vtrc_F16_by_ptx : &vtrc_BF16_by_ptx;
}

/* Chooses a kernel, or returns NULL. PTX always clamps conversions of floats to integers. Where PTO clamps too, only
 * conversions to s64 give another result for a NaN. */
static const struct vcvt_kernel *vcvt_by_ptx(pto_vcvt_op op) {
    const bool clamps = op.sat || (op.dst == PTO_S32 && op.src == PTO_F16);
    const bool to_integer = cvt_is_integer(op.dst), from_integer = cvt_is_integer(op.src);
    if (!vcvt_is_direct(op.rnd)) return NULL;
    if (op.dst == op.src) return vtrc_by_ptx(op);
    if (!to_integer && !from_integer) return vcvt_floats_by_ptx(op);
    if (to_integer && from_integer) return NULL;
    if (to_integer && !clamps) return no_overflow_kernel(op);
    if (op.dst == PTO_S64) return ptx_has_native_kernel(op) ? &s64_by_ptx : NULL;
    return &same_by_ptx;
}
