/* SPDX-License-Identifier: MIT */
/* Compares pto_cast() with the model: every pair of types with every rounding and overflow, lengths, offsets, results
 * in place, long arrays, and hostile floating-point states. */
#include "check/checks.h"
#include "support/cast_fixture.h"
#include "support/fpstate.h"

#include <string.h>

enum { OFFSETS = 64, LONG = 5003, STATE_ELEMENTS = 131 };

/* ---- values ---- */

static void run_whole(const struct subject *s, struct report *r, struct cast_fixture *w, unsigned char *dst) {
    pto_status status;
    cast_fixture_describe(r, w, w->count);
    r->cases += w->count;
    memset(dst, 0x77, w->count * CAST_WIDEST);
    cast_fixture_image(w, 0, w->count, w->expected);
    status = s->cast(w->op, w->src, dst, cast_fixture_words(w, 0), w->count);
    cast_fixture_compare(r, w, 0, w->count, status, w->expected, dst);
}

static void visit_values(const struct subject *s, struct report *r, struct cast_fixture *w) {
    unsigned char *const dst = harness_allocate(w->count * CAST_WIDEST);
    for (int i = 0; i < MODEL_CAST_ROUNDS * MODEL_CAST_OVERFLOWS && !report_stop(r); i++) {
        w->op.round = model_cast_rounds[i % MODEL_CAST_ROUNDS];
        w->op.overflow = (pto_overflow)(i / MODEL_CAST_ROUNDS);
        run_whole(s, r, w, dst);
    }
    harness_free(dst);
}

void check_cast_values(const struct subject *s, struct report *r) {
    cast_fixture_each(s, r, "cast values", r->quick ? 517 : 1537, visit_values);
}

/* ---- lengths and places ---- */

struct layout {
    struct guarded src, dst, words;
};

static void run_at(const struct subject *s, struct report *r, struct cast_fixture *w, struct layout *l,
                   unsigned char *src, unsigned char *dst, size_t first, size_t n) {
    const size_t in = model_cvt_bytes(w->op.src, n), out = model_cvt_bytes(w->op.dst, n);
    const int rest = (int)(n * (size_t)model_code_bits(w->op.src) % 8);
    const struct guarded *const memory = dst == src ? &l->src : &l->dst;
    unsigned char *const words = guarded_place(&l->words, n * 4, AT_END);
    pto_status status;
    cast_fixture_describe(r, w, n);
    r->cases++;
    if (dst == src)
        margins_fill(&l->src, dst, out);
    else
        buffer_fill(&l->dst, dst, out, (unsigned)r->cases);
    memcpy(src, w->src + model_cvt_bytes(w->op.src, first), in);
    if (model_code_bits(w->op.src) < 6 && rest != 0) /* the bits after the last element are ignored */
        src[in - 1] = (unsigned char)((src[in - 1] & ((1 << rest) - 1)) | rng_next(&w->rng) << rest);
    memcpy(words, w->words + first, n * 4);
    cast_fixture_image(w, first, n, w->expected);
    status = s->cast(w->op, src, dst, w->op.round == PTO_RS ? words : NULL, n);
    cast_fixture_compare(r, w, first, n, status, w->expected, dst);
    if (!margins_intact(memory, dst, out)) report_mismatch(r, "bytes outside dst were written");
}

/** Returns a random first element with n elements from there on. It starts a byte. */
static size_t some_first(struct cast_fixture *w, size_t n) {
    return rng_below(&w->rng, (w->count - n) / 4 + 1) * 4;
}

static void run_lengths(const struct subject *s, struct report *r, struct cast_fixture *w, struct layout *l) {
    const bool same_size = model_cvt_bytes(w->op.src, 8) == model_cvt_bytes(w->op.dst, 8);
    for (size_t i = 0; i < (r->quick ? 6U : 24U) && !report_stop(r); i++) {
        const size_t n = rng_below(&w->rng, i % 3 ? 24 : w->count);
        const enum place place = i % 2 ? AT_BEGIN : AT_END;
        unsigned char *src = guarded_place(&l->src, model_cvt_bytes(w->op.src, n), place);
        unsigned char *dst = guarded_place(&l->dst, model_cvt_bytes(w->op.dst, n), place);
        run_at(s, r, w, l, src, dst, some_first(w, n), n);
        run_at(s, r, w, l, l->src.data + rng_below(&w->rng, OFFSETS),
               l->dst.data + rng_below(&w->rng, OFFSETS), some_first(w, n), n);
        if (same_size) run_at(s, r, w, l, src, src, some_first(w, n), n);
    }
}

static void visit_lengths(const struct subject *s, struct report *r, struct cast_fixture *w) {
    struct layout l;
    const size_t capacity = w->count * CAST_WIDEST + OFFSETS;
    guarded_open(&l.src, capacity);
    guarded_open(&l.dst, capacity);
    guarded_open(&l.words, capacity);
    run_lengths(s, r, w, &l);
    guarded_close(&l.src);
    guarded_close(&l.dst);
    guarded_close(&l.words);
}

void check_cast_lengths(const struct subject *s, struct report *r) {
    cast_fixture_each(s, r, "cast lengths", 331, visit_lengths);
}

/* ---- long arrays ---- */

static void visit_long(const struct subject *s, struct report *r, struct cast_fixture *w) {
    unsigned char *const dst = harness_allocate(w->count * CAST_WIDEST);
    if (rng_below(&w->rng, 2)) w->op.round = PTO_RN;
    run_whole(s, r, w, dst);
    harness_free(dst);
}

void check_cast_long(const struct subject *s, struct report *r) {
    cast_fixture_each(s, r, "cast long", LONG, visit_long);
}

/* ---- floating-point states ---- */

/** The hostile states, collected once per check. A state is set only around the call under test. */
static struct fp_states hostile;

static void run_in_state(const struct subject *s, struct report *r, struct cast_fixture *w, size_t number) {
    const struct fp_state mine = fp_state_get();
    unsigned char dst[STATE_ELEMENTS * CAST_WIDEST];
    struct fp_state before, after;
    pto_status status;
    cast_fixture_describe(r, w, w->count);
    r->cases++;
    memset(dst, 0x77, sizeof dst);
    fp_state_set(&hostile.state[number]);
    before = fp_state_get();
    status = s->cast(w->op, w->src, dst, cast_fixture_words(w, 0), w->count);
    after = fp_state_get();
    fp_state_set(&mine);
    cast_fixture_compare(r, w, 0, w->count, status, w->expected, dst);
    if (!fp_state_same(&before, &after))
        report_mismatch(r, "the state has changed: %llx, %llx became %llx, %llx",
                        (unsigned long long)before.control, (unsigned long long)before.status,
                        (unsigned long long)after.control, (unsigned long long)after.status);
}

/** Tests rounding to nearest in some states, for which there are special kernels, and a random rounding in others. */
static void visit_states(const struct subject *s, struct report *r, struct cast_fixture *w) {
    const size_t step = r->quick ? 7 : 3;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) w->op.round = PTO_RN;
        cast_fixture_image(w, 0, w->count, w->expected);
        for (size_t i = rng_below(&w->rng, step); i < hostile.count && !report_stop(r); i += step) {
            run_in_state(s, r, w, i);
        }
    }
}

void check_cast_fpstate(const struct subject *s, struct report *r) {
    fp_states_collect(&hostile, r->quick);
    cast_fixture_each(s, r, "cast fpstate", STATE_ELEMENTS, visit_states);
}
