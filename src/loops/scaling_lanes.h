/* SPDX-License-Identifier: MIT */
/* Loops that quantize elements, dequantize codes, and compute products. Part of scaling.h. */
#include "core/prefetch.h"

#ifndef SCALING_ISA
static ALWAYS_INLINE void v_stream_32(u8 *p, u32v x) {
    v_store_32(p, x, 4);
}
static ALWAYS_INLINE void v_stream_end_32(void) {}

/* Never called. */
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

static void finish(void) {
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
    case EXPAND: return v_f32_of_f16(from);
    case EXPAND_CODES: return v_f32_of_codes(from, j.elem);
    default: return load_wide(from, j.wide);
    }
}

static ALWAYS_INLINE f32v product_of(struct job j, const u8 *from, f32v factor) {
    const f32v x = load_lanes(j, from);
    if (j.step == STEP_TIMES) return x * factor;
    return j.step == STEP_OVER ? x / factor : as_wide(x / factor, j.wide);
}

static ALWAYS_INLINE void store_wide(u8 *to, f32v x, pto_dtype wide) {
    v_store_32(to, code_of_wide((u32v)x, wide), bytes_of_wide(wide));
}

static INLINE_IF_FOLDED void whole_lanes(struct job j, const u8 *from, f32v factor, u8 *to) {
    switch (j.work) {
    case SHRINK:
    case SHRINK_TAME: store_codes(to, code_of_elem(product_of(j, from, factor), j.elem), j.elem); break;
    case EXPAND:
    case EXPAND_CODES: store_wide(to, product_of(j, from, factor), j.wide); break;
    default: v_store_32(to, (u32v)product_of(j, from, factor), 4); break;
    }
}

static ALWAYS_INLINE void some_lanes(struct job j, const u8 *from, f32v factor, u8 *to, size_t n) {
    u8 first[VBYTES] = {0}, last[VBYTES];
    memcpy(first, from, (n * bits_from(j) + 7) / 8);
    whole_lanes(j, first, factor, last);
    if (n * bits_to(j) % 8 != 0) last[n * bits_to(j) / 8] &= 0xf;
    memcpy(to, last, (n * bits_to(j) + 7) / 8);
}

/* Processes n elements, of which the first starts a block. */
static ALWAYS_INLINE void any_lanes(struct job j, const u8 *from, const float *factors, size_t block, u8 *to,
                                    size_t n) {
    const size_t step = block < VLANES_32 ? VLANES_32 : block;
    for (size_t first = 0, i = 0; first < n; first += step) {
        const size_t end = first + min_size(n - first, step);
        const f32v factor = block < VLANES_32 ? short_factors(factors, first, block, end - first)
                                              : v_const_f32(factors[first / step]);
        for (; end - i >= VLANES_32; i += VLANES_32)
            whole_lanes(j, from + i * bits_from(j) / 8, factor, to + i * bits_to(j) / 8);
        if (i < end) some_lanes(j, from + i * bits_from(j) / 8, factor, to + i * bits_to(j) / 8, end - i);
        i = end;
    }
}

/* ---- four vectors at once, if blocks are whole vectors ---- */

enum { FOUR = 4 * VLANES_32 };

static ALWAYS_INLINE void store_each_wide(u8 *to, const f32v x[4], pto_dtype wide) {
    const size_t bytes = VLANES_32 * bytes_of_wide(wide);
    UNROLL for (size_t k = 0; k < 4; ++k) store_wide(to + k * bytes, x[k], wide);
}

#ifdef SCALING_ISA
static ALWAYS_INLINE bool has_nan(const f32v x[4]) {
    u32v largest = v_const_32(0);
    UNROLL for (size_t k = 0; k < 4; ++k) largest = not_below(largest, magnitude_of_32((u32v)x[k]));
    return v_any_32(v_gt_u32(largest, v_const_32(F32_INFINITY)));
}

static NOINLINE u32v with_nans(const f32v x[4], u32v packed, u32 nan) {
    u32v is_nan[4], nans;
    for (size_t k = 0; k < 4; ++k)
        is_nan[k] = v_sel_32(is_nan_32((u32v)x[k]), v_const_32(~(u32)0), v_const_32(0));
    nans = v_packed_signs(is_nan);
    return (packed & ~nans) | (nan * 0x01010101 & nans);
}

/* Rounds four vectors to codes and stores these. If `tame`, no element is a NaN, and every code fits in a byte,
 * even that of a value that rounds to more than the largest finite value. */
static ALWAYS_INLINE void store_four(u8 *to, const f32v x[4], pto_dtype elem, bool tame) {
    const struct cvt_format format = cvt_format_of(elem);
    const u32 down = 7U - format.exponent_bits - format.fraction_bits;
    u32v code[4], bits[4], y;
    UNROLL for (size_t k = 0; k < 4; ++k) {
        bits[k] = (u32v)x[k];
        code[k] = (tame ? tame_code : magnitude_code)(magnitude_of_32(bits[k]), format) & 0xff;
    }
    y = v_packed(code);
    if (tame) y = v_min_u8(y, v_const_32((u32)cvt_max_code(format) * 0x01010101));
    y |= (v_packed_signs(bits) & 0x80808080) >> down;
    if (!tame && unlikely(has_nan(x))) y = with_nans(x, y, (u32)cvt_canonical_nan(format));
    y = v_in_order(y);
    if (elem == PTO_E2M1)
        v_store_nibbles(to, y);
    else
        v_store_32(to, y, 4);
}

static ALWAYS_INLINE void store_four_wide(struct job j, u8 *to, const f32v x[4], bool numbers) {
    if (j.wide == PTO_F16 || (!numbers && unlikely(has_nan(x)))) {
        store_each_wide(to, x, j.wide);
    } else if (j.wide == PTO_F32) {
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
static ALWAYS_INLINE void store_four(u8 *to, const f32v x[4], pto_dtype elem, bool tame) {
    const size_t bytes = VLANES_32 * bits_of_elem(elem) / 8;
    (void)tame;
    for (size_t k = 0; k < 4; ++k) store_codes(to + k * bytes, code_of_elem(x[k], elem), elem);
}

static ALWAYS_INLINE void store_four_wide(struct job j, u8 *to, const f32v x[4], bool numbers) {
    (void)numbers;
    store_each_wide(to, x, j.wide);
}
#endif

static ALWAYS_INLINE bool goes_by_pairs(struct job j) {
    return HAS_PAIRS && j.pairs && j.work == EXPAND_CODES && j.wide == PTO_BF16 && j.elem != PTO_E2M1;
}

static ALWAYS_INLINE void expand_pairs(struct job j, const u8 *from, const f32v factors[4], u8 *to) {
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

static INLINE_IF_FOLDED void four_lanes(struct job j, const u8 *from, const f32v factors[4], u8 *to) {
    const size_t in = VLANES_32 * bits_from(j) / 8, out = VLANES_32 * bits_to(j) / 8;
    f32v x[4];
    if (goes_by_pairs(j)) {
        expand_pairs(j, from, factors, to);
        return;
    }
    /* Prefetch the elements of the next tile while this one is computed. Otherwise they would be loaded only
     * when the maxima of that tile are computed. */
    if (!expands(j)) prefetch(from + j.ahead, 4 * in);
    UNROLL for (size_t k = 0; k < 4; ++k) x[k] = product_of(j, from + k * in, factors[k]);
    switch (j.work) {
    case SHRINK: store_four(to, x, j.elem, false); break;
    case SHRINK_TAME: store_four(to, x, j.elem, true); break;
    case EXPAND: store_four_wide(j, to, x, false); break;
    case EXPAND_CODES: store_four_wide(j, to, x, true); break;
    default: UNROLL for (size_t k = 0; k < 4; ++k) v_store_32(to + k * out, (u32v)x[k], 4); break;
    }
}

/* Sets the factors of four vectors. A block is one vector, two, or four and more; or it is one element, and
 * then each element has its own factor. */
static ALWAYS_INLINE void four_factors(const float *factors, size_t block, f32v four[4]) {
    UNROLL for (size_t k = 0; k < 4; ++k) four[k] =
        block == 1 ? (f32v)v_load_32((const u8 *)(factors + k * (size_t)VLANES_32), 4, false)
                   : v_const_f32(factors[k * (size_t)VLANES_32 / block]);
}

/* Processes `fours` groups of four vectors. `block` is a compile-time constant. */
static ALWAYS_INLINE void run_fours(struct job j, const u8 *from, const float *factors, size_t block, u8 *to,
                                    size_t fours) {
    const size_t in = FOUR * bits_from(j) / 8, out = FOUR * bits_to(j) / 8;
    for (size_t k = 0; k < fours; ++k) {
        f32v four[4];
        four_factors(factors + k * (FOUR / block), block, four);
        four_lanes(j, from + k * in, four, to + k * out);
    }
}

/* Processes as many of the n elements as fill groups of four vectors. Returns how many. */
static ALWAYS_INLINE size_t lanes_by_four(struct job j, const u8 *from, const float *factors, size_t block,
                                          u8 *to, size_t n) {
    const size_t in = FOUR * bits_from(j) / 8, out = FOUR * bits_to(j) / 8, fours = n / FOUR;
    if (block == 1) {
        run_fours(j, from, factors, 1, to, fours);
    } else if (block == VLANES_32) {
        run_fours(j, from, factors, VLANES_32, to, fours);
    } else if (block == (size_t)2 * VLANES_32) {
        j.pairs = true;
        run_fours(j, from, factors, (size_t)2 * VLANES_32, to, fours);
    } else if (block == FOUR) {
        j.pairs = true;
        run_fours(j, from, factors, FOUR, to, fours);
    } else if (block % FOUR == 0) {
        const size_t each = block / FOUR;
        j.pairs = true;
        for (size_t k = 0; k < fours; ++factors) {
            f32v four[4];
            four_factors(factors, FOUR, four);
            for (const size_t end = k + min_size(each, fours - k); k < end; ++k)
                four_lanes(j, from + k * in, four, to + k * out);
        }
    } else {
        return 0;
    }
    return fours * FOUR;
}

/* Processes n elements. Those that remain after the groups of four vectors start a block, or lie inside one. */
static ALWAYS_INLINE void all_lanes(struct job j, const u8 *from, const float *factors, size_t block, u8 *to,
                                    size_t n) {
    const size_t done = lanes_by_four(j, from, factors, block, to, n), left = n - done;
    if (left == 0) return;
    any_lanes(j, from + done * bits_from(j) / 8, factors + done / block,
              done % block != 0 && block > VLANES_32 ? left + VLANES_32 : block, to + done * bits_to(j) / 8,
              left);
}

static ALWAYS_INLINE bool may_stream(struct job j, const u8 *to) {
    return expands(j) && (uintptr_t)to % VBYTES == 0;
}

#define JOB(work, step, wide, elem)                                                                          \
    static void work##_##step##_##wide##_##elem(const struct scaling *s, const u8 *from,                     \
                                                const float *factors, size_t block, u8 *to, size_t n) {      \
        struct job j = {work, PTO_##wide, PTO_##elem, STEP_##step, .ahead = s->ahead};                       \
        j.stream = s->streams && may_stream(j, to);                                                          \
        j.exact = work == EXPAND_CODES && PTO_##wide == PTO_BF16 &&                                          \
                  are_plain_powers(factors, (n + block - 1) / block);                                        \
        all_lanes(j, from, factors, block, to, n);                                                           \
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

static bool expand_codes(const struct scaling *s, const u8 *codes, const float *factors, size_t block, u8 *y,
                         size_t n) {
    const u32 missing = 15U - cvt_format_of(s->elem).bias; /* the power of two that v_f32_of_codes() lacks */
    const f32v unit = v_const_f32(float_of_bits((127 + missing) << 23));
    float by[SCALING_BLOCKS + VLANES_32];
    if (any_special(codes, (n * bits_of_elem(s->elem) + 7) / 8, s->elem)) return false;
    for (size_t i = 0; i * block < n; i += VLANES_32)
        v_store_32((u8 *)(by + i), (u32v)((f32v)v_load_32((const u8 *)(factors + i), 4, false) * unit), 4);
    expand_any_codes(s, codes, by, block, y, n);
    return true;
}
#endif
