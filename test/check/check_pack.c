/* SPDX-License-Identifier: MIT */
/* Checks the layouts that store codes and scales together: both directions beside guard pages, with strides, and sizes,
 * statuses and overlaps. */
#include "check/checks.h"
#include "support/arena.h"
#include "support/block_fixture.h"
#include "support/slide.h"

#include <stdio.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 17, TWICE = 2 * BUFFER_SIZE };

/** Memory for the operands of a call, and for the model's results. */
struct pack_buffers {
    struct guarded codes, scales, packed;
    unsigned char *codes_expected, *scales_expected, *packed_expected;
    struct rng rng;
};

/** The bytes of the operands of a call, gaps between rows included. */
struct pack_bytes {
    size_t codes, scales, packed;
};

static void describe(struct report *r, const struct model_pack_call *c, const char *call) {
    static char text[96];
    snprintf(text, sizeof text, "layout %d, %zux%zu, strides %zu and %zu", (int)c->layout, c->rows, c->cols,
             c->codes_stride, c->scales_stride);
    report_call(r, call, text);
    r->now.n = c->rows * c->cols;
    r->cases++;
}

static void pack(const struct subject *s, struct report *r, struct pack_buffers *w,
                 const struct model_pack_call *c, const struct pack_bytes *bytes) {
    struct model_pack_call model = *c;
    describe(r, c, "block_pack");
    rng_fill(&w->rng, c->codes, bytes->codes);
    rng_fill(&w->rng, c->scales, bytes->scales);
    buffer_fill(&w->packed, c->packed, bytes->packed, (unsigned)r->cases);
    model.packed = w->packed_expected;
    model_pack_run(&model, false);
    report_status(r,
                  s->block_pack(c->layout, c->codes, c->codes_stride, c->scales, c->scales_stride, c->rows,
                                c->cols, c->packed),
                  PTO_OK);
    report_image(r, w->packed_expected, c->packed, bytes->packed);
    if (!margins_intact(&w->packed, c->packed, bytes->packed))
        report_mismatch(r, "bytes outside were written");
}

static void unpack(const struct subject *s, struct report *r, struct pack_buffers *w,
                   const struct model_pack_call *c, const struct pack_bytes *bytes) {
    struct model_pack_call model = *c;
    describe(r, c, "block_unpack");
    rng_fill(&w->rng, c->packed, bytes->packed);
    buffer_fill(&w->codes, c->codes, bytes->codes, (unsigned)r->cases);
    buffer_fill(&w->scales, c->scales, bytes->scales, (unsigned)r->cases);
    model.codes = memcpy(w->codes_expected, c->codes, bytes->codes); /* gaps must not change */
    model.scales = memcpy(w->scales_expected, c->scales, bytes->scales);
    model_pack_run(&model, true);
    report_status(r,
                  s->block_unpack(c->layout, c->packed, c->rows, c->cols, c->codes, c->codes_stride,
                                  c->scales, c->scales_stride),
                  PTO_OK);
    report_image(r, w->codes_expected, c->codes, bytes->codes);
    report_image(r, w->scales_expected, c->scales, bytes->scales);
    if (!margins_intact(&w->codes, c->codes, bytes->codes) ||
        !margins_intact(&w->scales, c->scales, bytes->scales))
        report_mismatch(r, "bytes outside were written");
}

static void both_ways(const struct subject *s, struct report *r, struct pack_buffers *w,
                      struct model_pack_call c) {
    const enum place place = rng_below(&w->rng, 2) ? AT_END : AT_BEGIN;
    struct pack_bytes bytes = {0, 0, model_pack_bytes(c.layout, c.rows, c.cols)};
    (void)model_block_extent(c.rows, c.codes_stride, model_pack_row_bytes(c.layout, c.cols), &bytes.codes);
    (void)model_block_extent(c.rows, c.scales_stride, c.cols / model_pack_shape(c.layout).block,
                             &bytes.scales);
    c.codes = guarded_place(&w->codes, bytes.codes, place);
    c.scales = guarded_place(&w->scales, bytes.scales, place);
    c.packed = guarded_place(&w->packed, bytes.packed, place);
    if (place == AT_BEGIN) { /* unaligned */
        c.codes += rng_below(&w->rng, 32);
        c.scales += rng_below(&w->rng, 32);
        c.packed += rng_below(&w->rng, 32);
    }
    pack(s, r, w, &c, &bytes);
    unpack(s, r, w, &c, &bytes);
}

static void open_buffers(struct pack_buffers *w) {
    rng_start(&w->rng, "pack");
    guarded_open(&w->codes, TWICE);
    guarded_open(&w->scales, TWICE);
    guarded_open(&w->packed, TWICE);
    w->codes_expected = harness_allocate(TWICE);
    w->scales_expected = harness_allocate(TWICE);
    w->packed_expected = harness_allocate(TWICE);
}

static void close_buffers(struct pack_buffers *w) {
    guarded_close(&w->codes);
    guarded_close(&w->scales);
    guarded_close(&w->packed);
    harness_free(w->codes_expected);
    harness_free(w->scales_expected);
    harness_free(w->packed_expected);
}

void check_block_packs(const struct subject *s, struct report *r) {
    enum { UNITS_DOWN = 4, UNITS_ACROSS = 9, SHAPES = MODEL_PACKS * UNITS_DOWN * UNITS_ACROSS };
    struct pack_buffers w;
    open_buffers(&w);
    for (size_t i = 0; i < (size_t)2 * SHAPES && !report_stop(r); i++) {
        const pto_pack_layout layout = (pto_pack_layout)(i % MODEL_PACKS);
        const struct model_pack_shape shape = model_pack_shape(layout);
        struct model_pack_call c = {.layout = layout,
                                    .rows = i / MODEL_PACKS % UNITS_DOWN * shape.rows,
                                    .cols = i / MODEL_PACKS / UNITS_DOWN % UNITS_ACROSS * shape.cols};
        if (i >= SHAPES) {
            c.codes_stride = model_pack_row_bytes(layout, c.cols) + i % 7;
            c.scales_stride = c.cols / shape.block + i % 5;
        }
        both_ways(s, r, &w, c);
    }
    close_buffers(&w);
}

/* ---- sizes and statuses ---- */

static void sizes(const struct subject *s, struct report *r) {
    static const size_t lengths[] = {
        0, 1, 16, 31, 32, 48, 64, 96, 1024, SIZE_MAX / 1024 + 1, SIZE_MAX / 2 + 1, SIZE_MAX - 63, SIZE_MAX};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    report_call(r, "block_pack_bytes", NULL);
    for (int i = 0; i < (MODEL_PACKS + 2) * LENGTHS * LENGTHS; i++) {
        const pto_pack_layout layout = (pto_pack_layout)(i / LENGTHS / LENGTHS - 1);
        const size_t rows = lengths[i / LENGTHS % LENGTHS], cols = lengths[i % LENGTHS];
        const size_t want = model_pack_bytes(layout, rows, cols),
                     got = s->block_pack_bytes(layout, rows, cols);
        r->cases++;
        if (want != got)
            report_mismatch(r, "layout %d, %zux%zu: %zu, not %zu", (int)layout, rows, cols, got, want);
    }
}

static void try_both(const struct subject *s, struct report *r, struct arena *arena,
                     const struct model_pack_call *c) {
    describe(r, c, "block_pack");
    arena_expect(r, arena,
                 s->block_pack(c->layout, c->codes, c->codes_stride, c->scales, c->scales_stride, c->rows,
                               c->cols, c->packed),
                 model_pack_status(c, false), r->now.detail);
    describe(r, c, "block_unpack");
    arena_expect(r, arena,
                 s->block_unpack(c->layout, c->packed, c->rows, c->cols, c->codes, c->codes_stride, c->scales,
                                 c->scales_stride),
                 model_pack_status(c, true), r->now.detail);
}

enum defect { NULLS = 1, LAYOUT = 2, SIZE = 4, OVERLAP = 8, DEFECTS = 16, VARIANTS = 6 };

/** Gives the call each defect of `defects`, in one of several variants. */
static void spoil(struct model_pack_call *c, unsigned defects, unsigned variant) {
    if (defects & OVERLAP) c->packed = variant % 2 ? c->codes + 31 : c->scales;
    if (defects & LAYOUT)
        c->layout = (pto_pack_layout)(variant % 3 == 0 ? MODEL_PACKS : variant % 3 == 1 ? -1 : 1000);
    if (defects & SIZE) {
        if (variant == 0) c->codes_stride = 15;
        if (variant == 1) c->scales_stride = SIZE_MAX / 16;
        if (variant == 2) c->rows = SIZE_MAX / 2 + 1;
        if (variant == 3) c->cols += 16;
        if (variant == 4) c->rows += 1, c->scales_stride = 1;
        if (variant == 5) c->codes_stride = SIZE_MAX / 4;
    }
    if (defects & NULLS) {
        if (variant % 3 == 0) c->codes = NULL;
        if (variant % 3 == 1) c->scales = NULL;
        if (variant % 3 == 2) c->packed = NULL;
    }
}

void check_block_pack_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "pack status");
    sizes(s, r);
    for (unsigned i = 0; i < DEFECTS * VARIANTS * MODEL_PACKS && !report_stop(r); i++) {
        struct model_pack_call c = {.layout = (pto_pack_layout)(i / DEFECTS / VARIANTS),
                                    .rows = 32,
                                    .cols = 64,
                                    .codes = arena.bytes,
                                    .scales = arena.bytes + 2048,
                                    .packed = arena.bytes + 2304};
        if (i % DEFECTS == 0) continue; /* a correct call */
        spoil(&c, i % DEFECTS, i / DEFECTS % VARIANTS);
        if (model_pack_status(&c, false) != PTO_OK) try_both(s, r, &arena, &c);
        c.rows = 0;
        try_both(s, r, &arena, &c);
        c.rows = 32;
        c.cols = 0;
        try_both(s, r, &arena, &c);
    }
}

/* ---- overlap ---- */

enum { APART = 2048 }; /* the distance of the third operand from the operand that `dst` slides past */

/** The operands that slide past each other. */
enum pair { PACKED_CODES, PACKED_SCALES, CODES_PACKED, SCALES_PACKED, SCALES_CODES, PAIRS };

struct pack_slide {
    struct model_pack_call call;
    enum pair pair;
};

static pto_status slide_pack(const struct subject *s, const void *context, unsigned char *operand,
                             unsigned char *dst) {
    const struct pack_slide *p = context;
    const struct model_pack_call *c = &p->call;
    unsigned char *const far = operand + APART;
    switch (p->pair) {
    case PACKED_CODES: return s->block_pack(c->layout, operand, 0, far, 0, c->rows, c->cols, dst);
    case PACKED_SCALES: return s->block_pack(c->layout, far, 0, operand, 0, c->rows, c->cols, dst);
    case CODES_PACKED: return s->block_unpack(c->layout, operand, c->rows, c->cols, dst, 0, far, 0);
    case SCALES_PACKED: return s->block_unpack(c->layout, operand, c->rows, c->cols, far, 0, dst, 0);
    default: return s->block_unpack(c->layout, far, c->rows, c->cols, operand, 0, dst, 0);
    }
}

/** Slides the second operand of each pair past the first one. */
static void slide_pairs(const struct subject *s, struct report *r, struct arena *arena,
                        pto_pack_layout layout) {
    static const char *const details[PAIRS] = {"packed over codes", "packed over scales", "codes over packed",
                                               "scales over packed", "scales over codes"};
    const struct model_pack_shape shape = model_pack_shape(layout);
    const size_t codes = shape.rows * shape.cols * shape.bits / 8;
    const size_t scales = shape.rows * shape.cols / shape.block;
    const size_t bytes[PAIRS][2] = {{codes, shape.bytes},
                                    {scales, shape.bytes},
                                    {shape.bytes, codes},
                                    {shape.bytes, scales},
                                    {codes, scales}};
    if (shape.bytes + 1 > SLIDE_HOME) return; /* the arena is too small for such tiles */
    for (enum pair pair = PACKED_CODES; pair < PAIRS; pair++) {
        const struct slide slide = {bytes[pair][0], bytes[pair][1], false};
        const struct pack_slide context = {{.layout = layout, .rows = shape.rows, .cols = shape.cols}, pair};
        report_call(r, pair == PACKED_CODES || pair == PACKED_SCALES ? "block_pack" : "block_unpack", NULL);
        slide_past(s, r, arena, &slide, slide_pack, &context, details[pair]);
    }
}

/** The sources of pack may overlap. */
static void shared_sources(const struct subject *s, struct report *r, struct arena *arena) {
    const struct model_pack_call c = {.layout = PTO_PACK_GGUF_MXFP4, .rows = 1, .cols = 32};
    describe(r, &c, "block_pack");
    arena_expect(r, arena,
                 s->block_pack(c.layout, arena->bytes, 0, arena->bytes + 15, 0, 1, 32, arena->bytes + 16),
                 PTO_OK, "scales over codes");
}

void check_block_pack_overlaps(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "pack overlaps");
    for (int i = 0; i < MODEL_PACKS && !report_stop(r); i++) slide_pairs(s, r, &arena, (pto_pack_layout)i);
    shared_sources(s, r, &arena);
}
