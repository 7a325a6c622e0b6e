/* SPDX-License-Identifier: MIT */
/* Threads compute while another switches the ISA. */
#include "check/checks.h"
#include "support/cmocka_all.h"

/** Not by way of check_run: its signal handlers are for one thread. */
static void switching(void **state) {
    const struct subject subject = subject_library();
    struct report report;
    (void)state;
    report_init(&report);
    check_threads(&subject, &report);
    report_expect_clean(&report, "threads that compute while the ISA is switched");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(switching)};
    const int status = harness_start(argc, argv);
    return status != 0 ? status : cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
