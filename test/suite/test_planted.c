/* SPDX-License-Identifier: MIT */
/*
 * Shows that the checks can fail: each check in check/checks.def has at least one planted fault and finds all its
 * faults.
 *
 *   test_planted [ISA [CHECK]]   all checks, or only the one of this name, such as check_vcvt_status
 */
#include "faults/planted_faults.h"
#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Sweeps test only every STEP-th row here, because they take long. */
enum { STEP = 16411 };

static const struct planted_list *const lists[] = {
    &planted_basic,  &planted_ptx,     &planted_cvt,   &planted_cvt_scaled, &planted_forms,
    &planted_vcvt,   &planted_cast,    &planted_block, &planted_maxmin,     &planted_mask,
    &planted_random, &planted_permute, &planted_testp, &planted_move,       &planted_argmax};
enum { LISTS = sizeof lists / sizeof lists[0] };

static void run_short(checker *check, const struct subject *subject, struct report *report) {
    const pto_isa active = pto_isa_active();
    report_init(report);
    report->quick = true;
    report->stop_first = true;
    report->sweep.step = STEP;
    check_run(check, subject, report);
    use_isa(active);
}

/** Replaces the subject's calls by those of the fault. A struct subject has only pointers to functions. */
static void plant(const struct planted_fault *fault, struct subject *subject) {
    void (*call)(void);
    for (size_t at = 0; at < sizeof *subject; at += sizeof call) {
        memcpy(&call, (const char *)&fault->calls + at, sizeof call);
        if (call) memcpy((char *)subject + at, &call, sizeof call);
    }
    if (fault->plant) fault->plant(subject, fault->detail);
}

static bool finds(const struct planted_fault *fault) {
    struct subject subject = subject_library();
    struct report report;
    plant(fault, &subject);
    run_short(fault->check, &subject, &report);
    printf("%s: %s\n       %s\n", report.mismatches ? "found" : "NOT FOUND", fault->what, report.first);
    return report.mismatches != 0;
}

/** Returns the number of faults that are planted for the check. Fails if the check misses one. */
static size_t find_faults_for(const struct check *check) {
    size_t planted = 0;
    for (size_t k = 0; k < LISTS; k++) {
        for (size_t i = 0; i < lists[k]->count; i++) {
            const struct planted_fault *fault = &lists[k]->faults[i];
            if (fault->check != check->run) continue;
            planted++;
            if (!finds(fault)) fail_msg("%s does not find: %s", check->name, fault->what);
        }
    }
    return planted;
}

/** Checks that the check finds all its faults. First runs it in the same short form on the library itself, where it
 * must find nothing, because a check that always fails would find every fault. */
static void check_can_fail(void **state) {
    const struct check *check = *state;
    const struct subject library = subject_library();
    struct report report;

    run_short(check->run, &library, &report);
    if (report.absent) skip();
    if (report.mismatches != 0) fail_msg("no fault planted, yet: %s", report.first);
    assert_true(report.cases > 0);
    if (find_faults_for(check) == 0) fail_msg("no fault is planted for %s", check->name);
}

/** Checks that every fault names a check that is in the list; else the fault would never be planted. */
static void all_faults_have_a_check(void **state) {
    (void)state;
    for (size_t k = 0; k < LISTS; k++) {
        for (size_t i = 0; i < lists[k]->count; i++) {
            bool listed = false;
            for (size_t c = 0; c < checks_count; c++) {
                listed |= checks[c].run == lists[k]->faults[i].check;
            }
            if (!listed) fail_msg("no check is listed for: %s", lists[k]->faults[i].what);
        }
    }
}

/** Returns whether the description of a fault begins with the rule's name, as in "mx.floor rounds as mx.even". */
static bool is_of_rule(const struct planted_fault *fault, const char *rule) {
    const size_t length = strlen(rule);
    return strncmp(fault->what, rule, length) == 0 && fault->what[length] == ' ';
}

static void all_block_rules_have_a_fault(void **state) {
    (void)state;
    for (int rule = 0; rule < PTO_BLOCK_RULE_LIMIT; rule++) {
        const char *const name = pto_block_rule_name((pto_block_rule)rule);
        size_t planted = *name == '?';
        for (size_t i = 0; i < planted_block.count; i++) {
            planted += is_of_rule(&planted_block.faults[i], name);
        }
        if (planted == 0) fail_msg("no fault is planted for the rule %s", name);
    }
}

int main(int argc, char **argv) {
    int status = harness_start(argc, argv);
    size_t count = 0;
    struct CMUnitTest *tests;

    if (status != 0) return status;
    tests = calloc(checks_count + 2, sizeof *tests);
    if (!tests) return 1;
    for (size_t i = 0; i < checks_count; i++) {
        if (argc > 2 && strcmp(argv[2], checks[i].name) != 0) continue;
        tests[count].name = checks[i].name;
        tests[count].test_func = check_can_fail;
        tests[count++].initial_state = (void *)&checks[i]; /* the test only reads it */
    }
    if (count == 0) {
        (void)fprintf(stderr, "no such check: %s\n", argc > 2 ? argv[2] : "");
        free(tests);
        return 1;
    }
    tests[count].name = "all_faults_have_a_check";
    tests[count++].test_func = all_faults_have_a_check;
    tests[count].name = "all_block_rules_have_a_fault";
    tests[count++].test_func = all_block_rules_have_a_fault;
    status = _cmocka_run_group_tests("planted", tests, count, NULL, NULL);
    free(tests);
    return harness_end(status);
}
