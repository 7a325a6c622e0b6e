/* SPDX-License-Identifier: MIT */
/* The checkers can fail: each planted fault must be reported by the checker whose group it is in. */
#include "cmocka_all.h"
#include "planted_faults.h"

#include <stdio.h>
#include <string.h>

static void expect_found(const struct report *report, const char *what) {
    printf("found: %s\n       %s\n", what, report->first);
    if (report->mismatches == 0) fail_msg("not found: %s", what);
}

static void all_faults(void **state) {
    (void)state;
    for (size_t i = 0; i < planted_fault_count; i++) {
        const struct planted_fault *fault = &planted_faults[i];
        struct subject subject = subject_library();
        const pto_isa active = pto_isa_active();
        struct report report;
        report_init(&report);
        report.quick = true;
        report.stop_first = true;
        fault->plant(&subject);
        check_run(fault->check, &subject, &report);
        pto_isa_use(active);
        expect_found(&report, fault->what);
    }
}

/** The same checkers in the same short form find nothing in the library itself: they do not just always fail.
 */
static void no_fault(void **state) {
    const struct subject subject = subject_library();
    (void)state;
    for (size_t i = 0; i < planted_fault_count; i++) {
        struct report report;
        if (i > 0 && planted_faults[i].check == planted_faults[i - 1].check) continue;
        report_init(&report);
        report.quick = true;
        report.stop_first = true;
        check_run(planted_faults[i].check, &subject, &report);
        if (report.mismatches != 0) fail_msg("no fault planted, yet: %s", report.first);
        assert_true(report.cases > 0);
    }
}

static void halves_body(struct report *report, void *context) {
    static const struct exhaustive sampled = {PTO_F16, 257};
    check_all_halves(context, report, &sampled);
}

/** One pair of 2^32; its row is that of the most negative number, which is never left out. */
static void one_pair_of_halves(void **state) {
    struct subject subject = subject_library();
    struct report report;
    (void)state;
    report_init(&report);
    report.stop_first = true;
    plant_one_pair(&subject);
    report_run(&report, halves_body, &subject);
    expect_found(&report, "vcmp is wrong for one pair of f16");
}

static void threads(void **state) {
    struct subject subject = subject_library();
    struct report report;
    (void)state;
    report_init(&report);
    report.quick = true;
    plant_now_and_then(&subject);
    check_threads(&subject, &report);
    expect_found(&report, "vcmp is wrong now and then");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_faults), cmocka_unit_test(no_fault),
                                       cmocka_unit_test(one_pair_of_halves), cmocka_unit_test(threads)};
    const int status = harness_start(argc, argv);
    return status != 0 ? status : cmocka_run_group_tests_name("planted", tests, NULL, NULL);
}
