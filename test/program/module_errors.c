/* SPDX-License-Identifier: MIT */
/* Tests the errors of PTX modules: in texts, and in launches that access memory which they must not
 * access. */
#include "program/module_texts.h"
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <pto/module.h>

#include <stdio.h>
#include <string.h>

static const struct {
    const char *text;
    size_t line, column;
    const char *word, *says;
} bad[] = {
    {"", 1, 1, "", "expected a kernel, .entry"},
    {".version 8.0\nfoo", 2, 1, "foo", "expected a directive such as .version"},
    {".address_size 32", 1, 15, "32", "addresses of 32 bits are not supported"},
    {".entry k() {", 1, 13, "", "expected '}'"},
    {".entry k() { ret; }\n.entry k() { ret; }", 2, 8, "k", "a kernel of this name already"},
    {".entry k(.param .b128x p) { ret; }", 1, 17, ".b128x", "expected a type"},
    {".entry k(.param .align 3 .b8 p[4]) { ret; }", 1, 24, "3", "power of two"},
    {".entry k() .cluster { ret; }", 1, 12, ".cluster", "expected '{', or a directive such as .reqntid"},
    {".entry k() { add.s32 %r1, %r1, 1; }", 1, 22, "%r1", "that is declared"},
    {".entry k() { .reg .b64 %rd1; ld.param.u64 %rd1, [p]; }", 1, 50, "p", "that is declared"},
    {".entry k(.param .u64 p) { .reg .b64 %rd1; ld.shared.u64 %rd1, [p]; }", 1, 64, "p", "another space"},
    {".entry k(.param .u64 p) { .reg .b64 %rd1; st.param.u64 [p], %rd1; }", 1, 43, "st.param.u64",
     "cannot write"},
    {".entry k() { .reg .f32 %f<3>; ld.global.f32 %f1, [%f2]; }", 1, 51, "%f2", "an integer or untyped bits"},
    {".entry k() { .reg .b64 %rd1; .reg .b16 %h1; ld.global.u32 %h1, [%rd1]; }", 1, 59, "%h1",
     "goes with .u32"},
    {".entry k() { .reg .b64 %rd1; .reg .f64 %d1; ld.global.f32 %d1, [%rd1]; }", 1, 59, "%d1",
     "goes with .f32"},
    {".entry k() { .reg .b64 %rd1; .reg .f32 %f<3>; ld.global.v2.f32 {%f1}, [%rd1]; }", 1, 64, "{",
     "2 registers"},
    {".entry k() { .reg .b64 %rd1; .reg .f32 %f1; ld.shared.v4.f64 %f1, [%rd1]; }", 1, 45, "ld.shared.v4.f64",
     "128 bits"},
    {".entry k() { .reg .b64 %rd1; .reg .f32 %f1; ld.global.v3.f32 %f1, [%rd1]; }", 1, 55, "v3.f32",
     "a word that this instruction has"},
    {".entry k() { .reg .b64 %rd1; .reg .f32 %f1; ld.global.relaxed.f32 %f1, [%rd1]; }", 1, 45,
     "ld.global.relaxed.f32", "together with a scope"},
    {".entry k() { .reg .b64 %rd1; .reg .f32 %f1; ld.global.f32 %f1, %rd1; }", 1, 64, "%rd1", "in brackets"},
    {".entry k() { bra nowhere; }", 1, 18, "nowhere", "expected a label that follows"},
    {".entry k() { ; }", 1, 14, ";", "expected an instruction"},
    {".entry k() { ret; }\n;", 2, 1, ";", "expected a directive"},
    {".entry k() { .pragma nounroll; }", 1, 22, "nounroll", "a text in quotes"},
    {".entry k() { .pragma \"a\" ret; }", 1, 26, "ret", "expected ';'"},
    {".entry k() { .loc 1 2\nret; }", 2, 1, "ret", "expected a number"},
    {".entry k() { .loc 1 2 3; }", 1, 24, ";", "expected an instruction"},
    {".entry k() { .loc 1 2 3, inlined 1 2 3 ret; }", 1, 26, "inlined", "expected 'function_name'"},
    {".entry k() { .loc 1 2 3 foo; }", 1, 25, "foo", "unknown instruction"},
    {".entry k() { .file 1 \"a\" }", 1, 14, ".file", "expected a directive"},
    {".file 1 a", 1, 9, "a", "a name in quotes"},
    {".target 90", 1, 9, "90", "a target such as"},
    {".version x", 1, 10, "x", "a number"},
    {".entry k() { l: ret; l: ret; }", 1, 22, "l", "this label is there already"},
    {".entry k() { bar.sync 16; }", 1, 23, "16", "0 to 15"},
    {".entry k() { bar.arrive 0; }", 1, 14, "bar.arrive", "only bar.sync"},
    {".entry k() { call f; }", 1, 14, "call", "calls are not supported"},
    {".entry k() { foo f; }", 1, 14, "foo", "unknown instruction, or one that is not supported"},
    {".entry k() { .local .u32 x = 5; }", 1, 28, "=", "no initial values"},
    {".extern .global .u32 x;", 1, 22, "x", "external variables"},
    {".global .u32 x[2] = {1, 2, 3};", 1, 28, "3", "no more values"},
    {".global .u32 x[2] = {{1}, {2};", 1, 30, ";", "expected '}'"},
    {".global .u32 x = {,};", 1, 19, ",", "expected"},
    {"/* no end", 1, 1, "/*", "this comment has no end"},
    {".entry k() { ret; }\n /* no end", 2, 2, "/*", "this comment has no end"},
    {".entry k() { call f; /* no end\n}", 1, 22, "/*", "this comment has no end"},
    {".entry k() { ret; }\n.file 1 \"/*\" /* no end", 2, 14, "/*", "this comment has no end"},
    {".shared .b8 x[100000000];", 1, 15, "100000000", "at most"},
};

void module_bad_texts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        pto_program_error error;
        pto_module *m = pto_module_new(bad[i].text, (pto_program_options){0}, &error);
        if (m || error.line != bad[i].line || error.column != bad[i].column ||
            strcmp(error.word, bad[i].word) != 0 || !strstr(error.text, bad[i].says))
            fail_msg("%s\ngives %zu:%zu '%s': %s", bad[i].text, error.line, error.column, error.word,
                     error.text);
    }
}

void module_options(void **state) {
    pto_program_error error;
    (void)state;
    assert_null(pto_module_new(NULL, (pto_program_options){0}, &error));
    assert_non_null(strstr(error.text, "not NULL"));
    assert_null(pto_module_new(HEADER, (pto_program_options){.language = PTO_PROGRAM_PTO}, &error));
    assert_non_null(strstr(error.text, "pto_program_new"));
    assert_null(pto_module_new(HEADER, (pto_program_options){.reserved = {0, 1}}, &error));
    assert_non_null(strstr(error.text, "reserved"));
    assert_null(pto_module_new(HEADER, (pto_program_options){0}, NULL));
}

/* The bodies of kernels that fail, and the expected errors. 2 blocks of 50 threads run each kernel. x is an
 * input of 400 bytes, y is an array of 400 bytes that may be written. */
static const struct {
    const char *body, *word, *says;
} faults[] = {
    {"ld.global.u32 %r4, [%rd2+4];", "x",
     "thread 49 of block 1 reads 4 bytes at x + 400, past its end (400 bytes)"},
    {"ld.global.u32 %r4, [%rd2+-4];", "x",
     "thread 0 of block 0 reads 4 bytes at x - 4, before its beginning"},
    {"st.global.u32 [%rd3+200], %r1;", "y",
     "thread 0 of block 1 writes 4 bytes at y + 400, past its end (400 bytes)"},
    {"st.global.u32 [%rd2], %r1;", "x", "thread 0 of block 0 writes 4 bytes to x, which it may only read"},
    {"ld.global.u32 %r4, [%rd2+2];", "x", "reads 4 bytes at x + 2, which is not a multiple of 4"},
    {"ld.global.v2.u32 {%r4, %r5}, [%rd2];", "x",
     "thread 1 of block 0 reads 8 bytes at x + 4, which is not a multiple of 8"},
    {"ld.global.u64 %rd4, [%rd1];", "",
     "thread 0 of block 0 reads 8 bytes at a null pointer, which is in no array"},
    {"setp.eq.u32 %p1, %r1, 77; mov.u64 %rd4, 99; selp.b64 %rd5, %rd4, %rd2, %p1; ld.global.u8 %h1, [%rd5];",
     "", "thread 27 of block 1 reads 1 bytes at address 0x63, which is in no array"},
    {"setp.gt.u32 %p1, %r1, 60; @%p1 st.global.u32 [%rd3+160], %r1;", "y",
     "thread 11 of block 1 writes 4 bytes at y + 404"},
    {"shl.b32 %r4, %r1, 2; mov.u32 %r5, room; add.s32 %r5, %r5, %r4; st.shared.u32 [%r5], %r1;",
     "shared memory", "thread 32 of block 0 writes 4 bytes at shared memory + 128, past its end (128 bytes)"},
    {"mov.u64 %rd4, own; ld.local.u32 %r4, [%rd4+8];", "local memory",
     "thread 0 of block 0 reads 4 bytes at local memory + 8, past its end (8 bytes)"},
    {"setp.eq.u32 %p1, %r1, 55; @%p1 trap;", "trap", "thread 5 of block 1 executes trap"},
    {"and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0; @%p1 bra one; bar.sync 1; bra.uni end; one: bar.sync 0; "
     "end:",
     "bar", "the threads of block 0 wait at different barriers"},
    {"l: bra l;", "", "this is the limit (max_steps)"},
};

void module_faults(void **state) {
    enum { N = 100, TEXT = 2048 };
    uint32_t x[N] = {0}, y[N];
    const pto_argument arguments[] = {{.input = x, .bytes = sizeof x}, {.memory = y, .bytes = sizeof y}};
    char text[TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const pto_program_error *problem;
        pto_program_error error;
        pto_module *m;
        snprintf(text, sizeof text, "%s  %s\nst.global.u32 [%%rd3], 6; ret; }\n",
                 HEADER ".entry k(.param .u64 x, .param .u64 y) {\n" INDEX
                        ".shared .b8 room[128]; .local .align 8 .b8 own[8];\n" X_AND_Y
                        "st.global.u32 [%rd3], 5;\n",
                 faults[i].body);
        m = pto_module_new(text, (pto_program_options){.max_steps = 1000}, &error);
        if (!m) fail_msg("%zu:%zu '%s': %s\n%s", error.line, error.column, error.word, error.text, text);
        memset(y, 0, sizeof y);
        if (pto_module_launch(m, "k", (pto_dim3){2, 1, 1}, (pto_dim3){50, 1, 1}, arguments, 2) == PTO_OK)
            fail_msg("no error: %s", faults[i].body);
        problem = pto_module_problem(m);
        if (problem->line != 11 || strcmp(problem->word, faults[i].word) != 0 ||
            !strstr(problem->text, faults[i].says))
            fail_msg("%s\nline %zu, '%s': %s", faults[i].body, problem->line, problem->word, problem->text);
        for (size_t e = 0; e < N; e++)
            if (y[e] != 5) fail_msg("%s\nelement %zu is %u", faults[i].body, e, (unsigned)y[e]);
        pto_module_free(m);
    }
}
