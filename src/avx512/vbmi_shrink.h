/* SPDX-License-Identifier: MIT */
/* Elements of tame blocks to e4m3 and e5m2, as vbmi_narrow_128.h has it, which knows every product there. Part of
 * vbmi.c. */

enum { SHRINK_STEP = 64 };

static ALWAYS_INLINE __m512 load_wide(pto_dtype wide, const u8 *p) {
    __m256i halves;
    if (wide == PTO_F32) return _mm512_castsi512_ps(_mm512_loadu_si512(p));
    halves = _mm256_loadu_si256((const __m256i *)p);
    if (wide == PTO_F16) return _mm512_cvtph_ps(halves);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

/* So many steps; each factor is for `block` elements, of which a step is a multiple, or one for all if that is 0. */
static ALWAYS_INLINE void shrink_steps(pto_dtype wide, const struct ranked_tables *t, const u8 *x,
                                       size_t ahead, const float *factors, size_t block, u8 *codes,
                                       size_t steps) {
    const size_t in = bytes_of_wide(wide), vector = SHRINK_STEP / 4;
    bytes none = b_all(0); /* is not known */
    for (size_t i = 0; i < steps * SHRINK_STEP; i += SHRINK_STEP) {
        __m512i y[4];
        UNROLL for (size_t at = 0; at < SHRINK_STEP * in; at += 64)
            __builtin_prefetch(x + i * in + at + ahead, 0, 2);
        UNROLL for (size_t k = 0; k < 4; ++k) {
            const size_t at = i + k * vector;
            const __m512 factor = _mm512_set1_ps(factors[block == 0 ? 0 : at / block]);
            y[k] = _mm512_castps_si512(_mm512_mul_ps(load_wide(wide, x + at * in), factor));
        }
        narrow_bytes(t, bytes_of_f32(y), codes + i, &none);
    }
}

static ALWAYS_INLINE size_t shrink_wide(pto_dtype elem, pto_dtype wide, const struct scaling *s, const u8 *x,
                                        const float *factors, size_t block, u8 *codes, size_t n) {
    const struct ranked_tables t = ranked_tables_of(elem);
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

#define SHRINK_FROM(elem, wide)                                                                              \
    static size_t shrink_##elem##_##wide(const struct scaling *s, const u8 *x, const float *factors,         \
                                         size_t block, u8 *codes, size_t n) {                                \
        return shrink_wide(PTO_##elem, PTO_##wide, s, x, factors, block, codes, n);                          \
    }
#define SHRINK_TO(elem) SHRINK_FROM(elem, F16) SHRINK_FROM(elem, BF16) SHRINK_FROM(elem, F32)
SHRINK_TO(E4M3)
SHRINK_TO(E5M2)

static size_t shrink_tame(const struct scaling *s, const u8 *x, const float *factors, size_t block, u8 *codes,
                          size_t n) {
#define IN_TABLE(elem)                                                                                       \
    { shrink_##elem##_F16, shrink_##elem##_BF16, shrink_##elem##_F32 }
    static shrink_wide_fn *const of[2][BLOCK_WIDES] = {IN_TABLE(E4M3), IN_TABLE(E5M2)};
#undef IN_TABLE
    if (s->step != STEP_TIMES || (s->elem != PTO_E4M3 && s->elem != PTO_E5M2)) return 0;
    return of[s->elem == PTO_E5M2][wide_index(s->wide)](s, x, factors, block, codes, n);
}
