/* SPDX-License-Identifier: MIT */
/* vexp, on one ISA: test_vexp ISA [all]; with `all`, every f32 and nothing else. */
#include "check/checks.h"
#include "support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

static struct subject subject;

static void accuracy(void **state) {
    (void)state;
    check_expect_clean(check_vexp_accuracy, &subject, "vexp: at most 1.0 ULP");
}

static void all_f32(void **state) {
    (void)state;
    check_expect_clean(check_vexp_all_f32, &subject, "vexp: every f32");
}

static void specials(void **state) {
    (void)state;
    check_expect_clean(check_vexp_specials, &subject, "vexp: special values");
}

static void lengths(void **state) {
    (void)state;
    check_expect_clean(check_vexp_lengths, &subject,
                       "vexp: lengths, masks, offsets, guard pages, bits as scalar");
}

static void in_place(void **state) {
    (void)state;
    check_expect_clean(check_vexp_in_place, &subject, "vexp: in place");
}

static void digest(void **state) {
    (void)state;
    check_expect_clean(check_vexp_digest, &subject, "vexp: the digest that is checked in");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(specials), cmocka_unit_test(digest),
                                       cmocka_unit_test(lengths), cmocka_unit_test(in_place),
                                       cmocka_unit_test(accuracy)};
    const struct CMUnitTest exhaustive[] = {cmocka_unit_test(all_f32)};
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    if (!subject.vexp) {
        printf("skipped: no pto_vexp (built without SLEEF)\n");
        return HARNESS_SKIPPED;
    }
    if (argc > 2 && strcmp(argv[2], "all") == 0) {
        return cmocka_run_group_tests_name("vexp", exhaustive, NULL, NULL);
    }
    return cmocka_run_group_tests_name("vexp", tests, NULL, NULL);
}
