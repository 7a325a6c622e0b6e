/* SPDX-License-Identifier: MIT */
/* Checks set: lengths, values, results in place, and worked examples. */
#include "check/combined.h"

#include <stdio.h>
#include <string.h>

struct fixture {
    struct combined common;
    struct guarded dst, moved;
    unsigned char *expected;
};

struct set_case {
    pto_set_op op;
    size_t n;
    size_t first;
    const unsigned char *a, *b;
    pto_mask c;
    unsigned char *dst;
    const struct guarded *home;
};

static void fixture_open(struct fixture *w, const char *purpose, pto_dtype type, bool cross) {
    combined_open(&w->common, purpose, type, cross);
    guarded_open(&w->dst, 4 * w->common.in.count);
    guarded_open(&w->moved, w->common.in.size * 1024);
    w->expected = harness_allocate(4 * w->common.in.count);
}

static void fixture_close(struct fixture *w) {
    combined_close(&w->common);
    guarded_close(&w->dst);
    guarded_close(&w->moved);
    harness_free(w->expected);
}

static void expect(const struct fixture *w, const struct set_case *x) {
    const size_t size = model_word(x->op.dtype);
    bool truth_row[4];
    model_truth_row(x->op.cmp, truth_row);
    for (size_t i = 0; i < x->n; i++) {
        const bool c = x->c.data && model_mask_get(x->c.kind, x->c.data, i);
        uint64_t bits;
        bool truth[MODEL_MOST_PARTS];
        operands_truth(&w->common.in, truth_row, x->op.ftz, x->first + i, truth);
        bits = model_set_lane(&x->op, truth, c);
        memcpy(w->expected + i * size, &bits, size);
    }
}

static void describe(struct report *r, struct fixture *w, const struct set_case *x, const char *detail) {
    r->now.type = (int)x->op.stype;
    r->now.op = (int)x->op.cmp;
    r->now.flags = x->op.ftz ? PTO_FTZ : 0;
    r->now.kinds[0] = x->c.data ? (int)x->c.kind : -1;
    r->now.n = x->n;
    snprintf(w->common.text, sizeof w->common.text, "to %s %s%s, %s", pto_dtype_name(x->op.dtype),
             model_bool_name(x->op.boolop), x->op.not_c ? " !c" : "", detail);
    r->now.detail = w->common.text;
    combined_sources(r, &w->common, x->first, x->c, 8 * model_word(x->op.dtype));
}

static void run(const struct subject *s, struct report *r, struct fixture *w, const struct set_case *x,
                const char *detail) {
    const size_t dst_bytes = x->n * model_word(x->op.dtype);
    const size_t c_bytes = x->c.data ? model_mask_bytes(x->c.kind, x->n) : 0;
    pto_status status;

    describe(r, w, x, detail);
    r->cases++;
    w->common.turn++;
    expect(w, x);
    if (x->c.data) memcpy(w->common.c_before, x->c.data, c_bytes);
    status = s->set(x->op, x->a, x->b, x->c, x->dst, x->n);
    if (!report_status(r, status, PTO_OK)) return;
    report_image(r, w->expected, x->dst, dst_bytes);
    if (!margins_intact(x->home, x->dst, dst_bytes)) report_mismatch(r, "bytes outside dst were written");
    if (x->c.data && memcmp(w->common.c_before, x->c.data, c_bytes) != 0) report_mismatch(r, "c was written");
}

static void place_c(struct fixture *w, struct set_case *x, enum place place) {
    const pto_mask_kind kind = mask_kind(x->op.stype, rng_below(&w->common.rng, MASK_KINDS));
    x->c = PTO_NO_MASK;
    if (x->op.boolop != PTO_BOOL_NONE) x->c = combined_place_c(&w->common, kind, x->n, place);
}

static void run_placed(const struct subject *s, struct report *r, struct fixture *w, struct set_case *x,
                       enum place place) {
    const size_t dst_bytes = x->n * model_word(x->op.dtype);

    x->first = operands_first(&w->common.in, x->n, place);
    x->a = w->common.in.a.data + x->first * w->common.in.size;
    x->b = w->common.in.b.data + x->first * w->common.in.size;
    place_c(w, x, place);
    x->home = &w->dst;
    x->dst = guarded_place(&w->dst, dst_bytes, place);
    buffer_fill(&w->dst, x->dst, dst_bytes, (unsigned)w->common.turn);
    run(s, r, w, x, place == AT_BEGIN ? "after a guard page" : "ending at a guard page");
}

typedef void sweep_of_op(const struct subject *s, struct report *r, struct fixture *w, struct set_case *x);

static void for_each_dtype(const struct subject *s, struct report *r, struct fixture *w, struct set_case *x,
                           sweep_of_op *sweep) {
    for (int d = 0; d < MODEL_DTYPES && !report_stop(r); d++) {
        x->op.dtype = (pto_dtype)d;
        if (model_set_status(x->op) == PTO_OK) sweep(s, r, w, x);
    }
}

/** Calls `sweep` for every legal stype, dtype, .ftz, operator, BoolOp and c or !c. */
static void for_each_form(const struct subject *s, struct report *r, const char *purpose, bool cross,
                          sweep_of_op *sweep) {
    report_call(r, "set", NULL);
    for (size_t t = 0; t < MODEL_SET_TYPES && !report_stop(r); t++) {
        struct fixture w;
        fixture_open(&w, purpose, model_set_types[t], cross);
        for (size_t i = 0; i < COMBINATIONS && !report_stop(r); i++) {
            const struct combination k = combination_of(i);
            struct set_case x = {.op = {.stype = model_set_types[t]}};
            x.op.cmp = k.cmp;
            x.op.ftz = k.ftz;
            x.op.boolop = k.boolop;
            x.op.not_c = k.not_c;
            for_each_dtype(s, r, &w, &x, sweep);
        }
        fixture_close(&w);
    }
}

static void sweep_lengths(const struct subject *s, struct report *r, struct fixture *w, struct set_case *x) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);

    for (size_t i = 0; i < count && !report_stop(r); i++) {
        x->n = lengths[i];
        run_placed(s, r, w, x, (i + w->common.turn / count) % 2 ? AT_BEGIN : AT_END);
    }
    if (r->quick && rng_below(&w->common.rng, 8) != 0) return;
    x->n = length_long(rng_below(&w->common.rng, 64));
    run_placed(s, r, w, x, w->common.turn % 2 ? AT_BEGIN : AT_END);
}

void check_set_lengths(const struct subject *s, struct report *r) {
    for_each_form(s, r, "set lengths", false, sweep_lengths);
}

static void sweep_values(const struct subject *s, struct report *r, struct fixture *w, struct set_case *x) {
    x->n = values_cross_size(w->common.in.part) / w->common.in.parts;
    run_placed(s, r, w, x, AT_BEGIN);
}

void check_set_values(const struct subject *s, struct report *r) {
    for_each_form(s, r, "set values", true, sweep_values);
}

/** Makes calls with dst equal to a, then to b, if the element sizes are equal. Addresses have any alignment. */
static void sweep_in_place(const struct subject *s, struct report *r, struct fixture *w, struct set_case *x) {
    static const size_t lengths[] = {1, 7, 64, 65, 130, 511, 600};

    if (model_word(x->op.dtype) != w->common.in.size) return;
    for (size_t i = 0; i < 2 * (sizeof lengths / sizeof lengths[0]) && !report_stop(r); i++) {
        const struct guarded *from = i % 2 ? &w->common.in.b : &w->common.in.a;
        x->n = lengths[i / 2];
        x->first = rng_below(&w->common.rng, w->common.in.count - x->n);
        x->a = w->common.in.a.data + x->first * w->common.in.size;
        x->b = w->common.in.b.data + x->first * w->common.in.size;
        x->dst = w->moved.data + HARNESS_MARGIN + w->common.turn % 64;
        memcpy(x->dst, from->data + x->first * w->common.in.size, x->n * w->common.in.size);
        if (i % 2 == 0) x->a = x->dst;
        if (i % 2 == 1) x->b = x->dst;
        place_c(w, x, AT_END);
        x->home = &w->moved;
        margins_fill(&w->moved, x->dst, x->n * w->common.in.size);
        run(s, r, w, x, i % 2 ? "dst is b" : "dst is a");
    }
}

void check_set_in_place(const struct subject *s, struct report *r) {
    for_each_form(s, r, "set in place", false, sweep_in_place);
}

/* ---- worked examples, with the results of NVIDIA's assembler ---- */

static const struct example {
    const char *instruction;
    uint64_t a, b;
    int c; /* -1: no c; 2: c = 1, negated as !c */
    uint64_t d;
} examples[] = {
    /* `set`, as constant-folded by ptxas */
    {"set.neu.u32.f32", 0x7fc00000, 0x7fc00000, -1, 0xffffffff},
    {"set.neu.f32.f32", 0x7fc00000, 0x7fc00000, -1, 0x3f800000},
    {"set.eq.or.f32.f32", 0x7fc00000, 0x7fc00000, 1, 0x3f800000},
    {"set.eq.or.f32.f32", 0x7fc00000, 0x7fc00000, 2, 0x00000000},
    {"set.eq.xor.s32.f32", 0x3f800000, 0x3f800000, 1, 0x00000000},
    {"set.lt.and.u32.s32", 0xffffffff, 0, 1, 0xffffffff},
    {"set.lo.u32.u32", 0xffffffff, 0, -1, 0x00000000},
    {"set.lt.f32.s64", UINT64_MAX, 0, -1, 0x3f800000},
    {"set.nan.u32.bf16", 0x7fc0, 0x3f80, -1, 0xffffffff},
    {"set.nan.u16.bf16", 0x7fc0, 0x3f80, -1, 0xffff},
    /* pairs, high half first, as the host code of the vendor's headers computes them */
    {"set.eq.u32.f16x2", 0x3c003c00, 0x40003c00, -1, 0x0000ffff},
    {"set.ne.u32.f16x2", 0x3c003c00, 0x40003c00, -1, 0xffff0000},
    {"set.ltu.u32.f16x2", 0x3c003c00, 0x40003c00, -1, 0xffff0000},
    {"set.gt.u32.f16x2", 0x3c003c00, 0x40003c00, -1, 0x00000000},
    {"set.eq.f16x2.f16x2", 0x3c003c00, 0x40003c00, -1, 0x00003c00},
    {"set.neu.f16x2.f16x2", 0x3c003c00, 0x40003c00, -1, 0x3c000000},
    {"set.eq.u32.f16x2", 0x3c007e00, 0x3c003c00, -1, 0xffff0000},
    {"set.ne.u32.f16x2", 0x3c007e00, 0x3c003c00, -1, 0x00000000},
    {"set.ltu.u32.f16x2", 0x3c007e00, 0x3c003c00, -1, 0x0000ffff},
    {"set.gt.u32.f16x2", 0x3c007e00, 0x3c003c00, -1, 0x00000000},
    {"set.eq.f16x2.f16x2", 0x3c007e00, 0x3c003c00, -1, 0x3c000000},
    {"set.neu.f16x2.f16x2", 0x3c007e00, 0x3c003c00, -1, 0x00003c00},
    {"set.eq.u32.f16x2", 0x80000001, 0x00000000, -1, 0xffff0000},
    {"set.ne.u32.f16x2", 0x80000001, 0x00000000, -1, 0x0000ffff},
    {"set.ltu.u32.f16x2", 0x80000001, 0x00000000, -1, 0x00000000},
    {"set.gt.u32.f16x2", 0x80000001, 0x00000000, -1, 0x0000ffff},
    {"set.eq.f16x2.f16x2", 0x80000001, 0x00000000, -1, 0x3c000000},
    {"set.neu.f16x2.f16x2", 0x80000001, 0x00000000, -1, 0x00003c00},
    {"set.eq.u32.f16x2", 0x7c00fc00, 0x7e00fbff, -1, 0x00000000},
    {"set.ne.u32.f16x2", 0x7c00fc00, 0x7e00fbff, -1, 0x0000ffff},
    {"set.ltu.u32.f16x2", 0x7c00fc00, 0x7e00fbff, -1, 0xffffffff},
    {"set.gt.u32.f16x2", 0x7c00fc00, 0x7e00fbff, -1, 0x00000000},
    {"set.eq.f16x2.f16x2", 0x7c00fc00, 0x7e00fbff, -1, 0x00000000},
    {"set.neu.f16x2.f16x2", 0x7c00fc00, 0x7e00fbff, -1, 0x3c003c00},
    {"set.geu.bf16x2.bf16x2", 0x7fc03f80, 0x3f803f80, -1, 0x3f803f80},
    {"set.geu.u32.bf16x2", 0x7fc03f80, 0x3f803f80, -1, 0xffffffff},
    {"set.ge.u32.bf16x2", 0x7fc03f80, 0x3f803f80, -1, 0x0000ffff},
    /* packed integers, as the PTX ISA describes them */
    {"set.lt.u8x4", 0x007f80ff, 0x01807fff, -1, 0xffff0000},
    {"set.lt.s8x4", 0x007f80ff, 0x01807fff, -1, 0xff00ff00},
    {"set.hs.u8x4", 0x007f80ff, 0x01807fff, -1, 0x0000ffff},
    {"set.eq.s8x4", 0x007f80ff, 0x01807fff, -1, 0x000000ff},
    {"set.ne.u8x4", 0x007f80ff, 0x01807fff, -1, 0xffffff00},
    {"set.lt.u16x2", 0x7fff8000, 0x80007fff, -1, 0xffff0000},
    {"set.lt.s16x2", 0x7fff8000, 0x80007fff, -1, 0x0000ffff},
    {"set.ls.u16x2", 0x00010100, 0x00010001, -1, 0xffff0000},
};

/** Runs the example in each of 70 lanes. */
static void run_example(const struct subject *s, struct report *r, const struct example *e) {
    enum { LANES = 70 };
    unsigned char a[LANES * 8], b[LANES * 8], dst[LANES * 8], c[LANES];
    size_t from, to;
    pto_set_op op;

    r->now.detail = e->instruction;
    r->cases++;
    if (s->parse_set(e->instruction, &op, NULL) != PTO_OK) {
        report_mismatch(r, "does not parse");
        return;
    }
    op.not_c = e->c == 2;
    memset(c, 1, sizeof c);
    from = model_word(op.stype);
    to = model_word(op.dtype);
    for (size_t i = 0; i < LANES; i++) {
        memcpy(a + i * from, &e->a, from);
        memcpy(b + i * from, &e->b, from);
    }
    report_status(r, s->set(op, a, b, e->c < 0 ? PTO_NO_MASK : pto_bytes(c), dst, LANES), PTO_OK);
    for (size_t i = 0; i < LANES; i++) {
        report_image(r, (const unsigned char *)&e->d, dst + i * to, to);
    }
}

void check_set_examples(const struct subject *s, struct report *r) {
    report_call(r, "set", NULL);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        run_example(s, r, &examples[i]);
    }
}
