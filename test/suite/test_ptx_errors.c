/* SPDX-License-Identifier: MIT */
/* Statuses, their order, and overlap of setp, set, selp, slct, vcmpsel and SETcc, on one ISA. */
#include "check/checks_ptx.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void setp(void **state) {
    (void)state;
    check_expect_clean(check_setp_status, &subject, "statuses of setp");
}

static void set(void **state) {
    (void)state;
    check_expect_clean(check_set_status, &subject, "statuses of set");
}

static void choose(void **state) {
    (void)state;
    check_expect_clean(check_choose_status, &subject, "statuses of selp, slct, vcmpsel");
}

static void setcc(void **state) {
    (void)state;
    check_expect_clean(check_setcc_status, &subject, "statuses of the SETcc calls");
}

static void overlaps(void **state) {
    (void)state;
    check_expect_clean(check_ptx_overlaps, &subject, "overlaps");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setp),  cmocka_unit_test(set),      cmocka_unit_test(choose),
        cmocka_unit_test(setcc), cmocka_unit_test(overlaps),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("ptx_errors", tests, NULL, NULL);
}
