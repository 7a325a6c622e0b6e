/* SPDX-License-Identifier: MIT */
/* selp, slct and vcmpsel on one ISA, against the model. */
#include "check/checks_ptx.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void selp(void **state) {
    (void)state;
    check_expect_clean(check_selp, &subject, "selp");
}

static void slct(void **state) {
    (void)state;
    check_expect_clean(check_slct, &subject, "slct");
}

static void examples(void **state) {
    (void)state;
    check_expect_clean(check_slct_examples, &subject, "slct and selp, the worked examples");
}

static void fused(void **state) {
    (void)state;
    check_expect_clean(check_vcmpsel_lengths, &subject, "vcmpsel, lengths");
}

static void fused_values(void **state) {
    (void)state;
    check_expect_clean(check_vcmpsel_values, &subject, "vcmpsel, special values");
}

static void fused_in_place(void **state) {
    (void)state;
    check_expect_clean(check_vcmpsel_in_place, &subject, "vcmpsel, in place");
}

static void fused_long(void **state) {
    (void)state;
    check_expect_clean(check_vcmpsel_long, &subject, "vcmpsel, results past the caches");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selp),       cmocka_unit_test(slct),         cmocka_unit_test(examples),
        cmocka_unit_test(fused),      cmocka_unit_test(fused_values), cmocka_unit_test(fused_in_place),
        cmocka_unit_test(fused_long),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
