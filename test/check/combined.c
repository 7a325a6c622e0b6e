/* SPDX-License-Identifier: MIT */
/* Operands and masks for the checks of setp and set. */
#include "check/combined.h"

#include <string.h>

void combined_open(struct combined *w, const char *purpose, pto_dtype type, bool cross) {
    memset(w, 0, sizeof *w);
    rng_start_for(&w->rng, purpose, type);
    operands_open(&w->in, &w->rng, type, cross);
    operands_relate(&w->in);
    guarded_open(&w->c, w->in.count);
    w->c_before = harness_allocate(w->in.count);
    w->truth_c = harness_allocate(w->in.count + COMBINED_EXTRA);
    check_fill_truth(&w->rng, w->truth_c, w->in.count + COMBINED_EXTRA);
}

void combined_close(struct combined *w) {
    operands_close(&w->in);
    guarded_close(&w->c);
    harness_free(w->truth_c);
    harness_free(w->c_before);
}

pto_mask combined_place_c(struct combined *w, pto_mask_kind kind, size_t n, enum place place) {
    const pto_mask c = pto_mask_at(guarded_place(&w->c, model_mask_bytes(kind, n), place), kind);
    check_fill_mask(&w->rng, kind, c.data, w->truth_c + rng_below(&w->rng, COMBINED_EXTRA), n);
    return c;
}

void combined_sources(struct report *r, const struct combined *w, size_t first, pto_mask c, size_t bits) {
    report_result(r, bits);
    report_source(r, pto_in_array(w->in.a.data + first * w->in.size), 8 * w->in.size);
    report_source(r, pto_in_array(w->in.b.data + first * w->in.size), 8 * w->in.size);
    if (c.data) report_source(r, pto_in_array(c.data), model_lane_bits(c.kind));
}

struct combination combination_of(size_t number) {
    const size_t variant = number % COMBINED_BOOLS;
    return (struct combination){
        .cmp = (pto_cmp)(number / (size_t)(2 * COMBINED_BOOLS)),
        .ftz = number / COMBINED_BOOLS % 2,
        .boolop = (pto_boolop)((variant + 1) / 2),
        .not_c = variant != 0 && variant % 2 == 0,
    };
}
