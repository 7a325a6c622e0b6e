/* SPDX-License-Identifier: MIT */
/* Checks .rs with generated random bits: rounding is unbiased, and threads that share the work get the same results. */
#include "check/checks.h"
#include "model/model_random.h"

#include <pthread.h>
#include <string.h>

enum { LANES = 1 << 14, THREADS = 2 };

/** A value between two neighbours in the destination type. `lower_code` is the code of the one that is nearer to 0; the
 * other has the next code. */
struct rounding_case {
    pto_dtype dst;
    float x;
    unsigned lower_code;
    double share_up; /* expected share of lanes with the next code: distance of x from `lower_code` in ulps */
};

static const struct rounding_case cases[] = {
    {PTO_F16, 1 + 0x1p-12F, 0x3c00, 0.25},
    {PTO_F16, -(1 + 0x1.ap-11F), 0xbc00, 0.8125},
    {PTO_BF16, 1 + 0x1p-10F, 0x3f80, 0.125},
    {PTO_BF16, 3 + 0x1.8p-8F, 0x4040, 0.375},
    {PTO_E4M3, 1 + 0x1.4p-5F, 0x38, 0.3125},
    {PTO_E5M2, 1 + 0x1.4p-3F, 0x3c, 0.625},
    {PTO_E2M3, 1 + 0x1.8p-4F, 0x08, 0.75},
    {PTO_E3M2, -(2 + 0x1p-3F), 0x30, 0.25},
    {PTO_E2M1, 2.25F, 0x4, 0.25},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static pto_cvt_op op_to(pto_dtype dst) {
    const pto_cvt_op op = {
        .dst = dst, .src = PTO_F32, .round = PTO_RS, .satfinite = pto_dtype_bits(dst) <= 8};
    return op;
}

/** Returns how many random words `lanes` lanes take. */
static size_t words_for(pto_dtype dst, size_t lanes) {
    return lanes / (pto_dtype_bits(dst) <= 8 ? 4 : 2);
}

/** Rounds c->x LANES times, with the random bits from block `first` on. */
static pto_status round_lanes(const struct subject *s, const struct rounding_case *c, uint64_t first,
                              void *codes) {
    static const uint32_t key[2] = {0x2545f491, 0x4f6cdd1d}, counter[4] = {0, 0, 0, 7};
    static _Thread_local float x[LANES];
    static _Thread_local uint32_t bits[LANES / 2];
    uint32_t from[4];
    pto_status status = s->random_counter(counter, first, from);
    for (size_t i = 0; i < LANES; i++) x[i] = c->x;
    if (status == PTO_OK) status = s->random_bits(key, from, bits, words_for(c->dst, LANES));
    return status == PTO_OK ? s->cvt(op_to(c->dst), x, codes, bits, LANES) : status;
}

static unsigned code_at(pto_dtype dst, const unsigned char *codes, size_t i) {
    if (dst == PTO_E2M1) return codes[i / 2] >> i % 2 * 4 & 15;
    return pto_dtype_bits(dst) == 8 ? codes[i] : codes[2 * i] | (unsigned)codes[2 * i + 1] << 8;
}

/** Returns how many lanes rounded away from 0. */
static size_t count_up(struct report *r, const struct rounding_case *c, const unsigned char *codes) {
    size_t up = 0;
    for (size_t i = 0; i < LANES; i++) {
        const unsigned steps = code_at(c->dst, codes, i) - c->lower_code;
        if (steps > 1) report_mismatch(r, "lane %zu is no neighbour", i);
        up += steps;
    }
    return up;
}

/** Checks that the count is within 4 standard deviations. Compares squares, so no square root is needed. */
static void expect_unbiased(struct report *r, const struct rounding_case *c, size_t up, size_t n) {
    const double off = (double)up - c->share_up * (double)n;
    if (off * off > 16 * c->share_up * (1 - c->share_up) * (double)n)
        report_mismatch(r, "%g between two codes went up %zu times of %zu", c->share_up, up, n);
}

void check_random_unbiased(const struct subject *s, struct report *r) {
    const size_t wanted = harness_emulated() ? 400000 : r->quick ? 1000000 : 10000000;
    static unsigned char codes[2 * LANES];
    report_call(r, "cvt.rs", "with random bits");
    for (size_t k = 0; k < CASES && !report_stop(r); k++) {
        const size_t blocks = words_for(cases[k].dst, LANES) / 4;
        size_t up = 0, n = 0;
        r->now.type = (int)cases[k].dst;
        for (size_t i = 0; n < wanted; n += LANES, i++) {
            report_status(r, round_lanes(s, &cases[k], i * blocks, codes), PTO_OK);
            up += count_up(r, &cases[k], codes);
        }
        r->cases++;
        r->now.n = n;
        expect_unbiased(r, &cases[k], up, n);
    }
}

/* ---- threads ---- */

/** The work consists of PARTS parts. A share has every step-th part from number `begin` on. */
enum { PARTS = 8 };

struct share {
    const struct subject *s;
    const struct rounding_case *c;
    size_t begin, step;
    unsigned char (*codes)[2 * LANES]; /* for all parts */
    pto_status status;
};

static void *round_share(void *context) {
    struct share *w = context;
    const size_t blocks = words_for(w->c->dst, LANES) / 4;
    w->status = PTO_OK;
    for (size_t i = w->begin; i < PARTS && w->status == PTO_OK; i += w->step)
        w->status = round_lanes(w->s, w->c, i * blocks, w->codes[i]);
    return NULL;
}

void check_random_threads(const struct subject *s, struct report *r) {
    static unsigned char one[PARTS][2 * LANES], several[PARTS][2 * LANES];
    report_call(r, "cvt.rs", "shared by threads");
    for (size_t k = 0; k < CASES && !report_stop(r); k++) {
        struct share alone = {s, &cases[k], 0, 1, one, PTO_OK}, shares[THREADS];
        pthread_t threads[THREADS];
        r->now.type = (int)cases[k].dst;
        r->cases++;
        (void)round_share(&alone);
        report_status(r, alone.status, PTO_OK);
        for (size_t i = 0; i < THREADS; i++) {
            const struct share share = {s, &cases[k], i, THREADS, several, PTO_OK};
            shares[i] = share;
            if (pthread_create(&threads[i], NULL, round_share, &shares[i]) != 0)
                report_mismatch(r, "no thread");
        }
        for (size_t i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            if (shares[i].status != PTO_OK) report_mismatch(r, "no success in a thread");
        }
        report_image(r, one[0], several[0], sizeof one);
    }
}
