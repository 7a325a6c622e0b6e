/* SPDX-License-Identifier: MIT */
/* Quantizes to e4m3 and e5m2 if all products are in range (`tame` in core/scaling.h). The tables of
 * vbmi_narrow.h and vbmi_narrow_128.h handle every such product. Part of vbmi.c. */

enum { SHRINK_STEP = 64 };

static ALWAYS_INLINE __m512 load_wide(pto_dtype wide, const u8 *p) {
    __m256i halves;
    if (wide == PTO_F32) return _mm512_castsi512_ps(_mm512_loadu_si512(p));
    halves = _mm256_loadu_si256((const __m256i *)p);
    if (wide == PTO_F16) return _mm512_cvtph_ps(halves);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

/* Tables for look-ups in 64 or in 128 bytes, whichever this CPU uses. */
struct shrink_tables {
    bool fast_128;
    struct narrow_format format;
    struct narrow_tables narrow;
    struct ranked_tables ranked;
};

static ALWAYS_INLINE struct shrink_tables shrink_tables_of(pto_dtype elem, bool fast_128) {
    struct shrink_tables t = {.fast_128 = fast_128, .format = narrow_format_of(elem)};
    if (fast_128)
        t.ranked = ranked_tables_of(elem);
    else
        t.narrow = narrow_tables_of(t.format, PTO_F32, true);
    return t;
}

/* Converts 64 products to codes. What the conversion reports about values that it does not handle is ignored,
 * because there are none. */
static ALWAYS_INLINE void shrink_four(const struct shrink_tables *t, const __m512i y[4], u8 *codes) {
    bytes unknown = b_const(0);
    if (t->fast_128)
        narrow_bytes(&t->ranked, bytes_of_f32(y), codes, &unknown);
    else
        b_store(codes, narrow_words(&t->narrow, t->format, true, words_of_f32(true, y), &unknown));
}

/* Quantizes `steps` times SHRINK_STEP elements. Each factor is for `block` elements, and SHRINK_STEP is a
 * multiple of `block`. If `block` is 0, one factor is for all elements. */
static ALWAYS_INLINE void shrink_steps(pto_dtype wide, const struct shrink_tables *t, const u8 *x,
                                       size_t ahead, const float *factors, size_t block, u8 *codes,
                                       size_t steps) {
    const size_t in = bytes_of_wide(wide), vector = SHRINK_STEP / 4;
    for (size_t i = 0; i < steps * SHRINK_STEP; i += SHRINK_STEP) {
        __m512i y[4];
        if (t->fast_128)
            UNROLL for (size_t at = 0; at < SHRINK_STEP * in; at += 64)
                __builtin_prefetch(x + i * in + at + ahead, 0, 2);
        else /* into L1, which is larger on such CPUs */
            prefetch(x + i * in + ahead, SHRINK_STEP * in);
        UNROLL for (size_t k = 0; k < 4; ++k) {
            const size_t at = i + k * vector;
            const __m512 factor = _mm512_set1_ps(factors[block == 0 ? 0 : at / block]);
            y[k] = _mm512_castps_si512(_mm512_mul_ps(load_wide(wide, x + at * in), factor));
        }
        shrink_four(t, y, codes + i);
    }
}

static ALWAYS_INLINE size_t shrink_wide(pto_dtype elem, pto_dtype wide, bool fast_128,
                                        const struct scaling *s, const u8 *x, const float *factors,
                                        size_t block, u8 *codes, size_t n) {
    const struct shrink_tables t = shrink_tables_of(elem, fast_128);
    const size_t steps = n / SHRINK_STEP, each = block / SHRINK_STEP;
    if (block == 16) {
        shrink_steps(wide, &t, x, s->ahead, factors, 16, codes, steps);
    } else if (block == 32) {
        shrink_steps(wide, &t, x, s->ahead, factors, 32, codes, steps);
    } else if (block % SHRINK_STEP == 0) {
        for (size_t k = 0; k < steps; k += each)
            shrink_steps(wide, &t, x + k * SHRINK_STEP * bytes_of_wide(wide), s->ahead, factors++, 0,
                         codes + k * SHRINK_STEP, min_size(each, steps - k));
    } else {
        return 0;
    }
    return steps * SHRINK_STEP;
}

typedef size_t shrink_wide_fn(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                              u8 *codes, size_t n);

#define SHRINK_FROM(elem, wide, bytes)                                                                       \
    static size_t shrink_##elem##_##wide##_##bytes(                                                          \
        const struct scaling *s, const u8 *x, const float *factors, size_t block, u8 *codes, size_t n) {     \
        return shrink_wide(PTO_##elem, PTO_##wide, (bytes) == 128, s, x, factors, block, codes, n);          \
    }
#define SHRINK_BY(elem, bytes)                                                                               \
    SHRINK_FROM(elem, F16, bytes) SHRINK_FROM(elem, BF16, bytes) SHRINK_FROM(elem, F32, bytes)
SHRINK_BY(E4M3, 64)
SHRINK_BY(E4M3, 128)
SHRINK_BY(E5M2, 64)
SHRINK_BY(E5M2, 128)

static ALWAYS_INLINE size_t shrink_tame(bool fast_128, const struct scaling *s, const u8 *x,
                                        const float *factors, size_t block, u8 *codes, size_t n) {
#define IN_TABLE(elem, bytes)                                                                                \
    { shrink_##elem##_F16_##bytes, shrink_##elem##_BF16_##bytes, shrink_##elem##_F32_##bytes }
    static shrink_wide_fn *const of[2][2][BLOCK_WIDES] = {{IN_TABLE(E4M3, 64), IN_TABLE(E4M3, 128)},
                                                          {IN_TABLE(E5M2, 64), IN_TABLE(E5M2, 128)}};
#undef IN_TABLE
    if (s->step != STEP_TIMES || (s->elem != PTO_E4M3 && s->elem != PTO_E5M2)) return 0;
    return of[s->elem == PTO_E5M2][fast_128][wide_index(s->wide)](s, x, factors, block, codes, n);
}

static size_t shrink_tame_64(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                             u8 *codes, size_t n) {
    return shrink_tame(false, s, x, factors, block, codes, n);
}

static size_t shrink_tame_128(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                              u8 *codes, size_t n) {
    return shrink_tame(true, s, x, factors, block, codes, n);
}
