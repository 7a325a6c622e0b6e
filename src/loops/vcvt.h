/* SPDX-License-Identifier: MIT */
/*
 * PTO's conversions (vcvt and vtrc) of one ISA, in the vectors of convert_vector.h. PTO has two roundings that
 * PTX lacks, overflows after rounding with an unbounded exponent, and has integers that wrap. Part of
 * convert.h.
 *
 * All of this is integer arithmetic, except for exact conversions of integers, so it runs in any FP state. If a
 * conversion differs from PTX's only in NaNs and overflow, the kernel for PTX is used (vcvt_by_ptx.h): some of
 * these kernels are single instructions.
 */

#include "loops/hif8.h"
#include "loops/vcvt_integer.h"
#include "loops/vcvt_pairs.h"
#include "loops/vrounding.h"

/* ---- to floating point ---- */

static ALWAYS_INLINE u32v vround_magnitude(u32v magnitude, u32v sign, const struct vrounding *r,
                                           struct cvt_format to) {
    const u32 cut = (u32)(FRACTION_32 - to.fraction_bits);
    struct unpacked_32 d;
    if (cut == 0) return magnitude;
    if (to.bias == BIAS_32) return vround_shift(magnitude, v_const_32(cut), sign, r);
    d = unpack_32(magnitude, cut, to);
    return d.exponent + vround_shift(d.m, d.cut, sign, r);
}

/* Returns the bounds and the NaN of a conversion. A code above the largest finite value has overflowed in every
 * rounding mode, because its exponent was unbounded. */
static ALWAYS_INLINE struct narrow_32 vnarrow_of(pto_dtype dst, bool sat, struct cvt_format to) {
    const bool stays_finite = sat || to.specials == SPECIALS_NONE;
    struct narrow_32 p = {.clear_negative = 0};
    p.limit = (u32)cvt_max_code(to);
    p.overflow = p.overflow_negative = p.infinity = p.limit + !stays_finite;
    p.nan = stays_finite ? 0 : (u32)vcvt_nan(dst);
    p.sign = (u32)1 << (to.exponent_bits + to.fraction_bits);
    return p;
}

/* Rounds x to the destination. e4m3 has no infinity: an overflow gives its NaN, which has no sign here. */
static ALWAYS_INLINE u32v vnarrow(pto_dtype dst, u32v x, const struct narrow_32 *p, const struct vrounding *r,
                                  struct cvt_format to) {
    const u32v code =
        finish_code_32(vround_magnitude(magnitude_of_32(x), sign_mask_of_32(x), r, to), x, p, to);
    if (dst != PTO_E4M3) return code;
    return v_sel_32(v_gt_u32(code, v_const_32(0xfe)), v_const_32(0x7f), code);
}

static ALWAYS_INLINE void vcvt_float_to_float(pto_dtype dst_type, pto_dtype src_type, pto_vcvt_op op,
                                              const u8 *src, u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const struct narrow_32 p = vnarrow_of(dst_type, op.sat, to);
    const struct vrounding r = vrounding_of(op.rnd);
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    for (size_t i = 0; i < n; i += VLANES_32)
        v_store_32(dst + out * i, vnarrow(dst_type, load_float_32(src + in * i, src_type), &p, &r, to), out);
}

static ALWAYS_INLINE void vcvt_float_to_nibbles(pto_dtype dst_type, pto_dtype src_type, pto_vcvt_op op,
                                                const u8 *src, u8 *dst, size_t n) {
    u8 codes[CHUNK];
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        vcvt_float_to_float(dst_type, src_type, op, src + i * element_bytes(src_type), codes, lanes);
        pack_nibbles(codes, dst + i / 2, lanes);
    }
}

static ALWAYS_INLINE void vcvt_nibbles_to_float(pto_dtype dst_type, pto_dtype src_type, pto_vcvt_op op,
                                                const u8 *src, u8 *dst, size_t n) {
    u8 codes[CHUNK];
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        unpack_nibbles(src + i / 2, codes, lanes);
        vcvt_float_to_float(dst_type, src_type, op, codes, dst + i * element_bytes(dst_type), lanes);
    }
}

/* Returns the magnitude of an integer as a float, rounded to 24 significand bits. */
static ALWAYS_INLINE u32v vcvt_from_integer(u32v m, u32v sign, const struct vrounding *r) {
    const s32v integer_bits =
        (s32v)(exact_float_32(m >> EXCESS_BITS_32) >> FRACTION_32) - (BIAS_32 - 1 - EXCESS_BITS_32);
    const u32v sh = (u32v)v_clamp_32(integer_bits - (FRACTION_32 + 1), 0, EXCESS_BITS_32);
    return exact_float_32(vround_shift(m, sh, sign, r)) + (sh << FRACTION_32);
}

static ALWAYS_INLINE void vcvt_integer_to_float(pto_dtype dst_type, pto_dtype src_type, pto_vcvt_op op,
                                                const u8 *src, u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const struct narrow_32 p = vnarrow_of(dst_type, op.sat, to);
    const struct vrounding r = vrounding_of(op.rnd);
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(src + in * i, in, cvt_is_signed(src_type));
        const u32v sign = cvt_is_signed(src_type) ? sign_mask_of_32(x) : v_const_32(0), m = (x ^ sign) - sign;
        const u32v y = (in < 4 ? exact_float_32(m) : vcvt_from_integer(m, sign, &r)) | sign_bit_of_32(sign);
        v_store_32(dst + out * i, dst_type == PTO_F32 ? y : vnarrow(dst_type, y, &p, &r, to), out);
    }
}

/* ---- to integers of up to 32 bits ---- */

static ALWAYS_INLINE void vcvt_float_to_integer(pto_dtype dst_type, pto_dtype src_type, pto_vcvt_op op,
                                                const u8 *src, u8 *dst, size_t n) {
    const size_t in = element_bytes(src_type), out = element_bytes(dst_type);
    const struct vcvt_bounds b = vcvt_bounds_of(op, 8 * (unsigned)out);
    const struct vrounding r = vrounding_of(op.rnd);
    for (size_t i = 0; i < n; i += VLANES_32)
        v_store_32(dst + out * i, vcvt_to_integer(load_float_32(src + in * i, src_type), &b, &r), out);
}

/* ---- f32 and s64 ---- */

/* Returns shifted << left, modulo 2^64, for any `left`. */
static ALWAYS_INLINE u64v vshift_left_64(u64v shifted, u64v left) {
    const u64v c = shifted << v_min_u64(left, v_const_64(MAX_SHIFT_64));
    return v_sel_64(v_gt_u64(left, v_const_64(63)), v_const_64(0),
                    v_sel_64(v_gt_u64(left, v_const_64(MAX_SHIFT_64)), c + c, c));
}

/* Returns the s64 of an f32 with the bits x, for which vcvt_significand() returned `significands`. Magnitudes above
 * `clamp_above` are clamped. */
static ALWAYS_INLINE u64v vcvt_to_s64(u64v x, u64v significands, u64 clamp_above) {
    const u64v sign = -(x >> SIGN_AT_32), magnitude = x & low_bits(SIGN_AT_32);
    const s64v more = (s64v)(magnitude >> FRACTION_32) - (BIAS_32 + FRACTION_32);
    const u64v left = (u64v)v_max_s64(more, (s64v)v_const_64(0));
    const u64v limit = by_sign_64(sign, INT64_MAX, (u64)1 << SIGN_AT_64);
    const u64v c =
        v_sel_64(v_gt_u64(magnitude, v_const_64(clamp_above)), limit, vshift_left_64(significands, left));
    const vmask_64 is_nan = v_gt_u64(magnitude, v_const_64(infinity_bits_32()));
    return v_sel_64(is_nan, v_const_64(0), (c ^ sign) - sign);
}

static ALWAYS_INLINE void vcvt_f32_to_s64(pto_dtype dst_type, pto_dtype src_type, pto_vcvt_op op,
                                          const u8 *src, u8 *dst, size_t n) {
    const struct vrounding r = vrounding_of(op.rnd);
    const u64 clamp_above = (op.sat ? power_of_2_32(63) : infinity_bits_32()) - 1;
    u8 significands[GRANULE * sizeof(u32)];
    (void)dst_type, (void)src_type;
    for (size_t i = 0; i < n; i += GRANULE) {
        for (size_t k = 0; k < GRANULE; k += VLANES_32)
            v_store_32(significands + 4 * k, vcvt_significand(v_load_32(src + 4 * (i + k), 4, false), &r), 4);
        for (size_t k = 0; k < GRANULE; k += VLANES_64) {
            const u64v x = v_load_64(src + 4 * (i + k), 4, false);
            v_store_64(dst + 8 * (i + k),
                       vcvt_to_s64(x, v_load_64(significands + 4 * k, 4, false), clamp_above), 8);
        }
    }
}

/* Rounds s64 to f32, to odd or to nearest with ties away from zero, via an f64 that is rounded to odd. Other
 * roundings use the kernel for PTX. */
static ALWAYS_INLINE void vcvt_s64_to_f32(pto_dtype dst_type, pto_dtype src_type, pto_vcvt_op op,
                                          const u8 *src, u8 *dst, size_t n) {
    enum { CUT = FRACTION_64 - FRACTION_32 };
    const u64 half = op.rnd == PTO_VRND_O ? 0 : (u64)1 << (CUT - 1), odd = op.rnd == PTO_VRND_O;
    (void)dst_type, (void)src_type;
    for (size_t i = 0; i < n; i += VLANES_64) {
        const u64v x = v_load_64(src + 8 * i, 8, true), sign = sign_mask_of_64(x), m = (x ^ sign) - sign;
        const u64v wide = to_odd_64(m), rest = wide & low_bits(CUT);
        const u64v y = ((wide + half) >> CUT) | (v_min_u64(rest, v_const_64(1)) & odd);
        const u64v rebiased = y - ((u64)(BIAS_64 - BIAS_32) << FRACTION_32);
        const u64v code = v_sel_64(v_lt_u64(m, v_const_64(1)), v_const_64(0), rebiased);
        v_store_64(dst + 4 * i, code | (sign & (u64)1 << SIGN_AT_32), 4);
    }
}

/* Returns the PTX op with the results of this integer conversion: with .sat it clamps, otherwise it truncates. */
static ALWAYS_INLINE pto_cvt_op vcvt_as_integers(pto_dtype dst_type, pto_vcvt_op op) {
    const pto_cvt_op ptx = {.dst = dst_type, .src = op.src, .sat = vcvt_saturates(op)};
    return ptx;
}

/* ---- vtrc ---- */

/* Returns how magnitudes below 1 are rounded: those above the bound for their sign become 1, the others 0. */
static ALWAYS_INLINE struct integral_rounding_32 vtrc_of(pto_vrnd rnd) {
    const u32 never = ~(u32)0, half = power_of_2_32(-1);
    struct integral_rounding_32 p = {.one_above = never, .one_above_negative = never};
    if (rnd == PTO_VRND_R) p.one_above = p.one_above_negative = half;
    if (rnd == PTO_VRND_A) p.one_above = p.one_above_negative = half - 1;
    if (rnd == PTO_VRND_C) p.one_above = 0;
    if (rnd == PTO_VRND_F) p.one_above_negative = 0;
    return p;
}

static ALWAYS_INLINE u32v vtrc_magnitude(u32v x, const struct integral_rounding_32 *p,
                                         const struct vrounding *r) {
    const u32v sign = sign_mask_of_32(x), magnitude = magnitude_of_32(x), one = v_const_32(power_of_2_32(0));
    const s32v exponent = (s32v)(magnitude >> FRACTION_32);
    const u32v sh = (u32v)v_clamp_32(BIAS_32 + FRACTION_32 - exponent, 0, FRACTION_32);
    const u32v large = (magnitude + vround_add(magnitude, sh, sign, r)) & ~v_minus_1_32(v_const_32(1) << sh);
    const u32v above = by_sign_32(sign, p->one_above, p->one_above_negative);
    const u32v small = v_sel_32(v_gt_u32(magnitude, above), one, v_const_32(0));
    return v_sel_32(v_lt_u32(magnitude, one), small, large);
}

/* Rounds to integral values, which are exact in their own type. A NaN keeps its payload and becomes quiet. */
static ALWAYS_INLINE void vtrc_floats(pto_dtype type, pto_vcvt_op op, const u8 *src, u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(type);
    const struct vrounding r = vrounding_of(op.rnd), cut = vrounding_of(PTO_VRND_Z);
    const struct integral_rounding_32 whole = vtrc_of(op.rnd);
    const size_t bytes = element_bytes(type);
    struct narrow_32 p = vnarrow_of(type, false, to);
    p.nan = (u32)(cvt_inf_code(to) | (u64)1 << (to.fraction_bits - 1));
    p.nan_keep = p.sign | (u32)low_bits(to.fraction_bits);
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = load_float_32(src + bytes * i, type);
        const u32v code = vround_magnitude(vtrc_magnitude(x, &whole, &r), sign_mask_of_32(x), &cut, to);
        v_store_32(dst + bytes * i, finish_code_32(code, x, &p, to), bytes);
    }
}

/* ---- hif8 ---- */

static ALWAYS_INLINE void hif8_to_float(pto_dtype dst_type, pto_vcvt_op op, const u8 *src, u8 *dst,
                                        size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const struct narrow_32 p = vnarrow_of(dst_type, op.sat, to);
    const struct vrounding r = vrounding_of(op.rnd);
    const size_t out = element_bytes(dst_type);
    for (size_t i = 0; i < n; i += VLANES_32)
        v_store_32(dst + out * i, vnarrow(dst_type, hif8_to_f32(v_load_32(src + i, 1, false)), &p, &r, to),
                   out);
}

/* If there are more elements than codes, each code is converted once, and the results are looked up. */
static ALWAYS_INLINE void vcvt_hif8_to_float(pto_dtype dst_type, pto_dtype src_type, pto_vcvt_op op,
                                             const u8 *src, u8 *dst, size_t n) {
    enum { CODES = 256 };
    const size_t out = element_bytes(dst_type);
    u8 codes[CODES], table[CODES * sizeof(u32)];
    (void)src_type;
    if (n <= CODES) {
        hif8_to_float(dst_type, op, src, dst, n);
        return;
    }
    for (size_t k = 0; k < CODES; ++k) codes[k] = (u8)k;
    hif8_to_float(dst_type, op, codes, table, CODES);
    if (out == 2)
        pto_look_up_16(table, src, dst, n);
    else
        pto_look_up_32(table, src, dst, n);
}

static ALWAYS_INLINE void vcvt_float_to_hif8(pto_dtype dst_type, pto_dtype src_type, pto_vcvt_op op,
                                             const u8 *src, u8 *dst, size_t n) {
    const u32 infinity = HIF8_INFINITY - op.sat, nan = op.sat ? 0 : (u32)vcvt_nan(dst_type);
    const size_t in = element_bytes(src_type);
    for (size_t i = 0; i < n; i += VLANES_32)
        v_store_32(dst + i, f32_to_hif8(load_float_32(src + in * i, src_type), infinity, nan), 1);
}

/* ---- every kernel, a line each ---- */

#define VCVT_PAIRS(X)                                                                                        \
    X(F16, F32, vcvt_float_to_float)                                                                         \
    X(F16, BF16, vcvt_float_to_float)                                                                        \
    X(BF16, F32, vcvt_float_to_float)                                                                        \
    X(BF16, F16, vcvt_float_to_float)                                                                        \
    X(F32, F16, vcvt_float_to_float)                                                                         \
    X(F32, BF16, vcvt_float_to_float)                                                                        \
    X(F32, E4M3, vcvt_float_to_float)                                                                        \
    X(F32, E5M2, vcvt_float_to_float)                                                                        \
    X(E4M3, F32, vcvt_float_to_float)                                                                        \
    X(E4M3, F16, vcvt_float_to_float)                                                                        \
    X(E4M3, BF16, vcvt_float_to_float)                                                                       \
    X(E5M2, F32, vcvt_float_to_float)                                                                        \
    X(E5M2, F16, vcvt_float_to_float)                                                                        \
    X(E5M2, BF16, vcvt_float_to_float)                                                                       \
    X(E2M1, BF16, vcvt_float_to_nibbles)                                                                     \
    X(E1M2, BF16, vcvt_float_to_nibbles)                                                                     \
    X(BF16, E2M1, vcvt_nibbles_to_float)                                                                     \
    X(BF16, E1M2, vcvt_nibbles_to_float)                                                                     \
    X(HIF8, F32, vcvt_float_to_hif8)                                                                         \
    X(HIF8, F16, vcvt_float_to_hif8)                                                                         \
    X(F32, HIF8, vcvt_hif8_to_float)                                                                         \
    X(F16, HIF8, vcvt_hif8_to_float)                                                                         \
    X(S16, F32, vcvt_float_to_integer)                                                                       \
    X(S32, F32, vcvt_float_to_integer)                                                                       \
    X(S32, F16, vcvt_float_to_integer)                                                                       \
    X(S16, F16, vcvt_float_to_integer)                                                                       \
    X(S8, F16, vcvt_float_to_integer)                                                                        \
    X(U8, F16, vcvt_float_to_integer)                                                                        \
    X(S32, BF16, vcvt_float_to_integer)                                                                      \
    X(F32, S32, vcvt_integer_to_float)                                                                       \
    X(F32, U32, vcvt_integer_to_float)                                                                       \
    X(F32, S16, vcvt_integer_to_float)                                                                       \
    X(F16, S16, vcvt_integer_to_float)                                                                       \
    X(F16, U8, vcvt_integer_to_float)                                                                        \
    X(F16, S8, vcvt_integer_to_float)                                                                        \
    X(S64, F32, vcvt_f32_to_s64)                                                                             \
    X(F32, S64, vcvt_s64_to_f32)

/* Integer conversions: X(destination, source, working width). */
#define VCVT_INTEGERS(X)                                                                                     \
    X(U16, U8, 32)                                                                                           \
    X(U32, U8, 32)                                                                                           \
    X(S16, S8, 32)                                                                                           \
    X(S32, S8, 32)                                                                                           \
    X(U8, U16, 32)                                                                                           \
    X(U32, U16, 32)                                                                                          \
    X(S32, S16, 32)                                                                                          \
    X(U32, S16, 32)                                                                                          \
    X(U8, S16, 32)                                                                                           \
    X(U8, U32, 32)                                                                                           \
    X(U16, U32, 32)                                                                                          \
    X(S16, U32, 32)                                                                                          \
    X(U8, S32, 32)                                                                                           \
    X(U16, S32, 32)                                                                                          \
    X(S16, S32, 32)                                                                                          \
    X(S64, S32, 64)                                                                                          \
    X(S32, S64, 64)

#define VCVT_KERNEL(name, call)                                                                              \
    static void run_##name(const pto_vcvt_op *op, const struct ptx_cvt *ptx, const void *src, void *dst,     \
                           size_t n) {                                                                       \
        (void)ptx;                                                                                           \
        call;                                                                                                \
    }                                                                                                        \
    static const struct vcvt_kernel name = {run_##name, GRANULE, FP_ANY, false};

#define VCVT(dst_, src_, loop)                                                                               \
    VCVT_KERNEL(vcvt_##dst_##_##src_, loop(PTO_##dst_, PTO_##src_, *op, src, dst, n))
VCVT_PAIRS(VCVT)

#define VCVT_INTEGER(dst_, src_, word)                                                                       \
    VCVT_KERNEL(vcvt_##dst_##_##src_,                                                                        \
                CAT(integer_to_integer_, word)(element_bytes(PTO_##dst_), PTO_##src_,                        \
                                               vcvt_as_integers(PTO_##dst_, *op), src, dst, n))
VCVT_INTEGERS(VCVT_INTEGER)

#define VTRC(type) VCVT_KERNEL(vtrc_##type, vtrc_floats(PTO_##type, *op, src, dst, n))
VTRC_TYPES(VTRC)

#define VCVT_ROW(dst_, src_, of) [PTO_##dst_][PTO_##src_] = &vcvt_##dst_##_##src_,
#define VTRC_ROW(type)           [PTO_##type][PTO_##type] = &vtrc_##type,

static const struct vcvt_kernel *const vcvt_kernels[VCVT_TYPES][VCVT_TYPES] = {
    VCVT_PAIRS(VCVT_ROW) VCVT_INTEGERS(VCVT_ROW) VTRC_TYPES(VTRC_ROW)};

#include "loops/vcvt_by_ptx.h"

/* vcvt_native() returns the ISA's own kernel for an op, or NULL. VCVT_NATIVE names the file that defines it. */
#ifdef VCVT_NATIVE
#    include VCVT_NATIVE
#else
static const struct vcvt_kernel *vcvt_native(pto_vcvt_op op) {
    (void)op;
    return NULL;
}
#endif

const struct vcvt_kernel *NAME(pto_vcvt)(pto_vcvt_op op) {
    const struct vcvt_kernel *own = vcvt_native(op), *by_ptx = vcvt_by_ptx(op);
    if (own != NULL) return own;
    return by_ptx != NULL ? by_ptx : vcvt_kernels[op.dst][op.src];
}
