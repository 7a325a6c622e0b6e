/* SPDX-License-Identifier: MIT */
/* Checks pto_cvt() in hostile floating-point states: results equal the model's, nothing traps, and the state is
 * unchanged afterwards. */
#include "check/checks.h"
#include "support/cvt_fixture.h"
#include "support/fpstate.h"

#include <string.h>

enum { ELEMENTS = 512, WIDEST = 8 };

/** The hostile states, collected once per check. A state is set only around the call under test. */
static struct fp_states hostile;

static void run_in(const struct subject *s, struct report *r, struct cvt_fixture *w, size_t number) {
    const struct fp_state mine = fp_state_get();
    const size_t n = w->in.count - (model_cvt_group(&w->op) == 1 ? 1 : 0); /* odd, for a tail */
    unsigned char dst[ELEMENTS * WIDEST], expected[ELEMENTS * WIDEST];
    struct fp_state before, after;
    pto_status status;

    r->cases++;
    cvt_fixture_image(w, 0, n, expected);
    memset(dst, 0x77, sizeof dst);
    fp_state_set(&hostile.state[number]);
    before = fp_state_get();
    status = s->cvt(w->op, w->in.memory, dst, cvt_fixture_extra(w, 0), n);
    after = fp_state_get();
    fp_state_set(&mine);
    cvt_fixture_compare(r, w, 0, n, status, expected, dst);
    if (!fp_state_same(&before, &after))
        report_mismatch(r, "the state has changed: %llx, %llx became %llx, %llx",
                        (unsigned long long)before.control, (unsigned long long)before.status,
                        (unsigned long long)after.control, (unsigned long long)after.status);
}

static void visit_states(const struct subject *s, struct report *r, struct cvt_fixture *w) {
    for (size_t i = 0; i < hostile.count && !report_stop(r); i++) {
        cvt_fixture_describe(r, &w->op, w->in.count, hostile.title[i]);
        run_in(s, r, w, i);
    }
}

void check_cvt_fpstate(const struct subject *s, struct report *r) {
    fp_states_collect(&hostile, r->quick);
    cvt_fixture_each(s, r, "cvt fpstate", ELEMENTS, visit_states);
}
