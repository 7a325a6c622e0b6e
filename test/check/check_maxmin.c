/* SPDX-License-Identifier: MIT */
/* Checks vmax, vmin, vclamp and vrelu: values, lengths, offsets, and results in place. */
#include "check/checks.h"
#include "support/maxmin_fixture.h"

#include <stdio.h>
#include <string.h>

enum { OFFSETS = 64 };

typedef void sweep_of_case(const struct subject *s, struct report *r, struct maxmin_fixture *w,
                           struct maxmin_case *x);

static void for_each_form(const struct subject *s, struct report *r, const char *purpose, bool cross,
                          sweep_of_case *sweep) {
    report_call(r, "vmax", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        struct maxmin_case x = {.place = AT_BEGIN};
        struct maxmin_fixture *w = maxmin_fixture_open(purpose, model_types[t], cross);
        for (size_t i = 0; maxmin_form_of(model_types[t], i, &x.form) && !report_stop(r); i++) {
            sweep(s, r, w, &x);
        }
        maxmin_fixture_close(w);
    }
}

/* ---- values ---- */

/** Returns the index of the special value that scalar k has in turn i. If it is the only scalar (`alone`), the turns
 * go through all special values. Else they go through pairs of these: all pairs if `every_pair` is true, or a
 * sample. */
static size_t special_of(size_t k, size_t i, size_t count, bool alone, bool every_pair) {
    const size_t other = every_pair ? i / count : 7 * i + 3;
    const size_t which[MAXMIN_INS] = {i + other, i, other};
    return (alone ? i : which[k]) % count;
}

static void run_scalars(const struct subject *s, struct report *r, struct maxmin_fixture *w,
                        struct maxmin_case *x) {
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(w->type, specials);
    const size_t operands = model_maxmin_operands(x->form.call);
    const bool arrays = x->form.scalars + 1 != 1U << operands;
    const bool alone = (x->form.scalars & (x->form.scalars - 1)) == 0, every_pair = !alone && !r->quick;
    const bool bounds = operands == 3 && x->form.scalars == 6; /* the array has every special */

    for (size_t i = 0; i < (every_pair ? count * count : count) && !report_stop(r); i++) {
        x->n = (arrays && alone) || bounds ? values_cross_size(w->type) : 3 + i % 61;
        x->place = AT_BEGIN;
        maxmin_place(w, x);
        for (size_t k = 0; k < MAXMIN_INS; k++) {
            if (!(x->form.scalars >> k & 1)) continue;
            value_store(w->type, w->scalar[k].data, 0, specials[special_of(k, i, count, alone, every_pair)]);
        }
        maxmin_run(s, r, w, x, "a special as the scalar");
    }
}

/** Compares the results for all pairs of special values, for mixed values, and for each special value as a scalar. */
static void sweep_values(const struct subject *s, struct report *r, struct maxmin_fixture *w,
                         struct maxmin_case *x) {
    x->place = AT_BEGIN;
    x->n = values_cross_size(w->type);
    maxmin_place(w, x);
    maxmin_run(s, r, w, x, "specials against specials");
    x->n = HARNESS_LONGEST;
    maxmin_place(w, x);
    maxmin_run(s, r, w, x, "mixed values");
    if (x->form.scalars != 0) run_scalars(s, r, w, x);
}

void check_maxmin_values(const struct subject *s, struct report *r) {
    for_each_form(s, r, "maxmin values", true, sweep_values);
}

/* ---- lengths ---- */

static void sweep_lengths(const struct subject *s, struct report *r, struct maxmin_fixture *w,
                          struct maxmin_case *x) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    size_t count = lengths_short(lengths, r->quick);

    lengths[count++] = length_long(rng_below(&w->rng, 64));
    if (!r->quick) lengths[count++] = length_long(rng_below(&w->rng, 64));
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        for (int place = AT_BEGIN; place <= AT_END; place++) {
            x->n = lengths[i];
            x->place = (enum place)place;
            maxmin_place(w, x);
            maxmin_run(s, r, w, x, place == AT_BEGIN ? "after a guard page" : "ending at a guard page");
        }
    }
}

void check_maxmin_lengths(const struct subject *s, struct report *r) {
    for_each_form(s, r, "maxmin lengths", false, sweep_lengths);
}

/* ---- offsets ---- */

/** Writable memory for unaligned copies of the operands: the fixture's sources are read-only and page-aligned. */
struct moved {
    struct guarded at[MAXMIN_INS];
};

/** Places operand `swept` at `offset`, or dst if `swept` is MAXMIN_INS. The others get random offsets. */
static void run_at_offset(const struct subject *s, struct report *r, struct maxmin_fixture *w,
                          struct moved *moved, struct maxmin_case *x, size_t swept, size_t offset) {
    const size_t bytes = x->n * w->size;
    maxmin_place(w, x);
    for (size_t k = 0; k < MAXMIN_INS; k++) {
        unsigned char *buffer = moved->at[k].data + (k == swept ? offset : rng_below(&w->rng, OFFSETS));
        memcpy(buffer, w->source[k].data + rng_below(&w->rng, w->count - x->n) * w->size, bytes);
        x->in[k].data = buffer;
    }
    x->dst = w->dst.data + HARNESS_MARGIN + (swept == MAXMIN_INS ? offset : rng_below(&w->rng, OFFSETS));
    buffer_fill(&w->dst, x->dst, bytes, (unsigned)w->turn);
    maxmin_run(s, r, w, x, "offsets");
}

static void sweep_offsets(const struct subject *s, struct report *r, struct maxmin_fixture *w,
                          struct maxmin_case *x) {
    static const size_t lengths[] = {1, 7, 33, 64, 67, 130, 200};
    struct moved moved;

    for (size_t k = 0; k < MAXMIN_INS; k++) {
        guarded_open(&moved.at[k], 200 * w->size + OFFSETS);
    }
    for (size_t swept = 0; swept <= MAXMIN_INS; swept++) {
        if (swept != MAXMIN_INS && swept >= model_maxmin_operands(x->form.call)) continue;
        for (size_t offset = 0; offset < OFFSETS && !report_stop(r); offset++) {
            x->n = lengths[rng_below(&w->rng, sizeof lengths / sizeof lengths[0])];
            run_at_offset(s, r, w, &moved, x, swept, offset);
        }
    }
    for (size_t k = 0; k < MAXMIN_INS; k++) {
        guarded_close(&moved.at[k]);
    }
}

void check_maxmin_offsets(const struct subject *s, struct report *r) {
    for_each_form(s, r, "maxmin offsets", false, sweep_offsets);
}

/* ---- in place: dst is, or begins at, one or more of the operands ---- */

/** Runs the case with operand k at dst for each bit k of `onto`. These operands all have the values of the first
 * one. */
static void run_onto(const struct subject *s, struct report *r, struct maxmin_fixture *w,
                     struct maxmin_case *x, unsigned onto) {
    static const char *const details[] = {"",
                                          "dst is the first",
                                          "dst is the second",
                                          "both",
                                          "dst is the third",
                                          "the first and the third",
                                          "the last two",
                                          "all three"};
    bool filled = false;

    maxmin_place(w, x);
    for (size_t k = 0; k < MAXMIN_INS; k++) {
        if (!(onto >> k & 1)) continue;
        if (!filled) memcpy(x->dst, x->in[k].data, (x->in[k].scalar ? 1 : x->n) * w->size);
        filled = !x->in[k].scalar || filled;
        x->in[k].data = x->dst;
    }
    maxmin_run(s, r, w, x, details[onto]);
}

static void sweep_in_place(const struct subject *s, struct report *r, struct maxmin_fixture *w,
                           struct maxmin_case *x) {
    static const size_t lengths[] = {1, 5, 64, 67, 200, 513, 1100, 5000};
    const unsigned ontos = 1U << model_maxmin_operands(x->form.call);
    const size_t step = r->quick ? 3 : 1;

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i += step) {
        for (unsigned onto = 1; onto < ontos && !report_stop(r); onto++) {
            x->n = lengths[i];
            x->place = w->turn % 2 ? AT_BEGIN : AT_END;
            run_onto(s, r, w, x, onto);
        }
    }
}

void check_maxmin_in_place(const struct subject *s, struct report *r) {
    for_each_form(s, r, "maxmin in place", false, sweep_in_place);
}
