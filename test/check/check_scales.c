/* SPDX-License-Identifier: MIT */
/* Checks the layouts of scales: conversions to and from each layout beside guard pages, with strides, and sizes,
 * statuses and overlaps. */
#include "check/checks.h"
#include "support/arena.h"
#include "support/block_fixture.h"
#include "support/slide.h"

#include <stdio.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 16, TWICE = 2 * BUFFER_SIZE };

/** Memory for scales in rows and for scales in a layout. */
struct scale_buffers {
    struct guarded plain, tiled;
    unsigned char *expected;
    struct rng rng;
};

struct matrix {
    pto_scale_layout layout;
    size_t rows, cols, stride;
    unsigned char *plain, *tiled;
};

static void describe(struct report *r, const struct matrix *m, const char *call) {
    static char text[96];
    snprintf(text, sizeof text, "layout %d, %zux%zu, stride %zu", (int)m->layout, m->rows, m->cols,
             m->stride);
    report_call(r, call, text);
    r->now.n = m->rows * m->cols;
    r->cases++;
}

static void swizzle(const struct subject *s, struct report *r, struct scale_buffers *w,
                    const struct matrix *m, size_t plain, size_t tiled) {
    describe(r, m, "scales_swizzle");
    rng_fill(&w->rng, m->plain, plain);
    buffer_fill(&w->tiled, m->tiled, tiled, (unsigned)r->cases);
    model_scales_swizzle(m->layout, m->plain, m->stride, m->rows, m->cols, w->expected);
    report_status(r, s->scales_swizzle(m->layout, m->plain, m->stride, m->rows, m->cols, m->tiled), PTO_OK);
    report_image(r, w->expected, m->tiled, tiled);
    if (!margins_intact(&w->tiled, m->tiled, tiled)) report_mismatch(r, "bytes outside were written");
}

static void unswizzle(const struct subject *s, struct report *r, struct scale_buffers *w,
                      const struct matrix *m, size_t plain, size_t tiled) {
    describe(r, m, "scales_unswizzle");
    rng_fill(&w->rng, m->tiled, tiled); /* padding may be nonzero */
    buffer_fill(&w->plain, m->plain, plain, (unsigned)r->cases);
    memcpy(w->expected, m->plain, plain); /* gaps between rows must not change */
    model_scales_unswizzle(m->layout, m->tiled, m->rows, m->cols, w->expected, m->stride);
    report_status(r, s->scales_unswizzle(m->layout, m->tiled, m->rows, m->cols, m->plain, m->stride), PTO_OK);
    report_image(r, w->expected, m->plain, plain);
    if (!margins_intact(&w->plain, m->plain, plain)) report_mismatch(r, "bytes outside were written");
}

static void both_ways(const struct subject *s, struct report *r, struct scale_buffers *w, struct matrix m) {
    const size_t tiled = model_scales_bytes(m.layout, m.rows, m.cols);
    const enum place place = rng_below(&w->rng, 2) ? AT_END : AT_BEGIN;
    size_t plain = 0;
    (void)model_block_extent(m.rows, m.stride, m.cols, &plain);
    if (plain > BUFFER_SIZE || tiled > BUFFER_SIZE) return;
    m.plain = guarded_place(&w->plain, plain, place);
    m.tiled = guarded_place(&w->tiled, tiled, place);
    if (place == AT_BEGIN) { /* unaligned */
        m.plain += rng_below(&w->rng, 32);
        m.tiled += rng_below(&w->rng, 32);
    }
    swizzle(s, r, w, &m, plain, tiled);
    unswizzle(s, r, w, &m, plain, tiled);
}

void check_scales_layouts(const struct subject *s, struct report *r) {
    static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 257};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    struct scale_buffers w;
    rng_start(&w.rng, "scales");
    guarded_open(&w.plain, TWICE);
    guarded_open(&w.tiled, TWICE);
    w.expected = harness_allocate(TWICE);
    for (size_t i = 0; i < (size_t)MODEL_LAYOUTS * LENGTHS * LENGTHS && !report_stop(r);
         i += r->quick ? 3 : 1) {
        struct matrix m = {(pto_scale_layout)(i % MODEL_LAYOUTS),
                           lengths[i / MODEL_LAYOUTS % LENGTHS],
                           lengths[i / MODEL_LAYOUTS / LENGTHS],
                           0,
                           NULL,
                           NULL};
        if (i % 2) m.stride = m.cols + i % 7;
        both_ways(s, r, &w, m);
    }
    guarded_close(&w.plain);
    guarded_close(&w.tiled);
    harness_free(w.expected);
}

/* ---- sizes and statuses ---- */

static void sizes(const struct subject *s, struct report *r) {
    static const size_t lengths[] = {
        0, 1, 4, 5, 127, 129, 1000, SIZE_MAX / 1024, SIZE_MAX / 2, SIZE_MAX - 2, SIZE_MAX};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    report_call(r, "scales_bytes", NULL);
    for (int i = 0; i < (MODEL_LAYOUTS + 2) * LENGTHS * LENGTHS; i++) {
        const pto_scale_layout layout = (pto_scale_layout)(i / LENGTHS / LENGTHS - 1);
        const size_t rows = lengths[i / LENGTHS % LENGTHS], cols = lengths[i % LENGTHS];
        const size_t want = model_scales_bytes(layout, rows, cols), got = s->scales_bytes(layout, rows, cols);
        r->cases++;
        if (want != got)
            report_mismatch(r, "layout %d, %zux%zu: %zu, not %zu", (int)layout, rows, cols, got, want);
    }
}

static void try_both(const struct subject *s, struct report *r, struct arena *arena, const struct matrix *m) {
    const pto_status want = model_scales_status(m->layout, m->plain, m->stride, m->rows, m->cols, m->tiled);
    describe(r, m, "scales_swizzle");
    arena_expect(r, arena, s->scales_swizzle(m->layout, m->plain, m->stride, m->rows, m->cols, m->tiled),
                 want, r->now.detail);
    describe(r, m, "scales_unswizzle");
    arena_expect(r, arena, s->scales_unswizzle(m->layout, m->tiled, m->rows, m->cols, m->plain, m->stride),
                 want, r->now.detail);
}

enum defect { NULLS = 1, LAYOUT = 2, SIZE = 4, OVERLAP = 8, DEFECTS = 16, VARIANTS = 3 };

void check_scales_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "scales status");
    sizes(s, r);
    for (unsigned i = 0; i < DEFECTS * VARIANTS * MODEL_LAYOUTS && !report_stop(r); i++) {
        const unsigned variant = i / DEFECTS % VARIANTS;
        struct matrix m = {
            (pto_scale_layout)(i / DEFECTS / VARIANTS), 3, 5, 0, arena.bytes, arena.bytes + 1024};
        if (i & OVERLAP) m.tiled = arena.bytes + (variant == 0 ? 0 : 14);
        if (i & LAYOUT)
            m.layout = (pto_scale_layout)(variant == 0 ? MODEL_LAYOUTS : variant == 1 ? -1 : 1000);
        if (i & SIZE) m.stride = 4;
        if ((i & SIZE) && variant == 1) m.stride = SIZE_MAX / 4;
        if ((i & SIZE) && variant == 2) m.rows = m.cols = SIZE_MAX / 2;
        if ((i & NULLS) && variant != 1) m.plain = NULL;
        if ((i & NULLS) && variant != 0) m.tiled = NULL;
        try_both(s, r, &arena, &m);
        m.rows = 0;
        try_both(s, r, &arena, &m);
        m.rows = 1;
        m.cols = 0;
        try_both(s, r, &arena, &m);
    }
}

/* ---- overlap ---- */

static pto_status slide_swizzle(const struct subject *s, const void *context, unsigned char *operand,
                                unsigned char *dst) {
    return s->scales_swizzle(*(const pto_scale_layout *)context, operand, 0, 3, 5, dst);
}

static pto_status slide_unswizzle(const struct subject *s, const void *context, unsigned char *operand,
                                  unsigned char *dst) {
    return s->scales_unswizzle(*(const pto_scale_layout *)context, operand, 3, 5, dst, 0);
}

void check_scales_overlaps(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "scales overlaps");
    for (int i = 0; i < MODEL_LAYOUTS && !report_stop(r); i++) {
        const pto_scale_layout layout = (pto_scale_layout)i;
        const size_t tiled = model_scales_bytes(layout, 3, 5);
        const struct slide there = {15, tiled, false}, back = {tiled, 15, false};
        if (2 * tiled > SLIDE_HOME) continue; /* the arena is too small for such tiles */
        report_call(r, "scales_swizzle", NULL);
        slide_past(s, r, &arena, &there, slide_swizzle, &layout, "the layout over the rows");
        report_call(r, "scales_unswizzle", NULL);
        slide_past(s, r, &arena, &back, slide_unswizzle, &layout, "the rows over the layout");
    }
}
