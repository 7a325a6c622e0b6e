/* SPDX-License-Identifier: MIT */
/* Flags, conditions and bytes on one ISA: against the model and, on x86-64, the real instructions. */
#include "check/checks_ptx.h"
#include "support/cmocka_all.h"

static struct subject subject;

static void conditions(void **state) {
    (void)state;
    check_expect_clean(check_setcc_flags, &subject, "setcc, all conditions on all flags");
}

static void mnemonics(void **state) {
    (void)state;
    check_expect_clean(check_setcc_mnemonics, &subject, "the mnemonics");
}

static void bytes(void **state) {
    (void)state;
    check_expect_clean(check_setcc_bytes, &subject, "all pairs of bytes");
}

static void wide(void **state) {
    (void)state;
    check_expect_clean(check_setcc_wide, &subject, "wider operands");
}

static void lengths(void **state) {
    (void)state;
    check_expect_clean(check_setcc_lengths, &subject, "lengths, guard pages, in place");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions), cmocka_unit_test(mnemonics), cmocka_unit_test(bytes),
        cmocka_unit_test(wide),       cmocka_unit_test(lengths),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("setcc", tests, NULL, NULL);
}
