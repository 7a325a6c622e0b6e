/* SPDX-License-Identifier: MIT */
/* Checks setp: lengths, values, offsets, results in place, and worked examples. */
#include "check/combined.h"

#include <stdio.h>
#include <string.h>

struct fixture {
    struct combined common;
    struct guarded p, q, moved_a, moved_b;
    unsigned char *truth_p, *truth_q, *expected_p, *expected_q;
};

/** One call of setp. The masks c and q may be absent, and p or q may be c. */
struct setp_case {
    pto_setp_op op;
    size_t n;
    size_t first; /* element 0 of the call is this element of the fixture */
    const unsigned char *a, *b;
    pto_mask c, p, q;
    const struct guarded *p_home, *q_home;
};

enum { OFFSETS = 64 };

static void fixture_open(struct fixture *w, const char *purpose, pto_dtype type, bool cross) {
    combined_open(&w->common, purpose, type, cross);
    guarded_open(&w->p, w->common.in.count);
    guarded_open(&w->q, w->common.in.count);
    guarded_open(&w->moved_a, 1024 * w->common.in.size);
    guarded_open(&w->moved_b, 1024 * w->common.in.size);
    w->truth_p = harness_allocate(w->common.in.count);
    w->truth_q = harness_allocate(w->common.in.count);
    w->expected_p = harness_allocate(w->common.in.count);
    w->expected_q = harness_allocate(w->common.in.count);
}

static void fixture_close(struct fixture *w) {
    combined_close(&w->common);
    guarded_close(&w->p);
    guarded_close(&w->q);
    guarded_close(&w->moved_a);
    guarded_close(&w->moved_b);
    harness_free(w->truth_p);
    harness_free(w->truth_q);
    harness_free(w->expected_p);
    harness_free(w->expected_q);
}

/** Computes the expected results. It reads c, so it runs before the call, which may overwrite c. */
static void expect(const struct fixture *w, const struct setp_case *x) {
    bool truth_row[4];
    model_truth_row(x->op.cmp, truth_row);
    for (size_t i = 0; i < x->n; i++) {
        const bool c = x->c.data && model_mask_get(x->c.kind, x->c.data, i);
        bool truth[MODEL_MOST_PARTS], p, q;
        operands_truth(&w->common.in, truth_row, x->op.ftz, x->first + i, truth);
        model_setp_lane(&x->op, truth, c, &p, &q);
        w->truth_p[i] = p;
        w->truth_q[i] = q;
    }
    model_mask_put(x->p.kind, w->expected_p, w->truth_p, x->n);
    if (x->q.data) model_mask_put(x->q.kind, w->expected_q, w->truth_q, x->n);
}

static void describe(struct report *r, struct fixture *w, const struct setp_case *x, const char *detail) {
    r->now.type = (int)x->op.type;
    r->now.op = (int)x->op.cmp;
    r->now.flags = x->op.ftz ? PTO_FTZ : 0;
    r->now.kinds[0] = x->c.data ? (int)x->c.kind : -1;
    r->now.kinds[1] = (int)x->p.kind;
    r->now.kinds[2] = x->q.data ? (int)x->q.kind : -1;
    r->now.n = x->n;
    snprintf(w->common.text, sizeof w->common.text, "%s%s, %s", model_bool_name(x->op.boolop),
             x->op.not_c ? " !c" : "", detail);
    r->now.detail = w->common.text;
}

static void compare_result(struct report *r, const struct fixture *w, const struct setp_case *x,
                           const char *name, pto_mask m, const struct guarded *home,
                           const unsigned char *expected) {
    const size_t size = model_mask_bytes(m.kind, x->n);
    if (!m.data) return;
    r->now.call = name;
    combined_sources(r, &w->common, x->first, x->c, model_lane_bits(m.kind));
    report_image(r, expected, m.data, size);
    if (!margins_intact(home, m.data, size)) report_mismatch(r, "bytes outside were written");
    r->now.call = "setp";
}

static void run(const struct subject *s, struct report *r, struct fixture *w, const struct setp_case *x,
                const char *detail) {
    const bool own_c = x->c.data && x->c.data != x->p.data && x->c.data != x->q.data;
    const size_t c_bytes = own_c ? model_mask_bytes(x->c.kind, x->n) : 0;
    pto_status status;

    describe(r, w, x, detail);
    r->cases++;
    w->common.turn++;
    expect(w, x);
    if (own_c) memcpy(w->common.c_before, x->c.data, c_bytes);
    status = s->setp(x->op, x->a, x->b, x->c, x->p, x->q, x->n);
    if (!report_status(r, status, PTO_OK)) return;
    compare_result(r, w, x, "p of setp", x->p, x->p_home, w->expected_p);
    compare_result(r, w, x, "q of setp", x->q, x->q_home, w->expected_q);
    if (own_c && memcmp(w->common.c_before, x->c.data, c_bytes) != 0) report_mismatch(r, "c was written");
}

static pto_mask place_mask(const struct guarded *home, pto_mask_kind kind, size_t n, enum place place) {
    return pto_mask_at(guarded_place(home, model_mask_bytes(kind, n), place), kind);
}

static pto_mask result_at(const struct guarded *home, pto_mask_kind kind, size_t n, enum place place,
                          size_t fill) {
    const pto_mask m = place_mask(home, kind, n, place);
    buffer_fill(home, m.data, model_mask_bytes(kind, n), (unsigned)fill);
    return m;
}

/** Places all operands and masks right after a guard page or right before one. Mask kinds are random. */
static void run_placed(const struct subject *s, struct report *r, struct fixture *w, struct setp_case *x,
                       enum place place, bool with_q) {
    const pto_dtype type = x->op.type;
    const size_t kinds = rng_below(&w->common.rng, (size_t)MASK_KINDS * MASK_KINDS * MASK_KINDS);

    x->first = operands_first(&w->common.in, x->n, place);
    x->a = w->common.in.a.data + x->first * w->common.in.size;
    x->b = w->common.in.b.data + x->first * w->common.in.size;
    x->c = x->q = PTO_NO_MASK;
    x->p_home = &w->p;
    x->q_home = &w->q;
    if (x->op.boolop != PTO_BOOL_NONE) {
        x->c = combined_place_c(&w->common, mask_kind(type, kinds), x->n, place);
    }
    x->p = result_at(&w->p, mask_kind(type, kinds / MASK_KINDS), x->n, place, w->common.turn);
    if (with_q)
        x->q = result_at(&w->q, mask_kind(type, kinds / MASK_KINDS / MASK_KINDS), x->n, place,
                         w->common.turn / 2);
    run(s, r, w, x, place == AT_BEGIN ? "after a guard page" : "ending at a guard page");
}

typedef void sweep_of_op(const struct subject *s, struct report *r, struct fixture *w, struct setp_case *x);

/** Calls `sweep` for every legal type, .ftz, operator, BoolOp and c or !c. */
static void for_each_form(const struct subject *s, struct report *r, const char *purpose, bool cross,
                          sweep_of_op *sweep) {
    report_call(r, "setp", NULL);
    for (size_t t = 0; t < MODEL_SETP_TYPES && !report_stop(r); t++) {
        struct fixture w;
        fixture_open(&w, purpose, model_setp_types[t], cross);
        for (size_t i = 0; i < COMBINATIONS && !report_stop(r); i++) {
            const struct combination k = combination_of(i);
            struct setp_case x = {.op = {.type = model_setp_types[t],
                                         .cmp = k.cmp,
                                         .boolop = k.boolop,
                                         .not_c = k.not_c,
                                         .ftz = k.ftz}};
            if (model_setp_status(x.op) == PTO_OK) sweep(s, r, &w, &x);
        }
        fixture_close(&w);
    }
}

static void sweep_lengths(const struct subject *s, struct report *r, struct fixture *w, struct setp_case *x) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);

    for (int with_q = 0; with_q < 2; with_q++) {
        for (size_t i = 0; i < count && !report_stop(r); i++) {
            x->n = lengths[i];
            if (!r->quick || i % 2 == 0) run_placed(s, r, w, x, AT_BEGIN, with_q);
            if (!r->quick || i % 2 == 1) run_placed(s, r, w, x, AT_END, with_q);
        }
        if (r->quick && rng_below(&w->common.rng, 8) != 0) continue;
        x->n = length_long(rng_below(&w->common.rng, 64));
        run_placed(s, r, w, x, AT_BEGIN, with_q);
        x->n = length_long(rng_below(&w->common.rng, 64));
        run_placed(s, r, w, x, AT_END, with_q);
    }
}

void check_setp_lengths(const struct subject *s, struct report *r) {
    for_each_form(s, r, "setp lengths", false, sweep_lengths);
}

static void sweep_values(const struct subject *s, struct report *r, struct fixture *w, struct setp_case *x) {
    const size_t cross = values_cross_size(w->common.in.part) / w->common.in.parts;
    x->n = r->quick ? cross : HARNESS_LONGEST;
    run_placed(s, r, w, x, AT_BEGIN, true);
}

void check_setp_values(const struct subject *s, struct report *r) {
    for_each_form(s, r, "setp values", true, sweep_values);
}

/* ---- offsets ---- */

static unsigned char *moved(struct fixture *w, const struct guarded *home, const unsigned char *from,
                            size_t n) {
    unsigned char *at = home->data + rng_below(&w->common.rng, OFFSETS);
    memcpy(at, from, n * w->common.in.size);
    return at;
}

static pto_mask moved_mask(struct fixture *w, const struct guarded *home, pto_dtype type, size_t n) {
    const pto_mask_kind kind = mask_kind(type, rng_below(&w->common.rng, MASK_KINDS));
    const pto_mask m = pto_mask_at(home->data + HARNESS_MARGIN + rng_below(&w->common.rng, OFFSETS), kind);
    buffer_fill(home, m.data, model_mask_bytes(kind, n), (unsigned)rng_below(&w->common.rng, FILLS));
    return m;
}

/** Places all operands at random offsets, mostly unaligned. */
static void sweep_offsets(const struct subject *s, struct report *r, struct fixture *w, struct setp_case *x) {
    for (size_t i = 0; i < (r->quick ? 4 : OFFSETS) && !report_stop(r); i++) {
        x->n = rng_below(&w->common.rng, 200);
        x->first = rng_below(&w->common.rng, w->common.in.count - x->n);
        x->a = moved(w, &w->moved_a, w->common.in.a.data + x->first * w->common.in.size, x->n);
        x->b = moved(w, &w->moved_b, w->common.in.b.data + x->first * w->common.in.size, x->n);
        x->c = PTO_NO_MASK;
        if (x->op.boolop != PTO_BOOL_NONE) {
            x->c = moved_mask(w, &w->common.c, x->op.type, x->n);
            check_fill_mask(&w->common.rng, x->c.kind, x->c.data, w->common.truth_c + i, x->n);
        }
        x->p = moved_mask(w, &w->p, x->op.type, x->n);
        x->q = moved_mask(w, &w->q, x->op.type, x->n);
        x->p_home = &w->p;
        x->q_home = &w->q;
        run(s, r, w, x, "offsets");
    }
}

void check_setp_offsets(const struct subject *s, struct report *r) {
    for_each_form(s, r, "setp offsets", false, sweep_offsets);
}

/* ---- in place ---- */

/** Makes a call with p equal to c, or q if `onto_q` is true. The kinds of both masks have equal bits per lane. */
static void run_onto_c(const struct subject *s, struct report *r, struct fixture *w, struct setp_case *x,
                       pto_mask_kind c_kind, pto_mask_kind kind, bool onto_q) {
    const enum place place = w->common.turn % 2 ? AT_BEGIN : AT_END;
    const size_t size = model_mask_bytes(c_kind, x->n);
    pto_mask onto;

    x->first = operands_first(&w->common.in, x->n, place);
    x->a = w->common.in.a.data + x->first * w->common.in.size;
    x->b = w->common.in.b.data + x->first * w->common.in.size;
    x->c = combined_place_c(&w->common, c_kind, x->n, place);
    margins_fill(&w->common.c, x->c.data, size);
    onto = pto_mask_at(x->c.data, kind);
    if (!onto_q) {
        x->p = onto;
        x->p_home = &w->common.c;
        x->q = w->common.turn / 2 % 2
                   ? PTO_NO_MASK
                   : result_at(&w->q, mask_kind(x->op.type, w->common.turn), x->n, place, w->common.turn);
        x->q_home = &w->q;
    } else {
        x->p = result_at(&w->p, mask_kind(x->op.type, w->common.turn), x->n, place, w->common.turn);
        x->p_home = &w->p;
        x->q = onto;
        x->q_home = &w->common.c;
    }
    run(s, r, w, x, onto_q ? "q is c" : "p is c");
}

static void sweep_in_place(const struct subject *s, struct report *r, struct fixture *w,
                           struct setp_case *x) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, true);

    if (x->op.boolop == PTO_BOOL_NONE) return;
    for (size_t i = 0; i < count * MASK_KINDS * MASK_KINDS * 2 && !report_stop(r); i++) {
        const pto_mask_kind c_kind = mask_kind(x->op.type, i / 2);
        const pto_mask_kind kind = mask_kind(x->op.type, i / (size_t)(2 * MASK_KINDS));
        if (model_lane_bits(c_kind) != model_lane_bits(kind)) continue;
        x->n = lengths[i / (size_t)(2 * MASK_KINDS * MASK_KINDS)];
        if (i % 50 == 49) x->n = length_long(i);
        run_onto_c(s, r, w, x, c_kind, kind, i % 2 != 0);
    }
}

void check_setp_in_place(const struct subject *s, struct report *r) {
    for_each_form(s, r, "setp in place", false, sweep_in_place);
}

/* ---- worked examples: setp, with the results of NVIDIA's assembler ---- */

static const struct example {
    const char *instruction;
    uint64_t a, b;
    int p, q;
} examples[] = {
    {"setp.eq.f32", 0x00000000, 0x80000000, 1, 0},
    {"setp.lt.f32", 0x80000000, 0x00000000, 0, 1},
    {"setp.lt.f32", 0x80000001, 0x00000001, 1, 0},
    {"setp.lt.ftz.f32", 0x80000001, 0x00000001, 0, 1},
    {"setp.eq.ftz.f32", 0x007fffff, 0x80000001, 1, 0},
    {"setp.eq.f32", 0x007fffff, 0x80000001, 0, 1},
    {"setp.gt.ftz.f32", 0x00800000, 0x007fffff, 1, 0},
    {"setp.eq.f32", 0x7fc00000, 0x7fc00000, 0, 1},
    {"setp.ne.f32", 0x7fc00000, 0x7fc00000, 0, 1},
    {"setp.neu.f32", 0x7fc00000, 0x7fc00000, 1, 0},
    {"setp.equ.f32", 0x3f800000, 0x7f800001, 1, 0},
    {"setp.equ.f32", 0x3f800000, 0x40000000, 0, 1},
    {"setp.ltu.f32", 0xffc00000, 0x3f800000, 1, 0},
    {"setp.geu.f32", 0x3f800000, 0x40000000, 0, 1},
    {"setp.num.f32", 0x7f800000, 0xff800000, 1, 0},
    {"setp.num.f32", 0x7f800000, 0x7f800001, 0, 1},
    {"setp.nan.f32", 0xffffffff, 0x00000000, 1, 0},
    {"setp.ge.f32", 0x7f800000, 0x7f7fffff, 1, 0},
    {"setp.gt.f64", 0x0000000000000001, 0x0000000000000000, 1, 0},
    {"setp.lt.f64", 0xfff0000000000000, 0xffefffffffffffff, 1, 0},
    {"setp.leu.f64", 0x7ff0000000000001, 0x0000000000000000, 1, 0},
    {"setp.lt.s32", 0x80000000, 0x7fffffff, 1, 0},
    {"setp.lt.u32", 0x80000000, 0x7fffffff, 0, 1},
    {"setp.hi.u32", 0xffffffff, 0x00000001, 1, 0},
    {"setp.ls.u16", 0x8000, 0x7fff, 0, 1},
    {"setp.ge.s16", 0x8000, 0x7fff, 0, 1},
    {"setp.lo.u64", 0x0000000000000001, 0xffffffffffffffff, 1, 0},
    {"setp.ge.s64", 0x8000000000000000, 0x0000000000000000, 0, 1},
    {"setp.ne.b32", 0x00000000, 0x80000000, 1, 0},
    {"setp.eq.b64", 0x7ff8000000000000, 0x7ff8000000000000, 1, 0},
    {"setp.nan.f16", 0x7c01, 0x0000, 1, -1},
    {"setp.lt.f16", 0x7e00, 0x3c00, 0, -1},
    {"setp.ltu.f16", 0x7e00, 0x3c00, 1, -1},
    {"setp.num.bf16", 0x7f81, 0x3f80, 0, -1},
    {"setp.neu.bf16", 0x7fc0, 0x7fc0, 1, -1},
};

/** Runs the example in each of 40 lanes. */
static void run_example(const struct subject *s, struct report *r, const struct example *e) {
    enum { LANES = 40 };
    uint64_t a[LANES], b[LANES];
    unsigned char p[LANES], q[LANES];
    pto_setp_op op;

    r->now.detail = e->instruction;
    r->cases++;
    if (s->parse_setp(e->instruction, &op, NULL) != PTO_OK) {
        report_mismatch(r, "does not parse");
        return;
    }
    for (size_t i = 0; i < LANES; i++) {
        value_store(op.type, a, i, e->a);
        value_store(op.type, b, i, e->b);
    }
    report_status(r, s->setp(op, a, b, PTO_NO_MASK, pto_bytes(p), pto_bytes(q), LANES), PTO_OK);
    for (size_t i = 0; i < LANES; i++) {
        if (p[i] != e->p || q[i] != (e->q < 0 ? !e->p : e->q)) report_mismatch(r, "p %d q %d", p[i], q[i]);
    }
}

void check_setp_examples(const struct subject *s, struct report *r) {
    report_call(r, "setp", NULL);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        run_example(s, r, &examples[i]);
    }
}
