/* SPDX-License-Identifier: MIT */
/* vsel, vselr, vselrv2 and vbr on one ISA, called directly or by way of plans: test_select ISA [plans]. */
#include "check/checks.h"
#include "support/cmocka_all.h"

#include <string.h>

static struct subject subject;

static void lengths(void **state) {
    (void)state;
    check_expect_clean(check_select_lengths, &subject, "select: lengths, kinds, guard pages");
}

static void offsets(void **state) {
    (void)state;
    check_expect_clean(check_select_offsets, &subject, "select: offsets 0 to 63 of each operand");
}

static void in_place(void **state) {
    (void)state;
    check_expect_clean(check_select_in_place, &subject, "select: in place on each operand");
}

static void long_results(void **state) {
    (void)state;
    check_expect_clean(check_select_long, &subject, "select: results past the caches");
}

static void broadcast(void **state) {
    (void)state;
    check_expect_clean(check_broadcast, &subject, "vbr");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lengths), cmocka_unit_test(offsets),
                                       cmocka_unit_test(in_place), cmocka_unit_test(long_results),
                                       cmocka_unit_test(broadcast)};
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = argc > 2 && strcmp(argv[2], "plans") == 0 ? subject_plans() : subject_library();
    return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
