/* SPDX-License-Identifier: MIT */
/* Checks the split of lanes into shares: together they are all lanes, and threads with different shares write no
 * common byte. */
#include "check/checks.h"
#include "support/values.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 64, MOST_PARTS = 70 };

/** Checks one share, which must begin where the previous shares ended. Returns its number of lanes. */
static size_t share(const struct subject *s, struct report *r, size_t n, size_t parts, size_t k,
                    size_t previous_lanes) {
    size_t begin = 77, count = 77;
    const pto_status status = s->split(n, parts, k, &begin, &count);
    r->now.n = n;
    r->cases++;
    report_status(r, status, PTO_OK);
    if (begin % STEP != 0) report_mismatch(r, "share %zu of %zu begins at %zu", k, parts, begin);
    if (begin > n || count > n - begin) report_mismatch(r, "share %zu of %zu leaves the lanes", k, parts);
    if (count != 0 && begin != previous_lanes) report_mismatch(r, "share %zu of %zu leaves a gap", k, parts);
    if (count % STEP != 0 && begin + count != n) report_mismatch(r, "share %zu of %zu ends early", k, parts);
    return count;
}

static void all_shares(const struct subject *s, struct report *r, size_t n, size_t parts) {
    size_t previous_lanes = 0, most = 0, least = SIZE_MAX;
    for (size_t k = 0; k < parts; k++) {
        const size_t count = share(s, r, n, parts, k, previous_lanes),
                     steps = count / STEP + (count % STEP != 0);
        previous_lanes += count;
        if (steps > most) most = steps;
        if (steps < least) least = steps;
    }
    if (previous_lanes != n) report_mismatch(r, "%zu parts have %zu lanes", parts, previous_lanes);
    if (most - least > 1) report_mismatch(r, "%zu parts differ by %zu steps", parts, most - least);
}

void check_split(const struct subject *s, struct report *r) {
    const size_t most = SIZE_MAX / 16;
    report_call(r, "split", NULL);
    for (size_t i = 0; i <= 700 && !report_stop(r); i += r->quick ? 9 : 1) {
        for (size_t parts = 1; parts <= MOST_PARTS; parts++) {
            all_shares(s, r, i, parts);
            all_shares(s, r, most - i, parts);
        }
    }
    r->cases += 3;
    if (share(s, r, most, SIZE_MAX, 0, 0) != STEP) report_mismatch(r, "the first of many shares");
    if (share(s, r, most, SIZE_MAX, SIZE_MAX - 1, 0) != 0) report_mismatch(r, "the last of many shares");
    if (share(s, r, 100, SIZE_MAX, 1, STEP) != 100 - STEP) report_mismatch(r, "the second of many shares");
}

/* ---- two threads ---- */

enum { THREADS = 2, LANES = 1999 };

struct half {
    const struct subject *subject;
    const unsigned char *a, *b;
    pto_mask seed, dst;
    pto_dtype type;
    size_t n, k;
    pto_status status;
};

static void *compare_half(void *argument) {
    struct half *h = argument;
    const struct subject *s = h->subject;
    size_t begin = 0, count = 0;
    h->status = s->split(h->n, THREADS, h->k, &begin, &count);
    if (h->status != PTO_OK) return NULL;
    h->status =
        s->vcmp(h->type, PTO_LT, 0, h->a + begin * model_size(h->type), h->b + begin * model_size(h->type),
                s->mask_from(h->seed, begin), s->mask_from(h->dst, begin), count);
    return NULL;
}

static void by_two(struct report *r, const struct half *whole) {
    pthread_t threads[THREADS];
    struct half halves[THREADS];
    for (size_t k = 0; k < THREADS; k++) {
        halves[k] = *whole;
        halves[k].k = k;
        if (pthread_create(&threads[k], NULL, compare_half, &halves[k]) != 0) abort();
    }
    for (size_t k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
        if (halves[k].status != PTO_OK)
            report_mismatch(r, "thread %zu: %s", k, status_name(halves[k].status));
    }
}

/** Compares the bytes that two threads write with those of one call, with a seed and without. check_compare.c tests
 * that one call. */
void check_split_threads(const struct subject *s, struct report *r) {
    static unsigned char a[LANES * 8], b[LANES * 8], seed[LANES], one[LANES], two[LANES], truth[LANES];
    struct rng rng;
    rng_start(&rng, "split threads");
    check_fill_truth(&rng, truth, LANES);
    report_call(r, "split, vcmp", "by two threads");
    for (size_t i = 0; i < (size_t)MODEL_TYPES * MODEL_KINDS * 6 && !report_stop(r); i++) {
        const pto_dtype type = model_types[i % MODEL_TYPES];
        const pto_mask_kind kind = (pto_mask_kind)(i / MODEL_TYPES % MODEL_KINDS);
        const bool seeded = i / MODEL_TYPES / MODEL_KINDS % 2;
        struct half whole = {s, a, b, PTO_NO_MASK, pto_mask_at(two, kind), type, 0, 0, PTO_OK};
        if (!model_kind_fits(kind, type) || !model_has_op(type, PTO_LT)) continue;
        whole.n = r->now.n = rng_below(&rng, LANES + 1);
        r->now.type = (int)type;
        r->now.kinds[0] = (int)kind;
        r->cases++;
        values_pairs(&rng, type, a, b, LANES);
        check_fill_mask(&rng, kind, seed, truth, whole.n);
        if (seeded) whole.seed = pto_mask_at(seed, kind);
        memset(one, 0x33, sizeof one);
        memset(two, 0x33, sizeof two);
        if (s->vcmp(type, PTO_LT, 0, a, b, whole.seed, pto_mask_at(one, kind), whole.n) != PTO_OK)
            report_mismatch(r, "no result");
        by_two(r, &whole);
        report_image(r, one, two, sizeof one);
    }
}
