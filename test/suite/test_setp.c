/* SPDX-License-Identifier: MIT */
/* setp on one ISA, against the model. */
#include "check/checks_ptx.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void lengths(void **state) {
    (void)state;
    check_expect_clean(check_setp_lengths, &subject, "setp, lengths and mask kinds");
}

static void values(void **state) {
    (void)state;
    check_expect_clean(check_setp_values, &subject, "setp, special values");
}

static void offsets(void **state) {
    (void)state;
    check_expect_clean(check_setp_offsets, &subject, "setp, offsets");
}

static void in_place(void **state) {
    (void)state;
    check_expect_clean(check_setp_in_place, &subject, "setp, p or q is c");
}

static void examples(void **state) {
    (void)state;
    check_expect_clean(check_setp_examples, &subject, "setp, the worked examples");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),  cmocka_unit_test(values),   cmocka_unit_test(offsets),
        cmocka_unit_test(in_place), cmocka_unit_test(examples),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("setp", tests, NULL, NULL);
}
