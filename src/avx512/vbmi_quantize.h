/* SPDX-License-Identifier: MIT */
/* Quantizes to e4m3 and e5m2 if all products are in range (`in_range` in core/scaling.h). The tables of
 * vbmi_narrow.h and vbmi_narrow_128.h handle every such product. Part of vbmi.c. */

enum { QUANTIZE_LANES = 64 };

static ALWAYS_INLINE __m512 load_tensor(pto_dtype type, const u8 *p) {
    __m256i halves;
    if (type == PTO_F32) return _mm512_castsi512_ps(_mm512_loadu_si512(p));
    halves = _mm256_loadu_si256((const __m256i *)p);
    if (type == PTO_F16) return _mm512_cvtph_ps(halves);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

/* Tables for look-ups in 64 or in 128 bytes, whichever this CPU uses. */
struct quantize_tables {
    bool fast_128;
    struct narrow_format format;
    struct narrow_tables narrow;
    struct rank_tables ranked;
};

static ALWAYS_INLINE struct quantize_tables quantize_tables_of(pto_dtype elem, bool fast_128) {
    struct quantize_tables t = {.fast_128 = fast_128, .format = narrow_format_of(elem)};
    if (fast_128)
        t.ranked = rank_tables_of(elem);
    else
        t.narrow = narrow_tables_of(t.format, PTO_F32, true);
    return t;
}

/* Converts 64 products to codes. The caller makes only products that the tables handle, so `unhandled` is not read. */
static ALWAYS_INLINE void quantize_vectors(const struct quantize_tables *t, const __m512i y[4], u8 *codes) {
    bytes unhandled = b_const(0);
    if (t->fast_128)
        narrow_bytes(&t->ranked, bytes_of_f32(y), codes, &unhandled);
    else
        b_store(codes, narrow_words(&t->narrow, t->format, true, words_of_f32(true, y), &unhandled));
}

/* Quantizes `groups` times QUANTIZE_LANES elements. Each factor is for `block` elements, and QUANTIZE_LANES is a
 * multiple of `block`. If `block` is 0, one factor is for all elements. */
static ALWAYS_INLINE void quantize_groups(pto_dtype type, const struct quantize_tables *t, const u8 *x,
                                          size_t prefetch_distance, const float *factors, size_t block,
                                          u8 *codes, size_t groups) {
    const size_t in = tensor_elem_bytes(type), vector = QUANTIZE_LANES / 4;
    for (size_t i = 0; i < groups * QUANTIZE_LANES; i += QUANTIZE_LANES) {
        __m512i y[4];
        if (t->fast_128)
            UNROLL for (size_t at = 0; at < QUANTIZE_LANES * in; at += 64)
                __builtin_prefetch(x + i * in + at + prefetch_distance, 0, 2);
        else /* into L1, which is larger on such CPUs */
            prefetch(x + i * in + prefetch_distance, QUANTIZE_LANES * in);
        UNROLL for (size_t k = 0; k < 4; ++k) {
            const size_t at = i + k * vector;
            const __m512 factor = _mm512_set1_ps(factors[block == 0 ? 0 : at / block]);
            y[k] = _mm512_castps_si512(_mm512_mul_ps(load_tensor(type, x + at * in), factor));
        }
        quantize_vectors(t, y, codes + i);
    }
}

static ALWAYS_INLINE size_t quantize_elements(pto_dtype elem, pto_dtype type, bool fast_128,
                                              const struct scaling *s, const u8 *x, const float *factors,
                                              size_t block, u8 *codes, size_t n) {
    const struct quantize_tables t = quantize_tables_of(elem, fast_128);
    const size_t groups = n / QUANTIZE_LANES, each = block / QUANTIZE_LANES;
    if (block == 16) {
        quantize_groups(type, &t, x, s->prefetch_distance, factors, 16, codes, groups);
    } else if (block == 32) {
        quantize_groups(type, &t, x, s->prefetch_distance, factors, 32, codes, groups);
    } else if (block % QUANTIZE_LANES == 0) {
        for (size_t k = 0; k < groups; k += each)
            quantize_groups(type, &t, x + k * QUANTIZE_LANES * tensor_elem_bytes(type), s->prefetch_distance,
                            factors++, 0, codes + k * QUANTIZE_LANES, min_size(each, groups - k));
    } else {
        return 0;
    }
    return groups * QUANTIZE_LANES;
}

typedef size_t quantize_elements_fn(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                                    u8 *codes, size_t n);

#define QUANTIZE_FROM(elem, type, bytes)                                                                     \
    static size_t quantize_##elem##_##type##_##bytes(                                                        \
        const struct scaling *s, const u8 *x, const float *factors, size_t block, u8 *codes, size_t n) {     \
        return quantize_elements(PTO_##elem, PTO_##type, (bytes) == 128, s, x, factors, block, codes, n);    \
    }
#define QUANTIZE_BY(elem, bytes)                                                                             \
    QUANTIZE_FROM(elem, F16, bytes) QUANTIZE_FROM(elem, BF16, bytes) QUANTIZE_FROM(elem, F32, bytes)
QUANTIZE_BY(E4M3, 64)
QUANTIZE_BY(E4M3, 128)
QUANTIZE_BY(E5M2, 64)
QUANTIZE_BY(E5M2, 128)

static ALWAYS_INLINE size_t quantize_in_range(bool fast_128, const struct scaling *s, const u8 *x,
                                              const float *factors, size_t block, u8 *codes, size_t n) {
#define IN_TABLE(elem, bytes)                                                                                \
    { quantize_##elem##_F16_##bytes, quantize_##elem##_BF16_##bytes, quantize_##elem##_F32_##bytes }
    static quantize_elements_fn *const of[2][2][BLOCK_TENSOR_TYPES] = {
        {IN_TABLE(E4M3, 64), IN_TABLE(E4M3, 128)}, {IN_TABLE(E5M2, 64), IN_TABLE(E5M2, 128)}};
#undef IN_TABLE
    if (s->scale_op != SCALE_MULTIPLY || (s->elem != PTO_E4M3 && s->elem != PTO_E5M2)) return 0;
    return of[s->elem == PTO_E5M2][fast_128][tensor_type_index(s->type)](s, x, factors, block, codes, n);
}

static size_t quantize_in_range_64(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                                   u8 *codes, size_t n) {
    return quantize_in_range(false, s, x, factors, block, codes, n);
}

static size_t quantize_in_range_128(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                                    u8 *codes, size_t n) {
    return quantize_in_range(true, s, x, factors, block, codes, n);
}
