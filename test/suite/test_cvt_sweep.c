/* SPDX-License-Identifier: MIT */
/* Conversions from f32 on one ISA: test_cvt_sweep ISA [backend|model STRIDE PART PARTS]; alone: the short
 * form. */
#include "check/checks_cvt.h"
#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct subject subject;
static struct cvt_sweep sweep;
static bool by_model;

static void sampled(void **state) {
    (void)state;
    check_expect_clean(check_cvt_sweep, &subject, "cvt from f32, sampled");
}

static void part_body(struct report *report, void *context) {
    (void)context;
    (by_model ? check_cvt_f32_model : check_cvt_f32)(&subject, report, &sweep);
}

static void part(void **state) {
    struct report report;
    (void)state;
    report_init(&report);
    report_run(&report, part_body, NULL);
    report_expect_clean(&report,
                        by_model ? "cvt from f32, by the model" : "cvt from f32, by the scalar kernels");
}

int main(int argc, char **argv) {
    const struct CMUnitTest short_form[] = {cmocka_unit_test(sampled)};
    const struct CMUnitTest long_form[] = {cmocka_unit_test(part)};
    const int status = harness_start(argc, argv);

    if (status != 0) return status;
    subject = subject_library();
    if (argc < 3) return cmocka_run_group_tests_name("cvt_sweep", short_form, NULL, NULL);
    if (argc < 6) return 1;
    by_model = strcmp(argv[2], "model") == 0;
    sweep.stride = strtoull(argv[3], NULL, 10);
    sweep.part = strtoul(argv[4], NULL, 10);
    sweep.parts = strtoul(argv[5], NULL, 10);
    if (sweep.stride == 0 || sweep.parts == 0) return 1;
    printf("part %zu of %zu, stride %zu\n", sweep.part, sweep.parts, (size_t)sweep.stride);
    return cmocka_run_group_tests_name("cvt_sweep", long_form, NULL, NULL);
}
