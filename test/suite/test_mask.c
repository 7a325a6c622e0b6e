/* SPDX-License-Identifier: MIT */
/* Mask logic, conversion between kinds, and questions about masks, on one ISA. */
#include "check/checks.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void logic(void **state) {
    (void)state;
    check_expect_clean(check_mask_logic, &subject, "mask logic: lengths, all kinds mixed, guard pages");
}

static void offsets(void **state) {
    (void)state;
    check_expect_clean(check_mask_offsets, &subject, "mask logic: offsets 0 to 63 of each operand");
}

static void in_place(void **state) {
    (void)state;
    check_expect_clean(check_mask_in_place, &subject, "mask logic: in place on each operand");
}

static void questions(void **state) {
    (void)state;
    check_expect_clean(check_mask_questions, &subject, "mask count, first, any, all, none");
}

static void bytes(void **state) {
    (void)state;
    check_expect_clean(check_mask_bytes, &subject, "mask_bytes");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(logic), cmocka_unit_test(offsets),
                                       cmocka_unit_test(in_place), cmocka_unit_test(questions),
                                       cmocka_unit_test(bytes)};
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("mask", tests, NULL, NULL);
}
