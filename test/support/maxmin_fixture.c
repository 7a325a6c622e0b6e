/* SPDX-License-Identifier: MIT */
/* Forms, operands and calls of vmax, vmin, vclamp and vrelu. */
#include "support/maxmin_fixture.h"

#include <stdio.h>
#include <string.h>

const char *maxmin_name(enum model_maxmin call) {
    static const char *const names[MODEL_MAXMIN_CALLS] = {"vmax", "vmin", "vclamp", "vrelu"};
    return names[call];
}

bool maxmin_form_of(pto_dtype type, size_t number, struct maxmin_form *form) {
    enum { SCALARS = 1 << MAXMIN_INS, FLAGS = 16, ALL = MODEL_MAXMIN_CALLS * SCALARS * FLAGS };
    size_t seen = 0;
    for (size_t i = 0; i < ALL; i++) {
        const struct maxmin_form f = {(enum model_maxmin)(i / (size_t)(SCALARS * FLAGS)), type,
                                      (unsigned)(i / SCALARS % FLAGS), (unsigned)(i % SCALARS)};
        const unsigned operands = (unsigned)model_maxmin_operands(f.call);
        if (f.scalars >> operands != 0 || (f.call == MODEL_RELU && f.scalars != 0)) continue;
        if (model_maxmin_status(f.call, type, f.flags) != PTO_OK) continue;
        if (seen++ != number) continue;
        *form = f;
        return true;
    }
    return false;
}

/* ---- memory ---- */

struct maxmin_fixture *maxmin_fixture_open(const char *purpose, pto_dtype type, bool cross) {
    struct maxmin_fixture *w = harness_allocate(sizeof *w);
    w->type = type;
    w->size = model_size(type);
    rng_start_for(&w->rng, purpose, type);
    for (size_t k = 0; k < MAXMIN_INS; k++) {
        guarded_open(&w->source[k], HARNESS_LONGEST * w->size);
        guarded_open(&w->scalar[k], 1);
    }
    guarded_open(&w->dst, HARNESS_LONGEST * w->size);
    w->count = w->dst.size / w->size;
    values_pairs(&w->rng, type, w->source[1].data, w->source[2].data, w->count);
    values_pairs(&w->rng, type, w->source[0].data, w->source[1].data, w->count);
    if (cross) values_cross(type, w->source[0].data, w->source[1].data);
    for (size_t k = 0; k < MAXMIN_INS; k++) {
        guarded_freeze(&w->source[k]);
    }
    return w;
}

void maxmin_fixture_close(struct maxmin_fixture *w) {
    for (size_t k = 0; k < MAXMIN_INS; k++) {
        guarded_close(&w->source[k]);
        guarded_close(&w->scalar[k]);
    }
    guarded_close(&w->dst);
    harness_free(w);
}

void maxmin_place(struct maxmin_fixture *w, struct maxmin_case *x) {
    x->first = x->place == AT_BEGIN ? 0 : w->count - x->n;
    for (size_t k = 0; k < MAXMIN_INS; k++) {
        x->in[k] = pto_in_array(w->source[k].data + x->first * w->size);
        if (x->form.scalars >> k & 1) {
            unsigned char *buffer = guarded_place(&w->scalar[k], w->size, x->place);
            memcpy(buffer, w->source[k].data + rng_below(&w->rng, w->count) * w->size, w->size);
            x->in[k] = pto_in_scalar(buffer);
        }
    }
    x->home = &w->dst;
    x->dst = guarded_place(&w->dst, x->n * w->size, x->place);
    buffer_fill(&w->dst, x->dst, x->n * w->size, (unsigned)w->turn);
}

/* ---- a call ---- */

pto_status maxmin_call(const struct subject *s, const struct maxmin_form *form, const pto_in *in, void *dst,
                       size_t n) {
    switch (form->call) {
    case MODEL_MAX: return s->vmax(form->type, form->flags, in[0], in[1], dst, n);
    case MODEL_MIN: return s->vmin(form->type, form->flags, in[0], in[1], dst, n);
    case MODEL_CLAMP: return s->vclamp(form->type, form->flags, in[0], in[1], in[2], dst, n);
    default: return s->vrelu(form->type, form->flags, in[0].data, dst, n);
    }
}

void maxmin_expect(const struct maxmin_form *form, const pto_in *in, unsigned char *expected, size_t n) {
    const size_t size = model_size(form->type), operands = model_maxmin_operands(form->call);
    struct model_lane lane[MAXMIN_INS] = {{.negative = false}};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < operands; k++) {
            const unsigned char *data = in[k].data;
            if (i == 0 || !in[k].scalar)
                lane[k] = model_lane_read(form->type, form->flags, data + (in[k].scalar ? 0 : i * size));
        }
        value_store(form->type, expected, i, model_maxmin(form->call, form->type, form->flags, lane));
    }
}

void maxmin_sources(struct report *r, const struct maxmin_form *form, const pto_in *in) {
    const size_t bits = 8 * model_size(form->type);
    report_result(r, bits);
    for (size_t k = 0; k < model_maxmin_operands(form->call); k++) {
        report_source(r, in[k], bits);
    }
}

void maxmin_describe(struct report *r, struct maxmin_fixture *w, const struct maxmin_case *x,
                     const char *detail) {
    size_t used = 0;
    r->now.call = maxmin_name(x->form.call);
    r->now.type = (int)x->form.type;
    r->now.flags = (int)x->form.flags;
    r->now.n = x->n;
    for (size_t k = 0; k < model_maxmin_operands(x->form.call); k++) {
        used += (size_t)snprintf(w->text + used, sizeof w->text - used, "%s ",
                                 x->form.scalars >> k & 1 ? "scalar" : "array");
    }
    snprintf(w->text + used, sizeof w->text - used, ": %s", detail);
    r->now.detail = w->text;
    maxmin_sources(r, &x->form, x->in);
}

void maxmin_run(const struct subject *s, struct report *r, struct maxmin_fixture *w,
                const struct maxmin_case *x, const char *detail) {
    const size_t bytes = x->n * w->size;
    pto_status status;

    maxmin_describe(r, w, x, detail);
    r->cases++;
    w->turn++;
    maxmin_expect(&x->form, x->in, w->expected, x->n);
    status = maxmin_call(s, &x->form, x->in, x->dst, x->n);
    if (!report_status(r, status, PTO_OK)) return;
    report_image(r, w->expected, x->dst, bytes);
    if (!margins_intact(x->home, x->dst, bytes)) report_mismatch(r, "bytes outside dst were written");
}
