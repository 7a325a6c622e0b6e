/* SPDX-License-Identifier: MIT */
/* Checks mask logic (and, or, xor, not, mov, sel), queries on masks, and mask_bytes. */
#include "check/checks.h"

#include <string.h>

enum { BUFFER_SIZE = 16384, OFFSETS = 64, MASK_OPS = 6, TRUTHS = BUFFER_SIZE + 1024 };

enum mask_op { OP_AND, OP_OR, OP_XOR, OP_NOT, OP_MOV, OP_SEL };

static const char *const op_names[MASK_OPS] = {"mask_and", "mask_or",  "mask_xor",
                                               "mask_not", "mask_mov", "mask_sel"};
static const int op_sources[MASK_OPS] = {2, 2, 2, 1, 1, 3};

struct fixture {
    struct guarded source[3], dst;
    unsigned char *truths; /* random lanes */
    unsigned char *truth, *expected;
    struct rng rng;
};

/** One mask logic call. The sources are a, b and sel; an operation reads the first one, two or three of them. */
struct logic_call {
    enum mask_op op;
    pto_mask_kind kind[3], dst_kind;
    unsigned char *source[3], *dst;
    const struct guarded *home; /* the memory that dst lies in */
    size_t n;
};

static void fixture_open(struct fixture *w, const char *purpose) {
    memset(w, 0, sizeof *w);
    rng_start(&w->rng, purpose);
    for (size_t i = 0; i < 3; i++) {
        guarded_open(&w->source[i], BUFFER_SIZE);
    }
    guarded_open(&w->dst, BUFFER_SIZE);
    w->truths = harness_allocate(TRUTHS);
    w->truth = harness_allocate(BUFFER_SIZE);
    w->expected = harness_allocate(BUFFER_SIZE);
    check_fill_truth(&w->rng, w->truths, TRUTHS);
}

static void fixture_close(struct fixture *w) {
    for (size_t i = 0; i < 3; i++) {
        guarded_close(&w->source[i]);
    }
    guarded_close(&w->dst);
    harness_free(w->truths);
    harness_free(w->truth);
    harness_free(w->expected);
}

static bool logic_lane(enum mask_op op, bool a, bool b, bool sel) {
    switch (op) {
    case OP_AND: return a && b;
    case OP_OR: return a || b;
    case OP_XOR: return a != b;
    case OP_NOT: return !a;
    case OP_MOV: return a;
    default: return sel ? a : b;
    }
}

static void expect(const struct fixture *w, const struct logic_call *c) {
    for (size_t i = 0; i < c->n; i++) {
        bool source[3] = {false, false, false};
        for (int k = 0; k < op_sources[c->op]; k++) {
            source[k] = model_mask_get(c->kind[k], c->source[k], i);
        }
        w->truth[i] = logic_lane(c->op, source[0], source[1], source[2]);
    }
    model_mask_put(c->dst_kind, w->expected, w->truth, c->n);
}

static pto_status call_logic(const struct subject *s, const struct logic_call *c) {
    const pto_mask a = pto_mask_at(c->source[0], c->kind[0]);
    const pto_mask b = pto_mask_at(c->source[1], c->kind[1]);
    const pto_mask sel = pto_mask_at(c->source[2], c->kind[2]);
    const pto_mask dst = pto_mask_at(c->dst, c->dst_kind);
    switch (c->op) {
    case OP_AND: return s->mask_and(a, b, dst, c->n);
    case OP_OR: return s->mask_or(a, b, dst, c->n);
    case OP_XOR: return s->mask_xor(a, b, dst, c->n);
    case OP_NOT: return s->mask_not(a, dst, c->n);
    case OP_MOV: return s->mask_mov(a, dst, c->n);
    default: return s->mask_sel(a, b, sel, dst, c->n);
    }
}

static void logic(const struct subject *s, struct report *r, struct fixture *w, const struct logic_call *c) {
    const size_t bytes = model_mask_bytes(c->dst_kind, c->n);
    pto_status status;

    r->now.call = op_names[c->op];
    for (int k = 0; k < 3; k++) {
        r->now.kinds[k] = k < op_sources[c->op] ? (int)c->kind[k] : -1;
    }
    r->now.kinds[3] = (int)c->dst_kind;
    r->now.n = c->n;
    report_result(r, model_lane_bits(c->dst_kind));
    for (int k = 0; k < op_sources[c->op]; k++) {
        report_source(r, pto_in_array(c->source[k]), model_lane_bits(c->kind[k]));
    }
    r->cases++;
    expect(w, c);
    status = call_logic(s, c);
    report_status(r, status, PTO_OK);
    report_image(r, w->expected, c->dst, bytes);
    if (!margins_intact(c->home, c->dst, bytes)) report_mismatch(r, "bytes outside dst were written");
}

static void fill_source(struct fixture *w, const struct logic_call *c, int k) {
    check_fill_mask(&w->rng, c->kind[k], c->source[k], w->truths + rng_below(&w->rng, 1024), c->n);
}

static void logic_placed(const struct subject *s, struct report *r, struct fixture *w, struct logic_call *c,
                         enum place place) {
    const size_t bytes = model_mask_bytes(c->dst_kind, c->n);
    for (int k = 0; k < op_sources[c->op]; k++) {
        c->source[k] = guarded_place(&w->source[k], model_mask_bytes(c->kind[k], c->n), place);
        fill_source(w, c, k);
    }
    c->home = &w->dst;
    c->dst = guarded_place(&w->dst, bytes, place);
    buffer_fill(&w->dst, c->dst, bytes, (unsigned)rng_below(&w->rng, FILLS));
    r->now.detail = place == AT_BEGIN ? "after a guard page" : "ending at a guard page";
    logic(s, r, w, c);
}

typedef void sweep_of_form(const struct subject *s, struct report *r, struct fixture *w,
                           struct logic_call *c);

/** Calls `sweep` for every operation with every combination of kinds for its sources and its result. */
static void for_each_form(const struct subject *s, struct report *r, const char *purpose,
                          sweep_of_form *sweep) {
    struct fixture w;
    report_call(r, "mask logic", NULL);
    fixture_open(&w, purpose);
    for (int op = 0; op < MASK_OPS; op++) {
        size_t forms = MODEL_KINDS;
        for (int k = 0; k < op_sources[op]; k++) {
            forms *= MODEL_KINDS;
        }
        for (size_t form = 0; form < forms && !report_stop(r); form++) {
            struct logic_call c = {.op = (enum mask_op)op};
            c.dst_kind = (pto_mask_kind)(form % MODEL_KINDS);
            c.kind[0] = (pto_mask_kind)(form / MODEL_KINDS % MODEL_KINDS);
            c.kind[1] = (pto_mask_kind)(form / MODEL_KINDS / MODEL_KINDS % MODEL_KINDS);
            c.kind[2] = (pto_mask_kind)(form / MODEL_KINDS / MODEL_KINDS / MODEL_KINDS % MODEL_KINDS);
            sweep(s, r, &w, &c);
        }
    }
    fixture_close(&w);
}

static void sweep_lengths(const struct subject *s, struct report *r, struct fixture *w,
                          struct logic_call *c) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);
    const size_t step =
        c->op == OP_SEL ? 3 : 1; /* sel has 1296 combinations of kinds; each takes every third length */

    for (size_t i = rng_below(&w->rng, step); i < count && !report_stop(r); i += step) {
        c->n = lengths[i];
        logic_placed(s, r, w, c, AT_BEGIN);
        logic_placed(s, r, w, c, AT_END);
    }
    c->n = length_long(rng_below(&w->rng, 6));
    logic_placed(s, r, w, c, rng_below(&w->rng, 2) ? AT_BEGIN : AT_END);
}

void check_mask_logic(const struct subject *s, struct report *r) {
    for_each_form(s, r, "mask logic", sweep_lengths);
}

static void sweep_offsets(const struct subject *s, struct report *r, struct fixture *w,
                          struct logic_call *c) {
    static const size_t lengths[] = {1, 9, 64, 67, 130, 515};
    const int sources = op_sources[c->op];
    const size_t step = c->op == OP_SEL || r->quick ? 13 : 1;

    r->now.detail = "offsets";
    for (int swept = 0; swept <= sources; swept++) {
        for (size_t offset = rng_below(&w->rng, step); offset < OFFSETS && !report_stop(r); offset += step) {
            c->n = lengths[rng_below(&w->rng, sizeof lengths / sizeof lengths[0])];
            for (int k = 0; k < sources; k++) {
                c->source[k] = w->source[k].data + (k == swept ? offset : rng_below(&w->rng, OFFSETS));
                fill_source(w, c, k);
            }
            c->home = &w->dst;
            c->dst = w->dst.data + HARNESS_MARGIN + (swept == sources ? offset : rng_below(&w->rng, OFFSETS));
            buffer_fill(&w->dst, c->dst, model_mask_bytes(c->dst_kind, c->n),
                        (unsigned)rng_below(&w->rng, FILLS));
            logic(s, r, w, c);
        }
    }
}

void check_mask_offsets(const struct subject *s, struct report *r) {
    for_each_form(s, r, "mask offsets", sweep_offsets);
}

/** Makes a call with dst equal to source number `which`, or with dst and all sources equal if `which` is 3. Returns
 * without a call if the kinds have different bits per lane. */
static void logic_onto(const struct subject *s, struct report *r, struct fixture *w, struct logic_call *c,
                       int which) {
    static const char *const details[] = {"dst is a", "dst is b", "dst is sel", "dst is every source"};
    const int sources = op_sources[c->op];
    const enum place place = rng_below(&w->rng, 2) ? AT_BEGIN : AT_END;
    const int home = which == 3 ? 0 : which;

    for (int k = 0; k < sources; k++) {
        if (which < 3 && k != which) continue;
        if (model_lane_bits(c->kind[k]) != model_lane_bits(c->dst_kind)) return;
    }
    for (int k = 0; k < sources; k++) {
        const struct guarded *memory = &w->source[which == 3 ? 0 : k];
        c->source[k] = guarded_place(memory, model_mask_bytes(c->kind[k], c->n), place);
        fill_source(w, c, k);
    }
    c->home = &w->source[home];
    c->dst = c->source[home];
    margins_fill(c->home, c->dst, model_mask_bytes(c->dst_kind, c->n));
    r->now.detail = details[which];
    logic(s, r, w, c);
}

static void sweep_in_place(const struct subject *s, struct report *r, struct fixture *w,
                           struct logic_call *c) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    size_t count = lengths_short(lengths, r->quick);

    lengths[count++] = length_long(rng_below(&w->rng, 6)); /* longer than one chunk of the library */
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        if (c->op == OP_SEL && i % 2 == 1 && i != count - 1) continue;
        c->n = lengths[i];
        for (int which = 0; which < op_sources[c->op]; which++) {
            logic_onto(s, r, w, c, which);
        }
        logic_onto(s, r, w, c, 3);
    }
}

void check_mask_in_place(const struct subject *s, struct report *r) {
    for_each_form(s, r, "mask in place", sweep_in_place);
}

/* ---- count, any, all, none, first ---- */

struct query_results {
    size_t count, first;
    bool any, all, none;
};

static struct query_results expected_results(pto_mask_kind kind, const unsigned char *image, size_t n) {
    struct query_results results = {0, n, false, true, true};
    for (size_t i = n; i-- > 0;) {
        if (model_mask_get(kind, image, i)) {
            results.count++;
            results.first = i;
            results.any = true;
            results.none = false;
        } else {
            results.all = false;
        }
    }
    return results;
}

static void check_query(struct report *r, const char *call, pto_status status, size_t expected, size_t got) {
    r->now.call = call;
    r->cases++;
    report_status(r, status, PTO_OK);
    if (expected != got) report_mismatch(r, "expected %zu, got %zu", expected, got);
}

static void check_queries(const struct subject *s, struct report *r, pto_mask m, size_t n) {
    const struct query_results expected = expected_results(m.kind, m.data, n);
    size_t size = 77777;
    bool truth = !expected.any;
    pto_status status;

    r->now.kinds[0] = (int)m.kind;
    r->now.n = n;
    status = s->mask_count(m, n, &size);
    check_query(r, "mask_count", status, expected.count, size);
    size = 77777;
    status = s->mask_first(m, n, &size);
    check_query(r, "mask_first", status, expected.first, size);
    status = s->mask_any(m, n, &truth);
    check_query(r, "mask_any", status, expected.any, truth);
    truth = !expected.all;
    status = s->mask_all(m, n, &truth);
    check_query(r, "mask_all", status, expected.all, truth);
    truth = !expected.none;
    status = s->mask_none(m, n, &truth);
    check_query(r, "mask_none", status, expected.none, truth);
}

/** Checks the queries on a mask of n lanes: all off (pattern 0), all on (1), random (2), only `lane` on (3) or only
 * `lane` off (4). */
static void query_pattern(const struct subject *s, struct report *r, struct fixture *w, pto_mask_kind kind,
                          size_t n, int pattern, size_t lane, enum place place) {
    unsigned char *image = guarded_place(&w->source[0], model_mask_bytes(kind, n), place);
    if (pattern == 2) {
        memcpy(w->truth, w->truths + rng_below(&w->rng, 1024), n);
    } else {
        memset(w->truth, pattern == 1 || pattern == 4, n);
        if (pattern > 2 && n > 0) w->truth[lane] = pattern == 3;
    }
    check_fill_mask(&w->rng, kind, image, w->truth, n);
    check_queries(s, r, pto_mask_at(image, kind), n);
}

static void query_length(const struct subject *s, struct report *r, struct fixture *w, pto_mask_kind kind,
                         size_t n) {
    for (int pattern = 0; pattern < 5; pattern++) {
        const size_t lane = n ? rng_below(&w->rng, n) : 0;
        query_pattern(s, r, w, kind, n, pattern, lane, AT_BEGIN);
        query_pattern(s, r, w, kind, n, pattern, n ? n - 1 : 0, AT_END);
    }
}

/** Checks a long mask in which one lane differs, for lanes at regular distances. */
static void query_each_lane(const struct subject *s, struct report *r, struct fixture *w, pto_mask_kind kind,
                            size_t n) {
    for (size_t lane = 0; lane < n && !report_stop(r); lane += r->quick ? 37 : 5) {
        query_pattern(s, r, w, kind, n, 3, lane, AT_END);
        query_pattern(s, r, w, kind, n, 4, lane, AT_BEGIN);
    }
}

/** Checks masks without lanes. These may lie anywhere, even inside the result. */
static void queries_of_no_lanes(const struct subject *s, struct report *r, pto_mask_kind kind) {
    union {
        size_t number;
        bool truth;
        unsigned char bytes[sizeof(size_t)];
    } result;
    for (size_t k = 0; k < sizeof result.bytes; k++) {
        const pto_mask m = pto_mask_at(result.bytes + k, kind);
        pto_status status = s->mask_count(m, 0, &result.number);
        check_query(r, "mask_count", status, 0, result.number);
        status = s->mask_first(m, 0, &result.number);
        check_query(r, "mask_first", status, 0, result.number);
        status = s->mask_any(m, 0, &result.truth);
        check_query(r, "mask_any", status, false, result.truth);
        status = s->mask_all(m, 0, &result.truth);
        check_query(r, "mask_all", status, true, result.truth);
        status = s->mask_none(m, 0, &result.truth);
        check_query(r, "mask_none", status, true, result.truth);
    }
}

void check_mask_queries(const struct subject *s, struct report *r) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);
    struct fixture w;

    fixture_open(&w, "mask questions");
    report_call(r, "mask questions", NULL);
    for (int kind = 0; kind < MODEL_KINDS && !report_stop(r); kind++) {
        for (size_t i = 0; i < count; i++) {
            query_length(s, r, &w, (pto_mask_kind)kind, lengths[i]);
        }
        for (size_t i = 0; i < 6; i++) {
            query_length(s, r, &w, (pto_mask_kind)kind, length_long(i));
        }
        query_each_lane(s, r, &w, (pto_mask_kind)kind, 1031);
        check_queries(s, r, pto_mask_at(NULL, (pto_mask_kind)kind), 0);
        queries_of_no_lanes(s, r, (pto_mask_kind)kind);
    }
    fixture_close(&w);
}

void check_mask_bytes(const struct subject *s, struct report *r) {
    report_call(r, "mask_bytes", NULL);
    for (int kind = 0; kind < MODEL_KINDS; kind++) {
        r->now.kinds[0] = kind;
        for (size_t i = 0; i <= 600; i++) {
            const size_t n = i < 300 ? i : SIZE_MAX / 16 - (i - 300);
            const size_t got = s->mask_bytes((pto_mask_kind)kind, n);
            const size_t expected = model_mask_bytes((pto_mask_kind)kind, n);
            r->now.n = n;
            r->cases++;
            if (got != expected) report_mismatch(r, "expected %zu, got %zu", expected, got);
        }
    }
}
