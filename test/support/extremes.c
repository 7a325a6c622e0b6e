/* SPDX-License-Identifier: MIT */
/* Forms, operands and calls of vmax, vmin, vclamp and vrelu. */
#include "support/extremes.h"

#include <stdio.h>
#include <string.h>

const char *extreme_name(enum model_extreme call) {
    static const char *const names[MODEL_EXTREMES] = {"vmax", "vmin", "vclamp", "vrelu"};
    return names[call];
}

bool extreme_form_of(pto_dtype type, size_t number, struct extreme_form *form) {
    enum { SCALARS = 1 << EXTREME_INS, FLAGS = 16, ALL = MODEL_EXTREMES * SCALARS * FLAGS };
    size_t seen = 0;
    for (size_t i = 0; i < ALL; i++) {
        const struct extreme_form f = {(enum model_extreme)(i / (size_t)(SCALARS * FLAGS)), type,
                                       (unsigned)(i / SCALARS % FLAGS), (unsigned)(i % SCALARS)};
        const unsigned operands = (unsigned)model_extreme_operands(f.call);
        if (f.scalars >> operands != 0 || (f.call == MODEL_RELU && f.scalars != 0)) continue;
        if (model_extreme_status(f.call, type, f.flags) != PTO_OK) continue;
        if (seen++ != number) continue;
        *form = f;
        return true;
    }
    return false;
}

/* ---- memory ---- */

struct extremes *extremes_open(const char *purpose, pto_dtype type, bool cross) {
    struct extremes *w = harness_allocate(sizeof *w);
    w->type = type;
    w->size = model_size(type);
    rng_start_for(&w->rng, purpose, type);
    for (size_t k = 0; k < EXTREME_INS; k++) {
        guarded_open(&w->source[k], HARNESS_LONGEST * w->size);
        guarded_open(&w->scalar[k], 1);
    }
    guarded_open(&w->dst, HARNESS_LONGEST * w->size);
    w->count = w->dst.size / w->size;
    values_pairs(&w->rng, type, w->source[1].data, w->source[2].data, w->count);
    values_pairs(&w->rng, type, w->source[0].data, w->source[1].data, w->count);
    if (cross) values_cross(type, w->source[0].data, w->source[1].data);
    for (size_t k = 0; k < EXTREME_INS; k++) {
        guarded_freeze(&w->source[k]);
    }
    return w;
}

void extremes_close(struct extremes *w) {
    for (size_t k = 0; k < EXTREME_INS; k++) {
        guarded_close(&w->source[k]);
        guarded_close(&w->scalar[k]);
    }
    guarded_close(&w->dst);
    harness_free(w);
}

void extreme_place(struct extremes *w, struct extreme_case *x) {
    x->first = x->place == AT_BEGIN ? 0 : w->count - x->n;
    for (size_t k = 0; k < EXTREME_INS; k++) {
        x->in[k] = pto_in_array(w->source[k].data + x->first * w->size);
        if (x->form.scalars >> k & 1) {
            unsigned char *room = guarded_place(&w->scalar[k], w->size, x->place);
            memcpy(room, w->source[k].data + rng_below(&w->rng, w->count) * w->size, w->size);
            x->in[k] = pto_in_scalar(room);
        }
    }
    x->home = &w->dst;
    x->dst = guarded_place(&w->dst, x->n * w->size, x->place);
    room_fill(&w->dst, x->dst, x->n * w->size, (unsigned)w->turn);
}

/* ---- a call ---- */

pto_status extreme_call(const struct subject *s, const struct extreme_form *form, const pto_in *in, void *dst,
                        size_t n) {
    switch (form->call) {
    case MODEL_MAX: return s->vmax(form->type, form->flags, in[0], in[1], dst, n);
    case MODEL_MIN: return s->vmin(form->type, form->flags, in[0], in[1], dst, n);
    case MODEL_CLAMP: return s->vclamp(form->type, form->flags, in[0], in[1], in[2], dst, n);
    default: return s->vrelu(form->type, form->flags, in[0].data, dst, n);
    }
}

void extreme_expect(const struct extreme_form *form, const pto_in *in, unsigned char *expected, size_t n) {
    const size_t size = model_size(form->type), operands = model_extreme_operands(form->call);
    struct model_lane lane[EXTREME_INS] = {{.negative = false}};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < operands; k++) {
            const unsigned char *data = in[k].data;
            if (i == 0 || !in[k].scalar)
                lane[k] = model_lane_read(form->type, form->flags, data + (in[k].scalar ? 0 : i * size));
        }
        value_store(form->type, expected, i, model_extreme(form->call, form->type, form->flags, lane));
    }
}

void extreme_describe(struct report *r, struct extremes *w, const struct extreme_case *x,
                      const char *detail) {
    size_t used = 0;
    r->now.call = extreme_name(x->form.call);
    r->now.type = (int)x->form.type;
    r->now.flags = (int)x->form.flags;
    r->now.n = x->n;
    for (size_t k = 0; k < model_extreme_operands(x->form.call); k++) {
        used += (size_t)snprintf(w->text + used, sizeof w->text - used, "%s ",
                                 x->form.scalars >> k & 1 ? "scalar" : "array");
    }
    snprintf(w->text + used, sizeof w->text - used, ": %s", detail);
    r->now.detail = w->text;
}

static void name_first_lane(struct report *r, const struct extremes *w, const struct extreme_case *x) {
    for (size_t i = 0; i < x->n; i++) {
        const uint64_t expected = value_load(w->type, w->expected, i), got = value_load(w->type, x->dst, i);
        if (expected == got) continue;
        report_mismatch(r, "lane %zu: expected %llx, got %llx", i, (unsigned long long)expected,
                        (unsigned long long)got);
        return;
    }
}

void extreme_run(const struct subject *s, struct report *r, struct extremes *w, const struct extreme_case *x,
                 const char *detail) {
    const size_t bytes = x->n * w->size;
    pto_status status;

    extreme_describe(r, w, x, detail);
    r->cases++;
    w->turn++;
    extreme_expect(&x->form, x->in, w->expected, x->n);
    status = extreme_call(s, &x->form, x->in, x->dst, x->n);
    if (status != PTO_OK) {
        report_mismatch(r, "status %d", (int)status);
        return;
    }
    if (memcmp(w->expected, x->dst, bytes) != 0) name_first_lane(r, w, x);
    if (!margins_intact(x->home, x->dst, bytes)) report_mismatch(r, "bytes outside dst were written");
}
