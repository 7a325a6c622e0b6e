/* SPDX-License-Identifier: MIT */
/* The checkers can fail: each planted fault must be reported by the checker whose group it is in. */
#include "support/cmocka_all.h"
#include "faults/planted_faults.h"

#include <stdio.h>
#include <string.h>

static void expect_found(const struct report *report, const char *what) {
    printf("found: %s\n       %s\n", what, report->first);
    if (report->mismatches == 0) fail_msg("not found: %s", what);
}

static void find_all(const struct planted_fault *faults, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct planted_fault *fault = &faults[i];
        struct subject subject = subject_library();
        const pto_isa active = pto_isa_active();
        struct report report;
        report_init(&report);
        report.quick = true;
        report.stop_first = true;
        fault->plant(&subject);
        check_run(fault->check, &subject, &report);
        use_isa(active);
        expect_found(&report, fault->what);
    }
}

static void all_faults(void **state) {
    (void)state;
    find_all(planted_faults, planted_fault_count);
}

static void all_ptx_faults(void **state) {
    (void)state;
    find_all(planted_ptx_faults, planted_ptx_fault_count);
}

static void all_cvt_faults(void **state) {
    (void)state;
    find_all(planted_cvt_faults, planted_cvt_fault_count);
}

/** The same checkers in the same short form find nothing in the library itself: they do not just always fail.
 */
static void find_none(const struct planted_fault *faults, size_t count) {
    const struct subject subject = subject_library();
    for (size_t i = 0; i < count; i++) {
        struct report report;
        if (i > 0 && faults[i].check == faults[i - 1].check) continue;
        report_init(&report);
        report.quick = true;
        report.stop_first = true;
        check_run(faults[i].check, &subject, &report);
        if (report.mismatches != 0) fail_msg("no fault planted, yet: %s", report.first);
        assert_true(report.cases > 0);
    }
}

static void no_fault(void **state) {
    (void)state;
    find_none(planted_faults, planted_fault_count);
    find_none(planted_ptx_faults, planted_ptx_fault_count);
    find_none(planted_cvt_faults, planted_cvt_fault_count);
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

static void halves_setp_body(struct report *report, void *context) {
    static const struct exhaustive sampled = {PTO_F16, 257};
    check_all_halves_setp(context, report, &sampled);
}

static void one_pair_of_halves_setp(void **state) {
    struct subject subject = subject_library();
    struct report report;
    (void)state;
    report_init(&report);
    report.stop_first = true;
    plant_one_pair_setp(&subject);
    report_run(&report, halves_setp_body, &subject);
    expect_found(&report, "setp is wrong for one pair of f16");
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_faults),     cmocka_unit_test(all_ptx_faults),
        cmocka_unit_test(all_cvt_faults), cmocka_unit_test(one_pair_of_halves_setp),
        cmocka_unit_test(no_fault),       cmocka_unit_test(one_pair_of_halves),
        cmocka_unit_test(threads)};
    const int status = harness_start(argc, argv);
    return status != 0 ? status : cmocka_run_group_tests_name("planted", tests, NULL, NULL);
}
