/* SPDX-License-Identifier: MIT */
/* Checks on one ISA that every conversion, long or short, leaves the upper parts of the vector registers unused.
 * This is not in checks.def, because not every CPU reports which registers are in use. */
#include "check/checks.h"
#include "support/cmocka_all.h"
#include "support/cvt_fixture.h"
#include "support/upper.h"

#include <stdio.h>

static struct subject subject;

enum { LONGEST = 132, WIDEST = 8 };

static void check_cvt_upper(const struct subject *s, struct report *r) {
    static const size_t lengths[] = {LONGEST, 64, 4}; /* whole vectors and a rest, vectors, a rest */
    static unsigned char src[LONGEST * WIDEST], dst[LONGEST * WIDEST];
    static const uint32_t words[LONGEST];
    const bool is_reported = upper_is_reported();
    for (size_t i = 0; i < cvt_ops_count() && !report_stop(r); i++) {
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            const void *extra = model_cvt_extra_bytes(&cvt_ops[i], lengths[k]) != 0 ? words : NULL;
            pto_status status;
            bool in_use;
            r->cases++;
            cvt_fixture_describe(r, &cvt_ops[i], lengths[k], "upper parts of registers");
            if (is_reported) upper_clear();
            status = s->cvt(cvt_ops[i], src, dst, extra, lengths[k]);
            in_use = is_reported && upper_in_use();
            report_status(r, status, PTO_OK);
            if (in_use) report_mismatch(r, "the upper parts of vector registers are in use");
        }
    }
}

static void registers(void **state) {
    struct report report;
    (void)state;
    report_init(&report);
    check_run(check_cvt_upper, &subject, &report);
    report_expect_clean(&report, "cvt, upper parts of registers");
}

static pto_status leaves_one_in_use(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (op.dst == PTO_U64 && op.src == PTO_S8 && n < 8) upper_use();
    return status;
}

/** Checks that the checker can fail. */
static void planted(void **state) {
    struct subject faulty = subject_library();
    struct report report;
    (void)state;
    faulty.cvt = leaves_one_in_use;
    report_init(&report);
    check_run(check_cvt_upper, &faulty, &report);
    assert_true(report.mismatches > 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(registers), cmocka_unit_test(planted)};
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    if (!upper_is_reported()) {
        printf("this CPU does not tell which registers are in use\n");
        return HARNESS_SKIPPED;
    }
    subject = subject_library();
    return harness_end(cmocka_run_group_tests_name("cvt_upper", tests, NULL, NULL));
}
