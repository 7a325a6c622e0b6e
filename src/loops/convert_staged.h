/* SPDX-License-Identifier: MIT */
/*
 * Conversions by two of the ISA's own kernels, with f32 between them, or by one of these kernels after the
 * source is prepared or clamped. They run chunk by chunk. That is much faster than convert_vector.h, whose
 * vectors serve every form, even though a chunk is written and read once more. Only one of the stages rounds.
 * Part of convert_all.h.
 *
 * - Floats and integers of at most 16 bits are exact in f32. Of longer integers, only those above 2^24 are rounded by
 *   the conversion to f32. In f16 these become the largest finite value or infinity, however they were rounded. For
 *   bf16 they are rounded to odd first.
 * - If an f64 or a 64-bit integer is truncated, rounded up or rounded down to f32, the second stage can round in the
 *   same direction once more. The result is the same as that of a single rounding.
 * - .relu, .sat and .satfinite are bounds on the f32. The bounds are values of the destination, so rounding
 *   does not cross them.
 * - .ftz of f32 from f64 is applied to the source, which shows whether the result would be subnormal.
 * - f16 and bf16 from f64 keep the sign and the leading payload bits of a NaN. The first stage keeps them and
 *   the second one does not, so afterwards they are copied from the f32.
 */
#include <stdatomic.h>

static ALWAYS_INLINE bool is_directed(pto_round round) {
    return round == PTO_RZ || round == PTO_RM || round == PTO_RP;
}

static ALWAYS_INLINE bool is_32_bits_of_integer(pto_dtype type) {
    return type == PTO_S32 || type == PTO_U32;
}

/* Returns whether f32 holds everything in the source that affects the result. */
static bool f32_is_enough_for(pto_cvt_op op) {
    const bool to_half = op.dst == PTO_F16 || op.dst == PTO_BF16, is_integer = cvt_is_integer(op.src);
    if (pto_dtype_bits(op.src) == 64)
        return is_directed(op.round) ? to_half : op.dst == PTO_F16 && is_integer;
    if (cvt_is_small(op.src) || is_32_bits_of_integer(op.src)) return to_half;
    return is_integer || op.src == PTO_F16 || op.src == PTO_BF16 || op.src == PTO_F32;
}

/* Returns whether the op can be done in stages. Under .ftz, bound_f32() flushes f32 sources. f64 from f16 is excluded:
 * it keeps the payload of a NaN, which the first stage would drop. Backends with an instruction for it have a kernel of
 * their own. */
static bool has_stages(pto_cvt_op op) {
    const unsigned bounds = CVT_RELU | CVT_SAT | CVT_SATFINITE, modifiers = cvt_modifiers(op);
    const unsigned void_ftz = op.src != PTO_F32 ? CVT_FTZ : 0U;
    const bool is_integral = cvt_is_integral_round(op.round);
    if (op.round == PTO_RS) return false;
    if (op.dst == PTO_F32 && op.src == PTO_F64) return modifiers == CVT_FTZ;
    if (!f32_is_enough_for(op)) return false;
    if (cvt_is_integer(op.dst)) return (modifiers & ~(CVT_SAT | void_ftz)) == 0 && !cvt_is_integer(op.src);
    switch (op.dst) {
    case PTO_F64: return modifiers == (op.src == PTO_F32 ? CVT_FTZ : 0U) && op.src != PTO_F16;
    case PTO_F32: return is_integral && (modifiers & ~(CVT_SAT | CVT_FTZ)) == 0;
    case PTO_F16:
    case PTO_BF16: return !is_integral && (modifiers & ~(bounds | void_ftz)) == 0;
    default: return false;
    }
}

/* Returns the first stage, which converts to f32. If there is no first stage, its source and destination are
 * the same type: for f32 sources, and for f64 to f32, whose only conversion is the second stage. */
static pto_cvt_op first_of(pto_cvt_op op) {
    pto_cvt_op first = {.dst = PTO_F32, .src = op.src};
    if (op.src == PTO_F64 && op.dst == PTO_F32) first.dst = PTO_F64;
    if (cvt_is_integer(op.src)) first.round = PTO_RN;
    if (pto_dtype_bits(op.src) == 64 && first.dst == PTO_F32 && is_directed(op.round)) first.round = op.round;
    return first;
}

static pto_cvt_op second_of(pto_cvt_op op) {
    pto_cvt_op second = {.dst = op.dst, .src = first_of(op).dst};
    second.round = op.dst == PTO_F64 ? PTO_ROUND_NONE : op.round == PTO_ROUND_NONE ? PTO_RN : op.round;
    return second;
}

static bool has_first(pto_cvt_op op) {
    return first_of(op).dst != op.src;
}

static bool is_prepared(pto_cvt_op op) {
    return op.src == PTO_F64 ? op.dst == PTO_F32 : is_32_bits_of_integer(op.src) && op.dst == PTO_BF16;
}

static bool is_bounded(pto_cvt_op op) {
    if (cvt_is_integer(op.dst) || first_of(op).dst != PTO_F32) return false;
    return (cvt_modifiers(op) & ~(op.src != PTO_F32 ? CVT_FTZ : 0U)) != 0;
}

/* ---- preparing the source ---- */

/* Replaces values whose f32 result would be subnormal by zero of the same sign. */
static void flush_f64(pto_cvt_op op, const u8 *src, u8 *dst, size_t n) {
    struct narrow_64 p;
    flush_of_64(&p, op);
    for (size_t i = 0; i < n; i += VLANES_64) {
        const u64v x = v_load_64(src + 8 * i, 8, false), sign = sign_mask_of_64(x);
        const vmask_64 is_small = v_lt_u64(magnitude_of_64(x), by_sign_64(sign, p.flush, p.flush_negative));
        v_store_64(dst + 8 * i, v_sel_64(is_small, sign_bit_of_64(sign), x), 8);
    }
}

/* Rounds integers of a magnitude above 2^24 to odd: clears their low 8 bits, and sets bit 8 if any of these was
 * 1. f32 holds the result exactly. A format with less precision rounds it to the same value as the source.
 * Negative integers are truncated downwards, for which the same holds. */
static void shorten_integers(pto_cvt_op op, const u8 *src, u8 *dst, size_t n) {
    const u32 spare = 0xff, lowest = op.src == PTO_S32 ? -((u32)1 << 24) : 0;
    const u32 last = ((u32)1 << 24) - lowest;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(src + 4 * i, 4, false);
        const u32v shorter = (x | ((x & spare) + spare)) & ~spare;
        v_store_32(dst + 4 * i, v_sel_32(v_gt_u32(x - lowest, v_const_32(last)), shorter, x), 4);
    }
}

/* ---- clamping f32 ---- */

/* Returns the largest finite value of dst as f32 bits. */
static NOINLINE u32 largest_32(pto_dtype dst) {
    const struct cvt_format to = cvt_format_of(dst);
    return ((u32)cvt_max_code(to) << (FRACTION_32 - to.fraction_bits)) + power_of_2_32(-to.bias);
}

/* Applies the modifiers .relu, .sat, .satfinite and .ftz to f32. A NaN becomes zero with .sat, otherwise PTX's
 * canonical NaN. dst may be src. */
static void bound_f32(pto_cvt_op op, const u8 *src, u8 *dst, size_t n) {
    const u32 infinity = infinity_bits_32(), drop = op.relu || op.sat ? ~(u32)0 : 0,
              nan = op.sat ? 0 : INT32_MAX;
    const u32 limit = op.sat ? power_of_2_32(0) : op.satfinite ? largest_32(op.dst) : infinity;
    const u32 flush = op.ftz && op.src == PTO_F32 ? power_of_2_32(-126) : 0;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(src + 4 * i, 4, false), m = magnitude_of_32(x), sign = sign_mask_of_32(x);
        const u32v least =
            v_sel_32(v_lt_u32(m, v_const_32(flush)), v_const_32(0), v_min_u32(m, v_const_32(limit)));
        const u32v bounded = (least | sign_bit_of_32(sign)) & ~(sign & drop);
        v_store_32(dst + 4 * i, v_sel_32(v_gt_u32(m, v_const_32(infinity)), v_const_32(nan), bounded), 4);
    }
}

/* ---- NaNs that keep their payload ---- */

/* Overwrites the f16 or bf16 results in `dst` whose f32 in `between` is a NaN. */
static void keep_payloads(pto_cvt_op op, const u8 *between, u8 *dst, size_t n) {
    const struct cvt_format to = cvt_format_of(op.dst);
    const u32 quiet = (u32)cvt_nan_of(op).bits;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(between + 4 * i, 4, false), y = v_load_32(dst + 2 * i, 2, false);
        const vmask_32 is_nan = v_gt_u32(magnitude_of_32(x), v_const_32(infinity_bits_32()));
        v_store_32(dst + 2 * i, v_sel_32(is_nan, align_to_32(x, to) | quiet, y), 2);
    }
}

/* ---- the kernel ---- */

/*
 * Returns native_kernel(op) for a stage. It is cached, because finding it takes as long as a short call. Stages have no
 * modifiers. A first stage goes to f32, so its source and rounding identify it. A second stage comes from f32, so its
 * destination and rounding identify it. The only other second stage, from f64 to f32, has other roundings than those
 * from f32 to integral f32, so it has cache entries of its own.
 */
static const struct cvt_kernel *stage_kernel(pto_cvt_op op, bool is_second) {
    static _Atomic(const struct cvt_kernel *) cache[2][CVT_TYPES][CVT_ROUNDS];
    _Atomic(const struct cvt_kernel *) *place = &cache[is_second][is_second ? op.dst : op.src][op.round];
    const struct cvt_kernel *kernel = atomic_load_explicit(place, memory_order_relaxed);
    if (unlikely(kernel == NULL)) {
        kernel = native_kernel(op);
        atomic_store_explicit(place, kernel, memory_order_relaxed);
    }
    return kernel;
}

static void run_in_stages(const pto_cvt_op *op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_cvt_op to_f32 = first_of(*op), from_f32 = second_of(*op);
    const struct cvt_kernel *first = has_first(*op) ? stage_kernel(to_f32, false) : NULL,
                            *second = stage_kernel(from_f32, true);
    const size_t in = (size_t)pto_dtype_bits(op->src), out = element_bytes(op->dst);
    const bool prepares = is_prepared(*op), bounds = is_bounded(*op);
    const bool keeps_payload = to_f32.dst == PTO_F32 && op->src == PTO_F64 && cvt_nan_of(*op).keeps_payload;
    u8 prepared[CHUNK * sizeof(u64)], between[CHUNK * sizeof(u32)];
    (void)extra;
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t lanes = min_size(n - i, CHUNK);
        const u8 *from = (const u8 *)src + in * i / 8;
        if (prepares) {
            (op->src == PTO_F64 ? flush_f64 : shorten_integers)(*op, from, prepared, lanes);
            from = prepared;
        }
        if (first != NULL) {
            first->run(&to_f32, from, between, NULL, lanes);
            from = between;
        }
        if (bounds) {
            bound_f32(*op, from, between, lanes);
            from = between;
        }
        second->run(&from_f32, from, (u8 *)dst + out * i, NULL, lanes);
        if (keeps_payload) keep_payloads(*op, between, (u8 *)dst + out * i, lanes);
    }
}
static const struct cvt_kernel staged = {run_in_stages, CVT_MAX_GRANULE, FP_IEEE};
_Static_assert(CHUNK % CVT_MAX_GRANULE == 0, "a chunk must be a whole number of granules");

static const struct cvt_kernel *staged_kernel(pto_cvt_op op) {
    if (!has_stages(op)) return NULL;
    if (!has_first(op) && !is_bounded(op) && !is_prepared(op)) return NULL;
    if (has_first(op) && native_kernel(first_of(op)) == NULL) return NULL;
    return native_kernel(second_of(op)) != NULL ? &staged : NULL;
}
