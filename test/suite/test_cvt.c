/* SPDX-License-Identifier: MIT */
/* cvt on one ISA, against the model: test_cvt ISA [plans]. */
#include "check/checks_cvt.h"
#include "support/cmocka_all.h"

#include <string.h>

static struct subject subject;

static void values(void **state) {
    (void)state;
    check_expect_clean(check_cvt_values, &subject, "cvt, values");
}

static void lengths(void **state) {
    (void)state;
    check_expect_clean(check_cvt_lengths, &subject, "cvt, lengths");
}

static void offsets(void **state) {
    (void)state;
    check_expect_clean(check_cvt_offsets, &subject, "cvt, offsets");
}

static void in_place(void **state) {
    (void)state;
    check_expect_clean(check_cvt_in_place, &subject, "cvt, in place");
}

static void examples(void **state) {
    (void)state;
    check_expect_clean(check_cvt_examples, &subject, "cvt, the worked examples");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples), cmocka_unit_test(values),   cmocka_unit_test(lengths),
        cmocka_unit_test(offsets),  cmocka_unit_test(in_place),
    };
    /* The kernels are the same: what is planned shows without every value. */
    const struct CMUnitTest plans[] = {
        cmocka_unit_test(examples),
        cmocka_unit_test(lengths),
        cmocka_unit_test(in_place),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    if (argc > 2 && strcmp(argv[2], "plans") == 0) {
        subject = subject_plans();
        return cmocka_run_group_tests_name("cvt_plans", plans, NULL, NULL);
    }
    subject = subject_library();
    return cmocka_run_group_tests_name("cvt", tests, NULL, NULL);
}
