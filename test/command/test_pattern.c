/* SPDX-License-Identifier: MIT */
/* Tests which names fit a pattern. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include "pattern.h"

static void names_fit(void **state) {
    static const struct {
        const char *pattern, *name;
        bool fits;
    } cases[] = {
        {"", "", true},
        {"", "a", false},
        {"a", "", false},
        {"a", "a", true},
        {"a", "ab", false},
        {"*", "", true},
        {"*", "abc", true},
        {"cvt.*.f32", "cvt.rn.f16.f32", true},
        {"cvt.*.f32", "cvt.rn.f32.f16", false},
        {"cvt.*.f32*", "cvt.rn.f32.f16", true},
        {"*.f32.*.f16", "a.f32.f32.f16", true},
        {"*ab*ab", "aabab", true},
        {"*ab*ab", "aabb", false},
        {"a**b", "ab", true},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"a[bc]d", "acd", true},
        {"a[bc]d", "aed", false},
        {"a[b-d]e", "ace", true},
        {"a[b-d]e", "aee", false},
        {"a[!b-d]e", "aee", true},
        {"a[!b-d]e", "ace", false},
        {"a[^b]", "ac", true},
        {"a[]]", "a]", true},
        {"a[!]]", "a]", false},
        {"a[b-]", "a-", true},
        {"a[b", "a[b", true},
        {"a[b", "ab", false},
        {"*[0-9]", "f16", true},
        {"*[0-9]", "f", false},
        {"a\\*", "a*", true},
        {"a\\*", "ab", false},
        {"a\\", "a\\", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        if (fits_pattern(cases[i].pattern, cases[i].name) != cases[i].fits)
            fail_msg("%s and %s: expected %d", cases[i].pattern, cases[i].name, cases[i].fits);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_fit)};
    return harness_end(cmocka_run_group_tests_name("pattern", tests, NULL, NULL));
}
