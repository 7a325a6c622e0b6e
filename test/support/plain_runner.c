/* SPDX-License-Identifier: MIT */
/* A minimal test runner for targets without cmocka. */
#include "support/plain_runner.h"

#include <stdarg.h>
#include <stdio.h>

enum { PASSED, FAILED, SKIPPED };

#ifdef __wasi__
#    include <stdlib.h>

/* WASI has no longjmp(), so the first test that fails ends the program, and tests must return after skip(). */
static int end_of_test;

static _Noreturn void end_failed(void) {
    exit(1);
}

static void end_skipped(void) {
    end_of_test = SKIPPED;
}

static int run_one(const struct CMUnitTest *test) {
    void *state = test->initial_state;
    end_of_test = PASSED;
    test->test_func(&state);
    return end_of_test;
}
#else
#    include <setjmp.h>

static jmp_buf end_of_test;

static _Noreturn void end_failed(void) {
    longjmp(end_of_test, FAILED);
}

static _Noreturn void end_skipped(void) {
    longjmp(end_of_test, SKIPPED);
}

static int run_one(const struct CMUnitTest *test) {
    void *state = test->initial_state;
    const int end = setjmp(end_of_test);
    if (end == PASSED) test->test_func(&state);
    return end;
}
#endif

void plain_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    end_failed();
}

void plain_skip(void) {
    end_skipped();
}

int plain_run(const char *group, const struct CMUnitTest *tests, size_t count) {
    static const char *const ends[] = {"passed", "FAILED", "skipped"};
    int failed = 0;
    for (size_t i = 0; i < count; ++i) {
        const int end = run_one(&tests[i]);
        printf("%s: %s: %s\n", group, tests[i].name, ends[end]);
        failed += end == FAILED;
    }
    return failed;
}
