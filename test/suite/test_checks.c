/* SPDX-License-Identifier: MIT */
/**
 * Runs one group of the checks in check/checks.def:
 *
 *   test_checks GROUP [ISA]                        direct calls
 *   test_checks GROUP ISA plans                    calls through plans, for checks that have them
 *   test_checks GROUP ISA STEP [PART PARTS]        a sweep: every STEP-th row, and one part of its operations
 */
#include "check/checks.h"
#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct subject subject;
static struct sweep sweep = {1, 0, 1};
static size_t absent;

static void run(void **state) {
    const struct check *check = *state;
    struct report report;
    report_init(&report);
    report.sweep = sweep;
    check_run(check->run, &subject, &report);
    if (report.absent) {
        printf("skipped: %s\n", report.absent);
        absent++;
        skip();
        return;
    }
    report_expect_clean(&report, check->words);
}

/** Reads what follows GROUP and ISA on the command line. Returns false if it is invalid. */
static bool read_sweep(int count, char **words) {
    if (count != 1 && count != 3) return false;
    sweep.step = strtoul(words[0], NULL, 10);
    if (sweep.step > 1 && harness_quick()) sweep.step = sweep.step * 16 + 1;
    if (count == 3) {
        sweep.part = strtoul(words[1], NULL, 10);
        sweep.parts = strtoul(words[2], NULL, 10);
    }
    printf("every row whose number is a multiple of %zu, part %zu of %zu\n", sweep.step, sweep.part,
           sweep.parts);
    return sweep.step > 0 && sweep.part < sweep.parts;
}

/** Collects the checks of the group as tests. If `plans` is true, only those that have plans. Returns how many
 * there are. */
static size_t gather(struct CMUnitTest *tests, const char *group, bool plans, bool sweeps) {
    size_t count = 0;
    for (size_t i = 0; i < checks_count; i++) {
        const struct check *check = &checks[i];
        if (strcmp(check->group, group) != 0 || sweeps != (check->scope == SWEEP)) continue;
        if (plans && check->scope != EACH_ISA_AND_PLANS) continue;
        tests[count].name = check->name;
        tests[count].test_func = run;
        tests[count++].initial_state = (void *)check; /* the test only reads it */
    }
    return count;
}

/** Returns the exit status. */
static int run_group(const char *group, bool plans, bool sweeps) {
    struct CMUnitTest *tests = calloc(checks_count, sizeof *tests);
    size_t count;
    int failed = 1;

    if (!tests) return 1;
    count = gather(tests, group, plans, sweeps);
    if (count == 0)
        fprintf(stderr, "no such checks: %s\n", group);
    else
        failed = _cmocka_run_group_tests(group, tests, count, NULL, NULL);
    free(tests);
    return harness_end(count != 0 && absent == count ? HARNESS_SKIPPED : failed);
}

int main(int argc, char **argv) {
    const bool plans = argc == 4 && strcmp(argv[3], "plans") == 0;
    const bool sweeps = argc > 3 && !plans;
    int status;

    if (argc < 2) return 1;
    status = harness_start(argc - 1, argv + 1);
    if (status != 0) return status;
    if (sweeps && !read_sweep(argc - 3, argv + 3)) return 1;
    subject = plans ? subject_plans() : subject_library();
    return run_group(argv[1], plans, sweeps);
}
