/* SPDX-License-Identifier: MIT */
/* Hostile floating-point states, on one ISA. */
#include "check/checks.h"
#include "support/cmocka_all.h"

static void hostile_states(void **state) {
    const struct subject subject = subject_library();
    (void)state;
    check_expect_clean(check_fpstate, &subject, "hostile floating-point states");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hostile_states)};
    const int status = harness_start(argc, argv);
    return status != 0 ? status : cmocka_run_group_tests_name("fpstate", tests, NULL, NULL);
}
