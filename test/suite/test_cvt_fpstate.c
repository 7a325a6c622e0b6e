/* SPDX-License-Identifier: MIT */
/* cvt in hostile floating-point states, on one ISA. */
#include "check/checks_cvt.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void states(void **state) {
    (void)state;
    check_expect_clean(check_cvt_fpstate, &subject, "cvt, hostile states");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(states)};
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("cvt_fpstate", tests, NULL, NULL);
}
