/* SPDX-License-Identifier: MIT */
/* Checks since which PTX version and on which target each form of cvt exists, against data/cvt_since.json. */
#include "check/checks.h"
#include "model/model_cvt.h"
#include "support/cvt_fixture.h"

#include <string.h>

/** Returns the position of a target in the order that the head of data/cvt_since.json gives, or -1. */
static int age(const char *target) {
    static const char *const order[] = {"sm_75",   "sm_80",   "sm_89",   "sm_90",  "sm_100",
                                        "sm_100f", "sm_100a", "sm_107f", "sm_107a"};
    for (int i = 0; i < 9; i++) {
        if (strcmp(order[i], target) == 0) return i;
    }
    return -1;
}

/** Finds the earliest version and the earliest target among all spellings of `op`; they may come from two spellings.
 * Returns false if the table lacks a spelling. */
static bool earliest(const pto_cvt_op *op, struct cvt_since *found) {
    found->text = NULL;
    for (size_t i = 0; i < cvt_forms_count; i++) {
        const struct cvt_since *row;
        if (!model_same_cvt(&cvt_forms[i].op, op)) continue;
        row = cvt_since_of(cvt_forms[i].text);
        if (!row || age(row->target) < 0) return false;
        if (!found->text) *found = *row;
        if (row->isa < found->isa) found->isa = row->isa;
        if (age(row->target) < age(found->target)) found->target = row->target;
    }
    return found->text != NULL;
}

/** Returns the two instructions of a composed pair, from the table at pto_cvt() in convert.h. */
static void instructions_of(const pto_cvt_op *op, pto_cvt_op *first, pto_cvt_op *second) {
    *first = (pto_cvt_op){.dst = PTO_F16, .src = op->src, .round = PTO_RN};
    if (op->src == PTO_UE8M0) first->dst = PTO_BF16;
    if (op->src == PTO_BF16) *first = (pto_cvt_op){.dst = PTO_F32, .src = PTO_BF16};
    *second = *op;
    second->src = first->dst;
}

static bool expected(const pto_cvt_op *op, struct cvt_since *found) {
    pto_cvt_op first, second;
    struct cvt_since other;
    if (model_cvt_check(op) == PTO_OK) return earliest(op, found);
    instructions_of(op, &first, &second);
    if (!earliest(&first, found) || !earliest(&second, &other)) return false;
    if (other.isa > found->isa) found->isa = other.isa;
    if (age(other.target) > age(found->target)) found->target = other.target;
    return true;
}

static void one_legal(const struct subject *s, struct report *r, const pto_cvt_op *op) {
    struct cvt_since want;
    const char *target = "untouched";
    int isa = -1;
    r->cases++;
    if (!expected(op, &want)) {
        report_mismatch(r, "the table does not have it");
        return;
    }
    if (s->cvt_since(*op, &isa) != PTO_OK || isa != want.isa)
        report_mismatch(r, "since %d, not %d", isa, want.isa);
    if (s->cvt_target(*op, &target) != PTO_OK || strcmp(target, want.target) != 0)
        report_mismatch(r, "first on %s, not %s", target, want.target);
}

static void one_illegal(const struct subject *s, struct report *r, const pto_cvt_op *op, pto_status want) {
    static const char untouched[] = "untouched";
    const char *target = untouched;
    int isa = -1;
    r->cases++;
    if (s->cvt_since(*op, &isa) != want || isa != -1) report_mismatch(r, "cvt_since of what is not legal");
    if (s->cvt_target(*op, &target) != want || target != untouched)
        report_mismatch(r, "cvt_target of what is not legal");
}

enum { ALL = MODEL_CVT_MODIFIERS * MODEL_CVT_TYPES * MODEL_CVT_TYPES };

void check_cvt_since(const struct subject *s, struct report *r) {
    const pto_cvt_op good = {.dst = PTO_F32, .src = PTO_F16};
    report_call(r, "cvt_since", NULL);
    for (size_t i = 0; i < ALL && !report_stop(r); i++) {
        const size_t pair = i / MODEL_CVT_MODIFIERS;
        pto_cvt_op op = model_cvt_modifiers(i % MODEL_CVT_MODIFIERS);
        pto_status status;
        if (i % 997 == 0) op.round = (pto_round)MODEL_ROUNDS;
        op.src = (pto_dtype)(pair % MODEL_CVT_TYPES);
        op.dst = (pto_dtype)(pair / MODEL_CVT_TYPES);
        status = model_cvt_status(&op);
        cvt_fixture_describe(r, &op, 0, status == PTO_OK ? "legal" : "not legal");
        if (status == PTO_OK)
            one_legal(s, r, &op);
        else
            one_illegal(s, r, &op, status);
    }
    cvt_fixture_describe(r, &good, 0, "NULL");
    r->cases += 2;
    if (s->cvt_since(good, NULL) != PTO_ERR_NULL) report_mismatch(r, "isa NULL");
    if (s->cvt_target(good, NULL) != PTO_ERR_NULL) report_mismatch(r, "target NULL");
}
