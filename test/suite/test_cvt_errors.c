/* SPDX-License-Identifier: MIT */
/* Statuses of cvt and of its plans, their order, and overlap, on one ISA. */
#include "check/checks_cvt.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void statuses(void **state) {
    (void)state;
    check_expect_clean(check_cvt_status, &subject, "statuses of cvt");
}

static void plans(void **state) {
    (void)state;
    check_expect_clean(check_cvt_plans, &subject, "plans of cvt");
}

static void overlaps(void **state) {
    (void)state;
    check_expect_clean(check_cvt_overlaps, &subject, "overlaps");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(statuses), cmocka_unit_test(plans),
                                       cmocka_unit_test(overlaps)};
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("cvt_errors", tests, NULL, NULL);
}
