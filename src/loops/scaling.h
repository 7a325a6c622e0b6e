/* SPDX-License-Identifier: MIT */
/*
 * Block scaling kernels of one ISA, in the vectors of convert_vector.h. A backend's scaling.c defines ISA and
 * VBYTES, and includes this file. It may also define CVT_ISA (see vector_types.h) and SCALING_ISA. The
 * latter names a file that defines all of these operations:
 *
 *   v_f32_of_f16(p)          a vector of f16 as f32; any NaN for a NaN.
 *   v_f32_of_codes(p, elem)  a vector of codes that are finite values as f32, times 2^-(15 - BIAS), where BIAS is that
 *                            of the format: their bits are used as those of an f16.
 *   v_f32_of_pairs(p, elem, even, odd)
 *                            two vectors of such one-byte codes, those at even positions in *even, the others in *odd
 *   v_upper_pairs(even, odd) the upper halves of the lanes of two such vectors, in the order of memory. Both operations
 *                            on pairs exist only with SCALING_HAS_PAIRS
 *   v_stream_32(p, x)        a non-temporal store, where p is a multiple of VBYTES; v_stream_end_32() orders these
 *                            stores before later ones.
 *   v_max_u16(x, y)          the maximum of 16-bit lanes
 *   v_largest_32(x)          every lane = the largest lane of x, unsigned
 *   v_transpose(x)           transposes VLANES_32 x VLANES_32 lanes of an array of vectors
 *   v_max_of_each(x)     for an array of VLANES_32 vectors: lane k = the largest lane of x[k]. Overwrites x.
 *   v_packed(x)              four vectors of lanes from 0 to 255 as one vector of bytes, in any order
 *   v_packed_signs(x)        the same for any signed lanes: each byte has the sign of its lane, and is 0 for 0 and
 *                            all ones for all ones
 *   v_nearest_codes(x, d)    nearest_code() of four vectors, in the order of v_packed(). d has powers of two; no
 *                            magnitude of x is above 2^16 d
 *   v_min_u8(x, y)           the minimum of 8-bit lanes
 *   v_restore_order(bytes)        bytes from v_packed() in the order of the lanes
 *   v_store_nibbles(p, x)    stores bytes from v_packed(), all below 16, as 4-bit elements in the order of the lanes
 *   v_upper_halves(x, y)     the upper halves of the lanes of two vectors
 *   v_any_32(m)              whether any lane is true.
 *   v_arrange_halves(x, row) makes the row that v_look_up_halves() needs from 16 results of 2 bytes
 *   v_look_up_halves(codes, row, y, stream)
 *   v_look_up_singles(codes, row, y, stream)
 *                            store the results of 16 4-bit codes, 2 or 4 bytes each, with non-temporal stores if
 *                            `stream`
 *
 * If the compiler does not know the vector length, SCALING_LOOPS names a file that replaces scaling_amax.h and
 * scaling_lanes.h. It has all loops over elements: find_amax, quantize, dequantize_f16, dequantize_codes,
 * scaled_products and fence. It also defines the vocabulary of scaling_rules.h.
 *
 * Each loop has one body, which is inlined with constant types. If blocks are shorter than a vector, a vector of
 * elements is multiplied by a vector of different factors.
 */
#include "core/scaling.h"

#define WORD 32
#include "loops/convert_vector.h"
#define WORD 64
#include "loops/convert_vector.h"
#include "loops/round_by_add.h"

#define NAME(name) CAT3(name, _, ISA)

/* ---- the list of loops over elements; scaling_table.h defines them ---- */

static ALWAYS_INLINE size_t bits_of_elem(pto_dtype elem) {
    return elem == PTO_E2M1 ? 4 : 8;
}

/* The work of a loop over elements: it quantizes (QUANTIZE), quantizes blocks that are known to be in range
 * (QUANTIZE_IN_RANGE, see scales_fn), dequantizes f16 (DEQUANTIZE_F16) or codes (DEQUANTIZE_CODES), or stores products.
 * Most fields of struct job are compile-time constants. */
enum work { QUANTIZE, QUANTIZE_IN_RANGE, DEQUANTIZE_F16, DEQUANTIZE_CODES, SCALED_PRODUCTS };

struct job {
    enum work work;
    pto_dtype type, elem;
    enum scale_op scale_op;
    bool pairs; /* neighbouring vectors have the same factors */
    /* Run-time values. `stream`: use non-temporal stores for whole vectors of results. `exact`: the factors are safe
     * powers of two, so that bf16 holds every product of a code exactly. `prefetch_distance`: how many bytes ahead of
     * the source to prefetch. */
    bool stream, exact;
    size_t prefetch_distance;
};

static ALWAYS_INLINE bool quantizes(struct job j) {
    return j.work == QUANTIZE || j.work == QUANTIZE_IN_RANGE;
}

static ALWAYS_INLINE bool dequantizes(struct job j) {
    return j.work == DEQUANTIZE_F16 || j.work == DEQUANTIZE_CODES;
}

static ALWAYS_INLINE size_t bits_from(struct job j) {
    if (j.work == DEQUANTIZE_CODES) return bits_of_elem(j.elem);
    return j.work == DEQUANTIZE_F16 ? 16 : 8 * tensor_elem_bytes(j.type);
}

static ALWAYS_INLINE size_t bits_to(struct job j) {
    return dequantizes(j) ? 8 * tensor_elem_bytes(j.type) : quantizes(j) ? bits_of_elem(j.elem) : 32;
}

/* Returns the size of n elements in bytes. For 4-bit elements n must be even. */
static ALWAYS_INLINE size_t bytes_of_lanes(size_t n, size_t bits) {
    return bits == 4 ? n / 2 : n * (bits / 8);
}

/* Returns whether all factors are powers of two from 2^-63 to 2^64. With these every product of a code is zero
 * or normal. */
static ALWAYS_INLINE bool are_safe_powers_of_two(const float *factors, size_t count) {
    u32 other = 0;
    for (size_t i = 0; i < count; ++i)
        other |= ((bits_of_float(factors[i]) + 0x20000000) ^ 0x40000000) & 0xc07fffff;
    return other == 0;
}

typedef void lanes_fn(const struct scaling *s, const u8 *from, const float *factors, size_t block, u8 *to,
                      size_t n);

/* X(work, scale_op, type of the tensor, type of the elements) for every loop. Loops that dequantize f16 or store
 * products do not depend on the type of the elements; their entries have E4M3. */
#define EACH_TENSOR_TYPE(X, work, scale_op, elem)                                                            \
    X(work, scale_op, F16, elem) X(work, scale_op, BF16, elem) X(work, scale_op, F32, elem)
#define EACH_FP8(X, work, scale_op)                                                                          \
    EACH_TENSOR_TYPE(X, work, scale_op, E4M3) EACH_TENSOR_TYPE(X, work, scale_op, E5M2)
#define EACH_ELEM(X, work, scale_op)                                                                         \
    EACH_FP8(X, work, scale_op)                                                                              \
    EACH_TENSOR_TYPE(X, work, scale_op, E2M3)                                                                \
    EACH_TENSOR_TYPE(X, work, scale_op, E3M2) EACH_TENSOR_TYPE(X, work, scale_op, E2M1)
#define EACH_QUANTIZE_MULTIPLY(X)                                                                            \
    EACH_ELEM(X, QUANTIZE, MULTIPLY) EACH_TENSOR_TYPE(X, QUANTIZE, MULTIPLY, S2F6)
#define EACH_QUANTIZE_IN_RANGE(X)                                                                            \
    EACH_ELEM(X, QUANTIZE_IN_RANGE, MULTIPLY)                                                                \
    EACH_TENSOR_TYPE(X, QUANTIZE_IN_RANGE, MULTIPLY, S2F6)                                                   \
    EACH_TENSOR_TYPE(X, QUANTIZE_IN_RANGE, NEAREST, E2M1)
#define EACH_QUANTIZE_DIVIDE(X)      EACH_FP8(X, QUANTIZE, DIVIDE) EACH_TENSOR_TYPE(X, QUANTIZE, DIVIDE, E2M1)
#define EACH_QUANTIZE_DIVIDE_CAST(X) EACH_TENSOR_TYPE(X, QUANTIZE, DIVIDE_CAST, E4M3)
#define EACH_QUANTIZE_CLAMP(X)       EACH_FP8(X, QUANTIZE, CLAMP) EACH_TENSOR_TYPE(X, QUANTIZE, CLAMP, E2M1)
#define EACH_QUANTIZE_NEAREST(X)     EACH_TENSOR_TYPE(X, QUANTIZE, NEAREST, E2M1)
#define EACH_DEQUANTIZE_F16(X)       EACH_TENSOR_TYPE(X, DEQUANTIZE_F16, MULTIPLY, E4M3)
#define EACH_DEQUANTIZE_CODES(X)     EACH_ELEM(X, DEQUANTIZE_CODES, MULTIPLY)
#define EACH_SCALED_PRODUCTS(X)                                                                              \
    EACH_TENSOR_TYPE(X, SCALED_PRODUCTS, MULTIPLY, E4M3)                                                     \
    EACH_TENSOR_TYPE(X, SCALED_PRODUCTS, DIVIDE, E4M3) EACH_TENSOR_TYPE(X, SCALED_PRODUCTS, DIVIDE_CAST, E4M3)

/* ---- vectors ---- */

typedef float f32v __attribute__((vector_size(VBYTES)));

#ifdef SCALING_ISA
#    include SCALING_ISA
#endif

static ALWAYS_INLINE f32v v_const_f32(float x) {
    return (f32v)v_const_32(bits_of_float(x));
}

static ALWAYS_INLINE u32v min_signed(u32v x, u32v most) {
    return (u32v)v_min_s32((s32v)x, (s32v)most);
}

static ALWAYS_INLINE u32v max_signed(u32v x, u32v least) {
    return (u32v)v_max_s32((s32v)x, (s32v)least);
}

static ALWAYS_INLINE vmask_32 is_nan_32(u32v x) {
    return v_gt_u32(magnitude_of_32(x), v_const_32(F32_INFINITY));
}

/* ---- types ---- */

/* Returns codes of the tensor's type as f32. */
static ALWAYS_INLINE u32v f32_of_tensor_code(u32v code, pto_dtype type) {
    if (type == PTO_F32) return code;
    return type == PTO_BF16 ? code << 16 : widen_32(code, cvt_format_of(PTO_F16));
}

#ifndef SCALING_ISA
static ALWAYS_INLINE f32v v_f32_of_f16(const u8 *p) {
    return (f32v)f32_of_tensor_code(v_load_32(p, 2, false), PTO_F16);
}
#endif

static ALWAYS_INLINE f32v load_tensor(const u8 *p, pto_dtype type) {
    if (type == PTO_F16) return v_f32_of_f16(p);
    return (f32v)f32_of_tensor_code(v_load_32(p, tensor_elem_bytes(type), false), type);
}

/* Returns a value that is not a NaN rounded to bf16, in the upper half of its lane. The lower half is
 * meaningless. */
static ALWAYS_INLINE u32v nearest_bf16(u32v x) {
    return x + 0x7fff + (x >> 16 & 1);
}

static ALWAYS_INLINE u32v tensor_code_of(u32v x, pto_dtype type) {
    const pto_cvt_op op = {.dst = type, .src = PTO_F32, .round = PTO_RN};
    const struct cvt_format to = cvt_format_of(type);
    const struct narrow_32 p = narrow_of_32(op, to);
    if (type == PTO_F32) return v_sel_32(is_nan_32(x), v_const_32(F32_CANONICAL_NAN), x);
    if (type == PTO_BF16) return v_sel_32(is_nan_32(x), v_const_32(0x7fff), nearest_bf16(x) >> 16);
    return narrow_32(x, &p, to);
}

/* Returns x rounded to the tensor's type, as f32. */
static ALWAYS_INLINE f32v round_to_type(f32v x, pto_dtype type) {
    return type == PTO_F32 ? x : (f32v)f32_of_tensor_code(tensor_code_of((u32v)x, type), type);
}

/* Returns cvt.rn of a magnitude, computed as in round_by_add.h, in the low byte; the bits above are meaningless. The
 * magnitude must be below the power of two that follows the largest finite value. If it rounds to more than
 * that value, the code is larger than the largest code. */
static ALWAYS_INLINE u32v in_range_code(u32v magnitude, struct cvt_format to) {
    const struct round_by_add a = round_by_add_of(to);
    const u32v e = max_signed(magnitude, v_const_32((u32)a.smallest_normal)) & F32_INFINITY;
    const u32v sum = (u32v)((f32v)magnitude + (f32v)(e + (u32)a.added));
    return sum + (e >> a.dropped_bits);
}

/* Returns cvt.rn.satfinite of any magnitude that is not a NaN, in the low byte. */
static ALWAYS_INLINE u32v code_of_magnitude(u32v magnitude, struct cvt_format to) {
    return in_range_code(v_min_u32(magnitude, v_const_32((u32)round_by_add_of(to).largest_finite)), to);
}

/* Returns the s2f6 code nearest to x, but never that of -2, as a signed integer. Adding 1.5 * 2^23 rounds to an integer
 * in the low bits. */
static ALWAYS_INLINE u32v s2f6_code_of(f32v x) {
    const u32v bits = (u32v)(x * v_const_f32(64.0F)), magnitude = magnitude_of_32(bits);
    const u32v most = min_signed(magnitude, v_const_32(bits_of_float(127.0F)));
    const u32v rounded = (u32v)((f32v)(most | (bits ^ magnitude)) + v_const_f32(0x1.8p23F));
    return v_sel_32(is_nan_32(bits), v_const_32(0x7f), rounded - bits_of_float(0x1.8p23F));
}

/* Returns cvt.rn.satfinite of x. The bits above the low byte, or above the low 4 bits for e2m1, are
 * meaningless. */
static ALWAYS_INLINE u32v code_of_elem(f32v x, pto_dtype elem) {
    const struct cvt_format to = cvt_format_of(elem);
    const u32 at_sign = (u32)to.exponent_bits + to.fraction_bits, sign = (u32)1 << at_sign;
    const u32v code = code_of_magnitude(magnitude_of_32((u32v)x), to), at = (u32v)x >> (31 - at_sign);
    if (elem == PTO_S2F6) return s2f6_code_of(x);
    return v_sel_32(is_nan_32((u32v)x), v_const_32((u32)cvt_canonical_nan(to)), (at & sign) | (code & ~sign));
}

static ALWAYS_INLINE void store_codes(u8 *p, u32v code, pto_dtype elem) {
    u64v pairs;
    if (elem != PTO_E2M1) {
        v_store_32(p, code, 1);
        return;
    }
    pairs = (u64v)(code & 0xf);
    v_store_64(p, pairs | pairs >> 28, 1);
}

#ifndef SCALING_ISA
static ALWAYS_INLINE u32v v_max_u16(u32v a, u32v b) {
    typedef u16 u16v __attribute__((vector_size(VBYTES)));
    const u16v x = (u16v)a, y = (u16v)b, above = (u16v)(x > y);
    return (u32v)((x & above) | (y & ~above));
}

/* The largest lane, in every lane. */
static ALWAYS_INLINE u32v v_largest_32(u32v x) {
    u32 largest = 0;
    for (size_t k = 0; k < VLANES_32; ++k) largest = x[k] > largest ? x[k] : largest;
    return v_const_32(largest);
}

static ALWAYS_INLINE u32v v_max_of_each(u32v x[VLANES_32]) {
    u32v y = v_const_32(0);
    for (size_t k = 0; k < VLANES_32; ++k) y[k] = v_largest_32(x[k])[0];
    return y;
}
#endif

#ifdef SCALING_LOOPS
#    include SCALING_LOOPS
#else
#    include "loops/scaling_amax.h"
#    include "loops/scaling_lanes.h"
#    include "loops/scaling_words.h"
#endif
#include "loops/scaling_rules.h"
#include "loops/scaling_choice.h"
#include "loops/scaling_bfp.h"

#ifdef SCALING_ISA
#    include "loops/scaling_look_up.h"
#    include "loops/scaling_results.h"
#endif

const struct scaling_kernels *NAME(pto_scaling)(void) {
    static const struct scaling_kernels kernels = {
        .amax = find_amax,
        .scales = find_scales,
        .choose_scales = choose_scales,
        .factors = find_factors,
        .dequantize_factors = find_dequantize_factors,
        .quantize = quantize,
        .dequantize_f16 = dequantize_f16,
#if defined(SCALING_ISA) || defined(SCALING_LOOPS)
        .dequantize_codes = dequantize_codes,
#endif
#ifdef SCALING_ISA
        .tabulate = tabulate,
        .look_up = look_up,
#endif
        .scaled_products = scaled_products,
        .quantize_bfp = quantize_bfp,
        .fence = fence
    };
    return &kernels;
}
