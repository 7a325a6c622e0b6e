/* SPDX-License-Identifier: MIT */
/* Checks vsels, where each source is an array or a scalar, with every mask kind. */
#include "check/checks.h"
#include "support/operands.h"

#include <stdio.h>
#include <string.h>

enum { VARIANTS = 4, FORMS = VARIANTS * MASK_KINDS, OFFSETS = 64, EXTRA_TRUTH = 512, SIDES = 2 };

struct fixture {
    struct operands in; /* begin with all pairs of special values, so every NaN is copied */
    struct guarded mask, dst, scalar[SIDES], moved[SIDES];
    unsigned char *truth; /* lanes + EXTRA_TRUTH entries */
    unsigned char *expected, *mask_before;
    struct rng rng;
    char text[80];
};

struct vsels_case {
    unsigned scalars; /* bit k: source k is a scalar */
    pto_mask_kind kind;
    size_t n;
    pto_in side[SIDES];
    unsigned char *mask, *dst;
    const struct guarded *home; /* the memory that dst lies in */
};

static void fixture_open(struct fixture *w, const char *purpose, pto_dtype type) {
    memset(w, 0, sizeof *w);
    rng_start_for(&w->rng, purpose, type);
    operands_open(&w->in, &w->rng, type, true);
    guarded_open(&w->mask, w->in.count);
    guarded_open(&w->dst, w->in.a.size);
    for (size_t k = 0; k < SIDES; k++) {
        guarded_open(&w->scalar[k], 1);
        guarded_open(&w->moved[k], (HARNESS_LONGEST + OFFSETS) * w->in.size);
    }
    w->expected = harness_allocate(w->in.a.size);
    w->mask_before = harness_allocate(w->in.count);
    w->truth = harness_allocate(w->in.count + EXTRA_TRUTH);
    check_fill_truth(&w->rng, w->truth, w->in.count + EXTRA_TRUTH);
}

static void fixture_close(struct fixture *w) {
    operands_close(&w->in);
    guarded_close(&w->mask);
    guarded_close(&w->dst);
    for (size_t k = 0; k < SIDES; k++) {
        guarded_close(&w->scalar[k]);
        guarded_close(&w->moved[k]);
    }
    harness_free(w->expected);
    harness_free(w->mask_before);
    harness_free(w->truth);
}

static bool is_scalar(const struct vsels_case *c, size_t side) {
    return c->scalars >> side & 1;
}

static const unsigned char *source(const struct fixture *w, size_t side) {
    return side == 0 ? w->in.a.data : w->in.b.data;
}

static void expect(const struct fixture *w, const struct vsels_case *c) {
    for (size_t i = 0; i < c->n; i++) {
        const pto_in chosen = c->side[model_mask_get(c->kind, c->mask, i) ? 0 : 1];
        const size_t at = chosen.scalar ? 0 : i * w->in.size;
        memcpy(w->expected + i * w->in.size, (const unsigned char *)chosen.data + at, w->in.size);
    }
}

static void describe(struct report *r, struct fixture *w, const struct vsels_case *c, const char *detail) {
    snprintf(w->text, sizeof w->text, "%s %s, %s", is_scalar(c, 0) ? "scalar" : "array",
             is_scalar(c, 1) ? "scalar" : "array", detail);
    r->now.type = (int)w->in.type;
    r->now.kinds[0] = (int)c->kind;
    r->now.n = c->n;
    r->now.detail = w->text;
    report_result(r, 8 * w->in.size);
    for (size_t k = 0; k < SIDES; k++) {
        report_source(r, c->side[k], 8 * w->in.size);
    }
    report_source(r, pto_in_array(c->mask), model_lane_bits(c->kind));
}

static void run(const struct subject *s, struct report *r, struct fixture *w, const struct vsels_case *c,
                const char *detail) {
    const size_t mask_bytes = model_mask_bytes(c->kind, c->n), bytes = c->n * w->in.size;
    pto_status status;

    describe(r, w, c, detail);
    r->cases++;
    expect(w, c);
    memcpy(w->mask_before, c->mask, mask_bytes);
    status = s->vsels(w->in.type, c->side[0], c->side[1], pto_mask_at(c->mask, c->kind), c->dst, c->n);
    if (!report_status(r, status, PTO_OK)) return;
    report_image(r, w->expected, c->dst, bytes);
    if (!margins_intact(c->home, c->dst, bytes)) report_mismatch(r, "bytes outside dst were written");
    if (c->mask != c->dst && memcmp(w->mask_before, c->mask, mask_bytes) != 0)
        report_mismatch(r, "the mask was written");
}

static void fill_mask(struct fixture *w, const struct vsels_case *c) {
    check_fill_mask(&w->rng, c->kind, c->mask, w->truth + rng_below(&w->rng, EXTRA_TRUTH), c->n);
}

/** Places each scalar on a page of its own. Its value is a random element of its source. */
static void place_scalars(struct fixture *w, struct vsels_case *c, enum place place) {
    for (size_t k = 0; k < SIDES; k++) {
        unsigned char *buffer = guarded_place(&w->scalar[k], w->in.size, place);
        if (!is_scalar(c, k)) continue;
        memcpy(buffer, source(w, k) + rng_below(&w->rng, w->in.count) * w->in.size, w->in.size);
        c->side[k] = pto_in_scalar(buffer);
    }
}

typedef void sweep_of_form(const struct subject *s, struct report *r, struct fixture *w,
                           struct vsels_case *c);

/** Calls `sweep` for every type, combination of arrays and scalars, and mask kind. */
static void for_each_form(const struct subject *s, struct report *r, const char *purpose,
                          sweep_of_form *sweep) {
    report_call(r, "vsels", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        struct fixture w;
        fixture_open(&w, purpose, model_types[t]);
        for (size_t form = 0; form < FORMS && !report_stop(r); form++) {
            struct vsels_case c = {.scalars = (unsigned)(form % VARIANTS),
                                   .kind = mask_kind(w.in.type, form / VARIANTS)};
            sweep(s, r, &w, &c);
        }
        fixture_close(&w);
    }
}

/* ---- lengths ---- */

static void run_placed(const struct subject *s, struct report *r, struct fixture *w, struct vsels_case *c,
                       enum place place) {
    const size_t bytes = c->n * w->in.size;
    for (size_t k = 0; k < SIDES; k++) {
        c->side[k] = pto_in_array(guarded_place(k == 0 ? &w->in.a : &w->in.b, bytes, place));
    }
    place_scalars(w, c, place);
    c->mask = guarded_place(&w->mask, model_mask_bytes(c->kind, c->n), place);
    fill_mask(w, c);
    c->home = &w->dst;
    c->dst = guarded_place(&w->dst, bytes, place);
    buffer_fill(&w->dst, c->dst, bytes, (unsigned)rng_below(&w->rng, FILLS));
    run(s, r, w, c, place == AT_BEGIN ? "after a guard page" : "ending at a guard page");
}

static void sweep_lengths(const struct subject *s, struct report *r, struct fixture *w,
                          struct vsels_case *c) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick), long_calls = r->quick ? 1 : 8;

    for (size_t i = 0; i < count && !report_stop(r); i++) {
        c->n = lengths[i];
        run_placed(s, r, w, c, AT_BEGIN);
        run_placed(s, r, w, c, AT_END);
    }
    for (size_t i = 0; i < long_calls && !report_stop(r); i++) {
        c->n = length_long(i + rng_below(&w->rng, 6));
        run_placed(s, r, w, c, i % 2 ? AT_BEGIN : AT_END);
    }
}

void check_vsels_lengths(const struct subject *s, struct report *r) {
    for_each_form(s, r, "vsels lengths", sweep_lengths);
}

/* ---- offsets ---- */

enum swept_operand { SWEEP_SRC0, SWEEP_SRC1, SWEEP_MASK, SWEEP_DST, SWEPT_OPERANDS };

static size_t offset_of(struct fixture *w, enum swept_operand operand, enum swept_operand swept,
                        size_t offset) {
    return operand == swept ? offset : rng_below(&w->rng, OFFSETS);
}

/** Makes a call with operand `swept` at `offset` and the others at random offsets. A scalar gets the memory of an
 * array and is its first element. */
static void run_at_offset(const struct subject *s, struct report *r, struct fixture *w, struct vsels_case *c,
                          enum swept_operand swept, size_t offset) {
    const size_t bytes = c->n * w->in.size;
    for (size_t k = 0; k < SIDES; k++) {
        unsigned char *buffer = w->moved[k].data + offset_of(w, (enum swept_operand)k, swept, offset);
        memcpy(buffer, source(w, k) + rng_below(&w->rng, w->in.count - c->n) * w->in.size, bytes);
        c->side[k] = is_scalar(c, k) ? pto_in_scalar(buffer) : pto_in_array(buffer);
    }
    c->mask = w->mask.data + offset_of(w, SWEEP_MASK, swept, offset);
    fill_mask(w, c);
    c->home = &w->dst;
    c->dst = w->dst.data + HARNESS_MARGIN + offset_of(w, SWEEP_DST, swept, offset);
    buffer_fill(&w->dst, c->dst, bytes, (unsigned)rng_below(&w->rng, FILLS));
    run(s, r, w, c, "offsets");
}

static void sweep_offsets(const struct subject *s, struct report *r, struct fixture *w,
                          struct vsels_case *c) {
    static const size_t lengths[] = {1, 7, 33, 64, 67, 130, 200};
    for (int swept = 0; swept < SWEPT_OPERANDS; swept++) {
        for (size_t offset = 0; offset < OFFSETS && !report_stop(r); offset++) {
            c->n = lengths[rng_below(&w->rng, sizeof lengths / sizeof lengths[0])];
            run_at_offset(s, r, w, c, (enum swept_operand)swept, offset);
        }
    }
}

void check_vsels_offsets(const struct subject *s, struct report *r) {
    for_each_form(s, r, "vsels offsets", sweep_offsets);
}

/* ---- in place ---- */

enum onto { ONTO_SRC0, ONTO_SRC1, ONTO_BOTH, ONTO_MASK, ONTOS };

/** Makes a call in place. A scalar that dst replaces has the value of dst[0] before the call. */
static void run_onto(const struct subject *s, struct report *r, struct fixture *w, struct vsels_case *c,
                     enum onto onto) {
    static const char *const details[ONTOS] = {"dst is src0", "dst is src1", "dst is src0 and src1",
                                               "dst is the mask"};
    const size_t bytes = c->n * w->in.size;
    const enum place place = rng_below(&w->rng, 2) ? AT_BEGIN : AT_END;

    for (size_t k = 0; k < SIDES; k++) {
        unsigned char *buffer = guarded_place(&w->moved[onto == ONTO_BOTH ? 0 : k], bytes, place);
        memcpy(buffer, source(w, k) + rng_below(&w->rng, w->in.count - c->n) * w->in.size, bytes);
        c->side[k] = is_scalar(c, k) ? pto_in_scalar(buffer) : pto_in_array(buffer);
    }
    c->mask = guarded_place(&w->mask, model_mask_bytes(c->kind, c->n), place);
    fill_mask(w, c);
    c->home = onto == ONTO_MASK ? &w->mask : &w->moved[onto == ONTO_SRC1];
    c->dst = guarded_place(c->home, bytes, place);
    margins_fill(c->home, c->dst, bytes);
    run(s, r, w, c, details[onto]);
}

static void sweep_in_place(const struct subject *s, struct report *r, struct fixture *w,
                           struct vsels_case *c) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    size_t count = lengths_short(lengths, r->quick);
    const int ways = w->in.size == 1 && c->kind == PTO_MASK_BYTE ? ONTOS : ONTO_MASK;

    lengths[count++] = length_long(rng_below(&w->rng, 6));  /* longer than one chunk of the library */
    for (size_t i = 1; i < count && !report_stop(r); i++) { /* not 0, because then nothing is read */
        c->n = lengths[i];
        for (int onto = 0; onto < ways; onto++) {
            run_onto(s, r, w, c, (enum onto)onto);
        }
    }
}

void check_vsels_in_place(const struct subject *s, struct report *r) {
    for_each_form(s, r, "vsels in place", sweep_in_place);
}
