/* SPDX-License-Identifier: MIT */
/* Makes and runs kernel programs from a few lines of text. */
#include "program/pto_kernel_text.h"

#include "program/pto_running.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *at;
    size_t length, lines;
};

__attribute__((format(__printf__, 2, 3))) static void add(struct text *t, const char *format, ...) {
    const size_t before = t->length;
    va_list arguments;
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 overlooks va_start() */
    t->length += (size_t)vsnprintf(t->at + before, KERNEL_TEXT - before, format, arguments);
    va_end(arguments);
    assert_true(t->length >= before && t->length < KERNEL_TEXT);
    for (const char *c = t->at + before; *c; c++) t->lines += *c == '\n';
}

/* Writes the text into KERNEL_TEXT bytes and returns the number of lines before the body. */
static size_t write_text(const char *body, char *to) {
    static const char *const types[] = {"f32", "f16",  "bf16", "i8",  "i16", "i32",
                                        "ui8", "ui16", "ui32", "si8", "si16"};
    static const int numbers[] = {0, 1, 2, 3, 4, 7, 8, 16, 32, 64, 96, 128, 256, 512, 1024, 2048, 4096, 8192};
    struct text t = {0};
    size_t before;
    t.at = to;
    add(&t, "func.func @k(%%in: !pto.ptr<ui8, gm>, %%out: !pto.ptr<ui8, gm>) attributes {pto.kernel} {\n");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add(&t, "%%c%d = arith.constant %d : index\n%%%d = arith.constant %d : i64\n", numbers[i], numbers[i],
            numbers[i], numbers[i]);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        add(&t,
            "%%in_%s = pto.castptr %%0 : i64 -> !pto.ptr<%s, ub>\n%%out_%s = pto.castptr %%8192 : i64 -> "
            "!pto.ptr<%s, ub>\n",
            types[i], types[i], types[i], types[i]);
    add(&t, "pto.mte_gm_ub %%in, %%in_ui8, %%0, %%4096 nburst(%%1, %%0, %%0)\n"
            " : !pto.ptr<ui8, gm>, !pto.ptr<ui8, ub>, i64, i64, i64, i64, i64\n");
    before = t.lines;
    add(&t, "%s", body);
    add(&t, "\npto.mte_ub_gm %%out_ui8, %%out, %%4096 nburst(%%1, %%0, %%0)\n"
            " : !pto.ptr<ui8, ub>, !pto.ptr<ui8, gm>, i64, i64, i64, i64\nreturn\n}\n");
    return before;
}

void kernel_text(const char *body, char text[KERNEL_TEXT]) {
    (void)write_text(body, text);
}

pto_program *kernel_run_with(const char *body, pto_program_options options, const void *in, void *out) {
    static const unsigned char zeros[KERNEL_OUT];
    char text[KERNEL_TEXT];
    const size_t before = write_text(body, text);
    pto_program_error error;
    pto_program *p;
    options.language = PTO_PROGRAM_PTO;
    p = pto_program_new(text, options, &error);
    if (!p)
        fail_msg("line %zu, column %zu, '%s': %s\n%s", error.line - before, error.column, error.word,
                 error.text, body);
    bind_array(p, "%in", PTO_U8, in, KERNEL_IN);
    bind_array(p, "%out", PTO_U8, zeros, KERNEL_OUT);
    run_lanes(p, 1);
    memcpy(out, value_of(p, "%out", PTO_U8, KERNEL_OUT), KERNEL_OUT);
    return p;
}

void kernel_run(const char *body, const void *in, void *out) {
    pto_program_free(kernel_run_with(body, (pto_program_options){.language = PTO_PROGRAM_PTO}, in, out));
}

static void check_error(const pto_program_error *error, size_t before, size_t line, size_t column,
                        const char *word, const char *text) {
    if (error->line == before + line && error->column == column && strcmp(error->word, word) == 0 &&
        strcmp(error->text, text) == 0)
        return;
    fail_msg("%zu:%zu '%s': %s; expected %zu:%zu '%s': %s", error->line - before, error->column, error->word,
             error->text, line, column, word, text);
}

void kernel_fails(const char *body, pto_program_options options, size_t line, size_t column, const char *word,
                  const char *text) {
    static const unsigned char zeros[KERNEL_IN];
    char all[KERNEL_TEXT];
    const size_t before = write_text(body, all);
    pto_program_error error;
    pto_program *p;
    pto_dtype type;
    const void *data;
    size_t n;
    options.language = PTO_PROGRAM_PTO;
    p = pto_program_new(all, options, &error);
    if (!p) fail_msg("%zu:%zu '%s': %s", error.line - before, error.column, error.word, error.text);
    bind_array(p, "%in", PTO_U8, zeros, KERNEL_IN);
    bind_array(p, "%out", PTO_U8, zeros, KERNEL_OUT);
    assert_status(pto_program_run(p, 1), PTO_ERR_SIZE);
    check_error(pto_program_problem(p), before, line, column, word, text);
    assert_status(pto_program_value(p, "%out", &type, &data, &n), PTO_ERR_SIZE);
    pto_program_free(p);
}

void kernel_refused(const char *body, pto_program_options options, size_t line, size_t column,
                    const char *word, const char *text) {
    char all[KERNEL_TEXT];
    const size_t before = write_text(body, all);
    pto_program_error error;
    options.language = PTO_PROGRAM_PTO;
    assert_null(pto_program_new(all, options, &error));
    check_error(&error, before, line, column, word, text);
}
