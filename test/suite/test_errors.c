/* SPDX-License-Identifier: MIT */
/* Statuses, their order, overlap, and the words of the library, on one ISA. */
#include "check/checks.h"
#include "support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

static struct subject subject;

static void compare(void **state) {
    (void)state;
    check_expect_clean(check_compare_status, &subject, "statuses of vcmp, vcmps");
}

static void select_and_broadcast(void **state) {
    (void)state;
    check_expect_clean(check_select_status, &subject, "statuses of vsel, vselr, vselrv2, vbr");
}

static void masks(void **state) {
    (void)state;
    check_expect_clean(check_mask_status, &subject, "statuses of the mask calls");
}

static void exponentials(void **state) {
    (void)state;
    if (!subject.vexp) skip();
    check_expect_clean(check_vexp_status, &subject, "statuses of vexp");
}

static void plans(void **state) {
    (void)state;
    check_expect_clean(check_plan_status, &subject, "statuses of the plans");
    check_expect_clean(check_plan_keeps_isa, &subject, "a plan keeps its ISA");
}

static void isa_use(void **state) {
    (void)state;
    check_expect_clean(check_isa_status, &subject, "statuses of isa_use");
}

static void overlaps(void **state) {
    (void)state;
    check_expect_clean(check_overlaps, &subject, "overlaps");
}

static void words(void **state) {
    char version[32];
    (void)state;
    check_expect_clean(check_words, &subject, "names and texts");
    snprintf(version, sizeof version, "%d.%d.%d", PTO_VERSION_MAJOR, PTO_VERSION_MINOR, PTO_VERSION_PATCH);
    assert_string_equal(pto_version(), version);
}

/** What the headers fix in numbers. */
static void constants(void **state) {
    (void)state;
    assert_int_equal(PTO_OK, 0);
    assert_int_equal(PTO_FTZ, 1);
    assert_int_equal(PTO_MERGE, 2);
    assert_int_equal(sizeof(pto_plan), sizeof(void (*)(void)) + 56);
    assert_null(PTO_NO_MASK.data);
    assert_int_equal(pto_packed(&subject).kind, PTO_MASK_PACKED);
    assert_ptr_equal(pto_bytes(&subject).data, &subject);
    assert_int_equal(pto_bytes(&subject).kind, PTO_MASK_BYTE);
    assert_int_equal(pto_mask_at(&subject, PTO_MASK_B32).kind, PTO_MASK_B32);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compare),      cmocka_unit_test(select_and_broadcast),
        cmocka_unit_test(masks),        cmocka_unit_test(plans),
        cmocka_unit_test(exponentials), cmocka_unit_test(isa_use),
        cmocka_unit_test(words),        cmocka_unit_test(overlaps),
        cmocka_unit_test(constants),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    subject = subject_library();
    return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
