/* SPDX-License-Identifier: MIT */
/* Checks the lists of legal forms: each form that the model accepts occurs once, in order, and indices past the
 * end are refused. */
#include "check/checks.h"
#include "model/model_cvt.h"
#include "model/model_ptx.h"

#include <string.h>

/** Fills in indices past the end. */
static void indices_past_end(size_t count, size_t past_end[3]) {
    past_end[0] = count;
    past_end[1] = count + 1000;
    past_end[2] = SIZE_MAX;
}

static void want_status(struct report *r, pto_status want, pto_status got, const char *what) {
    r->cases++;
    if (got != want) report_mismatch(r, "%s: expected %s, got %s", what, status_name(want), status_name(got));
}

/** Compares the number of forms with the number that the model accepts. */
static void want_count(struct report *r, size_t want, size_t got) {
    r->cases++;
    if (got != want) report_mismatch(r, "%zu forms, not %zu", got, want);
}

/** Checks that forms are in ascending order, so that none occurs twice. The order is by pair of types, then by
 * modifiers. */
static void want_order(struct report *r, size_t i, long last, long now) {
    r->cases++;
    if (now <= last) report_mismatch(r, "form %zu is out of order, or is there twice", i);
}

/* ---- cvt ---- */

static pto_cvt_op cvt_number(long i) {
    const long pair = i / MODEL_CVT_MODIFIERS;
    pto_cvt_op op = model_cvt_modifiers((size_t)(i % MODEL_CVT_MODIFIERS));
    op.src = (pto_dtype)(pair % MODEL_CVT_TYPES);
    op.dst = (pto_dtype)(pair / MODEL_CVT_TYPES);
    return op;
}

/** Returns the position of a form in the order: by pair of types, rounding, scale, then flags. */
static long number_of_cvt(const pto_cvt_op *op) {
    const size_t pair = (size_t)op->dst * MODEL_CVT_TYPES + (size_t)op->src;
    return (long)(pair * MODEL_CVT_MODIFIERS + model_cvt_modifiers_number(op));
}

void check_cvt_forms(const struct subject *s, struct report *r) {
    const long all = (long)MODEL_CVT_MODIFIERS * MODEL_CVT_TYPES * MODEL_CVT_TYPES;
    const size_t count = s->cvt_form_count();
    const pto_cvt_op before = model_cvt_invalid();
    pto_cvt_op op;
    size_t legal = 0, past_end[3];
    long last = -1;

    report_call(r, "cvt_form", NULL);
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        op = before;
        want_status(r, PTO_OK, s->cvt_form(i, &op), "a form");
        if (model_cvt_status(&op) != PTO_OK) report_mismatch(r, "form %zu is none", i);
        want_order(r, i, last, number_of_cvt(&op));
        last = number_of_cvt(&op);
    }
    for (long i = 0; i < all; i++) {
        op = cvt_number(i);
        legal += model_cvt_status(&op) == PTO_OK;
    }
    want_count(r, legal, count);
    indices_past_end(count, past_end);
    for (size_t i = 0; i < 3; i++) {
        op = before;
        want_status(r, PTO_ERR_SIZE, s->cvt_form(past_end[i], &op), "after the last");
        if (!model_same_cvt(&op, &before)) report_mismatch(r, "the op was written");
    }
    want_status(r, PTO_ERR_NULL, s->cvt_form(count, NULL), "NULL");
}

/* ---- setp and set ---- */

enum { MODIFIERS = MODEL_OPS * 2 * MODEL_BOOLS };

static pto_set_op set_number(long i) {
    pto_set_op op = {.boolop = (pto_boolop)(i % MODEL_BOOLS), .ftz = i / MODEL_BOOLS % 2};
    op.cmp = (pto_cmp)(i / MODEL_BOOLS / 2 % MODEL_OPS);
    op.stype = (pto_dtype)(i / MODIFIERS % MODEL_DTYPES);
    op.dtype = (pto_dtype)(i / MODIFIERS / MODEL_DTYPES);
    return op;
}

static long number_of_set(const pto_set_op *op) {
    const long modifiers = ((long)op->cmp * 2 + op->ftz) * MODEL_BOOLS + (long)op->boolop;
    return ((long)op->dtype * MODEL_DTYPES + (long)op->stype) * MODIFIERS + modifiers;
}

static pto_setp_op setp_part(const pto_set_op *op) {
    const pto_setp_op part = {op->stype, op->cmp, op->boolop, op->not_c, op->ftz};
    return part;
}

void check_setp_forms(const struct subject *s, struct report *r) {
    const size_t count = s->setp_form_count();
    const pto_setp_op before = {PTO_E2M1, PTO_HS, PTO_XOR, true, true};
    pto_setp_op op;
    size_t legal = 0, past_end[3];
    long last = -1;

    report_call(r, "setp_form", NULL);
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        pto_set_op as_set;
        op = before;
        want_status(r, PTO_OK, s->setp_form(i, &op), "a form");
        if (model_setp_status(op) != PTO_OK || op.not_c) report_mismatch(r, "form %zu is none", i);
        as_set = (pto_set_op){PTO_B8, op.type, op.cmp, op.boolop, op.not_c, op.ftz};
        want_order(r, i, last, number_of_set(&as_set));
        last = number_of_set(&as_set);
    }
    for (long i = 0; i < (long)MODIFIERS * MODEL_DTYPES; i++) {
        const pto_set_op as_set = set_number(i);
        legal += model_setp_status(setp_part(&as_set)) == PTO_OK;
    }
    want_count(r, legal, count);
    indices_past_end(count, past_end);
    for (size_t i = 0; i < 3; i++) {
        op = before;
        want_status(r, PTO_ERR_SIZE, s->setp_form(past_end[i], &op), "after the last");
        if (!model_same_setp(&op, &before)) report_mismatch(r, "the op was written");
    }
    want_status(r, PTO_ERR_NULL, s->setp_form(count, NULL), "NULL");
}

void check_set_forms(const struct subject *s, struct report *r) {
    const size_t count = s->set_form_count();
    const pto_set_op before = {PTO_E2M1, PTO_TF32, PTO_HS, PTO_XOR, true, true};
    pto_set_op op;
    size_t legal = 0, past_end[3];
    long last = -1;

    report_call(r, "set_form", NULL);
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        op = before;
        want_status(r, PTO_OK, s->set_form(i, &op), "a form");
        if (model_set_status(op) != PTO_OK || op.not_c) report_mismatch(r, "form %zu is none", i);
        want_order(r, i, last, number_of_set(&op));
        last = number_of_set(&op);
    }
    for (long i = 0; i < (long)MODIFIERS * MODEL_DTYPES * MODEL_DTYPES; i++) {
        legal += model_set_status(set_number(i)) == PTO_OK;
    }
    want_count(r, legal, count);
    indices_past_end(count, past_end);
    for (size_t i = 0; i < 3; i++) {
        op = before;
        want_status(r, PTO_ERR_SIZE, s->set_form(past_end[i], &op), "after the last");
        if (!model_same_set(&op, &before)) report_mismatch(r, "the op was written");
    }
    want_status(r, PTO_ERR_NULL, s->set_form(count, NULL), "NULL");
}
