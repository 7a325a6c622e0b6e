/* SPDX-License-Identifier: MIT */
/* vcmp and vcmps on one ISA, called directly or by way of plans: test_compare ISA [plans]. */
#include "check/checks.h"
#include "support/cmocka_all.h"

#include <string.h>

static struct subject subject;

static void lengths(void **state) {
    (void)state;
    check_expect_clean(check_compare_lengths, &subject, "compare: lengths, kinds, flags, guard pages");
}

static void offsets(void **state) {
    (void)state;
    check_expect_clean(check_compare_offsets, &subject, "compare: offsets 0 to 63 of each operand");
}

static void values(void **state) {
    (void)state;
    check_expect_clean(check_compare_values, &subject, "compare: specials against specials");
}

static void in_place(void **state) {
    (void)state;
    check_expect_clean(check_compare_in_place, &subject, "compare: in place on each operand");
}

static void all_bytes(void **state) {
    (void)state;
    check_expect_clean(check_all_bytes, &subject, "compare: all pairs of 8-bit operands");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(lengths),
                                       cmocka_unit_test(offsets), cmocka_unit_test(in_place),
                                       cmocka_unit_test(all_bytes)};
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = argc > 2 && strcmp(argv[2], "plans") == 0 ? subject_plans() : subject_library();
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
