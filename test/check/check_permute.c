/* SPDX-License-Identifier: MIT */
/* Checks vpermute: values, memory, statuses and overlaps. The expected lanes are moved one by one. */
#include "check/checks.h"
#include "support/slide.h"
#include "support/values.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LANES = 4096, OFFSETS = 64, SOURCES = 2 };

struct fixture {
    pto_dtype type;
    size_t size; /* bytes of an element */
    struct guarded src, index, dst;
    unsigned char *expected;
    struct rng rng;
    char text[80];
};

struct permute_case {
    size_t lanes, n;
    const unsigned char *src;
    unsigned char *index, *dst; /* dst may be index */
    const char *detail;
};

static void fixture_open(struct fixture *w, const char *purpose, pto_dtype type) {
    const size_t bytes = MOST_LANES * model_size(type) + OFFSETS + (size_t)2 * HARNESS_MARGIN;
    memset(w, 0, sizeof *w);
    w->type = type;
    w->size = model_size(type);
    rng_start_for(&w->rng, purpose, type);
    guarded_open(&w->src, bytes);
    guarded_open(&w->index, bytes);
    guarded_open(&w->dst, bytes);
    w->expected = harness_allocate(bytes);
    rng_fill(&w->rng, w->src.data, w->src.size);
}

static void fixture_close(struct fixture *w) {
    guarded_close(&w->src);
    guarded_close(&w->index);
    guarded_close(&w->dst);
    harness_free(w->expected);
}

/** Fills n indices: of lanes of the group, of any value, or all with one value just inside or outside the group. */
static void fill_index(struct fixture *w, unsigned char *index, size_t lanes, size_t n) {
    const size_t kind = rng_below(&w->rng, 4);
    const uint64_t one = lanes - 1 + rng_below(&w->rng, 2);
    for (size_t i = 0; i < n; i++) {
        const uint64_t any = rng_next(&w->rng), number = kind == 0 ? one : kind == 1 ? any : any % lanes;
        memcpy(index + i * w->size, &number, w->size);
    }
}

static void expect(struct fixture *w, const struct permute_case *c) {
    for (size_t i = 0; i < c->n; i++) {
        uint64_t number = 0;
        memcpy(&number, c->index + i * w->size, w->size);
        memcpy(w->expected + i * w->size,
               c->src + (i / c->lanes * c->lanes + (size_t)(number % c->lanes)) * w->size, w->size);
    }
}

static void run(const struct subject *s, struct report *r, struct fixture *w, const struct permute_case *c) {
    const size_t bytes = c->n * w->size;
    pto_status status;
    snprintf(w->text, sizeof w->text, "groups of %zu lanes, %s", c->lanes, c->detail);
    r->now.type = (int)w->type;
    r->now.n = c->n;
    r->now.detail = w->text;
    report_result(r, 8 * w->size);
    report_source(r, pto_in_array(c->src), 8 * w->size);
    if (c->dst != c->index) report_source(r, pto_in_array(c->index), 8 * w->size);
    r->cases++;
    expect(w, c);
    if (c->dst != c->index) buffer_fill(&w->dst, c->dst, bytes, (unsigned)rng_below(&w->rng, FILLS));
    status = s->vpermute(w->type, c->lanes, c->src, c->index, c->dst, c->n);
    if (!report_status(r, status, PTO_OK)) return;
    report_image(r, w->expected, c->dst, bytes);
    if (c->dst != c->index && !margins_intact(&w->dst, c->dst, bytes))
        report_mismatch(r, "bytes outside dst were written");
}

/* ---- groups ---- */

static void run_placed(const struct subject *s, struct report *r, struct fixture *w, size_t lanes, size_t n,
                       enum place place) {
    const size_t bytes = n * w->size;
    struct permute_case c = {.lanes = lanes, .n = n};
    c.src = guarded_place(&w->src, bytes, place);
    c.index = guarded_place(&w->index, bytes, place);
    c.dst = guarded_place(&w->dst, bytes, place);
    c.detail = place == AT_BEGIN ? "after a guard page" : "ending at a guard page";
    fill_index(w, c.index, lanes, n);
    run(s, r, w, &c);
}

/** Runs every type and group size with a few lengths. */
void check_permute_groups(const struct subject *s, struct report *r) {
    static const size_t groups[] = {1,   2,   3,   4,   5,   6,   7,   8,   12,  15,   16,
                                    17,  24,  31,  32,  33,  48,  63,  64,  65,  96,   100,
                                    127, 128, 129, 192, 255, 256, 257, 300, 512, 1000, 1024};
    report_call(r, "vpermute", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        struct fixture w;
        fixture_open(&w, "permute groups", model_types[t]);
        for (size_t g = 0; g < sizeof groups / sizeof groups[0] && !report_stop(r); g++) {
            const size_t most = MOST_LANES / groups[g];
            for (size_t k = 0; k < (r->quick ? 6 : 24) && !report_stop(r); k++) {
                const size_t count = k < 4 ? (k < most ? k : most) : 1 + rng_below(&w.rng, most);
                run_placed(s, r, &w, groups[g], count * groups[g], k % 2 ? AT_BEGIN : AT_END);
            }
        }
        fixture_close(&w);
    }
}

/* ---- offsets ---- */

void check_permute_offsets(const struct subject *s, struct report *r) {
    report_call(r, "vpermute", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        struct fixture w;
        fixture_open(&w, "permute offsets", model_types[t]);
        for (size_t k = 0; k < (size_t)3 * OFFSETS && !report_stop(r); k++) {
            const size_t lanes = (size_t)1 << rng_below(&w.rng, 9), offset = k % OFFSETS;
            struct permute_case c = {.lanes = lanes, .n = lanes * (1 + rng_below(&w.rng, 1 + 600 / lanes))};
            c.src = w.src.data + (k / OFFSETS == 0 ? offset : rng_below(&w.rng, OFFSETS));
            c.index =
                w.index.data + HARNESS_MARGIN + (k / OFFSETS == 1 ? offset : rng_below(&w.rng, OFFSETS));
            c.dst = w.dst.data + HARNESS_MARGIN + (k / OFFSETS == 2 ? offset : rng_below(&w.rng, OFFSETS));
            fill_index(&w, c.index, lanes, c.n);
            c.detail = "offsets";
            run(s, r, &w, &c);
            c.detail = "dst is the index";
            c.dst = c.index;
            run(s, r, &w, &c);
        }
        fixture_close(&w);
    }
}

/* ---- statuses ---- */

/** Returns the status that types.h gives: the checks run in the order NULL, type, size. */
static pto_status expected_status(bool null, pto_dtype type, size_t lanes, size_t n) {
    if (null && n != 0) return PTO_ERR_NULL;
    if (!model_has_type(type)) return PTO_ERR_TYPE;
    return lanes == 0 || n % lanes != 0 || n > SIZE_MAX / 16 ? PTO_ERR_SIZE : PTO_OK;
}

void check_permute_status(const struct subject *s, struct report *r) {
    static const size_t lanes[] = {0, 1, 2, 3, 8, 64, SIZE_MAX}, lengths[] = {0, 1, 2, 6, 8, SIZE_MAX};
    static struct arena arena;
    unsigned char *const m = arena.bytes;
    arena_fill(&arena, "permute status");
    report_call(r, "vpermute", NULL);
    for (int type = -1; type <= MODEL_DTYPES; type++) {
        for (size_t i = 0; i < sizeof lanes / sizeof lanes[0] * (sizeof lengths / sizeof lengths[0]); i++) {
            const size_t l = lanes[i % 7], n = lengths[i / 7];
            for (unsigned null = 0; null < 8; null++) {
                const pto_status want = expected_status(null != 0, (pto_dtype)type, l, n);
                r->now.type = type;
                r->now.n = n;
                arena_expect(r, &arena,
                             s->vpermute((pto_dtype)type, l, null & 1 ? NULL : m, null & 2 ? NULL : m + 1024,
                                         null & 4 ? NULL : m + 2048, n),
                             want, "statuses");
            }
        }
    }
    r->now.type = PTO_F64;
    arena_expect(r, &arena, s->vpermute(PTO_F64, 1, m, m + 1024, m + 2048, SIZE_MAX / 16), PTO_ERR_OVERLAP,
                 "the largest n");
}

/* ---- overlaps ---- */

struct overlap_form {
    pto_dtype type;
    size_t n;
    bool over_index;
    unsigned char *far;
};

static pto_status slide_permute(const struct subject *s, const void *context, unsigned char *operand,
                                unsigned char *dst) {
    const struct overlap_form *f = context;
    return s->vpermute(f->type, f->n, f->over_index ? f->far : operand, f->over_index ? operand : f->far, dst,
                       f->n);
}

void check_permute_overlaps(const struct subject *s, struct report *r) {
    static const pto_dtype types[] = {PTO_S8, PTO_BF16, PTO_F32, PTO_U64};
    static struct arena arena;
    arena_fill(&arena, "permute overlaps");
    report_call(r, "vpermute", NULL);
    for (size_t i = 0; i < 4 * (size_t)SOURCES * 3 && !report_stop(r); i++) {
        static const size_t lengths[] = {1, 4, 21};
        const struct overlap_form f = {
            .type = types[i % 4], .n = lengths[i / 8], .over_index = i / 4 % 2, .far = arena.bytes + 3072};
        const struct slide slide = {f.n * model_size(f.type), f.n * model_size(f.type), f.over_index};
        r->now.type = (int)f.type;
        r->now.n = f.n;
        slide_past(s, r, &arena, &slide, slide_permute, &f,
                   f.over_index ? "dst over the index" : "dst over src");
    }
}
