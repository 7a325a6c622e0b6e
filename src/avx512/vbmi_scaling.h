/* SPDX-License-Identifier: MIT */
/* Dequantizes by look-ups in large tables, and lists the kernels of both directions of block scaling. Part of
 * vbmi.c. */

static ALWAYS_INLINE void store_or_stream(u8 *p, __m512i x, bool stream) {
    if (stream)
        _mm512_stream_si512((void *)p, x);
    else
        _mm512_storeu_si512(p, x);
}

static ALWAYS_INLINE bool may_stream(const struct scaling *s, const u8 *y) {
    return s->stream && (uintptr_t)y % VBYTES == 0;
}

/* ---- e2m1: each nibble is moved to the lowest 4 bits of a lane, the only ones that a look-up reads ---- */

static ALWAYS_INLINE void v_look_up_halves(const u8 *codes, const u8 *row, u8 *y, bool stream) {
    const __m256i at =
        _mm256_setr_epi64x(0x000c000800040000, 0x001c001800140010, 0x002c002800240020, 0x003c003800340030);
    const __m256i all = _mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)codes));
    const __m256i each = _mm256_multishift_epi64_epi8(at, all);
    const __m256i x = _mm256_permutexvar_epi16(each, _mm256_loadu_si256((const __m256i *)row));
    if (stream)
        _mm256_stream_si256((__m256i *)y, x);
    else
        _mm256_storeu_si256((__m256i *)y, x);
}

static ALWAYS_INLINE void v_look_up_singles(const u8 *codes, const u8 *row, u8 *y, bool stream) {
    const __m512i at = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
    const __m512i all = _mm512_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)codes));
    const __m512i each = _mm512_multishift_epi64_epi8(at, all);
    store_or_stream(y, _mm512_permutexvar_epi32(each, _mm512_loadu_si512(row)), stream);
}

#include "loops/scaling_look_up.h"

/* ---- codes of a byte ---- */

enum { DEQUANTIZE_LANES = VBYTES };

/*
 * The tables of both methods below: `uppers` and `lowers` for products in f32, `exponent_deficits` and
 * `fractions` for powers of two. Compilers drop those that a method does not use. In `uppers`, NaNs and
 * infinities have the top bit set, unless it is the sign of a format that fits_64() accepts.
 */
struct code_tables {
    struct table_128 uppers, lowers;
    struct table_128 exponent_deficits;
    bytes fractions;
};

static ALWAYS_INLINE struct code_tables tables_of(struct cvt_format f) {
    const struct half_tables bf16 = half_tables(PTO_BF16, f);
    struct code_tables t = {bf16.upper, bf16.lower, exponent_deficits_of(f), fractions_and_sign(f)};
    if (f.specials == SPECIALS_IEEE) t.uppers.high |= T_MASK(t_iota() + 64 > (u8)cvt_max_code(f)) & 0x80;
    return t;
}

/* Converts codes to two vectors of bf16. Clears the top bit of `finite` for NaNs and infinities. */
static ALWAYS_INLINE void bf16_of_codes(struct cvt_format f, const struct code_tables *t, bytes code,
                                        bytes words[2], bytes *finite) {
    const bytes found = fits_64(f) ? look_up_64(t->uppers.low, code) : look_up_128(t->uppers, code);
    const bytes upper = fits_64(f) ? found : with_sign(code, found);
    const bytes lower = fits_64(f) ? look_up_64(t->lowers.low, code) : look_up_128(t->lowers, code);
    *finite &= ~found;
    words[0] = b_low(lower, upper);
    words[1] = b_high(lower, upper);
}

static ALWAYS_INLINE bool is_handled_block(size_t block) {
    return block == DEQUANTIZE_LANES / 2 || block % DEQUANTIZE_LANES == 0;
}

/*
 * Dequantizes DEQUANTIZE_LANES codes, at any alignment. two[k] is the factor or the scale of half k. A NaN or an
 * infinity clears a bit of `finite`: the top bit of a byte or the one below it, depending on the function.
 */
typedef void dequantize_fn(const struct code_tables *t, const u8 *codes, const u64 two[2], u8 *y, bool stream,
                           bytes *finite);

struct dequantize_job {
    pto_dtype elem;
    size_t out; /* bytes of a result */
    bool stream;
};

/* Dequantizes `groups` groups of DEQUANTIZE_LANES codes, each of which lies in one block or covers two blocks of
 * half its size. */
static ALWAYS_INLINE void run_groups(struct dequantize_job j, dequantize_fn *dequantize,
                                     const struct code_tables *t, const u8 *codes, const u64 *values,
                                     size_t block, u8 *y, size_t groups, bytes *finite) {
    if (block < DEQUANTIZE_LANES) {
        for (size_t k = 0; k < groups; ++k)
            dequantize(t, codes + k * DEQUANTIZE_LANES, values + 2 * k, y + k * DEQUANTIZE_LANES * j.out,
                       j.stream, finite);
        return;
    }
    for (size_t k = 0; k < groups; ++values) {
        const u64 two[2] = {*values, *values};
        for (const size_t end = k + min_size(block / DEQUANTIZE_LANES, groups - k); k < end; ++k)
            dequantize(t, codes + k * DEQUANTIZE_LANES, two, y + k * DEQUANTIZE_LANES * j.out, j.stream,
                       finite);
    }
}

/* Dequantizes n codes. Returns `finite`: all ones, except bits that NaNs and infinities clear (see dequantize_fn).
 * values[] has a value for each block, and one more after the last, which is read but does not affect the results. */
static ALWAYS_INLINE bytes dequantize_all(struct dequantize_job j, dequantize_fn *dequantize, const u8 *codes,
                                          const u64 *values, size_t block, u8 *y, size_t n) {
    const struct code_tables t = tables_of(cvt_format_of(j.elem));
    const size_t rest = n % DEQUANTIZE_LANES, whole = n - rest;
    bytes finite = b_const(0xff);
    run_groups(j, dequantize, &t, codes, values, block, y, whole / DEQUANTIZE_LANES, &finite);
    if (rest != 0) {
        const u64 two[2] = {values[whole / block],
                            values[block < DEQUANTIZE_LANES ? whole / block + 1 : whole / block]};
        u8 some[DEQUANTIZE_LANES] = {0}, some_y[DEQUANTIZE_LANES * sizeof(float)];
        memcpy(some, codes + whole, rest);
        dequantize(&t, some, two, some_y, false, &finite);
        memcpy(y + whole * j.out, some_y, rest * j.out);
    }
    return finite;
}

static ALWAYS_INLINE bool all_finite(pto_dtype elem, bytes finite) {
    return cvt_format_of(elem).specials == SPECIALS_NONE || every_top_bit(finite);
}

/* ---- to bf16, times powers of two: as in vbmi_widen.h, but with one scale for each block ---- */

static ALWAYS_INLINE void store_rotated_or_stream(u8 *y, bytes x, bool stream) {
    store_or_stream(y, _mm512_shrdi_epi16((__m512i)x, (__m512i)x, 1), stream);
}

static ALWAYS_INLINE void scale_pow2(pto_dtype elem, const struct code_tables *t, const u8 *codes,
                                     const u64 two[2], u8 *y, bool stream, bytes *finite) {
    const struct cvt_format f = cvt_format_of(elem);
    const bytes code = b_for_interleave(b_load(codes)),
                fraction = look_up_64(t->fractions, fraction_index(f, code));
    const bytes less =
        fits_64(f) ? look_up_64(t->exponent_deficits.low, code) : look_up_128(t->exponent_deficits, code);
    const bytes scale = b_table(_mm_loadu_si128((const __m128i *)two)),
                exponent = b_sub_saturated(scale, less);
    *finite &= less;
    store_rotated_or_stream(y, b_low(fraction, exponent), stream);
    store_rotated_or_stream(y + VBYTES, b_high(fraction, exponent), stream);
}

enum { SCALES_AT_ONCE = VBYTES };

/* Computes the sums from which the entries of `exponent_deficits` are subtracted, eight copies of each. Returns
 * false unless all products are normal values. */
static bool find_pow2_sums(struct cvt_format f, const u8 *scales, size_t count, u64 *values) {
    bytes done = b_const(0xff);
    for (size_t i = 0; i < count; i += SCALES_AT_ONCE) {
        const size_t some = min_size(count - i, SCALES_AT_ONCE);
        const __mmask64 there = low_bits((unsigned)some);
        const bytes sum = (bytes)_mm512_maskz_loadu_epi8(there, scales + i) + (u8)added_to_scale(f);
        done &= (bytes)_mm512_mask_mov_epi8((__m512i)done, there, (__m512i)sum);
        for (size_t k = 0; k < some; k += VBYTES / sizeof values[0])
            b_store((u8 *)(values + i + k), look_up_64(sum, (t_iota() >> 3) + (u8)k));
    }
    return every_top_bit(done);
}

/* ---- times any factor, in f32 ---- */

/* Returns 16-bit lanes from 0 to 31. */
static ALWAYS_INLINE __m512i count_words(void) {
    const bytes count = t_iota();
    return _mm512_cvtepu8_epi16(_mm512_castsi512_si256((__m512i)count));
}

/* Rounds two vectors of f32 that have no NaNs to bf16, to nearest even. It adds 1 to an upper half if the
 * lower half is above 8000, or is 8000 and the upper half is odd. */
static ALWAYS_INLINE __m512i nearest_bf16(__m512i x, __m512i y) {
    const __m512i lowers = _mm512_slli_epi16(count_words(), 1);
    const __m512i upper = _mm512_permutex2var_epi16(x, _mm512_add_epi16(lowers, _mm512_set1_epi16(1)), y);
    const __m512i lower = _mm512_permutex2var_epi16(x, lowers, y);
    const __m512i rounding_bits =
        _mm512_ternarylogic_epi32(lower, upper, _mm512_set1_epi16(1), 0xf8); /* a | (b & c) */
    const __mmask32 up = _mm512_cmpgt_epu16_mask(rounding_bits, _mm512_set1_epi16((s16)0x8000));
    return _mm512_mask_sub_epi16(upper, up, upper, _mm512_set1_epi16(-1));
}

static ALWAYS_INLINE void scale_by_factor(pto_dtype elem, pto_dtype type, const struct code_tables *t,
                                          const u8 *codes, const u64 two[2], u8 *y, bool stream,
                                          bytes *finite) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i code = _mm512_permutexvar_epi32(order, _mm512_loadu_si512(codes));
    bytes words[2];
    bf16_of_codes(cvt_format_of(elem), t, (bytes)code, words, finite);
    UNROLL for (size_t k = 0; k < 2; ++k) {
        const __m512 factor = _mm512_castsi512_ps(_mm512_set1_epi32((s32)(u32)two[k]));
        const __m512i zero = _mm512_setzero_si512();
        const __m512i low = _mm512_unpacklo_epi16(zero, (__m512i)words[k]),
                      high = _mm512_unpackhi_epi16(zero, (__m512i)words[k]);
        const __m512i first = _mm512_castps_si512(_mm512_mul_ps(_mm512_castsi512_ps(low), factor)),
                      second = _mm512_castps_si512(_mm512_mul_ps(_mm512_castsi512_ps(high), factor));
        if (type == PTO_BF16) {
            store_or_stream(y + k * VBYTES, nearest_bf16(first, second), stream);
        } else {
            store_or_stream(y + 2 * k * VBYTES, first, stream);
            store_or_stream(y + (2 * k + 1) * VBYTES, second, stream);
        }
    }
}

/* ---- by rows of results ---- */

/* Arranges the results of codes 0 to 127 as half_tables() does: upper bytes, then lower bytes. A NaN becomes
 * ffff, whose top bit makes with_sign() ignore the sign of its code. */
static void arrange_row(const u16 *results, u8 *row) {
    const __m512i evens = _mm512_add_epi8((__m512i)t_iota(), (__m512i)t_iota());
    const __m512i odds = _mm512_or_si512(evens, _mm512_set1_epi8(1)), nan = _mm512_set1_epi16(0x7fff);
    for (size_t k = 0; k < 2; ++k) {
        __m512i x[2];
        for (size_t i = 0; i < 2; ++i) {
            const __m512i result = _mm512_loadu_si512(results + (2 * k + i) * VBYTES / 2);
            x[i] = _mm512_mask_set1_epi16(result, _mm512_cmpeq_epi16_mask(result, nan), -1);
        }
        _mm512_storeu_si512(row + k * VBYTES, _mm512_permutex2var_epi8(x[0], odds, x[1]));
        _mm512_storeu_si512(row + (k + 2) * VBYTES, _mm512_permutex2var_epi8(x[0], evens, x[1]));
    }
}

static ALWAYS_INLINE struct half_tables load_row(const u8 *row) {
    return (struct half_tables){{b_load(row), b_load(row + VBYTES)},
                                {b_load(row + (size_t)2 * VBYTES), b_load(row + (size_t)3 * VBYTES)}};
}

static ALWAYS_INLINE void look_up_row(struct cvt_format f, const u8 *codes, const u8 *row, u8 *y, size_t n,
                                      bool stream) {
    const struct half_tables tables = load_row(row);
    const size_t rest = n % VBYTES;
    for (; n >= VBYTES; n -= VBYTES, codes += VBYTES, y += 2 * (size_t)VBYTES) {
        const struct half_words x = halves_of_codes(f, tables, b_for_interleave(b_load(codes)));
        store_or_stream(y, (__m512i)x.low, stream);
        store_or_stream(y + VBYTES, (__m512i)x.high, stream);
    }
    if (rest != 0) {
        const __m512i some = _mm512_maskz_loadu_epi8(low_bits((unsigned)rest), codes);
        const struct half_words x = halves_of_codes(f, tables, b_for_interleave((bytes)some));
        const u64 halves = rest < VBYTES / 2 ? low_bits((unsigned)rest) : ~(u64)0;
        _mm512_mask_storeu_epi16(y, (__mmask32)halves, (__m512i)x.low);
        _mm512_mask_storeu_epi16(y + VBYTES, (__mmask32)(low_bits((unsigned)rest) >> VBYTES / 2),
                                 (__m512i)x.high);
    }
}

/* Dequantizes all blocks. `elem` must be a compile-time constant, and only matters for whether the format is
 * looked up in 64 entries: such formats look up their signs and others do not. */
static ALWAYS_INLINE void look_up_rows_of(pto_dtype elem, const u8 *codes, const u8 *rows, size_t block,
                                          u8 *y, size_t n, bool stream) {
    for (size_t i = 0; i < n; i += block, rows += ROW_BYTES)
        look_up_row(cvt_format_of(elem), codes + i, rows, y + 2 * i, min_size(n - i, block), stream);
}

static void look_up_rows(const struct scaling *s, const u8 *codes, const u8 *rows, size_t block, u8 *y,
                         size_t n) {
    const bool stream = may_stream(s, y) && (block >= n || 2 * block % VBYTES == 0);
    if (fits_64(cvt_format_of(s->elem)))
        look_up_rows_of(PTO_E2M3, codes, rows, block, y, n, stream);
    else
        look_up_rows_of(PTO_E4M3, codes, rows, block, y, n, stream);
}

/* ---- tables ---- */

#define DEQUANTIZE_FROM(X)                                                                                   \
    X(E4M3)                                                                                                  \
    X(E5M2)                                                                                                  \
    X(E2M3)                                                                                                  \
    X(E3M2)

#define TIMES(elem, type, bytes_)                                                                            \
    static ALWAYS_INLINE void scale_by_factor_##type##_##elem(                                               \
        const struct code_tables *t, const u8 *codes, const u64 two[2], u8 *y, bool stream, bytes *finite) { \
        scale_by_factor(PTO_##elem, PTO_##type, t, codes, two, y, stream, finite);                           \
    }                                                                                                        \
    static bool times_##type##_##elem(const u8 *codes, const u64 *values, size_t block, u8 *y, bool stream,  \
                                      size_t n) {                                                            \
        const struct dequantize_job j = {PTO_##elem, bytes_, stream};                                        \
        return all_finite(PTO_##elem,                                                                        \
                          dequantize_all(j, scale_by_factor_##type##_##elem, codes, values, block, y, n));   \
    }

#define DEQUANTIZE(elem)                                                                                     \
    static ALWAYS_INLINE void scale_pow2_##elem(const struct code_tables *t, const u8 *codes,                \
                                                const u64 two[2], u8 *y, bool stream, bytes *finite) {       \
        scale_pow2(PTO_##elem, t, codes, two, y, stream, finite);                                            \
    }                                                                                                        \
    TIMES(elem, F32, 4)                                                                                      \
    TIMES(elem, BF16, 2)                                                                                     \
    static bool to_bf16_##elem(const u8 *codes, const u64 *values, size_t block, u8 *y, bool stream,         \
                               size_t n) {                                                                   \
        const struct dequantize_job j = {PTO_##elem, 2, stream};                                             \
        return all_finite(PTO_##elem,                                                                        \
                          b_left(dequantize_all(j, scale_pow2_##elem, codes, values, block, y, n), 1));      \
    }
DEQUANTIZE_FROM(DEQUANTIZE)

typedef bool dequantize_elements_fn(const u8 *codes, const u64 *values, size_t block, u8 *y, bool stream,
                                    size_t n);

static bool dequantize_pow2(const struct scaling *s, const u8 *codes, const u8 *scales, size_t block, u8 *y,
                            size_t n) {
#define IN_TABLE(elem) [PTO_##elem - PTO_E4M3] = to_bf16_##elem,
    static dequantize_elements_fn *const of[BLOCK_ELEM_TYPES] = {DEQUANTIZE_FROM(IN_TABLE)};
#undef IN_TABLE
    dequantize_elements_fn *const run = of[elem_index(s->elem)];
    u64 values[SCALING_BLOCKS + SCALES_AT_ONCE]; /* one more is read than there are blocks */
    if (run == NULL || !is_handled_block(block)) return false;
    if (!find_pow2_sums(cvt_format_of(s->elem), scales, n / block + (n % block != 0), values)) return false;
    return run(codes, values, block, y, may_stream(s, y), n);
}

static bool dequantize_codes(const struct scaling *s, const u8 *codes, const float *factors, size_t block,
                             u8 *y, size_t n) {
#define TO_F32(elem)  [PTO_##elem - PTO_E4M3] = times_F32_##elem,
#define TO_BF16(elem) [PTO_##elem - PTO_E4M3] = times_BF16_##elem,
    static dequantize_elements_fn *const of[2][BLOCK_ELEM_TYPES] = {{DEQUANTIZE_FROM(TO_F32)},
                                                                    {DEQUANTIZE_FROM(TO_BF16)}};
#undef TO_F32
#undef TO_BF16
    dequantize_elements_fn *const run = of[s->type == PTO_BF16][elem_index(s->elem)];
    const size_t count = n / block + (n % block != 0);
    u64 values[SCALING_BLOCKS + 1];
    if (s->type == PTO_F16 || run == NULL || !is_handled_block(block)) return false;
    for (size_t i = 0; i < count; ++i) values[i] = bits_of_float(factors[i]);
    values[count] = 0;
    return run(codes, values, block, y, may_stream(s, y), n);
}

const struct scaling_extras *pto_scaling_avx512_vbmi(bool fast_128) {
    static const struct scaling_extras of_64 = {look_up,     dequantize_codes, dequantize_pow2,
                                                arrange_row, look_up_rows,     quantize_in_range_64},
                                       also_128 = {look_up,     dequantize_codes, dequantize_pow2,
                                                   arrange_row, look_up_rows,     quantize_in_range_128};
    return fast_128 ? &also_128 : &of_64;
}
