/* SPDX-License-Identifier: MIT */
/*
 * Conversions by two of the ISA's own, with f32 between them, or by one of a source made ready for it, block by block: which
 * is so much faster than the vectors that serve every form that it pays to write and read a block. One step alone rounds.
 * Part of convert_all.h.
 *
 * - Sources of 16 bits and fewer, numbers and integers, are f32 exactly. Of longer integers f32 rounds those from 2^24 on
 *   alone, and to no f16 but the largest or infinity, whatever they are then. For bf16 they are rounded to odd first.
 * - An f64 that is cut to f32, or rounded up or down, can be cut, or rounded up or down, once more; so can a 64-bit integer.
 * - .relu, .sat and .satfinite are bounds of the f32: they are values of the destination, so rounding steps over none.
 * - .ftz of f32 from f64 is of the source: what rounds to a subnormal number is known before.
 * - f16 and bf16 from f64 keep the sign and the leading payload bits of a NaN. The first stage keeps them, the second one
 *   does not, so they are copied from the f32 after it.
 */
#include <stdatomic.h>

static ALWAYS_INLINE bool is_directed(pto_round round) {
    return round == PTO_RZ || round == PTO_RM || round == PTO_RP;
}

static ALWAYS_INLINE bool is_32_bits_of_integer(pto_dtype type) {
    return type == PTO_S32 || type == PTO_U32;
}

/* Whether f32 has what matters of the source. */
static bool f32_holds(pto_cvt_op op) {
    const bool to_half = op.dst == PTO_F16 || op.dst == PTO_BF16, is_integer = cvt_is_integer(op.src);
    if (pto_dtype_bits(op.src) == 64)
        return is_directed(op.round) ? to_half : op.dst == PTO_F16 && is_integer;
    if (cvt_is_small(op.src) || is_32_bits_of_integer(op.src)) return to_half;
    return is_integer || op.src == PTO_F16 || op.src == PTO_BF16 || op.src == PTO_F32;
}

/* For integral f32 the FP state flushes. f64 keeps the payload of a NaN of f16, which the first stage would drop; backends
 * with instructions have a kernel for that. */
static bool has_stages(pto_cvt_op op) {
    const unsigned bounds = CVT_RELU | CVT_SAT | CVT_SATFINITE, said = cvt_modifiers(op);
    const unsigned void_ftz = op.src != PTO_F32 ? CVT_FTZ : 0U;
    const bool is_integral = cvt_is_integral_round(op.round);
    if (op.round == PTO_RS) return false;
    if (op.dst == PTO_F32 && op.src == PTO_F64) return said == CVT_FTZ;
    if (!f32_holds(op)) return false;
    if (cvt_is_integer(op.dst)) return (said & ~(CVT_SAT | void_ftz)) == 0 && !cvt_is_integer(op.src);
    switch (op.dst) {
    case PTO_F64: return said == (op.src == PTO_F32 ? CVT_FTZ : 0U) && op.src != PTO_F16;
    case PTO_F32: return is_integral && (said & ~(CVT_SAT | CVT_FTZ)) == 0;
    case PTO_F16:
    case PTO_BF16: return !is_integral && (said & ~(bounds | void_ftz)) == 0;
    default: return false;
    }
}

/* To f32, but for f32 itself, and f64 that goes there: of a type to itself where there is nothing to convert. */
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

static bool is_made_ready(pto_cvt_op op) {
    return op.src == PTO_F64 ? op.dst == PTO_F32 : is_32_bits_of_integer(op.src) && op.dst == PTO_BF16;
}

static bool is_bounded(pto_cvt_op op) {
    if (cvt_is_integer(op.dst) || first_of(op).dst != PTO_F32) return false;
    return (cvt_modifiers(op) & ~(op.src != PTO_F32 ? CVT_FTZ : 0U)) != 0;
}

/* ---- the source made ready ---- */

/* Zero of its sign for what f32 would have as a subnormal number. */
static void flush_f64(pto_cvt_op op, const u8 *src, u8 *dst, size_t n) {
    struct narrow_64 p;
    flush_of_64(&p, op);
    for (size_t i = 0; i < n; i += VLANES_64) {
        const u64v x = v_load_64(src + 8 * i, 8, false), sign = sign_mask_of_64(x);
        const vmask_64 is_small = v_lt_u64(magnitude_of_64(x), by_sign_64(sign, p.flush, p.flush_negative));
        v_store_64(dst + 8 * i, v_sel_64(is_small, sign_bit_of_64(sign), x), 8);
    }
}

/* From 2^24 on the last 8 of 32 digits go, and the one above them is set if there were any, which no f32 rounds and tells
 * each format of fewer digits what to do. Negative numbers are cut downwards, and the same holds of them. */
static void shorten_integers(pto_cvt_op op, const u8 *src, u8 *dst, size_t n) {
    const u32 spare = 0xff, lowest = op.src == PTO_S32 ? -((u32)1 << 24) : 0;
    const u32 last = ((u32)1 << 24) - lowest;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(src + 4 * i, 4, false);
        const u32v shorter = (x | ((x & spare) + spare)) & ~spare;
        v_store_32(dst + 4 * i, v_sel_32(v_gt_u32(x - lowest, v_const_32(last)), shorter, x), 4);
    }
}

/* ---- f32 within bounds ---- */

/* The bits of dst's largest number as an f32. */
static NOINLINE u32 largest_32(pto_dtype dst) {
    const struct cvt_format to = cvt_format_of(dst);
    return ((u32)cvt_max_code(to) << (FRACTION_32 - to.fraction_bits)) + power_of_2_32(-to.bias);
}

/* A NaN is zero with .sat, otherwise PTX's. In place, too. */
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

/* Overwrites the results of f16 or bf16 in `dst` whose f32 in `between` is a NaN. */
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
 * native(op) of a stage, which is found once: that takes as long as a short call. Stages have no modifiers. A first one goes to
 * f32, so its source and its rounding tell which it is. A second one comes from f32, but for f32 from f64, whose roundings
 * are not those of f32 to integral values; so its destination and its rounding do.
 */
static const struct cvt_kernel *stage(pto_cvt_op op, bool is_second) {
    static _Atomic(const struct cvt_kernel *) kept[2][CVT_TYPES][CVT_ROUNDS];
    _Atomic(const struct cvt_kernel *) *place = &kept[is_second][is_second ? op.dst : op.src][op.round];
    const struct cvt_kernel *kernel = atomic_load_explicit(place, memory_order_relaxed);
    if (unlikely(kernel == NULL)) {
        kernel = native(op);
        atomic_store_explicit(place, kernel, memory_order_relaxed);
    }
    return kernel;
}

static void run_staged(const pto_cvt_op *op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_cvt_op to_f32 = first_of(*op), from_f32 = second_of(*op);
    const struct cvt_kernel *first = has_first(*op) ? stage(to_f32, false) : NULL,
                            *second = stage(from_f32, true);
    const size_t in = (size_t)pto_dtype_bits(op->src), out = element_bytes(op->dst);
    const bool readily = is_made_ready(*op), within = is_bounded(*op);
    const bool keeps = to_f32.dst == PTO_F32 && op->src == PTO_F64 && cvt_nan_of(*op).keep;
    u8 ready[BLOCK * sizeof(u64)], between[BLOCK * sizeof(u32)];
    (void)extra;
    for (size_t i = 0; i < n; i += BLOCK) {
        const size_t lanes = min_size(n - i, BLOCK);
        const u8 *from = (const u8 *)src + in * i / 8;
        if (readily) {
            (op->src == PTO_F64 ? flush_f64 : shorten_integers)(*op, from, ready, lanes);
            from = ready;
        }
        if (first != NULL) {
            first->run(&to_f32, from, between, NULL, lanes);
            from = between;
        }
        if (within) {
            bound_f32(*op, from, between, lanes);
            from = between;
        }
        second->run(&from_f32, from, (u8 *)dst + out * i, NULL, lanes);
        if (keeps) keep_payloads(*op, between, (u8 *)dst + out * i, lanes);
    }
}
static const struct cvt_kernel staged = {run_staged, CVT_LONGEST_STEP, FP_IEEE};
_Static_assert(BLOCK % CVT_LONGEST_STEP == 0, "a block is whole steps");

static const struct cvt_kernel *staged_kernel(pto_cvt_op op) {
    if (!has_stages(op)) return NULL;
    if (!has_first(op) && !is_bounded(op) && !is_made_ready(op)) return NULL;
    if (has_first(op) && native(first_of(op)) == NULL) return NULL;
    return native(second_of(op)) != NULL ? &staged : NULL;
}
