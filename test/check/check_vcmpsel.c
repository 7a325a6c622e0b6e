/* SPDX-License-Identifier: MIT */
/* Checks vcmpsel: lengths, values, and results in place, for every combination of arrays and scalars. */
#include "check/checks.h"
#include "support/operands.h"

#include <stdio.h>
#include <string.h>

enum { INS = 4, COMBINATIONS = 1 << INS, MAX_BYTES = 8 * (HARNESS_LONGEST + 4096) };

/** The arrays x and y are in.a and in.b; u and v have their own memory. */
struct fixture {
    struct operands in;
    struct guarded u, v, dst, scalars[INS];
    unsigned char expected[MAX_BYTES];
    struct model_value scalar_values[2];
    struct rng rng;
    size_t turn;
    char text[80];
};

struct fused_case {
    pto_cmp op;
    unsigned flags;
    unsigned scalars; /* bit k: input k is a scalar */
    size_t n, first;
    enum place place;
    pto_in in[INS];
    unsigned char *dst;
};

static struct fixture *fixture_open(const char *purpose, pto_dtype type, bool cross) {
    struct fixture *w = harness_allocate(sizeof *w);
    rng_start_for(&w->rng, purpose, type);
    operands_open(&w->in, &w->rng, type, cross);
    operands_relate(&w->in);
    guarded_open(&w->u, w->in.a.size);
    guarded_open(&w->v, w->in.a.size);
    guarded_open(&w->dst, w->in.a.size);
    for (size_t k = 0; k < INS; k++) {
        guarded_open(&w->scalars[k], 1);
    }
    values_pairs(&w->rng, type, w->u.data, w->v.data, w->in.count);
    guarded_freeze(&w->u);
    guarded_freeze(&w->v);
    return w;
}

static void fixture_close(struct fixture *w) {
    operands_close(&w->in);
    guarded_close(&w->u);
    guarded_close(&w->v);
    guarded_close(&w->dst);
    for (size_t k = 0; k < INS; k++) {
        guarded_close(&w->scalars[k]);
    }
    harness_free(w);
}

static const struct guarded *source(const struct fixture *w, size_t k) {
    const struct guarded *const all[INS] = {&w->in.a, &w->in.b, &w->u, &w->v};
    return all[k];
}

static bool is_scalar(const struct fused_case *x, size_t k) {
    return x->scalars >> k & 1;
}

/** Returns the value of x or y in a lane. Arrays are decoded once in the fixture, scalars once per call. */
static const struct model_value *value_of(const struct fixture *w, const struct fused_case *x, size_t k,
                                          size_t lane) {
    const bool ftz = (x->flags & PTO_FTZ) != 0;
    if (is_scalar(x, k)) return &w->scalar_values[k];
    return &(k == 0 ? w->in.value_a : w->in.value_b)[ftz][x->first + lane];
}

/** Computes the expected result from the inputs before the call. */
static void expect(struct fixture *w, const struct fused_case *x) {
    const size_t size = w->in.size;
    const bool ftz = (x->flags & PTO_FTZ) != 0;
    bool truth_row[4];

    model_truth_row(x->op, truth_row);
    for (size_t k = 0; k < 2; k++) {
        if (is_scalar(x, k)) w->scalar_values[k] = model_decode(w->in.type, ftz, x->in[k].data);
    }
    for (size_t i = 0; i < x->n; i++) {
        const enum model_relation relation =
            model_relate(w->in.type, value_of(w, x, 0, i), value_of(w, x, 1, i));
        const pto_in chosen = x->in[truth_row[relation] ? 2 : 3];
        memcpy(w->expected + i * size, (const unsigned char *)chosen.data + (chosen.scalar ? 0 : i * size),
               size);
    }
}

static void run(const struct subject *s, struct report *r, struct fixture *w, const struct fused_case *x,
                const char *detail) {
    const size_t bytes = x->n * w->in.size;
    pto_status status;

    r->now.type = (int)w->in.type;
    r->now.op = (int)x->op;
    r->now.flags = (int)x->flags;
    r->now.n = x->n;
    snprintf(w->text, sizeof w->text, "%s %s %s %s, %s", is_scalar(x, 0) ? "scalar" : "array",
             is_scalar(x, 1) ? "scalar" : "array", is_scalar(x, 2) ? "scalar" : "array",
             is_scalar(x, 3) ? "scalar" : "array", detail);
    r->now.detail = w->text;
    report_result(r, 8 * w->in.size);
    for (size_t k = 0; k < INS; k++) {
        report_source(r, x->in[k], 8 * w->in.size);
    }
    r->cases++;
    w->turn++;
    expect(w, x);
    status = s->vcmpsel(w->in.type, x->op, x->flags, x->in[0], x->in[1], x->in[2], x->in[3], x->dst, x->n);
    report_status(r, status, PTO_OK);
    report_image(r, w->expected, x->dst, bytes);
    if (!margins_intact(&w->dst, x->dst, bytes)) report_mismatch(r, "bytes outside dst were written");
}

/** Places the sources beside their guard pages and each scalar on a page of its own. Fills dst. */
static void place_case(struct fixture *w, struct fused_case *x) {
    const size_t size = w->in.size;
    x->first = operands_first(&w->in, x->n, x->place);
    for (size_t k = 0; k < INS; k++) {
        x->in[k].scalar = is_scalar(x, k);
        x->in[k].data = source(w, k)->data + x->first * size;
        if (is_scalar(x, k)) {
            unsigned char *buffer = guarded_place(&w->scalars[k], size, x->place);
            memcpy(buffer, source(w, k)->data + rng_below(&w->rng, w->in.count) * size, size);
            x->in[k].data = buffer;
        }
    }
    x->dst = guarded_place(&w->dst, x->n * size, x->place);
    buffer_fill(&w->dst, x->dst, x->n * size, (unsigned)w->turn);
}

typedef void sweep_of_case(const struct subject *s, struct report *r, struct fixture *w,
                           struct fused_case *x);

/** Calls `sweep` for every type, operator, PTO_FTZ and combination of arrays and scalars. */
static void for_each_form(const struct subject *s, struct report *r, const char *purpose, bool cross,
                          sweep_of_case *sweep) {
    report_call(r, "vcmpsel", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        struct fixture *w = fixture_open(purpose, model_types[t], cross);
        for (size_t i = 0; i < (size_t)MODEL_OPS * 2 * COMBINATIONS && !report_stop(r); i++) {
            struct fused_case x = {.op = (pto_cmp)(i / (size_t)(2 * COMBINATIONS)),
                                   .scalars = i % COMBINATIONS};
            x.flags = i / COMBINATIONS % 2 ? PTO_FTZ : 0;
            if (!model_has_op(model_types[t], x.op)) continue;
            if (x.flags && !model_has_ftz(model_types[t])) continue;
            sweep(s, r, w, &x);
        }
        fixture_close(w);
    }
}

static void sweep_lengths(const struct subject *s, struct report *r, struct fixture *w,
                          struct fused_case *x) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);

    for (size_t i = 0; i < count && !report_stop(r); i++) {
        x->n = lengths[i];
        x->place = w->turn % 2 ? AT_BEGIN : AT_END;
        place_case(w, x);
        run(s, r, w, x, "between guard pages");
    }
    for (size_t i = r->quick && x->scalars % 5 != 0 ? 1 : 0; i < (r->quick ? 1 : 2); i++) {
        x->n = length_long(rng_below(&w->rng, 64));
        x->place = i ? AT_BEGIN : AT_END;
        place_case(w, x);
        run(s, r, w, x, "between guard pages");
    }
}

void check_vcmpsel_lengths(const struct subject *s, struct report *r) {
    for_each_form(s, r, "vcmpsel lengths", false, sweep_lengths);
}

/** Compares specials with specials, and with each special as a scalar. */
static void sweep_values(const struct subject *s, struct report *r, struct fixture *w, struct fused_case *x) {
    const size_t cross = values_cross_size(w->in.type);
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(w->in.type, specials);

    x->place = AT_BEGIN;
    x->n = cross;
    place_case(w, x);
    run(s, r, w, x, "specials against specials");
    if ((x->scalars & 3) == 0 || (x->scalars & 12) != 0) return;
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        x->n = (x->scalars & 3) == 3 ? 3 : cross;
        place_case(w, x);
        if (is_scalar(x, 0)) value_store(w->in.type, w->scalars[0].data, 0, specials[i]);
        if (is_scalar(x, 1)) value_store(w->in.type, w->scalars[1].data, 0, specials[(i * 7 + 3) % count]);
        run(s, r, w, x, "a special as the scalar");
    }
}

void check_vcmpsel_values(const struct subject *s, struct report *r) {
    for_each_form(s, r, "vcmpsel values", true, sweep_values);
}

/* ---- in place: dst is, or begins at, one or more of the four inputs ---- */

/** Runs the case with input k at dst for each bit k of `onto`. These inputs all have the values of the first one. */
static void run_onto(const struct subject *s, struct report *r, struct fixture *w, struct fused_case *x,
                     unsigned onto) {
    const size_t size = w->in.size;
    bool filled = false;
    char detail[40];

    place_case(w, x);
    for (size_t k = 0; k < INS; k++) {
        if (!(onto >> k & 1)) continue;
        if (!filled) memcpy(x->dst, x->in[k].data, is_scalar(x, k) ? size : x->n * size);
        filled = true;
        x->in[k].data = x->dst;
    }
    snprintf(detail, sizeof detail, "dst is%s%s%s%s", onto & 1 ? " x" : "", onto & 2 ? " y" : "",
             onto & 4 ? " u" : "", onto & 8 ? " v" : "");
    run(s, r, w, x, detail);
}

/** Tries each input, and pairs except x with y, whose values the fixture has decoded separately. */
static void sweep_in_place(const struct subject *s, struct report *r, struct fixture *w,
                           struct fused_case *x) {
    static const size_t lengths[] = {1, 5, 64, 67, 200, 513, 1100};
    static const unsigned ontos[] = {1, 2, 4, 8, 12, 5, 9, 6, 10};
    const size_t step = r->quick ? 3 : 1;

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i += step) {
        for (size_t k = 0; k < sizeof ontos / sizeof ontos[0] && !report_stop(r); k++) {
            x->n = lengths[i];
            x->place = w->turn % 2 ? AT_BEGIN : AT_END;
            run_onto(s, r, w, x, ontos[k]);
        }
    }
}

void check_vcmpsel_in_place(const struct subject *s, struct report *r) {
    for_each_form(s, r, "vcmpsel in place", false, sweep_in_place);
}
