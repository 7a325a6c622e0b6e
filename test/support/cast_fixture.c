/* SPDX-License-Identifier: MIT */
/* Source elements for the checks of pto_cast(). */
#include "support/cast_fixture.h"
#include "support/cvt_values.h"
#include "support/values.h"

#include <string.h>

/* ---- source elements ---- */

/** The distance between the elements of neighbouring values. A tf32 is the upper 19 bits of a word. */
static uint64_t step_of(pto_dtype type) {
    return type == PTO_TF32 ? 1U << 13 : 1;
}

/** Returns a rank of the destination: one of the first or the last, or any. */
static uint64_t some_rank(struct cast_fixture *w) {
    const uint64_t largest = model_cast_largest(w->op.dst);
    const uint64_t near = rng_below(&w->rng, 4);
    switch (rng_below(&w->rng, 4)) {
    case 0: return near < largest ? near : 0;
    case 1: return largest - (near < largest ? near : 0);
    default: return rng_next(&w->rng) % largest;
    }
}

/** Returns an element of the source type whose value is a value of the destination, or a midpoint between two of them,
 * or a neighbour of these. If the destination has few values, the first elements are all its midpoints, with both
 * signs. */
static uint64_t element_near_rank(struct cast_fixture *w, size_t number) {
    const uint64_t step = step_of(w->op.src), largest = model_cast_largest(w->op.dst);
    const bool is_listed = largest < 256 && number / (largest + 1) < 2;
    const uint64_t rank = is_listed ? number % (largest + 1) : some_rank(w);
    const bool negative = is_listed ? number > largest : rng_below(&w->rng, 2) != 0;
    uint64_t m, element;
    int q;
    model_cast_rank_value(w->op.dst, rank, is_listed || rng_below(&w->rng, 3) != 0, &m, &q);
    element = model_cast_at_most(w->op.src, m, q, negative);
    if (is_listed) return element;
    switch (rng_below(&w->rng, 4)) {
    case 0: return element - step;
    case 1: return element + step;
    default: return element;
    }
}

/** Returns every code of a type of up to 8 bits in turn. Of wider types, returns the special values, then random
 * ones. */
static uint64_t other_element(struct cast_fixture *w, const struct cvt_values *others, size_t number) {
    uint64_t special[VALUES_MAX_SPECIALS];
    const pto_dtype type = w->op.src == PTO_TF32 ? PTO_F32 : w->op.src;
    const size_t count = model_code_bits(type) > 8 ? values_special(type, special) : 0;
    if (model_code_bits(type) <= 8) return number;
    return number < count ? special[number]
                          : model_cvt_load(w->op.src, others->memory, rng_below(&w->rng, others->count));
}

static uint32_t some_word(struct rng *rng) {
    static const uint32_t ends[] = {0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, UINT32_MAX};
    const uint64_t any = rng_next(rng);
    return any % 2 ? (uint32_t)(any >> 32) : ends[any / 2 % (sizeof ends / sizeof ends[0])];
}

/** Returns an element whose ignored bits are random. */
static uint64_t with_noise(struct cast_fixture *w, uint64_t element) {
    const uint64_t noise = rng_next(&w->rng);
    if (w->op.src == PTO_TF32) return element | (noise & (step_of(PTO_TF32) - 1));
    return element;
}

static void fill(struct cast_fixture *w, const struct cvt_values *others) {
    const int bits = model_code_bits(w->op.src);
    memset(w->src, 0, w->count * CAST_WIDEST);
    for (size_t i = 0; i < w->count; i++) {
        const uint64_t element = i % 2 ? element_near_rank(w, i / 2) : other_element(w, others, i / 2);
        const uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
        model_cvt_store(w->op.src, w->src, i, with_noise(w, element & mask));
        w->words[i] = some_word(&w->rng);
    }
    for (size_t i = 0; i < w->count && bits == 6; i++) {
        w->src[i] |= (unsigned char)(rng_next(&w->rng) << 6);
    }
}

void cast_fixture_each(const struct subject *s, struct report *r, const char *purpose, size_t count,
                       cast_visit *visit) {
    struct cast_fixture w = {.count = count};
    report_call(r, "cast", NULL);
    rng_start(&w.rng, purpose);
    w.src = harness_allocate(count * CAST_WIDEST);
    w.expected = harness_allocate(count * CAST_WIDEST);
    w.words = harness_allocate(count * sizeof *w.words);
    for (size_t i = 0; i < MODEL_CAST_TYPES; i++) {
        struct cvt_values others;
        cvt_values_some(&others, model_cast_types[i], 1024);
        for (size_t k = 0; k < MODEL_CAST_TYPES && !report_stop(r); k++) {
            w.op.src = model_cast_types[i];
            w.op.dst = model_cast_types[k];
            w.op.round = model_cast_rounds[rng_below(&w.rng, MODEL_CAST_ROUNDS)];
            w.op.overflow = (pto_overflow)rng_below(&w.rng, MODEL_CAST_OVERFLOWS);
            fill(&w, &others);
            visit(s, r, &w);
        }
        cvt_values_close(&others);
    }
    harness_free(w.words);
    harness_free(w.expected);
    harness_free(w.src);
}

/* ---- results ---- */

void cast_fixture_image(const struct cast_fixture *w, size_t first, size_t n, unsigned char *image) {
    memset(image, 0, model_cvt_bytes(w->op.dst, n));
    for (size_t i = 0; i < n; i++) {
        const uint64_t element = model_cvt_load(w->op.src, w->src, first + i);
        model_cvt_store(w->op.dst, image, i, model_cast(&w->op, element, w->words[first + i]));
    }
}

const void *cast_fixture_words(const struct cast_fixture *w, size_t first) {
    return w->op.round == PTO_RS ? w->words + first : NULL;
}

void cast_fixture_compare(struct report *r, const struct cast_fixture *w, size_t first, size_t n,
                          pto_status status, const unsigned char *expected, const unsigned char *got) {
    if (!report_status(r, status, PTO_OK)) return;
    if (memcmp(expected, got, model_cvt_bytes(w->op.dst, n)) == 0) return;
    for (size_t i = 0; i < n; i++) {
        const uint64_t want = model_cvt_load(w->op.dst, expected, i),
                       have = model_cvt_load(w->op.dst, got, i);
        if (want == have) continue;
        report_mismatch(r, "element %zu, source %llx, word %x: expected %llx, got %llx", i,
                        (unsigned long long)model_cvt_load(w->op.src, w->src, first + i),
                        (unsigned)w->words[first + i], (unsigned long long)want, (unsigned long long)have);
        return;
    }
    report_mismatch(r, "unused bits of the last byte");
}

void cast_fixture_describe(struct report *r, const struct cast_fixture *w, size_t n) {
    static char text[MODEL_CAST_TEXT];
    model_cast_describe(&w->op, text);
    r->now.detail = text;
    r->now.n = n;
}
