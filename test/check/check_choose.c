/* SPDX-License-Identifier: MIT */
/* Checks selp and slct, which copy the bits of a or b, chosen by a mask or by the sign of c. */
#include "check/checks.h"
#include "support/operands.h"

#include <stdio.h>
#include <string.h>

enum { MAX_BYTES = 8 * (HARNESS_LONGEST + 4096), EXTRA_TRUTH = 512 };

struct fixture {
    struct operands in;
    struct guarded control, dst; /* control: the mask of selp, or c of slct */
    unsigned char chosen[HARNESS_LONGEST], expected[MAX_BYTES], before[MAX_BYTES];
    unsigned char truth[HARNESS_LONGEST + EXTRA_TRUTH];
    struct rng rng;
    size_t turn;
    char text[64];
};

/** The operands of one call. w->chosen is 1 for the lanes that take a. */
struct select_operands {
    const unsigned char *a, *b;
    unsigned char *control, *dst;
    size_t control_bytes;
    const struct guarded *home;
    size_t n;
    pto_mask_kind kind; /* selp only */
    pto_dtype ctype;    /* slct only */
    bool ftz;
};

static struct fixture *fixture_open(const char *purpose, pto_dtype type) {
    struct fixture *w = harness_allocate(sizeof *w);
    rng_start_for(&w->rng, purpose, type);
    operands_open(&w->in, &w->rng, type, false);
    guarded_open(&w->control, (size_t)HARNESS_LONGEST * 4);
    guarded_open(&w->dst, HARNESS_LONGEST * w->in.size);
    check_fill_truth(&w->rng, w->truth, sizeof w->truth);
    return w;
}

static void fixture_close(struct fixture *w) {
    operands_close(&w->in);
    guarded_close(&w->control);
    guarded_close(&w->dst);
    harness_free(w);
}

typedef pto_status choose_call(const struct subject *s, pto_dtype type, const struct select_operands *x);

static pto_status call_selp(const struct subject *s, pto_dtype type, const struct select_operands *x) {
    return s->selp(type, x->a, x->b, pto_mask_at(x->control, x->kind), x->dst, x->n);
}

static pto_status call_slct(const struct subject *s, pto_dtype type, const struct select_operands *x) {
    return s->slct(type, x->ctype, x->ftz, x->a, x->b, x->control, x->dst, x->n);
}

static void run(const struct subject *s, struct report *r, struct fixture *w, choose_call *call,
                const struct select_operands *x) {
    const bool own_control = x->control != x->dst;
    pto_status status;

    r->cases++;
    w->turn++;
    r->now.n = x->n;
    report_result(r, 8 * w->in.size);
    report_source(r, pto_in_array(x->a), 8 * w->in.size);
    report_source(r, pto_in_array(x->b), 8 * w->in.size);
    report_source(r, pto_in_array(x->control), call == call_selp ? model_lane_bits(x->kind) : 32);
    for (size_t i = 0; i < x->n; i++) {
        memcpy(w->expected + i * w->in.size, (w->chosen[i] ? x->a : x->b) + i * w->in.size, w->in.size);
    }
    memcpy(w->before, x->control, x->control_bytes);
    status = call(s, w->in.type, x);
    report_status(r, status, PTO_OK);
    report_image(r, w->expected, x->dst, x->n * w->in.size);
    if (!margins_intact(x->home, x->dst, x->n * w->in.size))
        report_mismatch(r, "bytes outside dst were written");
    if (own_control && memcmp(w->before, x->control, x->control_bytes) != 0)
        report_mismatch(r, "the mask or c was written");
}

/** Sets where the sources and dst lie. If `onto` is 1, dst is a; if it is 2, dst is b. That source is copied to dst,
 * because the arrays of the fixture are read-only. */
static void place(struct fixture *w, struct select_operands *x, enum place where, int onto) {
    const size_t bytes = x->n * w->in.size;
    const size_t first = operands_first(&w->in, x->n, where);
    x->a = w->in.a.data + first * w->in.size;
    x->b = w->in.b.data + first * w->in.size;
    x->home = &w->dst;
    x->dst = guarded_place(&w->dst, bytes, where);
    buffer_fill(&w->dst, x->dst, bytes, (unsigned)w->turn);
    if (onto != 0) memcpy(x->dst, onto == 1 ? x->a : x->b, bytes);
    if (onto == 1) x->a = x->dst;
    if (onto == 2) x->b = x->dst;
}

static const char *placing(int onto) {
    static const char *const names[] = {"", "dst is a", "dst is b"};
    return names[onto];
}

/* ---- selp ---- */

static void run_selp(const struct subject *s, struct report *r, struct fixture *w, size_t n, enum place where,
                     int onto) {
    struct select_operands x = {.n = n, .kind = mask_kind(w->in.type, w->turn)};

    x.control_bytes = model_mask_bytes(x.kind, n);
    x.control = guarded_place(&w->control, x.control_bytes, where);
    memcpy(w->chosen, w->truth + rng_below(&w->rng, EXTRA_TRUTH), n);
    check_fill_mask(&w->rng, x.kind, x.control, w->chosen, n);
    place(w, &x, where, onto);
    r->now.kinds[0] = (int)x.kind;
    r->now.detail = placing(onto);
    run(s, r, w, call_selp, &x);
}

static void sweep(const struct subject *s, struct report *r, struct fixture *w,
                  void (*one)(const struct subject *s, struct report *r, struct fixture *w, size_t n,
                              enum place where, int onto)) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);

    for (int onto = 0; onto < 3; onto++) {
        for (size_t i = 0; i < 2 * count && !report_stop(r); i++) {
            one(s, r, w, lengths[i / 2], i % 2 ? AT_BEGIN : AT_END, onto);
            one(s, r, w, lengths[i / 2], i % 2 ? AT_BEGIN : AT_END, onto);
        }
        for (size_t i = 0; i < 6 && !report_stop(r); i++) {
            one(s, r, w, length_long(i), i % 2 ? AT_BEGIN : AT_END, onto);
        }
    }
}

void check_selp(const struct subject *s, struct report *r) {
    report_call(r, "selp", NULL);
    for (size_t t = 0; t < MODEL_SELP_TYPES && !report_stop(r); t++) {
        struct fixture *w = fixture_open("selp", model_selp_types[t]);
        r->now.type = (int)w->in.type;
        sweep(s, r, w, run_selp);
        fixture_close(w);
    }
}

/* ---- slct ---- */

/** Cycles through c of type s32, f32, and f32 with .ftz. */
static void choose_control(const struct fixture *w, struct select_operands *x) {
    x->ctype = w->turn % 3 == 0 ? PTO_S32 : PTO_F32;
    x->ftz = w->turn % 3 == 2;
}

static void fill_control(struct fixture *w, struct select_operands *x) {
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(x->ctype, specials);
    for (size_t i = 0; i < x->n; i++) {
        const uint64_t word = rng_next(&w->rng);
        value_store(x->ctype, x->control, i, word % 3 ? specials[word / 3 % count] : word / 3 & 0xffffffffU);
        w->chosen[i] = model_slct_lane(x->ctype, x->ftz, x->control + 4 * i);
    }
}

static void describe_slct(struct report *r, struct fixture *w, const struct select_operands *x,
                          const char *detail) {
    snprintf(w->text, sizeof w->text, "c is %s%s, %s", pto_dtype_name(x->ctype), x->ftz ? " ftz" : "",
             detail);
    r->now.detail = w->text;
}

static void run_slct(const struct subject *s, struct report *r, struct fixture *w, size_t n, enum place where,
                     int onto) {
    struct select_operands x = {.n = n};

    choose_control(w, &x);
    x.control_bytes = 4 * n;
    x.control = guarded_place(&w->control, x.control_bytes, where);
    fill_control(w, &x);
    place(w, &x, where, onto);
    describe_slct(r, w, &x, placing(onto));
    run(s, r, w, call_slct, &x);
}

/** Runs slct with dst equal to c, which is possible for 32-bit types. */
static void run_slct_onto_c(const struct subject *s, struct report *r, struct fixture *w, size_t n,
                            enum place where) {
    struct select_operands x = {.n = n};

    choose_control(w, &x);
    place(w, &x, where, 0);
    x.control = x.dst;
    x.control_bytes = 4 * n;
    fill_control(w, &x);
    describe_slct(r, w, &x, "dst is c");
    run(s, r, w, call_slct, &x);
}

void check_slct(const struct subject *s, struct report *r) {
    report_call(r, "slct", NULL);
    for (size_t t = 0; t < MODEL_SELP_TYPES && !report_stop(r); t++) {
        struct fixture *w = fixture_open("slct", model_selp_types[t]);
        r->now.type = (int)w->in.type;
        sweep(s, r, w, run_slct);
        for (size_t i = 0; w->in.size == 4 && i < 600 && !report_stop(r); i++) {
            run_slct_onto_c(s, r, w, i % 200, i % 2 ? AT_BEGIN : AT_END);
        }
        fixture_close(w);
    }
}

/* ---- worked examples: slct.u32 with a = 11 and b = 22, with the results of NVIDIA's assembler ---- */

static const struct example {
    uint32_t c;
    int f32, ftz; /* the results with .f32 and .ftz.f32 */
} examples[] = {
    {0x00000000, 11, 11}, {0x80000000, 11, 11}, {0x00000001, 11, 11}, {0x80000001, 22, 11},
    {0x3f800000, 11, 11}, {0xbf800000, 22, 22}, {0x807fffff, 22, 11}, {0x80800000, 22, 22},
    {0x7f800000, 11, 11}, {0xff800000, 22, 22}, {0x7fc00000, 22, 22}, {0xffc00000, 22, 22},
    {0x7f800001, 22, 22}, {0xff800001, 22, 22},
};

static const struct integer_example {
    uint32_t c, d;
} integer_examples[] = {
    {0x00000000, 11}, {0x00000001, 11}, {0x7fffffff, 11}, {0x80000000, 22}, {0xffffffff, 22}};

static void expect_word(struct report *r, pto_status status, uint32_t got, uint32_t want, uint32_t c) {
    r->cases++;
    if (status != PTO_OK || got != want)
        report_mismatch(r, "c %08x: %s, %08x, not %08x", (unsigned)c, status_name(status), (unsigned)got,
                        (unsigned)want);
}

static void slct_words(const struct subject *s, struct report *r) {
    const uint32_t a = 11, b = 22;
    uint32_t d = 0;
    pto_status status;

    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const struct example *e = &examples[i];
        status = s->slct(PTO_U32, PTO_F32, false, &a, &b, &e->c, &d, 1);
        expect_word(r, status, d, (uint32_t)e->f32, e->c);
        status = s->slct(PTO_U32, PTO_F32, true, &a, &b, &e->c, &d, 1);
        expect_word(r, status, d, (uint32_t)e->ftz, e->c);
    }
    for (size_t i = 0; i < sizeof integer_examples / sizeof integer_examples[0]; i++) {
        const struct integer_example *e = &integer_examples[i];
        status = s->slct(PTO_U32, PTO_S32, false, &a, &b, &e->c, &d, 1);
        expect_word(r, status, d, e->d, e->c);
    }
}

/** Checks slct.f32.f32 and selp.f32 with a = 7f800001 and b = ff812345: NaN payloads are preserved. */
static void payloads(const struct subject *s, struct report *r) {
    static const uint32_t controls[] = {0x00000000, 0x80000001, 0xffc00000};
    const uint32_t a = 0x7f800001, b = 0xff812345;
    uint32_t d = 0;
    for (size_t i = 0; i < 3; i++) {
        const pto_status status = s->slct(PTO_F32, PTO_F32, false, &a, &b, &controls[i], &d, 1);
        expect_word(r, status, d, i == 0 ? a : b, controls[i]);
    }
    for (unsigned char p = 0; p < 2; p++) {
        const pto_status status = s->selp(PTO_F32, &a, &b, pto_packed(&p), &d, 1);
        expect_word(r, status, d, p ? a : b, p);
    }
}

void check_slct_examples(const struct subject *s, struct report *r) {
    report_call(r, "slct", "worked examples");
    slct_words(s, r);
    payloads(s, r);
}
