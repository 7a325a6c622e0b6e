/* SPDX-License-Identifier: MIT */
/** @file plain_runner.h
 * The part of cmocka's interface that the tests use, with cmocka's names, for targets without cmocka. */
#ifndef PTO_TEST_PLAIN_RUNNER_H
#define PTO_TEST_PLAIN_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
    void *initial_state;
};

/** Ends the running test as failed, with a message in printf format. */
_Noreturn void plain_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(__printf__, 3, 4)));

/** Ends the running test as skipped. On WASI the test must then return. */
void plain_skip(void);

/** Runs the tests in order. Returns how many failed. */
int plain_run(const char *group, const struct CMUnitTest *tests, size_t count);

#define cmocka_unit_test(f)                                                                                  \
    { #f, f, NULL }
#define _cmocka_run_group_tests(group, tests, count, set_up, tear_down) plain_run(group, tests, count)
#define cmocka_run_group_tests_name(group, tests, set_up, tear_down)                                         \
    plain_run(group, tests, sizeof(tests) / sizeof((tests)[0]))

#define PLAIN_CHECK(holds, text) ((holds) ? (void)0 : plain_fail(__FILE__, __LINE__, "%s", text))

#define print_error(...)           ((void)fprintf(stderr, __VA_ARGS__))
#define fail()                     plain_fail(__FILE__, __LINE__, "failed")
#define fail_msg(...)              plain_fail(__FILE__, __LINE__, __VA_ARGS__)
#define skip()                     plain_skip()
#define assert_true(x)             PLAIN_CHECK(x, "not so: " #x)
#define assert_false(x)            PLAIN_CHECK(!(x), "so: " #x)
#define assert_null(x)             PLAIN_CHECK((x) == NULL, "not NULL: " #x)
#define assert_non_null(x)         PLAIN_CHECK((x) != NULL, "NULL: " #x)
#define assert_ptr_equal(a, b)     PLAIN_CHECK((a) == (b), "not equal: " #a ", " #b)
#define assert_int_not_equal(a, b) PLAIN_CHECK((uintmax_t)(a) != (uintmax_t)(b), "equal: " #a ", " #b)
#define assert_int_equal(a, b)     plain_int_equal((uintmax_t)(a), (uintmax_t)(b), #a ", " #b, __FILE__, __LINE__)
#define assert_in_range(x, low, high)                                                                        \
    PLAIN_CHECK((uintmax_t)(x) - (uintmax_t)(low) <= (uintmax_t)(high) - (uintmax_t)(low),                   \
                "out of range: " #x)
#define assert_string_equal(a, b)    plain_string_equal(a, b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, n) PLAIN_CHECK(memcmp(a, b, n) == 0, "differ: " #a ", " #b)

static inline void plain_int_equal(uintmax_t a, uintmax_t b, const char *what, const char *file, int line) {
    if (a != b)
        plain_fail(file, line, "not equal: %s: %#llx, %#llx", what, (unsigned long long)a,
                   (unsigned long long)b);
}

static inline void plain_string_equal(const char *a, const char *b, const char *file, int line) {
    if (strcmp(a, b) != 0) plain_fail(file, line, "\"%s\" is not \"%s\"", a, b);
}

#endif
