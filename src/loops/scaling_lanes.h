/* SPDX-License-Identifier: MIT */
/* Loops that quantize elements, dequantize codes, and compute products. Part of scaling.h. */
#include "core/prefetch.h"

#ifndef SCALING_ISA
static ALWAYS_INLINE void v_stream_32(u8 *p, u32v x) {
    v_store_32(p, x, 4);
}
static ALWAYS_INLINE void v_stream_end_32(void) {}

/* Lets the code below compile without SCALING_ISA; it is never called. */
static ALWAYS_INLINE f32v v_f32_of_codes(const u8 *p, pto_dtype elem) {
    (void)p, (void)elem;
    return v_const_f32(0.0F);
}
#endif

static ALWAYS_INLINE void store_or_stream(u8 *p, u32v x, bool stream) {
    if (stream)
        v_stream_32(p, x);
    else
        v_store_32(p, x, 4);
}

static void fence(void) {
    v_stream_end_32();
}

#ifdef SCALING_HAS_PAIRS
enum { HAS_PAIRS = 1 };
#else
enum { HAS_PAIRS = 0 };
static ALWAYS_INLINE void v_f32_of_pairs(const u8 *p, pto_dtype elem, f32v *even, f32v *odd) {
    *even = *odd = v_f32_of_codes(p, elem);
}
static ALWAYS_INLINE u32v v_upper_pairs(u32v even, u32v odd) {
    return even ^ odd;
}
#endif

/* Returns the factors of n elements from element i on, for blocks that are shorter than a vector. */
static ALWAYS_INLINE f32v short_factors(const float *factors, size_t i, size_t block, size_t n) {
    float each[VLANES_32] = {0};
    f32v f;
    if (block == 1) return (f32v)v_load_32((const u8 *)(factors + i), 4, false);
    for (size_t k = 0; k < n; ++k) each[k] = factors[(i + k) / block];
    memcpy(&f, each, sizeof f);
    return f;
}

static ALWAYS_INLINE f32v load_lanes(struct job j, const u8 *from) {
    switch (j.work) {
    case DEQUANTIZE_F16: return v_f32_of_f16(from);
    case DEQUANTIZE_CODES: return v_f32_of_codes(from, j.elem);
    default: return load_tensor(from, j.type);
    }
}

/* Returns x rounded to f16. Its magnitude must be below 2^15 * (2 - 2^-11). */
static ALWAYS_INLINE f32v round_to_f16(f32v x) {
    const u32v magnitude = magnitude_of_32((u32v)x), sign = (u32v)x ^ magnitude;
    const u32v e = max_signed(magnitude, v_const_32(bits_of_float(0x1p-14F))) & F32_INFINITY;
    const f32v power = (f32v)(e + ((u32)13 << 23));
    return (f32v)((u32v)(((f32v)magnitude + power) - power) | sign);
}

/* Clamps x to [-MAX, MAX], where a NaN becomes -MAX, and rounds it to f16 if elements have a byte. */
static ALWAYS_INLINE f32v clamp_product(struct job j, f32v x) {
    const u32 max = (u32)round_by_add_of(cvt_format_of(j.elem)).largest_finite;
    const u32v magnitude = magnitude_of_32((u32v)x), sign = (u32v)x ^ magnitude;
    const u32v clamped = min_signed(magnitude, v_const_32(max)) | sign;
    const u32v y = v_sel_32(is_nan_32((u32v)x), v_const_32(max | (u32)1 << 31), clamped);
    return j.elem == PTO_E2M1 ? (f32v)y : round_to_f16((f32v)y);
}

/* Returns the e2m1 value y for which 2 * y * d is nearest to x: see nearest_element() in scalar/scaling.c. By
 * symmetry the magnitudes suffice. The smaller of two equally near magnitudes is chosen, and 0 has no sign. */
static ALWAYS_INLINE f32v nearest_value(f32v x, f32v d) {
    static const float values[] = {0.5F, 1, 1.5F, 2, 3, 4, 6};
    const u32v bits = magnitude_of_32((u32v)x), sign = (u32v)x ^ bits;
    u32v least = v_min_u32(bits, v_const_32(F32_INFINITY)), best = v_const_32(0); /* a NaN has no distance */
    UNROLL for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k) {
        const f32v difference = v_const_f32(2 * values[k]) * d - (f32v)bits;
        const u32v distance = magnitude_of_32((u32v)difference);
        best = v_sel_32(v_gt_u32(least, distance), (u32v)v_const_f32(values[k]), best);
        least = v_min_u32(least, distance);
    }
    return (f32v)v_sel_32(v_gt_u32(best, v_const_32(0)), best | sign, best);
}

/* Returns the e2m1 code for which the double of its value times d is nearest to x, for blocks that are in range (see
 * scales_fn). All midpoints of neighbours are then exact, and so are the distances to them. */
static ALWAYS_INLINE u32v nearest_code(f32v x, f32v d) {
    static const float midpoints[] = {0.5F, 1.5F, 2.5F, 3.5F, 5, 7, 10};
    const s32v m = (s32v)magnitude_of_32((u32v)x);
    const u32v above_zero = (u32v)(m > (s32v)(v_const_f32(midpoints[0]) * d));
    u32v code = -above_zero;
    UNROLL for (size_t k = 1; k < sizeof midpoints / sizeof midpoints[0]; ++k) code -=
        (u32v)(m > (s32v)(v_const_f32(midpoints[k]) * d));
    return code | ((u32v)x >> 28 & 8 & above_zero);
}

static ALWAYS_INLINE bool finds_nearest_code(struct job j) {
    return j.work == QUANTIZE_IN_RANGE && j.scale_op == SCALE_NEAREST;
}

static ALWAYS_INLINE f32v product_of(struct job j, const u8 *from, f32v factor) {
    const f32v x = load_lanes(j, from);
    switch (j.scale_op) {
    case SCALE_MULTIPLY: return x * factor;
    case SCALE_DIVIDE: return x / factor;
    case SCALE_CLAMP: return clamp_product(j, x * factor);
    case SCALE_NEAREST: return nearest_value(x, factor);
    default: return round_to_type(x / factor, j.type);
    }
}

static ALWAYS_INLINE void store_tensor(u8 *to, f32v x, pto_dtype type) {
    v_store_32(to, tensor_code_of((u32v)x, type), tensor_elem_bytes(type));
}

static INLINE_IF_FOLDED void scale_vector(struct job j, const u8 *from, f32v factor, u8 *to) {
    if (finds_nearest_code(j)) {
        store_codes(to, nearest_code(load_lanes(j, from), factor), j.elem);
        return;
    }
    switch (j.work) {
    case QUANTIZE:
    case QUANTIZE_IN_RANGE: store_codes(to, code_of_elem(product_of(j, from, factor), j.elem), j.elem); break;
    case DEQUANTIZE_F16:
    case DEQUANTIZE_CODES: store_tensor(to, product_of(j, from, factor), j.type); break;
    default: v_store_32(to, (u32v)product_of(j, from, factor), 4); break;
    }
}

static ALWAYS_INLINE void scale_partial_vector(struct job j, const u8 *from, f32v factor, u8 *to, size_t n) {
    u8 first[VBYTES] = {0}, last[VBYTES];
    memcpy(first, from, (n * bits_from(j) + 7) / 8);
    scale_vector(j, first, factor, last);
    if (n * bits_to(j) % 8 != 0) last[n * bits_to(j) / 8] &= 0xf;
    memcpy(to, last, (n * bits_to(j) + 7) / 8);
}

/* Processes n elements, of which the first starts a block. */
static ALWAYS_INLINE void scale_blocks(struct job j, const u8 *from, const float *factors, size_t block,
                                       u8 *to, size_t n) {
    const size_t step = block < VLANES_32 ? VLANES_32 : block;
    for (size_t first = 0, i = 0; first < n; first += step) {
        const size_t end = first + min_size(n - first, step);
        const f32v factor = block < VLANES_32 ? short_factors(factors, first, block, end - first)
                                              : v_const_f32(factors[first / step]);
        for (; end - i >= VLANES_32; i += VLANES_32)
            scale_vector(j, from + i * bits_from(j) / 8, factor, to + i * bits_to(j) / 8);
        if (i < end)
            scale_partial_vector(j, from + i * bits_from(j) / 8, factor, to + i * bits_to(j) / 8, end - i);
        i = end;
    }
}

/* ---- four vectors at once, if blocks are whole vectors ---- */

enum { GROUP_LANES = 4 * VLANES_32 };

static ALWAYS_INLINE void store_each_tensor(u8 *to, const f32v x[4], pto_dtype type) {
    const size_t bytes = VLANES_32 * tensor_elem_bytes(type);
    UNROLL for (size_t k = 0; k < 4; ++k) store_tensor(to + k * bytes, x[k], type);
}

#ifdef SCALING_ISA
static ALWAYS_INLINE bool has_nan(const f32v x[4]) {
    u32v largest = v_const_32(0);
    UNROLL for (size_t k = 0; k < 4; ++k) largest = max_signed(largest, magnitude_of_32((u32v)x[k]));
    return v_any_32(v_gt_u32(largest, v_const_32(F32_INFINITY)));
}

static NOINLINE u32v with_nans(const f32v x[4], u32v packed, u32 nan) {
    u32v is_nan[4], nans;
    for (size_t k = 0; k < 4; ++k)
        is_nan[k] = v_sel_32(is_nan_32((u32v)x[k]), v_const_32(~(u32)0), v_const_32(0));
    nans = v_packed_signs(is_nan);
    return (packed & ~nans) | (nan * 0x01010101 & nans);
}

/* Rounds four vectors to codes and stores these. If `in_range`, no element is a NaN, and every code fits in a
 * byte, even that of a value that rounds to more than the largest finite value. */
static ALWAYS_INLINE void store_four(u8 *to, const f32v x[4], pto_dtype elem, bool in_range) {
    const struct cvt_format format = cvt_format_of(elem);
    const u32 down = 7U - format.exponent_bits - format.fraction_bits;
    u32v code[4], bits[4], y;
    if (elem == PTO_S2F6) {
        UNROLL for (size_t k = 0; k < 4; ++k) code[k] = s2f6_code_of(x[k]) & 0xff;
        v_store_32(to, v_restore_order(v_packed(code)), 4);
        return;
    }
    UNROLL for (size_t k = 0; k < 4; ++k) {
        bits[k] = (u32v)x[k];
        code[k] = (in_range ? in_range_code : code_of_magnitude)(magnitude_of_32(bits[k]), format) & 0xff;
    }
    y = v_packed(code);
    if (in_range) y = v_min_u8(y, v_const_32((u32)cvt_max_code(format) * 0x01010101));
    y |= (v_packed_signs(bits) & 0x80808080) >> down;
    if (!in_range && unlikely(has_nan(x))) y = with_nans(x, y, (u32)cvt_canonical_nan(format));
    if (elem == PTO_E2M1)
        v_store_nibbles(to, y);
    else
        v_store_32(to, v_restore_order(y), 4);
}

/* Does store_four() for SCALE_NEAREST and blocks in range. `exact`: the factors are safe powers of two. */
static ALWAYS_INLINE void store_four_nearest(u8 *to, const f32v x[4], const f32v d[4], bool exact) {
    u32v code[4];
    if (exact) {
        v_store_nibbles(to, v_nearest_codes(x, d));
        return;
    }
    UNROLL for (size_t k = 0; k < 4; ++k) code[k] = nearest_code(x[k], d[k]);
    v_store_nibbles(to, v_packed(code));
}

static ALWAYS_INLINE void store_four_tensor(struct job j, u8 *to, const f32v x[4], bool no_nans) {
    if (j.type == PTO_F16 || (!no_nans && unlikely(has_nan(x)))) {
        store_each_tensor(to, x, j.type);
    } else if (j.type == PTO_F32) {
        UNROLL for (size_t k = 0; k < 4; ++k) store_or_stream(to + k * VBYTES, (u32v)x[k], j.stream);
    } else if (j.exact) {
        UNROLL for (size_t k = 0; k < 2; ++k)
            store_or_stream(to + k * VBYTES, v_upper_halves((u32v)x[2 * k], (u32v)x[2 * k + 1]), j.stream);
    } else {
        UNROLL for (size_t k = 0; k < 2; ++k) {
            const u32v a = nearest_bf16((u32v)x[2 * k]), b = nearest_bf16((u32v)x[2 * k + 1]);
            store_or_stream(to + k * VBYTES, v_upper_halves(a, b), j.stream);
        }
    }
}
#else
static ALWAYS_INLINE void store_four_nearest(u8 *to, const f32v x[4], const f32v d[4], bool exact) {
    (void)exact;
    for (size_t k = 0; k < 4; ++k) store_codes(to + k * (VLANES_32 / 2), nearest_code(x[k], d[k]), PTO_E2M1);
}

static ALWAYS_INLINE void store_four(u8 *to, const f32v x[4], pto_dtype elem, bool in_range) {
    const size_t bytes = VLANES_32 * bits_of_elem(elem) / 8;
    (void)in_range;
    for (size_t k = 0; k < 4; ++k) store_codes(to + k * bytes, code_of_elem(x[k], elem), elem);
}

static ALWAYS_INLINE void store_four_tensor(struct job j, u8 *to, const f32v x[4], bool no_nans) {
    (void)no_nans;
    store_each_tensor(to, x, j.type);
}
#endif

static ALWAYS_INLINE bool uses_pairs(struct job j) {
    return HAS_PAIRS && j.pairs && j.work == DEQUANTIZE_CODES && j.type == PTO_BF16 && j.elem != PTO_E2M1;
}

static ALWAYS_INLINE void dequantize_pairs(struct job j, const u8 *from, const f32v factors[4], u8 *to) {
    UNROLL for (size_t k = 0; k < 2; ++k) {
        f32v even, odd;
        u32v x[2];
        v_f32_of_pairs(from + 2 * k * VLANES_32, j.elem, &even, &odd);
        x[0] = (u32v)(even * factors[2 * k]);
        x[1] = (u32v)(odd * factors[2 * k]);
        if (!j.exact) UNROLL
        for (size_t i = 0; i < 2; ++i) x[i] = nearest_bf16(x[i]);
        store_or_stream(to + k * VBYTES, v_upper_pairs(x[0], x[1]), j.stream);
    }
}

static INLINE_IF_FOLDED void scale_group(struct job j, const u8 *from, const f32v factors[4], u8 *to) {
    const size_t in = VLANES_32 * bits_from(j) / 8, out = VLANES_32 * bits_to(j) / 8;
    f32v x[4];
    if (uses_pairs(j)) {
        dequantize_pairs(j, from, factors, to);
        return;
    }
    /* Prefetch the elements of the next tile while this one is computed. Otherwise they would be loaded only
     * when the maxima of that tile are computed. */
    if (!dequantizes(j)) prefetch(from + j.prefetch_distance, 4 * in);
    if (finds_nearest_code(j)) {
        UNROLL for (size_t k = 0; k < 4; ++k) x[k] = load_lanes(j, from + k * in);
        store_four_nearest(to, x, factors, j.exact);
        return;
    }
    UNROLL for (size_t k = 0; k < 4; ++k) x[k] = product_of(j, from + k * in, factors[k]);
    switch (j.work) {
    case QUANTIZE: store_four(to, x, j.elem, false); break;
    case QUANTIZE_IN_RANGE: store_four(to, x, j.elem, true); break;
    case DEQUANTIZE_F16: store_four_tensor(j, to, x, false); break;
    case DEQUANTIZE_CODES: store_four_tensor(j, to, x, true); break;
    default: UNROLL for (size_t k = 0; k < 4; ++k) v_store_32(to + k * out, (u32v)x[k], 4); break;
    }
}

/* Sets the factors of four vectors. A block is one vector, two, or four and more; or it is one element, and
 * then each element has its own factor. */
static ALWAYS_INLINE void group_factors(const float *factors, size_t block, f32v group[4]) {
    UNROLL for (size_t k = 0; k < 4; ++k) group[k] =
        block == 1 ? (f32v)v_load_32((const u8 *)(factors + k * (size_t)VLANES_32), 4, false)
                   : v_const_f32(factors[k * (size_t)VLANES_32 / block]);
}

/* Processes `groups` groups of four vectors. `block` is a compile-time constant. */
static ALWAYS_INLINE void scale_groups(struct job j, const u8 *from, const float *factors, size_t block,
                                       u8 *to, size_t groups) {
    const size_t in = GROUP_LANES * bits_from(j) / 8, out = GROUP_LANES * bits_to(j) / 8;
    for (size_t k = 0; k < groups; ++k) {
        f32v group[4];
        group_factors(factors + k * (GROUP_LANES / block), block, group);
        scale_group(j, from + k * in, group, to + k * out);
    }
}

/* Processes as many of the n elements as fill groups of four vectors. Returns how many. */
static ALWAYS_INLINE size_t scale_in_groups(struct job j, const u8 *from, const float *factors, size_t block,
                                            u8 *to, size_t n) {
    const size_t in = GROUP_LANES * bits_from(j) / 8, out = GROUP_LANES * bits_to(j) / 8,
                 groups = n / GROUP_LANES;
    if (block == 1) {
        scale_groups(j, from, factors, 1, to, groups);
    } else if (block == VLANES_32) {
        scale_groups(j, from, factors, VLANES_32, to, groups);
    } else if (block == (size_t)2 * VLANES_32) {
        j.pairs = true;
        scale_groups(j, from, factors, (size_t)2 * VLANES_32, to, groups);
    } else if (block == GROUP_LANES) {
        j.pairs = true;
        scale_groups(j, from, factors, GROUP_LANES, to, groups);
    } else if (block % GROUP_LANES == 0) {
        const size_t each = block / GROUP_LANES;
        j.pairs = true;
        for (size_t k = 0; k < groups; ++factors) {
            f32v group[4];
            group_factors(factors, GROUP_LANES, group);
            for (const size_t end = k + min_size(each, groups - k); k < end; ++k)
                scale_group(j, from + k * in, group, to + k * out);
        }
    } else {
        return 0;
    }
    return groups * GROUP_LANES;
}

/* Processes n elements. Those that remain after the groups of four vectors start a block, or lie inside one. In the
 * latter case, the block size that is passed for them is larger than their number, so that all get the same factor. */
static ALWAYS_INLINE void scale_elements(struct job j, const u8 *from, const float *factors, size_t block,
                                         u8 *to, size_t n) {
    const size_t done = scale_in_groups(j, from, factors, block, to, n), left = n - done;
    if (left == 0) return;
    scale_blocks(j, from + done * bits_from(j) / 8, factors + done / block,
                 done % block != 0 && block > VLANES_32 ? left + VLANES_32 : block,
                 to + done * bits_to(j) / 8, left);
}

static ALWAYS_INLINE bool may_stream(struct job j, const u8 *to) {
    return dequantizes(j) && (uintptr_t)to % VBYTES == 0;
}

#define JOB(work, scale_op, type, elem)                                                                      \
    static void work##_##scale_op##_##type##_##elem(const struct scaling *s, const u8 *from,                 \
                                                    const float *factors, size_t block, u8 *to, size_t n) {  \
        struct job j = {work, PTO_##type, PTO_##elem, SCALE_##scale_op,                                      \
                        .prefetch_distance = s->prefetch_distance};                                          \
        j.stream = s->stream && may_stream(j, to);                                                           \
        j.exact = ((work == DEQUANTIZE_CODES && PTO_##type == PTO_BF16) || finds_nearest_code(j)) &&         \
                  are_safe_powers_of_two(factors, (n + block - 1) / block);                                  \
        scale_elements(j, from, factors, block, to, n);                                                      \
    }

#include "loops/scaling_table.h"

#ifdef SCALING_ISA
/* Returns whether any code is an infinity or a NaN. */
static bool any_special(const u8 *codes, size_t bytes, pto_dtype elem) {
    const struct cvt_format f = cvt_format_of(elem);
    const u32v magnitude = v_const_32(0x7f7f7f7f),
               carry = v_const_32((0x7f - (u32)cvt_max_code(f)) * 0x01010101);
    u8 last[VBYTES] = {0};
    u32v found = v_const_32(0);
    if (f.specials == SPECIALS_NONE) return false;
    for (; bytes >= VBYTES; bytes -= VBYTES, codes += VBYTES)
        found |= (v_load_32(codes, 4, false) & magnitude) + carry;
    memcpy(last, codes, bytes);
    found |= (v_load_32(last, 4, false) & magnitude) + carry;
    return v_any_32(v_gt_u32(found & 0x80808080, v_const_32(0)));
}

static bool dequantize_codes(const struct scaling *s, const u8 *codes, const float *factors, size_t block,
                             u8 *y, size_t n) {
    const u32 missing = 15U - cvt_format_of(s->elem).bias; /* the power of two that v_f32_of_codes() lacks */
    const f32v unit = v_const_f32(float_of_bits((127 + missing) << 23));
    float by[SCALING_BLOCKS + VLANES_32];
    if (any_special(codes, (n * bits_of_elem(s->elem) + 7) / 8, s->elem)) return false;
    for (size_t i = 0; i * block < n; i += VLANES_32)
        v_store_32((u8 *)(by + i), (u32v)((f32v)v_load_32((const u8 *)(factors + i), 4, false) * unit), 4);
    run_dequantize_codes(s, codes, by, block, y, n);
    return true;
}
#endif
