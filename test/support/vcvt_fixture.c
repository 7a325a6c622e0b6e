/* SPDX-License-Identifier: MIT */
/* Source elements with the model's results, for the checks of vcvt. */
#include "support/vcvt_fixture.h"

#include <stdio.h>
#include <string.h>

/* ---- operations ---- */

bool vcvt_is_vtrc(const pto_vcvt_op *op) {
    return op->dst == op->src;
}

static bool is_legal(const pto_vcvt_op *op) {
    if (!vcvt_is_vtrc(op)) return model_vcvt_status(op) == PTO_OK;
    return !op->sat && model_vtrc_status(op->src, op->rnd) == PTO_OK;
}

size_t vcvt_operations(pto_vcvt_op ops[VCVT_OPS_MAX]) {
    size_t count = 0;
    for (int i = 0; i < MODEL_VCVT_DTYPES * MODEL_VCVT_DTYPES * MODEL_VRNDS * 2; i++) {
        pto_vcvt_op op = {.sat = i % 2 != 0, .rnd = (pto_vrnd)(i / 2 % MODEL_VRNDS)};
        op.src = (pto_dtype)(i / 2 / MODEL_VRNDS % MODEL_VCVT_DTYPES);
        op.dst = (pto_dtype)(i / 2 / MODEL_VRNDS / MODEL_VCVT_DTYPES);
        if (is_legal(&op) && count < VCVT_OPS_MAX) ops[count++] = op;
    }
    return count;
}

/* ---- results ---- */

static void compute_codes(struct vcvt_fixture *w) {
    for (size_t i = 0; i < w->in.count; i++) {
        const uint64_t code = model_cvt_load(w->in.type, w->in.memory, i);
        w->codes[i] =
            vcvt_is_vtrc(&w->op) ? model_vtrc(w->op.src, w->op.rnd, code) : model_vcvt(&w->op, code);
    }
}

static size_t parts_of(const pto_vcvt_op *op, bool parts) {
    if (!parts) return 1;
    return vcvt_is_vtrc(op) || model_vcvt_parts(op) == 1 ? 0 : model_vcvt_parts(op);
}

static void visit_parts(const struct subject *s, struct report *r, struct vcvt_fixture *w, bool parts,
                        vcvt_visit *visit) {
    const size_t count = parts_of(&w->op, parts);
    if (count > 0) compute_codes(w);
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        w->part = parts ? model_vcvt_part(&w->op, i) : MODEL_WHOLE;
        visit(s, r, w);
    }
}

/** Visits all operations with the source type of the fixture. */
static void visit_source(const struct subject *s, struct report *r, struct vcvt_fixture *w,
                         const pto_vcvt_op *ops, size_t count, bool parts, vcvt_visit *visit) {
    pto_dtype last = PTO_B8; /* not a type of vcvt */
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        if (ops[i].src != w->in.type) continue;
        w->op = ops[i];
        w->first_of_pair = w->op.dst != last;
        last = w->op.dst;
        visit_parts(s, r, w, parts, visit);
    }
}

void vcvt_fixture_each(const struct subject *s, struct report *r, const char *purpose, size_t count,
                       bool parts, vcvt_visit *visit) {
    static const pto_dtype sources[] = {PTO_F32,  PTO_F16,  PTO_BF16, PTO_E4M3, PTO_E5M2,
                                        PTO_HIF8, PTO_E2M1, PTO_E1M2, PTO_U8,   PTO_S8,
                                        PTO_U16,  PTO_S16,  PTO_U32,  PTO_S32,  PTO_S64};
    pto_vcvt_op ops[VCVT_OPS_MAX];
    const size_t ops_count = vcvt_operations(ops);
    report_call(r, "vcvt", NULL);
    for (size_t t = 0; t < sizeof sources / sizeof sources[0] && !report_stop(r); t++) {
        struct vcvt_fixture w;
        if (count == 0)
            cvt_values_open(&w.in, sources[t], r->quick);
        else
            cvt_values_some(&w.in, sources[t], count);
        rng_start_for(&w.rng, purpose, sources[t]);
        w.codes = harness_allocate(w.in.count * sizeof *w.codes);
        visit_source(s, r, &w, ops, ops_count, parts, visit);
        harness_free(w.codes);
        cvt_values_close(&w.in);
    }
}

pto_status vcvt_fixture_call(const struct subject *s, const struct vcvt_fixture *w, const void *src,
                             pto_mask mask, void *dst, size_t n) {
    if (vcvt_is_vtrc(&w->op)) return s->vtrc(w->op.src, w->op.rnd, src, mask, dst, n);
    if (w->part == MODEL_WHOLE) return s->vcvt(w->op, src, mask, dst, n);
    return s->vcvt_part(w->op, (pto_vpart)w->part, src, mask, dst, n);
}

size_t vcvt_fixture_source_bytes(const struct vcvt_fixture *w, size_t n) {
    return model_cvt_bytes(w->op.src, model_vcvt_sources(&w->op, w->part, n));
}

size_t vcvt_fixture_result_bytes(const struct vcvt_fixture *w, size_t n) {
    return model_cvt_bytes(w->op.dst, model_vcvt_results(&w->op, w->part, n));
}

void vcvt_fixture_image(const struct vcvt_fixture *w, size_t first, size_t n, const unsigned char *truth,
                        unsigned char *image) {
    const size_t results = model_vcvt_results(&w->op, w->part, n);
    memset(image, 0, vcvt_fixture_result_bytes(w, n));
    for (size_t i = 0; i < results; i++) {
        size_t source, lane;
        if (!model_vcvt_origin(&w->op, w->part, i, &source, &lane) || !truth[lane]) continue;
        model_cvt_store(w->op.dst, image, i, w->codes[first + source]);
    }
}

void vcvt_fixture_compare(struct report *r, const struct vcvt_fixture *w, size_t n, pto_status status,
                          const unsigned char *expected, const unsigned char *got) {
    const size_t results = model_vcvt_results(&w->op, w->part, n);
    report_status(r, status, PTO_OK);
    if (status != PTO_OK || memcmp(expected, got, vcvt_fixture_result_bytes(w, n)) == 0) return;
    for (size_t i = 0; i < results; i++) {
        const uint64_t want = model_cvt_load(w->op.dst, expected, i);
        const uint64_t have = model_cvt_load(w->op.dst, got, i);
        if (want == have) continue;
        report_mismatch(r, "element %zu: expected %llx, got %llx", i, (unsigned long long)want,
                        (unsigned long long)have);
        return;
    }
    report_mismatch(r, "bits after the last element of four bits are not zero");
}

static struct {
    pto_vcvt_op op;
    int part;
} described;

static void put_words(char *text, size_t capacity) {
    char words[MODEL_VCVT_TEXT];
    model_vcvt_describe(&described.op, described.part, words);
    snprintf(text, capacity, "%s", words);
}

void vcvt_fixture_describe(struct report *r, const struct vcvt_fixture *w, size_t n, const char *detail) {
    described.op = w->op;
    described.part = w->part;
    r->now.describe = put_words;
    r->now.call = vcvt_is_vtrc(&w->op) ? "vtrc" : w->part == MODEL_WHOLE ? "vcvt" : "vcvt_part";
    r->now.detail = detail;
    r->now.n = n;
}

int vcvt_kind_in_turn(const struct vcvt_fixture *w, size_t turn) {
    int kinds[MODEL_KINDS + 1] = {-1};
    size_t count = 1;
    for (int kind = 0; kind < MODEL_KINDS; kind++) {
        if (model_vcvt_kind_fits((pto_mask_kind)kind, w->op.src)) kinds[count++] = kind;
    }
    return kinds[turn % count];
}
