/* SPDX-License-Identifier: MIT */
/* Compares pto_cvt() with the model: values, lengths, offsets, conversions in place, and worked examples. */
#include "check/checks.h"
#include "support/cvt_fixture.h"
#include "support/cvt_examples.h"

#include <string.h>

enum { SOME = 4096, OFFSETS = 64, WIDEST = 8 };

/* ---- values ---- */

static void visit_values(const struct subject *s, struct report *r, struct cvt_fixture *w) {
    const size_t size = model_cvt_bytes(w->op.dst, w->in.count);
    unsigned char *const dst = harness_allocate(size);
    pto_status status;

    memset(dst, 0x77, size);
    cvt_fixture_describe(r, &w->op, w->in.count, "values");
    r->cases += w->in.count;
    status = s->cvt(w->op, w->in.memory, dst, cvt_fixture_extra(w, 0), w->in.count);
    cvt_fixture_compare(r, w, 0, w->in.count, status, w->expected, dst);
    harness_free(dst);
}

void check_cvt_values(const struct subject *s, struct report *r) {
    cvt_fixture_each(s, r, "cvt values", 0, visit_values);
}

/* ---- memory: placement of src, dst and the random words or scales ---- */

/** Guarded memory for the operands of one call, and the bytes that are expected in dst. */
struct layout {
    struct guarded src, dst, extra;
    unsigned char *expected;
};

static void layout_open(struct layout *l) {
    guarded_open(&l->src, (size_t)WIDEST * (HARNESS_LONGEST + 4 * OFFSETS));
    guarded_open(&l->dst, (size_t)WIDEST * (HARNESS_LONGEST + 4 * OFFSETS));
    guarded_open(&l->extra, (size_t)WIDEST * (HARNESS_LONGEST + 4 * OFFSETS));
    l->expected = harness_allocate((size_t)WIDEST * HARNESS_LONGEST);
}

static void layout_close(struct layout *l) {
    guarded_close(&l->src);
    guarded_close(&l->dst);
    guarded_close(&l->extra);
    harness_free(l->expected);
}

static size_t whole_groups(const pto_cvt_op *op, size_t n) {
    return n - n % model_cvt_group(op);
}

/** Returns a random first element with at least n elements from there on. It is a multiple of 4, so it starts a
 * group and a byte of e2m1. */
static size_t some_first(struct cvt_fixture *w, size_t n) {
    return rng_below(&w->rng, (w->in.count - n) / 4 + 1) * 4;
}

/** Copies the source. After an odd number of e2m1 elements the last high nibble is unspecified, so it is made
 * random. */
static void put_source(struct cvt_fixture *w, size_t first, size_t n, unsigned char *src) {
    const size_t size = model_cvt_bytes(w->op.src, n);
    memcpy(src, w->in.memory + model_cvt_bytes(w->op.src, first), size);
    if (w->op.src == PTO_E2M1 && n % 2)
        src[size - 1] = (unsigned char)((src[size - 1] & 15) | rng_next(&w->rng) << 4);
}

static const void *put_extra(const struct cvt_fixture *w, size_t first, size_t n, unsigned char *at) {
    const void *extra = cvt_fixture_extra(w, first);
    if (extra) memcpy(at, extra, model_cvt_extra_bytes(&w->op, n));
    return extra ? at : NULL;
}

static void run_at(const struct subject *s, struct report *r, struct cvt_fixture *w, struct layout *l,
                   size_t n, unsigned char *src, unsigned char *dst, unsigned char *extra_at) {
    const size_t first = some_first(w, n);
    const size_t size = model_cvt_bytes(w->op.dst, n);
    const void *extra;
    pto_status status;

    r->now.n = n;
    r->cases++;
    put_source(w, first, n, src);
    extra = put_extra(w, first, n, extra_at);
    if (src != dst) buffer_fill(&l->dst, dst, size, (unsigned)r->cases);
    cvt_fixture_image(w, first, n, l->expected);
    status = s->cvt(w->op, src, dst, extra, n);
    cvt_fixture_compare(r, w, first, n, status, l->expected, dst);
    if (!margins_intact(src == dst ? &l->src : &l->dst, dst, size))
        report_mismatch(r, "bytes outside dst were written");
}

static void run_placed(const struct subject *s, struct report *r, struct cvt_fixture *w, struct layout *l,
                       size_t n, enum place place) {
    run_at(s, r, w, l, n, guarded_place(&l->src, model_cvt_bytes(w->op.src, n), place),
           guarded_place(&l->dst, model_cvt_bytes(w->op.dst, n), place),
           guarded_place(&l->extra, model_cvt_extra_bytes(&w->op, n), place));
}

/* ---- lengths ---- */

static void visit_lengths(const struct subject *s, struct report *r, struct cvt_fixture *w) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);
    struct layout l;

    layout_open(&l);
    cvt_fixture_describe(r, &w->op, 0, "beside guard pages");
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        const size_t n = whole_groups(&w->op, lengths[i]);
        if (n != lengths[i] && model_cvt_group(&w->op) > 1 && !r->quick) continue;
        run_placed(s, r, w, &l, n, AT_BEGIN);
        run_placed(s, r, w, &l, n, AT_END);
    }
    if (!r->quick || rng_below(&w->rng, 8) == 0) {
        run_placed(s, r, w, &l, whole_groups(&w->op, length_long(rng_below(&w->rng, 64))), AT_BEGIN);
        run_placed(s, r, w, &l, whole_groups(&w->op, length_long(rng_below(&w->rng, 64))), AT_END);
    }
    layout_close(&l);
}

void check_cvt_lengths(const struct subject *s, struct report *r) {
    cvt_fixture_each(s, r, "cvt lengths", (size_t)(r->quick ? 1 : 2) * HARNESS_LONGEST, visit_lengths);
}

/* ---- offsets ---- */

static void visit_offsets(const struct subject *s, struct report *r, struct cvt_fixture *w) {
    struct layout l;
    layout_open(&l);
    cvt_fixture_describe(r, &w->op, 0, "unaligned");
    for (size_t i = 0; i < (r->quick ? 3 : OFFSETS) && !report_stop(r); i++) {
        const size_t n = whole_groups(&w->op, rng_below(&w->rng, 260));
        run_at(s, r, w, &l, n, l.src.data + rng_below(&w->rng, OFFSETS), l.dst.data + i,
               l.extra.data + rng_below(&w->rng, OFFSETS));
    }
    layout_close(&l);
}

void check_cvt_offsets(const struct subject *s, struct report *r) {
    cvt_fixture_each(s, r, "cvt offsets", SOME, visit_offsets);
}

/* ---- in place ---- */

static void visit_in_place(const struct subject *s, struct report *r, struct cvt_fixture *w) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, true);
    struct layout l;

    if (pto_dtype_bits(w->op.src) != pto_dtype_bits(w->op.dst)) return;
    layout_open(&l);
    cvt_fixture_describe(r, &w->op, 0, "in place");
    for (size_t i = 0; i < 2 * count && !report_stop(r); i++) {
        const enum place place = i % 2 ? AT_BEGIN : AT_END;
        const size_t n = whole_groups(&w->op, i == 7 && !r->quick ? 3001 : lengths[i / 2]);
        unsigned char *const at = guarded_place(&l.src, model_cvt_bytes(w->op.src, n), place);
        margins_fill(&l.src, at, model_cvt_bytes(w->op.src, n));
        run_at(s, r, w, &l, n, at, at, guarded_place(&l.extra, model_cvt_bytes(PTO_U32, n), place));
    }
    layout_close(&l);
}

void check_cvt_in_place(const struct subject *s, struct report *r) {
    cvt_fixture_each(s, r, "cvt in place", SOME, visit_in_place);
}

/* ---- worked examples ---- */

enum { LANES = 44 };

static void expect_lanes(struct report *r, const pto_cvt_op *op, uint64_t input, const unsigned char *got,
                         uint64_t want) {
    for (size_t i = 0; i < LANES; i++) {
        const uint64_t have = model_cvt_load(op->dst, got, i);
        if (have == want) continue;
        report_mismatch(r, "lane %zu, source %llx: expected %llx, got %llx", i, (unsigned long long)input,
                        (unsigned long long)want, (unsigned long long)have);
        return;
    }
}

static void run_example(const struct subject *s, struct report *r, const struct cvt_example *e) {
    unsigned char src[LANES * WIDEST] = {0}, dst[LANES * WIDEST], scales[LANES];
    pto_cvt_op op = e->form->op;
    r->cases++;
    r->now.detail = e->form->text;
    if (s->parse_cvt(e->form->text, &op, NULL) != PTO_OK) report_mismatch(r, "does not parse");
    for (size_t i = 0; i < LANES; i++) {
        model_cvt_store(op.src, src, i, e->input);
    }
    memset(scales, (int)e->scale, sizeof scales);
    report_status(r, s->cvt(op, src, dst, op.scale == PTO_SCALE_NONE ? NULL : scales, LANES), PTO_OK);
    expect_lanes(r, &op, e->input, dst, e->output);
}

/** Every lane of every group has the same source value and random word. So dst repeats the register of the example. */
static void run_example_rs(const struct subject *s, struct report *r, const struct cvt_example_rs *e) {
    const struct cvt_form *form = cvt_form_named(e->form, strlen(e->form));
    const size_t groups = LANES / (size_t)form->lanes;
    const size_t size = model_cvt_bytes(form->op.dst, (size_t)form->lanes);
    unsigned char src[LANES * WIDEST] = {0}, dst[LANES * WIDEST];
    uint32_t words[LANES];
    r->cases++;
    r->now.detail = e->form;
    for (size_t i = 0; i < LANES; i++) {
        model_cvt_store(form->op.src, src, i, e->input);
        words[i] = e->rbits;
    }
    report_status(r, s->cvt(form->op, src, dst, words, LANES), PTO_OK);
    for (size_t i = 0; i < groups; i++) {
        uint32_t have = 0;
        memcpy(&have, dst + i * size, size);
        if (have != e->output) report_mismatch(r, "group %zu: expected %x, got %x", i, e->output, have);
    }
}

void check_cvt_examples(const struct subject *s, struct report *r) {
    report_call(r, "cvt", NULL);
    r->now.n = LANES;
    for (size_t i = 0; i < CVT_EXAMPLES; i++) {
        const struct cvt_example e = cvt_example(i);
        run_example(s, r, &e);
    }
    for (size_t i = 0; i < CVT_EXAMPLES_RS; i++) {
        run_example_rs(s, r, &cvt_examples_rs[i]);
    }
}
