/* SPDX-License-Identifier: MIT */
/* set on one ISA, against the model. */
#include "check/checks_ptx.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void lengths(void **state) {
    (void)state;
    check_expect_clean(check_set_lengths, &subject, "set, lengths and mask kinds");
}

static void values(void **state) {
    (void)state;
    check_expect_clean(check_set_values, &subject, "set, special values");
}

static void in_place(void **state) {
    (void)state;
    check_expect_clean(check_set_in_place, &subject, "set, dst is a or b");
}

static void examples(void **state) {
    (void)state;
    check_expect_clean(check_set_examples, &subject, "set, the worked examples");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),
        cmocka_unit_test(values),
        cmocka_unit_test(in_place),
        cmocka_unit_test(examples),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("set", tests, NULL, NULL);
}
