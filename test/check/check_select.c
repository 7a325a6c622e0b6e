/* SPDX-License-Identifier: MIT */
/* Checks vsel, vselr, vselrv2 and vbr: lengths, offsets, and results in place. */
#include "check/checks.h"
#include "support/operands.h"

#include <string.h>

enum { VARIANTS = 3, FORMS = VARIANTS * MASK_KINDS, OFFSETS = 64, EXTRA_TRUTH = 512 };

struct fixture {
    struct operands in;
    struct guarded mask, dst, moved_a, moved_b;
    unsigned char *truth; /* lanes + EXTRA_TRUTH entries */
    unsigned char *expected, *mask_before;
    struct rng rng;
};

/** One call. `variant` is 0 for vsel, 1 for vselr, 2 for vselrv2. */
struct select_call {
    int variant;
    pto_mask_kind kind;
    size_t n;
    const unsigned char *src0, *src1;
    unsigned char *mask, *dst;
    const struct guarded *home; /* the memory that dst lies in */
};

static void fixture_open(struct fixture *w, const char *purpose, pto_dtype type) {
    memset(w, 0, sizeof *w);
    rng_start_for(&w->rng, purpose, type);
    operands_open(&w->in, &w->rng, type, true); /* includes every special, so every NaN is copied */
    guarded_open(&w->mask, w->in.count);
    guarded_open(&w->dst, w->in.a.size);
    guarded_open(&w->moved_a, (HARNESS_LONGEST + OFFSETS) * w->in.size);
    guarded_open(&w->moved_b, (HARNESS_LONGEST + OFFSETS) * w->in.size);
    w->expected = harness_allocate(w->in.a.size);
    w->mask_before = harness_allocate(w->in.count);
    w->truth = harness_allocate(w->in.count + EXTRA_TRUTH);
    check_fill_truth(&w->rng, w->truth, w->in.count + EXTRA_TRUTH);
}

static void fixture_close(struct fixture *w) {
    operands_close(&w->in);
    guarded_close(&w->mask);
    guarded_close(&w->dst);
    guarded_close(&w->moved_a);
    guarded_close(&w->moved_b);
    harness_free(w->expected);
    harness_free(w->mask_before);
    harness_free(w->truth);
}

/** Computes dst[i] = mask[i] ? src0[i] : src1[i], with the sources exchanged for vselr and vselrv2. */
static void expect(const struct fixture *w, const struct select_call *c) {
    for (size_t i = 0; i < c->n; i++) {
        const bool on = model_mask_get(c->kind, c->mask, i);
        const unsigned char *chosen = on == (c->variant == 0) ? c->src0 : c->src1;
        memcpy(w->expected + i * w->in.size, chosen + i * w->in.size, w->in.size);
    }
}

static void describe_call(struct report *r, const struct fixture *w, const struct select_call *c) {
    static const char *const names[VARIANTS] = {"vsel", "vselr", "vselrv2"};
    const size_t bits = 8 * w->in.size;
    r->now.call = names[c->variant];
    r->now.type = (int)w->in.type;
    r->now.kinds[0] = (int)c->kind;
    r->now.n = c->n;
    report_result(r, bits);
    report_source(r, pto_in_array(c->src0), bits);
    report_source(r, pto_in_array(c->src1), bits);
    report_source(r, pto_in_array(c->mask), model_lane_bits(c->kind));
}

static void select_lanes(const struct subject *s, struct report *r, struct fixture *w,
                         const struct select_call *c) {
    vsel_call *const calls[VARIANTS] = {s->vsel, s->vselr, s->vselrv2};
    const bool own_mask = c->mask != c->dst;
    const size_t mask_bytes = model_mask_bytes(c->kind, c->n);
    pto_status status;

    describe_call(r, w, c);
    r->cases++;
    expect(w, c);
    memcpy(w->mask_before, c->mask, mask_bytes);
    status = calls[c->variant](w->in.type, c->src0, c->src1, pto_mask_at(c->mask, c->kind), c->dst, c->n);
    if (!report_status(r, status, PTO_OK)) return;
    report_image(r, w->expected, c->dst, c->n * w->in.size);
    if (!margins_intact(c->home, c->dst, c->n * w->in.size))
        report_mismatch(r, "bytes outside dst were written");
    if (own_mask && memcmp(w->mask_before, c->mask, mask_bytes) != 0)
        report_mismatch(r, "the mask was written");
}

static void fill_mask(struct fixture *w, const struct select_call *c) {
    check_fill_mask(&w->rng, c->kind, c->mask, w->truth + rng_below(&w->rng, EXTRA_TRUTH), c->n);
}

static void select_placed(const struct subject *s, struct report *r, struct fixture *w, struct select_call *c,
                          enum place place) {
    const size_t bytes = c->n * w->in.size;
    c->src0 = guarded_place(&w->in.a, bytes, place);
    c->src1 = guarded_place(&w->in.b, bytes, place);
    c->mask = guarded_place(&w->mask, model_mask_bytes(c->kind, c->n), place);
    fill_mask(w, c);
    c->home = &w->dst;
    c->dst = guarded_place(&w->dst, bytes, place);
    buffer_fill(&w->dst, c->dst, bytes, (unsigned)rng_below(&w->rng, FILLS));
    r->now.detail = place == AT_BEGIN ? "after a guard page" : "ending at a guard page";
    select_lanes(s, r, w, c);
}

typedef void sweep_of_form(const struct subject *s, struct report *r, struct fixture *w,
                           struct select_call *c);

/** Calls `sweep` for every type, variant and mask kind. */
static void for_each_form(const struct subject *s, struct report *r, const char *purpose,
                          sweep_of_form *sweep) {
    report_call(r, "vsel", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        struct fixture w;
        fixture_open(&w, purpose, model_types[t]);
        for (size_t form = 0; form < FORMS && !report_stop(r); form++) {
            struct select_call c = {.variant = (int)(form % VARIANTS),
                                    .kind = mask_kind(w.in.type, form / VARIANTS)};
            sweep(s, r, &w, &c);
        }
        fixture_close(&w);
    }
}

static void sweep_lengths(const struct subject *s, struct report *r, struct fixture *w,
                          struct select_call *c) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);
    const size_t long_calls = r->quick ? 1 : 8;

    for (size_t i = 0; i < count && !report_stop(r); i++) {
        c->n = lengths[i];
        select_placed(s, r, w, c, AT_BEGIN);
        select_placed(s, r, w, c, AT_END);
    }
    for (size_t i = 0; i < long_calls && !report_stop(r); i++) {
        c->n = length_long(i + rng_below(&w->rng, 6));
        select_placed(s, r, w, c, i % 2 ? AT_BEGIN : AT_END);
    }
}

void check_select_lengths(const struct subject *s, struct report *r) {
    for_each_form(s, r, "select lengths", sweep_lengths);
}

/* ---- offsets ---- */

enum swept_operand { SWEEP_SRC0, SWEEP_SRC1, SWEEP_MASK, SWEEP_DST, SWEPT_OPERANDS };

static size_t offset_of(struct fixture *w, enum swept_operand operand, enum swept_operand swept,
                        size_t offset) {
    return operand == swept ? offset : rng_below(&w->rng, OFFSETS);
}

static void select_at_offset(const struct subject *s, struct report *r, struct fixture *w,
                             struct select_call *c, enum swept_operand swept, size_t offset) {
    unsigned char *a = w->moved_a.data + offset_of(w, SWEEP_SRC0, swept, offset);
    unsigned char *b = w->moved_b.data + offset_of(w, SWEEP_SRC1, swept, offset);
    const size_t bytes = c->n * w->in.size;
    const size_t first = rng_below(&w->rng, w->in.count - c->n);

    memcpy(a, w->in.a.data + first * w->in.size, bytes);
    memcpy(b, w->in.b.data + first * w->in.size, bytes);
    c->src0 = a;
    c->src1 = b;
    c->mask = w->mask.data + offset_of(w, SWEEP_MASK, swept, offset);
    fill_mask(w, c);
    c->home = &w->dst;
    c->dst = w->dst.data + HARNESS_MARGIN + offset_of(w, SWEEP_DST, swept, offset);
    buffer_fill(&w->dst, c->dst, bytes, (unsigned)rng_below(&w->rng, FILLS));
    select_lanes(s, r, w, c);
}

static void sweep_offsets(const struct subject *s, struct report *r, struct fixture *w,
                          struct select_call *c) {
    static const size_t lengths[] = {1, 7, 33, 64, 67, 130, 200};
    r->now.detail = "offsets";
    for (int swept = 0; swept < SWEPT_OPERANDS; swept++) {
        for (size_t offset = 0; offset < OFFSETS && !report_stop(r); offset++) {
            for (size_t i = 0; i < (r->quick ? 1 : 3); i++) {
                c->n = lengths[rng_below(&w->rng, sizeof lengths / sizeof lengths[0])];
                select_at_offset(s, r, w, c, (enum swept_operand)swept, offset);
            }
        }
    }
}

void check_select_offsets(const struct subject *s, struct report *r) {
    for_each_form(s, r, "select offsets", sweep_offsets);
}

/* ---- in place ---- */

/** Makes a call with dst equal to src0 (`which` is 0), to src1 (1), to both sources (2), or to the mask (3, for a BYTE
 * mask and one-byte elements). */
static void select_onto(const struct subject *s, struct report *r, struct fixture *w, struct select_call *c,
                        int which) {
    static const char *const details[] = {"dst is src0", "dst is src1", "dst is src0 and src1",
                                          "dst is the mask"};
    const size_t bytes = c->n * w->in.size;
    const size_t first = rng_below(&w->rng, w->in.count - c->n);
    const enum place place = rng_below(&w->rng, 2) ? AT_BEGIN : AT_END;
    unsigned char *a = guarded_place(&w->moved_a, bytes, place);
    unsigned char *b = which == 2 ? a : guarded_place(&w->moved_b, bytes, place);

    memcpy(b, w->in.b.data + first * w->in.size, bytes);
    memcpy(a, w->in.a.data + first * w->in.size, bytes);
    c->src0 = a;
    c->src1 = b;
    c->mask = guarded_place(&w->mask, model_mask_bytes(c->kind, c->n), place);
    fill_mask(w, c);
    c->dst = which == 3 ? c->mask : which == 1 ? b : a;
    c->home = which == 3 ? &w->mask : which == 1 ? &w->moved_b : &w->moved_a;
    margins_fill(c->home, c->dst, bytes);
    r->now.detail = details[which];
    select_lanes(s, r, w, c);
}

static void sweep_in_place(const struct subject *s, struct report *r, struct fixture *w,
                           struct select_call *c) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    size_t count = lengths_short(lengths, r->quick);
    const int ways = w->in.size == 1 && c->kind == PTO_MASK_BYTE ? 4 : 3;

    lengths[count++] = length_long(rng_below(&w->rng, 6)); /* longer than one chunk of the library */
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        c->n = lengths[i];
        for (int which = 0; which < ways; which++) {
            select_onto(s, r, w, c, which);
        }
    }
}

void check_select_in_place(const struct subject *s, struct report *r) {
    for_each_form(s, r, "select in place", sweep_in_place);
}

/* ---- vbr ---- */

static void broadcast(const struct subject *s, struct report *r, struct fixture *w,
                      const unsigned char *scalar, unsigned char *dst, size_t n) {
    pto_status status;

    r->now.n = n;
    r->cases++;
    for (size_t i = 0; i < n; i++) {
        memcpy(w->expected + i * w->in.size, scalar, w->in.size);
    }
    status = s->vbr(w->in.type, scalar, dst, n);
    report_status(r, status, PTO_OK);
    report_image(r, w->expected, dst, n * w->in.size);
    if (!margins_intact(&w->dst, dst, n * w->in.size)) report_mismatch(r, "bytes outside dst were written");
}

static void broadcast_length(const struct subject *s, struct report *r, struct fixture *w, size_t n) {
    for (int place = AT_BEGIN; place <= AT_END; place++) {
        const unsigned char *value = w->in.a.data + rng_below(&w->rng, w->in.count) * w->in.size;
        unsigned char *dst = guarded_place(&w->dst, n * w->in.size, (enum place)place);
        unsigned char *scalar = guarded_place(&w->mask, w->in.size, (enum place)place);

        memcpy(scalar, value, w->in.size);
        buffer_fill(&w->dst, dst, n * w->in.size, (unsigned)rng_below(&w->rng, FILLS));
        r->now.detail = place == AT_BEGIN ? "after a guard page" : "ending at a guard page";
        broadcast(s, r, w, scalar, dst, n);
        if (n == 0) continue;
        buffer_fill(&w->dst, dst, n * w->in.size, (unsigned)rng_below(&w->rng, FILLS));
        memcpy(dst, value, w->in.size);
        r->now.detail = "the scalar is dst[0]";
        broadcast(s, r, w, dst, dst, n);
    }
}

static void broadcast_offset(const struct subject *s, struct report *r, struct fixture *w, size_t offset) {
    static const size_t lengths[] = {1, 5, 31, 64, 65, 130};
    unsigned char *dst = w->dst.data + HARNESS_MARGIN + offset;
    unsigned char *scalar = w->mask.data + (offset * 5 + 3) % OFFSETS;

    r->now.detail = "offsets";
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        memcpy(scalar, w->in.a.data + rng_below(&w->rng, w->in.count) * w->in.size, w->in.size);
        buffer_fill(&w->dst, dst, lengths[i] * w->in.size, (unsigned)rng_below(&w->rng, FILLS));
        broadcast(s, r, w, scalar, dst, lengths[i]);
    }
}

void check_broadcast(const struct subject *s, struct report *r) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);

    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        struct fixture w;
        fixture_open(&w, "broadcast", model_types[t]);
        report_call(r, "vbr", NULL);
        r->now.type = (int)w.in.type;
        report_result(r, 8 * w.in.size); /* no sources: `expected` shows the operand */
        for (size_t i = 0; i < count; i++) {
            broadcast_length(s, r, &w, lengths[i]);
        }
        for (size_t i = 0; i < 6; i++) {
            broadcast_length(s, r, &w, length_long(i));
        }
        for (size_t offset = 0; offset < OFFSETS; offset++) {
            broadcast_offset(s, r, &w, offset);
        }
        fixture_close(&w);
    }
}
