/* SPDX-License-Identifier: MIT */
/* Checks vcvt in hostile floating-point states: results equal the model's, nothing traps, and the state is
 * unchanged afterwards. */
#include "check/checks.h"
#include "support/fpstate.h"
#include "support/vcvt_fixture.h"

#include <string.h>

enum { ELEMENTS = 512 };

/** The hostile states, collected once per check. A state is set only around the call under test. */
static struct fp_states hostile;

static void run_in(const struct subject *s, struct report *r, const struct vcvt_fixture *w, size_t number,
                   const unsigned char *expected) {
    const struct fp_state mine = fp_state_get();
    const size_t n = w->in.count - 1; /* odd, so kernels run their tail code */
    unsigned char dst[ELEMENTS * VCVT_WIDEST];
    struct fp_state before, after;
    pto_status status;

    r->cases++;
    memset(dst, 0x77, sizeof dst);
    fp_state_set(&hostile.state[number]);
    before = fp_state_get();
    status = vcvt_fixture_call(s, w, w->in.memory, PTO_NO_MASK, dst, n);
    after = fp_state_get();
    fp_state_set(&mine);
    vcvt_fixture_compare(r, w, n, status, expected, dst);
    if (!fp_state_same(&before, &after))
        report_mismatch(r, "the state has changed: %llx, %llx became %llx, %llx",
                        (unsigned long long)before.control, (unsigned long long)before.status,
                        (unsigned long long)after.control, (unsigned long long)after.status);
}

static void visit_states(const struct subject *s, struct report *r, struct vcvt_fixture *w) {
    unsigned char expected[ELEMENTS * VCVT_WIDEST], truth[ELEMENTS];
    memset(truth, 1, sizeof truth);
    vcvt_fixture_image(w, 0, w->in.count - 1, truth, expected);
    for (size_t i = 0; i < hostile.count && !report_stop(r); i++) {
        vcvt_fixture_describe(r, w, w->in.count, hostile.title[i]);
        run_in(s, r, w, i, expected);
    }
}

void check_vcvt_fpstate(const struct subject *s, struct report *r) {
    fp_states_collect(&hostile, r->quick);
    vcvt_fixture_each(s, r, "vcvt fpstate", ELEMENTS, false, visit_states);
}
