/* SPDX-License-Identifier: MIT */
/* Runs example programs and compares their results with tables. */
#include "program/example.h"

#include "support/cmocka_all.h"
#include "support/harness.h"
#include "support/values.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 256, FILE_SIZE = 2048 };

pto_program *example_program(const char *text) {
    pto_program_error error;
    pto_program *program = pto_program_new(text, (pto_program_options){.language = PTO_PROGRAM_PTX}, &error);
    if (!program) fail_msg("%zu:%zu '%s': %s\n%s", error.line, error.column, error.word, error.text, text);
    return program;
}

static size_t bytes_of(pto_dtype type) {
    return pto_dtype_bits(type) / 8;
}

/** Returns the text of the example, read from its file if it has one. harness_free() releases it. */
static char *text_of(const struct example *e) {
    char *text = harness_allocate(e->file ? FILE_SIZE : strlen(e->text) + 1), path[4 * TEXT];
    FILE *file;
    if (!e->file) return memcpy(text, e->text, strlen(e->text) + 1);
    snprintf(path, sizeof path, "%s/%s", PTO_TEST_CORPUS, e->file);
    file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    text[fread(text, 1, FILE_SIZE - 1, file)] = 0;
    fclose(file);
    return text;
}

/** Returns a copy of `a`, repeated for `lanes` lanes unless it is a scalar, and sets *n to the number of its
 * elements. The copy has an odd address, so that the tests cover unaligned arrays. */
static unsigned char *repeated(const struct example *e, const struct example_array *a, size_t lanes,
                               bool scalar, size_t *n) {
    const size_t bytes = bytes_of(a->type), of_lane = scalar ? a->n : a->n / e->lanes;
    unsigned char *memory;
    *n = scalar ? of_lane : lanes * of_lane;
    memory = (unsigned char *)harness_allocate(*n * bytes + 1) + 1;
    for (size_t i = 0; i < *n; i++) memcpy(memory + i * bytes, &a->bits[i % a->n], bytes);
    return memory;
}

static void release(unsigned char *memory) {
    harness_free(memory - 1);
}

static void compare(const pto_program *program, const struct example *e, const struct example_array *a,
                    size_t lanes) {
    const size_t bytes = bytes_of(a->type);
    size_t n, count;
    unsigned char *expected;
    const void *got;
    pto_dtype type;
    assert_status(pto_program_value(program, a->name, &type, &got, &count), PTO_OK);
    expected = repeated(e, a, lanes, false, &n);
    assert_int_equal(count, lanes);
    if (count * bytes_of(type) != n * bytes)
        fail_msg("%s: %s has %zu bytes, not %zu", e->title, a->name, count * bytes_of(type), n * bytes);
    for (size_t i = 0; i < n; i++) {
        uint64_t is = 0, want = 0;
        memcpy(&is, (const unsigned char *)got + i * bytes, bytes);
        memcpy(&want, expected + i * bytes, bytes);
        if (is != want)
            fail_msg("%s, %zu lanes: element %zu of %s is %llx, not %llx", e->title, lanes, i, a->name,
                     (unsigned long long)is, (unsigned long long)want);
    }
    release(expected);
}

static void run_over(const struct example *e, size_t lanes, bool keep_less) {
    unsigned char *memory[EXAMPLE_ARRAYS] = {NULL};
    const char *names[EXAMPLE_ARRAYS];
    pto_program_options options = {.language = PTO_PROGRAM_PTX, .keep = keep_less ? names : NULL};
    pto_program_error error;
    pto_program *program;
    char *text = text_of(e);
    for (size_t i = 0; i < EXAMPLE_ARRAYS && e->out[i].name; i++)
        names[options.keep_count++] = e->out[i].name;
    program = pto_program_new(text, options, &error);
    harness_free(text);
    if (!program)
        fail_msg("%s: %zu:%zu '%s': %s", e->title, error.line, error.column, error.word, error.text);
    for (size_t i = 0; i < EXAMPLE_ARRAYS && e->in[i].name; i++) {
        size_t n;
        memory[i] = repeated(e, &e->in[i], lanes, e->in[i].n == 1, &n);
        if (pto_program_bind(program, e->in[i].name, e->in[i].type, memory[i], n) != PTO_OK)
            fail_msg("%s: %s cannot be bound", e->title, e->in[i].name);
    }
    if (pto_program_run(program, lanes) != PTO_OK)
        fail_msg("%s: %s: %s", e->title, pto_program_problem(program)->word,
                 pto_program_problem(program)->text);
    for (size_t i = 0; i < EXAMPLE_ARRAYS && e->out[i].name; i++) compare(program, e, &e->out[i], lanes);
    pto_program_free(program);
    for (size_t i = 0; i < EXAMPLE_ARRAYS && memory[i]; i++) release(memory[i]);
}

void example_check(const struct example *example) {
    static const size_t lengths[] = {2047, 2048, 2049, 5000};
    run_over(example, example->lanes, false);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0] && !example->counts_lanes; i++)
        run_over(example, lengths[i], i % 2 == 0);
}

void examples_check(const struct example *examples, size_t count) {
    for (size_t i = 0; i < count; i++) example_check(&examples[i]);
}

void example_instruction(const char *opcode, pto_dtype type, const void *const source[3], size_t sources,
                         void *result, size_t n) {
    static const char *const names[3] = {"a", "b", "c"};
    char text[TEXT];
    pto_program *program;
    pto_dtype got_type;
    const void *got = NULL;
    size_t count = 0;
    snprintf(text, sizeof text, "%s d, a%s%s;", opcode, sources > 1 ? ", b" : "", sources > 2 ? ", c" : "");
    program = example_program(text);
    for (size_t i = 0; i < sources && i < 3; i++) {
        const bool shift = i == 1 && strncmp(opcode, "sh", 2) == 0;
        assert_status(pto_program_bind(program, names[i], shift ? PTO_U32 : type, source[i], n), PTO_OK);
    }
    assert_status(pto_program_run(program, n), PTO_OK);
    assert_status(pto_program_value(program, "d", &got_type, &got, &count), PTO_OK);
    assert_int_equal(count, n);
    memcpy(result, got, n * bytes_of(type));
    pto_program_free(program);
}
