/* SPDX-License-Identifier: MIT */
/* The PTO predicate register, against an array of truths. */
#include "check/checks_ptx.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void patterns(void **state) {
    (void)state;
    check_expect_clean(check_preg_patterns, &subject, "pset, pge and their names");
}

static void plt(void **state) {
    (void)state;
    check_expect_clean(check_preg_plt, &subject, "plt");
}

static void logic(void **state) {
    (void)state;
    check_expect_clean(check_preg_logic, &subject, "pand, por, pxor, pnot, psel");
}

static void lanes(void **state) {
    (void)state;
    check_expect_clean(check_preg_lanes, &subject, "ppack, punpack, pintlv, pdintlv");
}

static void statuses(void **state) {
    (void)state;
    check_expect_clean(check_preg_status, &subject, "statuses of the register calls");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns), cmocka_unit_test(plt),      cmocka_unit_test(logic),
        cmocka_unit_test(lanes),    cmocka_unit_test(statuses),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("preg", tests, NULL, NULL);
}
