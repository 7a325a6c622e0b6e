/* SPDX-License-Identifier: MIT */
/* Text in and out. */
#include "check/checks_ptx.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void legality(void **state) {
    (void)state;
    check_expect_clean(check_text_legality, &subject, "every combination of words, legal or not");
}

static void orders(void **state) {
    (void)state;
    check_expect_clean(check_text_legal, &subject, "legal forms in every order of their words");
}

static void format(void **state) {
    (void)state;
    check_expect_clean(check_text_format, &subject, "format, and parse again");
}

static void malformed(void **state) {
    (void)state;
    check_expect_clean(check_text_malformed, &subject, "malformed text");
}

static void words(void **state) {
    (void)state;
    check_expect_clean(check_text_words, &subject, "types and operators");
}

static void mutations(void **state) {
    (void)state;
    check_expect_clean(check_text_mutations, &subject, "mutations");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legality),  cmocka_unit_test(orders), cmocka_unit_test(format),
        cmocka_unit_test(malformed), cmocka_unit_test(words),  cmocka_unit_test(mutations),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
