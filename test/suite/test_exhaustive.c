/* SPDX-License-Identifier: MIT */
/* All pairs of f16 or bf16 operands on one ISA: test_exhaustive ISA f16|bf16 STEP [setp]; STEP 1 takes every
 * row. */
#include "check/checks.h"
#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct exhaustive sweep = {PTO_F16, 257};
static struct subject subject;
static bool by_setp;

static void body(struct report *report, void *context) {
    (void)context;
    (by_setp ? check_all_halves_setp : check_all_halves)(&subject, report, &sweep);
}

static void pairs(void **state) {
    struct report report;
    (void)state;
    report_init(&report);
    report_run(&report, body, NULL);
    report_expect_clean(&report, pto_dtype_name(sweep.type));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs)};
    const int status = harness_start(argc, argv);

    if (status != 0) return status;
    subject = subject_library();
    if (argc > 2 && strcmp(argv[2], "bf16") == 0) sweep.type = PTO_BF16;
    if (argc > 3) sweep.step = strtoul(argv[3], NULL, 10);
    if (sweep.step > 1 && harness_quick()) sweep.step = sweep.step * 4 + 1;
    by_setp = argc > 4 && strcmp(argv[4], "setp") == 0;
    if (sweep.step == 0) return 1;
    printf("%s: %s; every row of 65536 pairs whose number is a multiple of %zu\n", pto_dtype_name(sweep.type),
           by_setp ? "setp, all operators, lanes and pairs" : "lt, eq, ne", sweep.step);
    return cmocka_run_group_tests_name("exhaustive", tests, NULL, NULL);
}
