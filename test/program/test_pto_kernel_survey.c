/* SPDX-License-Identifier: MIT */
/* Tests pto_module_new() on PTO texts: the lists of kernels, arguments and operations, and everything that is not
 * supported. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include <pto/module.h>

#include <stdio.h>
#include <string.h>

#define V32 "!pto.vreg<64xf32>"
#define UB  "!pto.ptr<f32, ub>"

static const pto_program_options survey = {.language = PTO_PROGRAM_PTO, .survey = true};

static pto_module *module_of(const char *text) {
    pto_program_error error;
    pto_module *m = pto_module_new(text, survey, &error);
    if (!m) fail_msg("%zu:%zu '%s': %s\n%s", error.line, error.column, error.word, error.text, text);
    assert_int_equal(error.text[0], 0);
    return m;
}

struct expected_use {
    const char *name;
    size_t count, line;
    size_t problem_line; /* 0: supported */
    const char *says;
};

static void check_uses(const pto_module *m, size_t kernel, const struct expected_use *uses, size_t count) {
    pto_instruction_use use;
    size_t i = 0;
    for (; pto_module_use_at(m, kernel, i, &use) == PTO_OK; i++) {
        if (i == count) fail_msg("%s is one too many", use.name);
        if (strcmp(use.name, uses[i].name) != 0 || use.count != uses[i].count || use.line != uses[i].line ||
            (use.problem ? use.problem->line : 0) != uses[i].problem_line ||
            (use.problem && !strstr(use.problem->text, uses[i].says)))
            fail_msg("%s, %zu times, line %zu, problem in line %zu: %s; expected %s", use.name, use.count,
                     use.line, use.problem ? use.problem->line : 0, use.problem ? use.problem->text : "",
                     uses[i].name);
    }
    assert_int_equal(i, count);
}

/* The operations of functions that a kernel calls are its own, those of other functions are not. */
static void supported(void **state) {
    static const char text[] = "func.func private @twice(%x: " V32 ") -> " V32 " {\n"
                               "  %y = pto.vadd %x, %x : " V32 ", " V32 " -> " V32 "\n"
                               "  return %y : " V32 "\n}\n"
                               "func.func private @unused() {\n  pto.barrier <PIPE_ALL>\n  return\n}\n"
                               "func.func @k(%a: !pto.ptr<f32, gm>, %n: i16, %b: !pto.ptr<f16, gm>) {\n"
                               "  %0 = arith.constant 0 : i64\n  %c0 = arith.constant 0 : index\n"
                               "  %p = pto.castptr %0 : i64 -> " UB "\n"
                               "  %x = \"pto.vlds\"(%p, %c0) : (" UB ", index) -> " V32 "\n"
                               "  %y = func.call @twice(%x) : (" V32 ") -> " V32 "\n"
                               "  pto.vsts %y, %p[%c0] : " V32 ", " UB "\n"
                               "  pto.mte_ub_gm %p, %a, %0 nburst(%0, %0, %0)\n  return\n}\n";
    static const struct expected_use uses[] = {
        {"arith.constant", 2, 10, 0, ""}, {"func.call", 1, 14, 0, ""}, {"pto.castptr", 1, 12, 0, ""},
        {"pto.mte_ub_gm", 1, 16, 0, ""},  {"pto.vadd", 1, 2, 0, ""},   {"pto.vlds", 1, 13, 0, ""},
        {"pto.vsts", 1, 15, 0, ""},       {"return", 2, 3, 0, ""},
    };
    pto_module *m = module_of(text);
    const pto_dim3 one = {1, 1, 1};
    pto_kernel k;
    (void)state;
    assert_int_equal(pto_module_kernel_count(m), 1);
    assert_status(pto_module_kernel_at(m, 0, &k), PTO_OK);
    assert_string_equal(k.name, "k");
    assert_null(k.problem);
    assert_int_equal(k.parameter_count, 3);
    assert_string_equal(k.parameters[0].name, "%a");
    assert_true(k.parameters[0].pointer && k.parameters[0].written && k.parameters[0].type == PTO_F32);
    assert_string_equal(k.parameters[1].name, "%n");
    assert_true(!k.parameters[1].pointer && k.parameters[1].type == PTO_S16 && k.parameters[1].bytes == 2);
    assert_true(k.parameters[2].pointer && !k.parameters[2].written && k.parameters[2].type == PTO_F16);
    check_uses(m, 0, uses, sizeof uses / sizeof uses[0]);
    assert_status(pto_module_launch(m, "k", one, one, NULL, 0), PTO_ERR_PARSE);
    assert_string_equal(pto_module_problem(m)->text, "pto_program_run() runs kernels of PTO");
    pto_module_free(m);
}

/* Everything that is not supported is listed, also in regions whose head is not, and in other functions. A value
 * that is missing because of an earlier problem is no problem of its own. */
static void unsupported(void **state) {
    static const char text[] =
        "func.func private @f(%x: i64) {\n  pto.vbitsort %x\n  return\n}\n" /* line 2 */
        "func.func @good(%a: !pto.ptr<f32, gm>) attributes {pto.kernel} {\n  return\n}\n"
        "func.func @k(%a: !pto.ptr<f32, gm>, %n: index) attributes {pto.kernel} {\n"
        "  %c0 = arith.constant 0 : index\n  %0 = arith.constant 0 : i64\n"
        "  %p = pto.castptr %0 : i64 -> " UB
        "\n  %q = pto.castptr %0\n    : i64 -> !pto.ptr<f32, l0a>\n" /* 13 */
        "  %t = pto.get_ctrl : i64\n  %u = arith.addi %t, %0 : i64\n  func.call @f(%u) : (i64) -> ()\n"
        "  %x = pto.vlds %p[%c0] : " UB " -> " V32 "\n" /* 17 */
        "  %r = scf.for %i = %c0 to %n step %n iter_args(%v = %t) -> (i64) {\n"
        "    %y = pto.vshl %x,\n      %x : " V32 ", " V32 " -> " V32 "\n" /* 19 */
        "    pto.strict_vecscope(%y) {\n    ^bb0(%z: " V32 "):\n      pto.vfoo %z\n    } : (" V32 ") -> ()\n"
        "    scf.yield %v : i64\n  } {a = 1}\n" /* 25 */
        "  pto.section.cube {\n    pto.mad %x {a = 1} {\n      pto.mad %x\n    }\n  }\n"
        "  pto.vstss %x, %p[%c0] : " V32 ", " UB "\n  return\n}\n"; /* 32 */
    static const struct expected_use uses[] = {
        {"arith.addi", 1, 15, 0, ""},
        {"arith.constant", 2, 9, 0, ""},
        {"func.call", 1, 16, 0, ""},
        {"pto.castptr", 2, 11, 13, "matrix unit"},
        {"pto.get_ctrl", 1, 14, 14, "control registers"},
        {"pto.mad", 2, 28, 28, "matrix unit"},
        {"pto.section.cube", 1, 27, 27, "matrix unit"},
        {"pto.strict_vecscope", 1, 21, 0, ""},
        {"pto.vbitsort", 1, 2, 2, "sorting"},
        {"pto.vfoo", 1, 23, 23, "unknown operation"},
        {"pto.vlds", 1, 17, 0, ""},
        {"pto.vshl", 1, 19, 19, "does not take"},
        {"pto.vstss", 1, 32, 32, "perhaps pto.vsts is meant"},
        {"return", 2, 3, 0, ""},
        {"scf.for", 1, 18, 0, ""},
        {"scf.yield", 1, 25, 0, ""},
    };
    pto_module *m = module_of(text);
    pto_kernel k;
    (void)state;
    assert_int_equal(pto_module_kernel_count(m), 2);
    assert_status(pto_module_kernel_at(m, 0, &k), PTO_OK);
    assert_null(k.problem);
    assert_status(pto_module_kernel_at(m, 1, &k), PTO_OK);
    assert_non_null(k.problem);
    assert_int_equal(k.problem->line, 2);
    check_uses(m, 1, uses, sizeof uses / sizeof uses[0]);
    pto_module_free(m);
}

/* A loop, a branch and a function that yield a missing value are no problems of their own. */
static void missing_results(void **state) {
    static const char text[] =
        "func.func private @f() -> i64 {\n  %t = pto.get_ctrl : i64\n  return %t : i64\n}\n"
        "func.func @k(%a: !pto.ptr<f32, gm>) {\n  %c0 = arith.constant 0 : index\n  %0 = arith.constant 0 : "
        "i64\n"
        "  %r = scf.for %i = %c0 to %c0 step %c0 iter_args(%v = %0) -> (i64) {\n"
        "    %t = pto.get_ctrl : i64\n    scf.yield %t : i64\n  }\n"
        "  %c = arith.constant true\n  %s = scf.if %c -> (i64) {\n    scf.yield %0 : i64\n  } else {\n"
        "    %t = pto.get_ctrl : i64\n    scf.yield %t : i64\n  }\n"
        "  %u = func.call @f() : () -> i64\n  return\n}\n";
    static const struct expected_use uses[] = {
        {"arith.constant", 3, 6, 0, ""}, {"func.call", 1, 19, 0, ""}, {"pto.get_ctrl", 3, 2, 2, "control"},
        {"return", 2, 3, 0, ""},         {"scf.for", 1, 8, 0, ""},    {"scf.if", 1, 13, 0, ""},
        {"scf.yield", 3, 10, 0, ""},
    };
    pto_module *m = module_of(text);
    (void)state;
    check_uses(m, 0, uses, sizeof uses / sizeof uses[0]);
    pto_module_free(m);
}

/* A kernel whose arguments are not supported is listed without them, and its operations are listed. */
static void unsupported_arguments(void **state) {
    static const char text[] =
        "func.func @k(%a: !pto.ptr<f32, gm>,\n  %b: memref<3xf32>) -> (memref<2xi8>) {\n"
        "  pto.mad %b\n  func.call @k(%a, %b) : (i32, i32) -> ()\n  return\n}\n";
    static const struct expected_use uses[] = {
        {"func.call", 1, 4, 0, ""},
        {"func.func", 1, 1, 2, "expected"},
        {"pto.mad", 1, 3, 3, "matrix unit"},
        {"return", 1, 5, 0, ""},
    };
    pto_module *m = module_of(text);
    pto_kernel k;
    (void)state;
    assert_status(pto_module_kernel_at(m, 0, &k), PTO_OK);
    assert_int_equal(k.parameter_count, 0);
    check_uses(m, 0, uses, sizeof uses / sizeof uses[0]);
    pto_module_free(m);
}

/* Faults after which parsing cannot continue, and faults outside statements, concern the whole text. */
static void faults_of_the_text(void **state) {
    static const struct {
        const char *text;
        size_t line;
        const char *says;
    } bad[] = {
        {"%x = pto.vadd %a, %b", 1, "expected a function"},
        {"func.func @k(%a: !pto.ptr<f32, gm>) {\n  return\n", 3, "expected '}'"},
        {"func.func @k(%a: !pto.ptr<f32, gm>) {\n  pto.mad {\n  return\n}\n", 5, "expected '}'"},
        {"func.func @k(%a: !pto.ptr<f32, gm>) {\n  return\n  pto.mad\n}\n", 3, "nothing may follow"},
        {"func.func @k(%a: !pto.ptr<f32, gm>) {\n  pto.mad\n  return\n}\n/* no end", 5,
         "this comment has no end"},
        {"foo\nfunc.func @k(%a: !pto.ptr<f32, gm>) {\n  pto.mad\n}\n", 1, "expected module or func.func"},
        {"module attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {\n"
         "func.func @k(%a: !pto.ptr<f32, gm>) {\n  return\n}\n}\n",
         1, "matrix unit"},
        {"func.func @k(%a: !pto.ptr<f32, gm>) {\n  func.call @k(%a) : (!pto.ptr<f32, gm>) -> ()\n  "
         "return\n}\n",
         2, "no recursion"},
    };
    pto_program_error error;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (pto_module_new(bad[i].text, survey, &error) || error.line != bad[i].line ||
            !strstr(error.text, bad[i].says))
            fail_msg("%s\n%zu: %s", bad[i].text, error.line, error.text);
    assert_null(pto_module_new(bad[1].text, (pto_program_options){.language = PTO_PROGRAM_PTO}, &error));
    assert_non_null(strstr(error.text, "a survey"));
    assert_null(pto_module_new(bad[1].text, (pto_program_options){.language = PTO_PROGRAM_PTO + 1}, &error));
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(supported),          cmocka_unit_test(unsupported),
        cmocka_unit_test(missing_results),    cmocka_unit_test(unsupported_arguments),
        cmocka_unit_test(faults_of_the_text),
    };
    return harness_end(cmocka_run_group_tests_name("pto_kernel_survey", tests, NULL, NULL));
}
