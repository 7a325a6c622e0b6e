/* SPDX-License-Identifier: MIT */
/* cvt as text, in and out. */
#include "check/checks_cvt.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void legality(void **state) {
    (void)state;
    check_expect_clean(check_cvt_text_legality, &subject, "cvt: every combination of words, legal or not");
}

static void orders(void **state) {
    (void)state;
    check_expect_clean(check_cvt_text_orders, &subject, "cvt: legal forms in every order of their words");
}

static void format(void **state) {
    (void)state;
    check_expect_clean(check_cvt_text_format, &subject, "cvt: format, and parse again");
}

static void malformed(void **state) {
    (void)state;
    check_expect_clean(check_cvt_text_malformed, &subject, "cvt: malformed text");
}

static void mutations(void **state) {
    (void)state;
    check_expect_clean(check_cvt_text_mutations, &subject, "cvt: mutations");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(legality), cmocka_unit_test(orders),
                                       cmocka_unit_test(format), cmocka_unit_test(malformed),
                                       cmocka_unit_test(mutations)};
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("cvt_text", tests, NULL, NULL);
}
