/* SPDX-License-Identifier: MIT */
/* Memory for calls of vcvt, and a call that checks its result. */
#include "check/vcvt_layout.h"
#include "check/checks.h"

#include <string.h>

/** The largest number of source elements of one call. */
enum { MOST = VCVT_PARTS * HARNESS_LONGEST };

void vcvt_layout_open(struct vcvt_layout *l) {
    const size_t capacity = (size_t)VCVT_WIDEST * (HARNESS_LONGEST + 4 * VCVT_OFFSETS);
    guarded_open(&l->src, capacity);
    guarded_open(&l->dst, capacity);
    guarded_open(&l->mask, capacity);
    l->expected = harness_allocate((size_t)VCVT_WIDEST * HARNESS_LONGEST);
    l->truth = harness_allocate(MOST);
}

void vcvt_layout_close(struct vcvt_layout *l) {
    guarded_close(&l->src);
    guarded_close(&l->dst);
    guarded_close(&l->mask);
    harness_free(l->expected);
    harness_free(l->truth);
}

struct vcvt_places vcvt_layout_beside(const struct vcvt_layout *l, const struct vcvt_fixture *w, size_t n,
                                      pto_mask_kind kind, enum place place) {
    const size_t lanes = model_vcvt_sources(&w->op, w->part, n);
    const struct vcvt_places places = {
        guarded_place(&l->src, vcvt_fixture_source_bytes(w, n), place),
        guarded_place(&l->dst, vcvt_fixture_result_bytes(w, n), place),
        guarded_place(&l->mask, model_mask_bytes(kind, lanes), place),
    };
    return places;
}

/** Copies the source. After an odd number of 4-bit elements the last high nibble is unspecified, so it is made
 * random. */
static void put_source(struct vcvt_fixture *w, size_t first, size_t n, unsigned char *src) {
    const size_t size = vcvt_fixture_source_bytes(w, n);
    memcpy(src, w->in.memory + model_cvt_bytes(w->op.src, first), size);
    if (model_code_bits(w->op.src) == 4 && n % 2)
        src[size - 1] = (unsigned char)((src[size - 1] & 15) | rng_next(&w->rng) << 4);
}

/** Returns a random first element with at least `sources` elements from there on. It is a multiple of 4, so it
 * starts a byte of 4-bit elements. */
static size_t some_first(struct vcvt_fixture *w, size_t sources) {
    return rng_below(&w->rng, (w->in.count - sources) / 4 + 1) * 4;
}

void vcvt_layout_run(const struct subject *s, struct report *r, struct vcvt_fixture *w, struct vcvt_layout *l,
                     const struct vcvt_places *places, pto_mask_kind kind, size_t n) {
    const size_t sources = model_vcvt_sources(&w->op, w->part, n), size = vcvt_fixture_result_bytes(w, n);
    const size_t first = some_first(w, sources);
    const struct guarded *memory = places->src == places->dst ? &l->src : &l->dst;
    pto_status status;

    r->now.n = n;
    r->now.kinds[0] = places->mask ? (int)kind : -1;
    r->cases++;
    memset(l->truth, 1, sources);
    if (places->mask) {
        check_fill_truth(&w->rng, l->truth, sources);
        check_fill_mask(&w->rng, kind, places->mask, l->truth, sources);
    }
    if (places->src != places->dst)
        buffer_fill(&l->dst, places->dst, size, (unsigned)r->cases);
    else
        margins_fill(&l->src, places->dst, size);
    put_source(w, first, n, places->src);
    vcvt_fixture_image(w, first, n, l->truth, l->expected);
    status = vcvt_fixture_call(s, w, places->src, pto_mask_at(places->mask, kind), places->dst, n);
    vcvt_fixture_compare(r, w, n, status, l->expected, places->dst);
    if (!margins_intact(memory, places->dst, size)) report_mismatch(r, "bytes outside dst were written");
}
