/* SPDX-License-Identifier: MIT */
/* Compares pto_vcvt() and pto_vtrc() with the model: values, lengths, offsets, and results in place, with every
 * mask kind. Also checks parts and known answers. */
#include "check/checks.h"
#include "check/vcvt_layout.h"
#include "support/vcvt_examples.h"

#include <string.h>

enum { SOME = 4096 };

/* ---- values ---- */

static void visit_values(const struct subject *s, struct report *r, struct vcvt_fixture *w) {
    const size_t n = w->in.count, size = vcvt_fixture_result_bytes(w, n);
    unsigned char *const dst = harness_allocate(size), *const expected = harness_allocate(size);
    unsigned char *const truth = harness_allocate(n);
    pto_status status;

    memset(dst, 0x77, size);
    memset(truth, 1, n);
    vcvt_fixture_describe(r, w, n, "values");
    r->cases += n;
    vcvt_fixture_image(w, 0, n, truth, expected);
    status = vcvt_fixture_call(s, w, w->in.memory, PTO_NO_MASK, dst, n);
    vcvt_fixture_compare(r, w, n, status, expected, dst);
    harness_free(truth);
    harness_free(expected);
    harness_free(dst);
}

void check_vcvt_values(const struct subject *s, struct report *r) {
    vcvt_fixture_each(s, r, "vcvt values", 0, false, visit_values);
}

/* ---- lengths ---- */

/** Makes one call beside guard pages, with a mask of a random kind or without a mask. */
static void run_beside(const struct subject *s, struct report *r, struct vcvt_fixture *w,
                       struct vcvt_layout *l, size_t n, enum place place) {
    const int turn = vcvt_kind_in_turn(w, rng_below(&w->rng, MODEL_KINDS));
    const pto_mask_kind kind = turn < 0 ? PTO_MASK_PACKED : (pto_mask_kind)turn;
    struct vcvt_places places = vcvt_layout_beside(l, w, n, kind, place);
    if (turn < 0) places.mask = NULL;
    vcvt_layout_run(s, r, w, l, &places, kind, n);
}

static size_t whole_groups(const struct vcvt_fixture *w, size_t n) {
    return n - n % model_vcvt_group(&w->op, w->part);
}

/** Tries all lengths for one operation of each pair of types, and a sample for the others. */
static void visit_lengths(const struct subject *s, struct report *r, struct vcvt_fixture *w) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);
    const size_t step = w->first_of_pair ? 1 : 1 + rng_below(&w->rng, 8);
    struct vcvt_layout l;

    vcvt_layout_open(&l);
    vcvt_fixture_describe(r, w, 0, "beside guard pages");
    for (size_t i = 0; i < count && !report_stop(r); i += step) {
        run_beside(s, r, w, &l, whole_groups(w, lengths[i]), AT_BEGIN);
        run_beside(s, r, w, &l, whole_groups(w, lengths[i]), AT_END);
    }
    if (w->first_of_pair || rng_below(&w->rng, 8) == 0) {
        run_beside(s, r, w, &l, whole_groups(w, length_long(rng_below(&w->rng, 64))), AT_BEGIN);
        run_beside(s, r, w, &l, whole_groups(w, length_long(rng_below(&w->rng, 64))), AT_END);
    }
    vcvt_layout_close(&l);
}

void check_vcvt_lengths(const struct subject *s, struct report *r) {
    vcvt_fixture_each(s, r, "vcvt lengths", (size_t)2 * HARNESS_LONGEST, false, visit_lengths);
}

void check_vcvt_parts(const struct subject *s, struct report *r) {
    vcvt_fixture_each(s, r, "vcvt parts", (size_t)5 * HARNESS_LONGEST, true, visit_lengths);
}

/* ---- offsets ---- */

static void visit_offsets(const struct subject *s, struct report *r, struct vcvt_fixture *w) {
    const size_t count = r->quick ? 4 : w->first_of_pair ? VCVT_OFFSETS : VCVT_OFFSETS / 4;
    struct vcvt_layout l;

    vcvt_layout_open(&l);
    vcvt_fixture_describe(r, w, 0, "unaligned");
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        const int kind = vcvt_kind_in_turn(w, i);
        const struct vcvt_places places = {l.src.data + rng_below(&w->rng, VCVT_OFFSETS),
                                           l.dst.data + (i * 5 + 1) % VCVT_OFFSETS,
                                           kind < 0 ? NULL : l.mask.data + rng_below(&w->rng, VCVT_OFFSETS)};
        const size_t n = whole_groups(w, rng_below(&w->rng, 260));
        vcvt_layout_run(s, r, w, &l, &places, kind < 0 ? PTO_MASK_PACKED : (pto_mask_kind)kind, n);
    }
    vcvt_layout_close(&l);
}

void check_vcvt_offsets(const struct subject *s, struct report *r) {
    vcvt_fixture_each(s, r, "vcvt offsets", SOME, false, visit_offsets);
    vcvt_fixture_each(s, r, "vcvt offsets of parts", SOME, true, visit_offsets);
}

/* ---- in place ---- */

static void visit_in_place(const struct subject *s, struct report *r, struct vcvt_fixture *w) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, true);
    struct vcvt_layout l;

    if (model_code_bits(w->op.src) != model_code_bits(w->op.dst)) return;
    vcvt_layout_open(&l);
    vcvt_fixture_describe(r, w, 0, "in place");
    for (size_t i = 0; i < 2 * count && !report_stop(r); i++) {
        const int kind = vcvt_kind_in_turn(w, i);
        const size_t n = i == 7 && !r->quick ? 3001 : lengths[i / 2];
        struct vcvt_places places = vcvt_layout_beside(
            &l, w, n, kind < 0 ? PTO_MASK_PACKED : (pto_mask_kind)kind, i % 2 ? AT_BEGIN : AT_END);
        places.dst = places.src;
        if (kind < 0) places.mask = NULL;
        vcvt_layout_run(s, r, w, &l, &places, kind < 0 ? PTO_MASK_PACKED : (pto_mask_kind)kind, n);
    }
    vcvt_layout_close(&l);
}

void check_vcvt_in_place(const struct subject *s, struct report *r) {
    vcvt_fixture_each(s, r, "vcvt in place", SOME, false, visit_in_place);
}

/* ---- the parts of a narrowing conversion form the whole ---- */

/** UNITS: the units of the whole conversion, which are elements, or pairs of 4-bit elements. A part converts one
 * half or one quarter of them. */
enum { UNITS = 164, UNION_BYTES = 2 * UNITS * VCVT_WIDEST };

/** Copies every k-th unit of the source, from unit p on, where k is the number of parts. */
static void every_kth(const struct vcvt_fixture *w, size_t p, unsigned char *every) {
    const size_t k = model_vcvt_parts(&w->op);
    const size_t bytes = model_cvt_bytes(w->op.src, model_vcvt_group(&w->op, PTO_PART_P0));
    for (size_t i = 0; i < UNITS / k; i++) {
        memcpy(every + i * bytes, w->in.memory + (k * i + p) * bytes, bytes);
    }
}

/** Converts part p with the library, and ORs the result into `combined`. */
static void or_part(const struct subject *s, struct report *r, const struct vcvt_fixture *w, size_t p,
                    unsigned char *combined) {
    const size_t n = UNITS / model_vcvt_parts(&w->op) * model_vcvt_group(&w->op, PTO_PART_P0);
    const pto_vpart part = (pto_vpart)model_vcvt_part(&w->op, p);
    unsigned char every[UNION_BYTES], result[UNION_BYTES];
    memset(result, 0xa5, sizeof result);
    every_kth(w, p, every);
    if (s->vcvt_part(w->op, part, every, PTO_NO_MASK, result, n) != PTO_OK)
        report_mismatch(r, "no success of a part");
    for (size_t i = 0; i < UNION_BYTES; i++) {
        combined[i] |= result[i];
    }
}

/** Compares calls with each other, without the model. Part p converts every k-th unit from unit p on; all parts
 * combined must equal the whole conversion. */
static void visit_union(const struct subject *s, struct report *r, struct vcvt_fixture *w) {
    const size_t n = UNITS * model_vcvt_group(&w->op, PTO_PART_P0);
    unsigned char whole[UNION_BYTES], combined[UNION_BYTES] = {0};

    if (model_code_bits(w->op.dst) >= model_code_bits(w->op.src)) return;
    vcvt_fixture_describe(r, w, n, "its parts together");
    r->cases++;
    report_status(r, s->vcvt(w->op, w->in.memory, PTO_NO_MASK, whole, n), PTO_OK);
    for (size_t p = 0; p < model_vcvt_parts(&w->op); p++) {
        or_part(s, r, w, p, combined);
    }
    report_image(r, whole, combined, model_cvt_bytes(w->op.dst, n));
}

void check_vcvt_union(const struct subject *s, struct report *r) {
    vcvt_fixture_each(s, r, "vcvt union", SOME, false, visit_union);
}

/* ---- known answers ---- */

enum { LANES = 44 };

static void run_example(const struct subject *s, struct report *r, struct vcvt_fixture *w, uint64_t input,
                        uint64_t output) {
    unsigned char src[LANES * VCVT_WIDEST] = {0}, dst[LANES * VCVT_WIDEST];
    r->cases++;
    for (size_t i = 0; i < LANES; i++) {
        model_cvt_store(w->op.src, src, i, input);
    }
    report_status(r, vcvt_fixture_call(s, w, src, PTO_NO_MASK, dst, LANES), PTO_OK);
    for (size_t i = 0; i < LANES; i++) {
        const uint64_t have = model_cvt_load(w->op.dst, dst, i);
        if (have == output) continue;
        report_mismatch(r, "lane %zu, source %llx: expected %llx, got %llx", i, (unsigned long long)input,
                        (unsigned long long)output, (unsigned long long)have);
        return;
    }
}

void check_vcvt_examples(const struct subject *s, struct report *r) {
    report_call(r, "vcvt", NULL);
    for (size_t i = 0; i < vcvt_examples_count && !report_stop(r); i++) {
        struct vcvt_fixture w = {.op = vcvt_examples[i].op, .part = MODEL_WHOLE};
        const char *at = vcvt_examples[i].pairs;
        uint64_t input, output;
        vcvt_fixture_describe(r, &w, LANES, "a known answer");
        while (vcvt_example_next(&at, &input, &output)) {
            run_example(s, r, &w, input, output);
        }
    }
}
