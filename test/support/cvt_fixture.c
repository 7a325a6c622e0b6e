/* SPDX-License-Identifier: MIT */
/* Source elements with the model's results, for the checks of cvt. */
#include "support/cvt_fixture.h"

#include <stdio.h>
#include <string.h>

void cvt_fixture_open(struct cvt_fixture *w, const char *purpose, const struct cvt_values *in) {
    w->in = *in;
    rng_start_for(&w->rng, purpose, in->type);
    w->extra = harness_allocate((in->count / 2 + 1) * sizeof(uint32_t));
    w->expected = harness_allocate(in->count * sizeof(uint64_t));
}

void cvt_fixture_close(struct cvt_fixture *w) {
    harness_free(w->extra);
    harness_free(w->expected);
}

void cvt_fixture_op(struct cvt_fixture *w, const pto_cvt_op *op) {
    w->op = *op;
    cvt_values_choose_extra(&w->rng, op, w->in.memory, w->extra, w->in.count);
    memset(w->expected, 0, model_cvt_bytes(op->dst, w->in.count));
    for (size_t i = 0; i < w->in.count; i++) {
        const uint64_t code = model_cvt_load(op->src, w->in.memory, i);
        const uint32_t extra = model_cvt_extra(op, w->extra, i);
        model_cvt_store(op->dst, w->expected, i, model_cvt(op, code, extra));
    }
}

const void *cvt_fixture_extra(const struct cvt_fixture *w, size_t first) {
    if (model_cvt_extra_bytes(&w->op, 4) == 0) return NULL;
    return (const unsigned char *)w->extra + model_cvt_extra_bytes(&w->op, first);
}

void cvt_fixture_image(const struct cvt_fixture *w, size_t first, size_t n, unsigned char *image) {
    const size_t size = model_cvt_bytes(w->op.dst, n);
    memcpy(image, w->expected + model_cvt_bytes(w->op.dst, first), size);
    if (w->op.dst == PTO_E2M1 && n % 2) image[size - 1] &= 15;
}

static pto_cvt_op described;

static void put_words(char *text, size_t capacity) {
    char words[MODEL_CVT_TEXT];
    model_cvt_describe(&described, words);
    snprintf(text, capacity, "%s", words);
}

void cvt_fixture_describe(struct report *r, const pto_cvt_op *op, size_t n, const char *detail) {
    described = *op;
    r->now.describe = put_words;
    r->now.detail = detail;
    r->now.n = n;
}

void cvt_fixture_compare(struct report *r, const struct cvt_fixture *w, size_t first, size_t n,
                         pto_status status, const unsigned char *expected, const unsigned char *got) {
    const size_t size = model_cvt_bytes(w->op.dst, n);
    report_status(r, status, PTO_OK);
    if (status != PTO_OK || memcmp(expected, got, size) == 0) return;
    for (size_t i = 0; i < n; i++) {
        const uint64_t want = model_cvt_load(w->op.dst, expected, i);
        const uint64_t have = model_cvt_load(w->op.dst, got, i);
        if (want == have) continue;
        report_mismatch(r, "element %zu, source %llx, extra %x: expected %llx, got %llx", i,
                        (unsigned long long)model_cvt_load(w->op.src, w->in.memory, first + i),
                        model_cvt_extra(&w->op, w->extra, first + i), (unsigned long long)want,
                        (unsigned long long)have);
        return;
    }
    report_mismatch(r, "bits outside the elements are wrong"); /* in e2m3, e3m2 or after the last e2m1 */
}

void cvt_fixture_each(const struct subject *s, struct report *r, const char *purpose, size_t count,
                      cvt_visit *visit) {
    report_call(r, "cvt", NULL);
    for (size_t t = 0; t < CVT_SOURCES && !report_stop(r); t++) {
        struct cvt_values in;
        struct cvt_fixture w;
        if (count == 0)
            cvt_values_open(&in, cvt_sources[t], r->quick);
        else
            cvt_values_some(&in, cvt_sources[t], count);
        cvt_fixture_open(&w, purpose, &in);
        for (size_t i = 0; i < cvt_ops_count() && !report_stop(r); i++) {
            if (cvt_ops[i].src != cvt_sources[t]) continue;
            cvt_fixture_op(&w, &cvt_ops[i]);
            visit(s, r, &w);
        }
        cvt_fixture_close(&w);
        cvt_values_close(&in);
    }
}
