/* SPDX-License-Identifier: MIT */
/* setp, set, slct, vcmpsel and SETcc in hostile floating-point states, on one ISA. */
#include "check/checks_ptx.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void states(void **state) {
    (void)state;
    check_expect_clean(check_ptx_fpstate, &subject, "hostile states");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("ptx_fpstate", tests, NULL, NULL);
}
