/* SPDX-License-Identifier: MIT */
/* Tests modules with kernels that are not supported, and the lists of what kernels use. */
#include "program/module_texts.h"
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <pto/module.h>

#include <stdio.h>
#include <string.h>

/* A kernel that stores 7, and whose place among others is tested. */
#define GOOD                                                                                                 \
    ".entry good(.param .u64 y) { .reg .b64 %rd1; ld.param.u64 %rd1, [y]; st.global.u32 [%rd1], 7; ret; }\n"

/* Bodies and heads of the kernel `bad`, with the place of the first error in it. */
static const struct {
    const char *bad;
    size_t line, column;
    const char *word, *says;
} kernels[] = {
    {".entry bad(.param .u64 x) {\n wgmma.fence.sync.aligned;\n ret;\n}\n", 2, 2, "wgmma.fence.sync.aligned",
     "not supported"},
    {".entry bad(.param .u64 x)\n .explicitcluster\n { ret; }\n", 2, 2, ".explicitcluster", "expected '{'"},
    {".entry bad(.param .u64 x, .param .b128x p) { ret; }\n", 1, 34, ".b128x", "expected a type"},
    {".entry bad(.param .u64 x) {\n add.s32 %r1, %r1, {1, 2};\n ret;\n}\n", 2, 10, "%r1", "that is declared"},
    {".entry bad(.param .u64 x) { bra nowhere; ret; }\n", 1, 33, "nowhere", "a label that follows"},
    {".entry bad(.param .u64 x) { l: ret; l: { ret; } }\n", 1, 37, "l", "there already"},
    {".entry bad(.param .u64 x) { .reg .b32 %r<3> ret; { } }\n", 1, 45, "ret", "expected ';'"},
    {".entry bad(.param .u64 x) { mov.u32 }\n", 1, 37, "}", "expected an operand"},
    {".entry bad(.param .u64 x) {\n{ // callseq 0\n.param .b64 param0;\nst.param.b64 [param0+0], 1;\n"
     "call.uni (retval0),\nfunction,\n(\nparam0\n);\n} // callseq 0\nret; }\n",
     3, 1, ".param", "calls are not supported"},
    {".entry bad(.param .u64 x) { p: .callprototype (.param .b32 _) _ (.param .b64 _); ret; }\n", 1, 32,
     ".callprototype", "calls are not supported"},
};

/* The kernel `good` of a module runs. */
static void run_good(pto_module *m, const char *text) {
    uint32_t y = 0;
    const pto_argument argument = {.memory = &y, .bytes = sizeof y};
    const pto_dim3 one = {1, 1, 1};
    if (pto_module_launch(m, "good", one, one, &argument, 1) != PTO_OK || y != 7) fail_msg("%s", text);
}

static void check_pair(const char *text, size_t bad, size_t line, size_t i) {
    const pto_dim3 one = {1, 1, 1};
    const pto_program_error *problem;
    pto_program_error error;
    pto_module *m = pto_module_new(text, (pto_program_options){0}, &error);
    pto_kernel k;
    if (!m) fail_msg("%s\n%zu:%zu: %s", text, error.line, error.column, error.text);
    assert_int_equal(pto_module_kernel_count(m), 2);
    assert_status(pto_module_kernel_at(m, 1 - bad, &k), PTO_OK);
    assert_string_equal(k.name, "good");
    assert_null(k.problem);
    assert_status(pto_module_kernel_at(m, bad, &k), PTO_OK);
    assert_string_equal(k.name, "bad");
    if (!k.problem || k.problem->line != line + kernels[i].line || k.problem->column != kernels[i].column ||
        strcmp(k.problem->word, kernels[i].word) != 0 || !strstr(k.problem->text, kernels[i].says))
        fail_msg("%s\n%zu:%zu '%s': %s", text, k.problem ? k.problem->line : 0,
                 k.problem ? k.problem->column : 0, k.problem ? k.problem->word : "",
                 k.problem ? k.problem->text : "");
    assert_string_equal(k.parameters[0].name, "x");
    assert_status(pto_module_launch(m, "bad", one, one, NULL, 0), PTO_ERR_PARSE);
    problem = pto_module_problem(m);
    assert_memory_equal(problem, k.problem, sizeof *problem);
    run_good(m, text);
    assert_int_equal(pto_module_problem(m)->line, 0);
    pto_module_free(m);
}

/** A kernel that is not supported does not keep another one, before or after it, from running. */
void module_unsupported(void **state) {
    char text[2048];
    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        pto_program_error error;
        snprintf(text, sizeof text, "%s%s", GOOD, kernels[i].bad);
        check_pair(text, 1, 1, i);
        snprintf(text, sizeof text, "%s%s", kernels[i].bad, GOOD);
        check_pair(text, 0, 0, i);
        assert_null(pto_module_new(kernels[i].bad, (pto_program_options){0}, &error));
        if (error.line != kernels[i].line || !strstr(error.text, kernels[i].says))
            fail_msg("%s\n%zu: %s", kernels[i].bad, error.line, error.text);
    }
}

/** Faults outside kernels, and in the braces and the names of kernels, concern the whole text. */
void module_file_faults(void **state) {
    static const struct {
        const char *text;
        size_t line;
        const char *says;
    } bad[] = {
        {GOOD "foo", 2, "expected a directive"},
        {GOOD ".entry bad() { foo; ", 2, "expected '}'"},
        {GOOD ".entry bad() { { ret; }\n", 3, "expected '}'"},
        {GOOD ".entry bad() { foo; } }\n", 2, "expected a directive"},
        {GOOD ".entry good() { ret; }\n", 2, "of this name already"},
        {GOOD ".entry bad() .cluster;\n", 2, "expected '{'"},
        {".entry bad() { foo; }\n.global .u32 x = {;\n" GOOD, 2, "expected"},
        {".entry one() { foo; }\n.entry two() { bar; }\n", 1, "unknown instruction"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        pto_program_error error;
        pto_module *m = pto_module_new(bad[i].text, (pto_program_options){0}, &error);
        if (m || error.line != bad[i].line || !strstr(error.text, bad[i].says))
            fail_msg("%s\n%zu: %s", bad[i].text, error.line, error.text);
    }
}

/** A function that no kernel calls is skipped. A kernel that calls one is not supported. */
void module_functions(void **state) {
    static const char text[] = ".func (.param .b32 r) f(.param .b32 a) { call g; foo; ret; }\n" GOOD
                               ".entry bad() { call f; ret; }\n";
    pto_program_error error;
    pto_module *m = pto_module_new(text, (pto_program_options){0}, &error);
    pto_kernel k;
    (void)state;
    if (!m) fail_msg("%zu: %s", error.line, error.text);
    run_good(m, text);
    assert_status(pto_module_kernel_at(m, 1, &k), PTO_OK);
    assert_string_equal(k.problem->text, "calls are not supported");
    pto_module_free(m);
}

/* ---- surveys ---- */

static const struct {
    const char *name;
    size_t count, line, problem_line;
    const char *says;
} uses[] = {
    {".branchtargets", 1, 7, 7, "calls are not supported"},
    {"add.s32", 3, 3, 8, "that is declared"},
    {"bra", 1, 9, 0, ""},
    {"ld.global.f128", 2, 4, 4, "a word that this instruction has"},
    {"ret", 1, 10, 0, ""},
    {"tex.1d.v4.f32.s32", 2, 5, 5, "unknown instruction"},
};

/** A survey has the instructions of every kernel, sorted, and all that are not supported with their first lines. */
void module_survey(void **state) {
    static const char text[] = ".entry k(.param .u64 x) {\n.reg .b32 %r<3>;\nadd.s32 %r1, %r1, 1;\n"
                               "ld.global.f128 %r1, [x]; ld.global.f128 %r2, [x];\n"
                               "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}]; add.s32 %r2, %r1, 1;\n"
                               "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];\n.branchtargets a, b;\n"
                               "add.s32 %r1, %r7, 1; a:\nbra a;\nret; }\n";
    pto_program_error error;
    pto_module *m = pto_module_new(text, (pto_program_options){0}, &error);
    pto_instruction_use use;
    size_t i = 0;
    (void)state;
    assert_null(m);
    m = pto_module_new(text, (pto_program_options){.survey = true}, &error);
    if (!m) fail_msg("%zu: %s", error.line, error.text);
    for (; pto_module_use_at(m, 0, i, &use) == PTO_OK; i++) {
        if (i == sizeof uses / sizeof uses[0] || strcmp(use.name, uses[i].name) != 0 ||
            use.count != uses[i].count || use.line != uses[i].line)
            fail_msg("%s, %zu times, line %zu", use.name, use.count, use.line);
        assert_int_equal(use.problem ? use.problem->line : 0, uses[i].problem_line);
        if (use.problem && !strstr(use.problem->text, uses[i].says)) fail_msg("%s", use.problem->text);
    }
    assert_int_equal(i, sizeof uses / sizeof uses[0]);
    assert_status(pto_module_use_at(m, 0, i, &use), PTO_ERR_SIZE);
    assert_status(pto_module_use_at(m, 1, 0, &use), PTO_ERR_SIZE);
    assert_status(pto_module_use_at(NULL, 0, 0, &use), PTO_ERR_NULL);
    assert_status(pto_module_use_at(m, 0, 0, NULL), PTO_ERR_NULL);
    pto_module_free(m);
}

/** A survey of supported kernels, which can be launched. Without the option there is no list. */
void module_survey_good(void **state) {
    static const char text[] = GOOD ".entry none() { }\n";
    pto_module *m = pto_module_new(text, (pto_program_options){.survey = true}, NULL);
    pto_instruction_use use;
    (void)state;
    assert_non_null(m);
    assert_status(pto_module_use_at(m, 0, 2, &use), PTO_OK);
    assert_string_equal(use.name, "st.global.u32");
    assert_null(use.problem);
    assert_status(pto_module_use_at(m, 0, 3, &use), PTO_ERR_SIZE);
    assert_status(pto_module_use_at(m, 1, 0, &use), PTO_ERR_SIZE);
    run_good(m, text);
    pto_module_free(m);
    m = pto_module_new(text, (pto_program_options){0}, NULL);
    assert_non_null(m);
    assert_status(pto_module_use_at(m, 0, 0, &use), PTO_ERR_SIZE);
    pto_module_free(m);
}
