/* SPDX-License-Identifier: MIT */
/* The table of all checks, and functions that several checks use. */
#include "check/checks.h"

#include <string.h>

#define CHECK(group, scope, function, words) {#group, scope, function, #function, words},
const struct check checks[] = {
#include "check/checks.def"
};
const size_t checks_count = sizeof checks / sizeof checks[0];

struct run {
    checker *check;
    const struct subject *subject;
};

static void run_body(struct report *report, void *context) {
    const struct run *run = context;
    run->check(run->subject, report);
}

void check_run(checker *check, const struct subject *subject, struct report *report) {
    struct run run = {check, subject};
    report_run(report, run_body, &run);
}

bool check_has_vexp(const struct subject *subject, struct report *report) {
    if (!subject->vexp) report_absent(report, "no pto_vexp (built without SLEEF)");
    return subject->vexp != NULL;
}

void check_fill_mask(struct rng *rng, pto_mask_kind kind, void *image, const unsigned char *truth, size_t n) {
    unsigned char *p = image;
    const size_t bits = model_lane_bits(kind);

    rng_fill(rng, p, model_mask_bytes(kind, n));
    if (kind == PTO_MASK_BYTE) {
        for (size_t i = 0; i < n; i++) {
            if (!truth[i]) p[i] = 0;
            if (truth[i] && p[i] == 0) p[i] = 0x80;
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const unsigned bit = 1U << i * bits % 8;
        unsigned char *byte = &p[i * bits / 8];
        *byte = (unsigned char)(truth[i] ? *byte | bit : *byte & ~bit);
    }
}

void check_fill_truth(struct rng *rng, unsigned char *truth, size_t n) {
    enum { RUN = 48 };
    for (size_t i = 0; i < n; i += RUN) {
        const uint64_t word = rng_next(rng);
        const size_t mode = rng_below(rng, 6);
        for (size_t k = i; k < n && k < i + RUN; k++) {
            const bool random = word >> (k - i) & 1;
            truth[k] = mode == 0 ? 0 : mode == 1 ? 1 : random;
        }
    }
}
