/* SPDX-License-Identifier: MIT */
/* Tests the calls of program.h: arguments, results, the order of checks, and what the calls must not
 * change. */
#include "program/example.h"
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/fpstate.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define OK(call) assert_int_equal(call, PTO_OK)

static void bind(pto_program *p, const char *name, pto_dtype type, const void *data, size_t n) {
    OK(pto_program_bind(p, name, type, data, n));
}

/* Returns the elements of register `name`. Fails the test if it does not have n elements of `type`. */
static const void *value(const pto_program *p, const char *name, pto_dtype type, size_t n) {
    pto_dtype got;
    const void *data;
    size_t count;
    OK(pto_program_value(p, name, &got, &data, &count));
    assert_int_equal(got, type);
    assert_int_equal(count, n);
    return data;
}

/* Binds two fp8 codes for each lane, one pair of codes for all lanes, and a predicate as bytes, of which all
 * values except 0 are true. */
void interface_packed(void **state) {
    static const uint8_t codes[6] = {0x38, 0xb8, 0x7e, 0x7f, 0x01, 0x80}, p[3] = {0, 0x80, 1};
    static const uint32_t wide[3] = {0xbc003c00, 0x7fff5f00, 0x80001800},
                          all[3] = {0xbc003c00, 0xbc003c00, 0xbc003c00};
    static const uint32_t chosen[3] = {0, 0x7fff5f00, 0x80001800};
    pto_program *program = example_program("cvt.rn.f16x2.e4m3x2 r, h; selp.b32 s, r, 0, p;");
    (void)state;
    bind(program, "h", PTO_E4M3, codes, 6);
    bind(program, "p", PTO_U8, p, 3);
    OK(pto_program_run(program, 3));
    assert_memory_equal(value(program, "r", PTO_F16X2, 3), wide, sizeof wide);
    assert_memory_equal(value(program, "s", PTO_B32, 3), chosen, sizeof chosen);
    assert_ptr_equal(value(program, "h", PTO_E4M3, 6), codes); /* the bound array itself */
    bind(program, "h", PTO_E4M3, codes, 2);
    OK(pto_program_run(program, 3));
    assert_memory_equal(value(program, "r", PTO_F16X2, 3), all, sizeof all);
    pto_program_free(program);
}

enum {
    RESERVED_OPTIONS = sizeof((pto_program_options *)0)->reserved / sizeof(size_t),
    RESERVED_POSITIONS = sizeof((pto_program_error *)0)->reserved / sizeof(size_t)
};

void interface_statuses(void **state) {
    static const uint32_t word = 1;
    pto_program *program = example_program("@p add.s32 d, a, a;");
    pto_program_error error;
    pto_program_register reg;
    pto_dtype type;
    const void *data;
    size_t n;
    (void)state;

    assert_null(pto_program_new(NULL, (pto_program_options){0}, &error));
    assert_true(error.text[0] != 0);
    assert_null(pto_program_new(NULL, (pto_program_options){0}, NULL));
    for (size_t i = 0; i < RESERVED_OPTIONS; i++) {
        pto_program_options options = {.language = PTO_PROGRAM_PTX};
        options.reserved[i] = 1;
        memset(&error, 0x5a, sizeof error);
        assert_null(pto_program_new("mov.u32 y, 3;", options, &error));
        assert_string_equal(error.text, "expected options whose reserved members are 0");
        for (size_t k = 0; k < RESERVED_POSITIONS; k++) assert_int_equal(error.reserved[k], 0);
    }
    pto_program_free(NULL);
    assert_int_equal(pto_program_register_count(NULL), 0);
    assert_null(pto_program_problem(NULL));

    assert_status(pto_program_bind(NULL, "a", PTO_S32, &word, 1), PTO_ERR_NULL);
    assert_status(pto_program_bind(program, NULL, PTO_S32, &word, 1), PTO_ERR_NULL);
    assert_status(pto_program_bind(program, "a", PTO_S32, NULL, 1), PTO_ERR_NULL);
    assert_status(pto_program_bind(program, "b", PTO_S64, &word, 1), PTO_ERR_PARSE);
    assert_status(pto_program_bind(program, "a", PTO_S64, &word, 1), PTO_ERR_TYPE);
    assert_status(pto_program_bind(program, "p", PTO_S8, &word, 1), PTO_ERR_TYPE);
    assert_status(pto_program_bind(program, "p", PTO_B32, &word, 1), PTO_ERR_TYPE);
    assert_status(pto_program_bind(program, "a", (pto_dtype)99, &word, 1), PTO_ERR_TYPE);
    assert_status(pto_program_bind(program, "a", (pto_dtype)-1, &word, 1), PTO_ERR_TYPE);

    assert_status(pto_program_register_at(NULL, 0, &reg), PTO_ERR_NULL);
    assert_status(pto_program_register_at(program, 0, NULL), PTO_ERR_NULL);
    assert_status(pto_program_register_at(program, 3, &reg), PTO_ERR_SIZE);

    assert_status(pto_program_value(program, "d", &type, &data, &n), PTO_ERR_SIZE); /* no run yet */
    assert_status(pto_program_value(NULL, "d", &type, &data, &n), PTO_ERR_NULL);
    assert_status(pto_program_value(program, NULL, &type, &data, &n), PTO_ERR_NULL);
    assert_status(pto_program_value(program, "d", NULL, &data, &n), PTO_ERR_NULL);
    assert_status(pto_program_value(program, "d", &type, NULL, &n), PTO_ERR_NULL);
    assert_status(pto_program_value(program, "d", &type, &data, NULL), PTO_ERR_NULL);
    assert_status(pto_program_value(program, "e", &type, &data, &n), PTO_ERR_PARSE);
    assert_status(pto_program_run(NULL, 1), PTO_ERR_NULL);
    pto_program_free(program);
}

void interface_registers(void **state) {
    static const pto_program_register expected[] = {{"p", PTO_B8, true, true, true, false, 1, {0}},
                                                    {"b", PTO_B16, false, false, false, false, 1, {0}},
                                                    {"f0", PTO_F32, false, true, false, false, 1, {0}},
                                                    {"f1", PTO_F32, false, false, false, false, 1, {0}},
                                                    {"d", PTO_F32, false, false, true, false, 1, {0}},
                                                    {"w", PTO_B16, false, false, true, false, 1, {0}},
                                                    {"u", PTO_B8, true, false, true, false, 1, {0}},
                                                    {"v", PTO_B8, true, false, true, false, 1, {0}},
                                                    {"x", PTO_S32, false, true, false, false, 1, {0}},
                                                    {"y", PTO_S32, false, true, false, false, 1, {0}},
                                                    {"z", PTO_B8, true, true, false, false, 1, {0}},
                                                    {"s", PTO_B64, false, false, true, false, 1, {0}},
                                                    {"t", PTO_B64, false, true, false, false, 1, {0}},
                                                    {"h", PTO_B16, false, false, true, false, 1, {0}}};
    const size_t count = sizeof expected / sizeof expected[0];
    pto_program *program =
        example_program(".reg .pred p; .reg .b16 b; .reg .f32 f<2>;\n"
                        "@p mov.f32 d, f0; add.f32 d, d, d; not.pred p, p;\n"
                        "cvt.rn.satfinite.e4m3x2.f32 w, d, d;\n"
                        "setp.eq.and.s32 u|v, x, y, z; selp.b64 s, t, t, u; mov.b64 {h, _, _, _}, s;");
    (void)state;
    assert_int_equal(pto_program_register_count(program), count);
    for (size_t i = 0; i < count; i++) {
        pto_program_register reg;
        memset(&reg, 0x5a, sizeof reg);
        OK(pto_program_register_at(program, i, &reg));
        assert_memory_equal(reg.reserved, expected[i].reserved, sizeof reg.reserved);
        assert_string_equal(reg.name, expected[i].name);
        assert_int_equal(reg.type, expected[i].type);
        assert_int_equal(reg.predicate, expected[i].predicate);
        assert_int_equal(reg.input, expected[i].input);
        assert_int_equal(reg.result, expected[i].result);
        assert_int_equal(reg.each, expected[i].each);
    }
    pto_program_free(program);
}

/* If registers of several scopes have the same name, the calls use the first one. Unknown names are
 * rejected. */
void interface_names(void **state) {
    static const int32_t x = 5;
    pto_program_register reg;
    pto_program *program =
        example_program("{ .reg .s32 b; mov.s32 b, 1; } .reg .f32 b, a; { .reg .s32 c; add.s32 c, x, "
                        "1; } { .reg .s64 c; mov.s64 c, 2; }");
    (void)state;
    OK(pto_program_register_named(program, "b", &reg));
    assert_int_equal(reg.type, PTO_S32);
    OK(pto_program_register_named(program, "c", &reg));
    assert_int_equal(reg.type, PTO_S32);
    OK(pto_program_register_named(program, "a", &reg));
    assert_int_equal(reg.type, PTO_F32);
    assert_string_equal(reg.name, "a");
    assert_status(pto_program_register_named(program, "", &reg), PTO_ERR_PARSE);
    assert_status(pto_program_register_named(program, "aa", &reg), PTO_ERR_PARSE);
    assert_status(pto_program_register_named(program, "z", &reg), PTO_ERR_PARSE);
    assert_status(pto_program_register_named(NULL, "a", &reg), PTO_ERR_NULL);
    assert_status(pto_program_register_named(program, NULL, &reg), PTO_ERR_NULL);
    assert_status(pto_program_register_named(program, "a", NULL), PTO_ERR_NULL);
    bind(program, "x", PTO_S32, &x, 1);
    OK(pto_program_run(program, 1));
    assert_memory_equal(value(program, "c", PTO_S32, 1), ((int32_t[]){6}), 4);
    pto_program_free(program);
}

/* A short text can declare hundreds of thousands of registers. The time to list, find and bind all of them
 * must not grow with the square of their number. Registers that no instruction uses take no memory in a
 * run. */
void interface_many_registers(void **state) {
    enum { LINES = 4, EACH = 65536, COUNT = LINES * EACH, SECONDS = 30 };
    static const uint8_t one = 1;
    char text[LINES * 32 + 64], *at = text;
    const clock_t begin = clock();
    pto_program *program;
    (void)state;
    for (int i = 0; i < LINES; i++) at += snprintf(at, 32, ".reg .pred r%c<65536>;\n", 'a' + i);
    (void)snprintf(at, 64, "mov.pred q, rb7;");
    program = example_program(text);
    assert_int_equal(pto_program_register_count(program), COUNT + 1);
    for (size_t i = 0; i < COUNT; i++) {
        pto_program_register reg, found;
        OK(pto_program_register_at(program, i, &reg));
        OK(pto_program_register_named(program, reg.name, &found));
        assert_ptr_equal(found.name, reg.name);
        OK(pto_program_bind(program, reg.name, PTO_B8, &one, 1));
        if (i % 1024 == 0 && clock() - begin > (clock_t)SECONDS * CLOCKS_PER_SEC)
            fail_msg("%zu registers took %d seconds", i, (int)SECONDS);
    }
    OK(pto_program_run(program, 1));
    assert_int_equal(*(const uint8_t *)value(program, "q", PTO_B8, 1), 1);
    assert_ptr_equal(value(program, "rd65535", PTO_B8, 1), &one);
    pto_program_free(program);
}

/* Decimal constants are first rounded to f64 and then to f32, as in ptxas. */
void interface_decimals(void **state) {
    static const uint32_t one = 0x3f800000;
    static const uint64_t exact = 0x3ff0000010000000;
    pto_program *program = example_program("mov.f32 f, 1.000000059604644775390625000000001;\n"
                                           "mov.f64 d, 1.000000059604644775390625000000001;");
    (void)state;
    OK(pto_program_run(program, 1));
    assert_memory_equal(value(program, "f", PTO_F32, 1), &one, sizeof one);
    assert_memory_equal(value(program, "d", PTO_F64, 1), &exact, sizeof exact);
    pto_program_free(program);
}

/* The list of instructions has those of both languages, each once, with the names that programs use. */
void interface_instructions(void **state) {
    static const char *const some[] = {
        "setp",          "exit",         "pto.vcmp", "pto.pset_b8",  "pto.pdintlv_b32",
        "pto.mte_gm_ub", "pto.pltm_b16", "pto.vdiv", "pto.vmi.vadd", "pto.vmi.vload"};
    char name[PTO_PROGRAM_INSTRUCTION_SIZE], names[400][PTO_PROGRAM_INSTRUCTION_SIZE];
    size_t count = 0, found = 0;
    (void)state;
    for (pto_program_language language = PTO_PROGRAM_PTX; language <= PTO_PROGRAM_PTO; language++)
        for (size_t i = 0; pto_program_instruction(language, i, name) == PTO_OK; i++) {
            for (size_t k = 0; k < count; k++) assert_int_not_equal(strcmp(names[k], name), 0);
            for (size_t k = 0; k < sizeof some / sizeof some[0]; k++) found += strcmp(name, some[k]) == 0;
            assert_int_equal(strncmp(name, "pto.", 4) == 0, language == PTO_PROGRAM_PTO);
            assert_true(count < sizeof names / sizeof names[0]);
            memcpy(names[count++], name, sizeof name);
        }
    assert_int_equal(found, sizeof some / sizeof some[0]);
    assert_status(pto_program_instruction(PTO_PROGRAM_PTX, 0, NULL), PTO_ERR_NULL);
    assert_status(pto_program_instruction(PTO_PROGRAM_ANY, 0, name), PTO_ERR_MODIFIER);
    assert_status(pto_program_instruction((pto_program_language)3, 0, name), PTO_ERR_MODIFIER);
    assert_status(pto_program_instruction(PTO_PROGRAM_PTO, SIZE_MAX, name), PTO_ERR_SIZE);
}

/* The first input that is not bound is reported, with its position. An array with a wrong number of elements
 * is reported, too. */
void interface_unbound(void **state) {
    static const uint8_t p[3] = {1, 0, 1};
    static const uint32_t words[4] = {1, 2, 3, 4};
    pto_program *program = example_program("mov.b32 t, 5;\n\n  @p add.s32 d, t, a;\nadd.s32 e, b, d;\n");
    (void)state;
    OK(pto_program_run(program, 0));
    assert_status(pto_program_run(program, 3), PTO_ERR_PARSE);
    assert_string_equal(pto_program_problem(program)->word, "p");
    assert_int_equal(pto_program_problem(program)->line, 3);
    assert_int_equal(pto_program_problem(program)->column, 6); /* the column of the instruction */
    bind(program, "p", PTO_U8, p, 3);
    assert_status(pto_program_run(program, 3), PTO_ERR_PARSE);
    assert_string_equal(pto_program_problem(program)->word, "a");
    bind(program, "a", PTO_S32, words, 4);
    bind(program, "b", PTO_S32, words, 3);
    assert_status(pto_program_run(program, 3), PTO_ERR_SIZE);
    assert_string_equal(pto_program_problem(program)->word, "a");
    assert_true(strstr(pto_program_problem(program)->text, "4 elements") != NULL);
    bind(program, "a", PTO_S32, words, 3);
    OK(pto_program_run(program, 3));
    assert_int_equal(pto_program_problem(program)->text[0], 0);
    assert_int_equal(pto_program_problem(program)->line, 0);
    assert_memory_equal(value(program, "d", PTO_S32, 3), ((int32_t[]){6, 0, 8}), 12);
    assert_memory_equal(value(program, "e", PTO_S32, 3), ((int32_t[]){7, 2, 11}), 12);
    bind(program, "b", PTO_S32, NULL, 0); /* no longer bound */
    assert_status(pto_program_run(program, 3), PTO_ERR_PARSE);
    assert_string_equal(pto_program_problem(program)->word, "b");
    assert_int_equal(pto_program_problem(program)->line, 4);
    bind(program, "b", PTO_S32, words, SIZE_MAX / 4 + 2); /* the number of bytes overflows size_t */
    assert_status(pto_program_run(program, 3), PTO_ERR_SIZE);
    bind(program, "b", PTO_S32, words, 1);
    assert_status(pto_program_run(program, SIZE_MAX), PTO_ERR_SIZE);
    assert_status(pto_program_run(program, SIZE_MAX / 2 + 3), PTO_ERR_SIZE);
    pto_program_free(program);
}

/* After a run, registers in options.keep have values and other results have none. The values of an input are
 * the bound array. Unused registers have no values. */
void interface_values(void **state) {
    static const char *const keep[] = {"e", "nobody"};
    static const int32_t a[2] = {1, 2}, i = 7, e[2] = {10, 11}, j[2] = {5, 6};
    char name[] = "e";
    const char *one[] = {name};
    const pto_program_options options = {.language = PTO_PROGRAM_PTX, .keep = keep, .keep_count = 2};
    pto_program_options none = options;
    static const char text[] =
        ".reg .b32 idle; add.s32 d, a, i; add.s32 e, d, i; sub.s32 e, e, 5; add.s32 j, j, 1;";
    pto_program *program = pto_program_new(text, options, NULL);
    pto_dtype type;
    const void *data;
    size_t n;
    (void)state;
    assert_non_null(program);
    bind(program, "a", PTO_B32, a, 2);
    bind(program, "i", PTO_S32, &i, 1);
    bind(program, "j", PTO_S32, j, 2);
    OK(pto_program_run(program, 2));
    assert_memory_equal(value(program, "e", PTO_S32, 2), e, sizeof e);
    assert_ptr_equal(value(program, "a", PTO_B32, 2), a);
    assert_ptr_equal(value(program, "i", PTO_S32, 1), &i);
    assert_status(pto_program_value(program, "d", &type, &data, &n), PTO_ERR_SIZE);
    assert_status(pto_program_value(program, "j", &type, &data, &n), PTO_ERR_SIZE);
    assert_status(pto_program_value(program, "idle", &type, &data, &n), PTO_ERR_SIZE);
    assert_int_equal(j[0], 5); /* bound arrays are only read */
    pto_program_free(program);

    none.keep_count = 0;
    program = pto_program_new(text, none, NULL);
    assert_non_null(program);
    bind(program, "a", PTO_B32, a, 2);
    bind(program, "i", PTO_S32, &i, 1);
    bind(program, "j", PTO_S32, j, 2);
    OK(pto_program_run(program, 2));
    assert_status(pto_program_value(program, "e", &type, &data, &n), PTO_ERR_SIZE);
    pto_program_free(program);

    none.keep = one;
    none.keep_count = 1;
    program = pto_program_new(text, none, NULL);
    memset(name, 'x', 1); /* the program no longer needs the list */
    memset(one, 0, sizeof one);
    bind(program, "a", PTO_B32, a, 2);
    bind(program, "i", PTO_S32, &i, 1);
    bind(program, "j", PTO_S32, j, 2);
    OK(pto_program_run(program, 2));
    assert_memory_equal(value(program, "e", PTO_S32, 2), e, sizeof e);
    pto_program_free(program);
}

/* The results of a run do not depend on the previous run, which had another number of lanes and other
 * arrays. */
void interface_again(void **state) {
    static const size_t lanes[] = {5000, 1, 2049, 0, 3, 2048};
    pto_program *program = example_program("@p add.s32 d, a, 1;\nadd.s32 a, a, 2;\n@!p mov.pred q, 1;");
    int32_t *a = harness_allocate(5000 * sizeof *a);
    uint8_t *p = harness_allocate(5000);
    (void)state;
    for (size_t turn = 0; turn < sizeof lanes / sizeof lanes[0]; turn++) {
        const size_t n = lanes[turn];
        const int32_t *d, *b;
        const uint8_t *q;
        for (size_t i = 0; i < n; i++) a[i] = (int32_t)(1000 * turn + i), p[i] = (i + turn) % 3 == 0;
        bind(program, "a", PTO_S32, a, n);
        bind(program, "p", PTO_U8, p, n);
        OK(pto_program_run(program, n));
        d = value(program, "d", PTO_S32, n);
        b = value(program, "a", PTO_S32, n);
        q = value(program, "q", PTO_B8, n);
        for (size_t i = 0; i < n; i++)
            if (d[i] != (p[i] ? a[i] + 1 : 0) || b[i] != a[i] + 2 || q[i] != !p[i])
                fail_msg("run %zu, lane %zu: %d, %d, %d", turn, i, (int)d[i], (int)b[i], q[i]);
    }
    pto_program_free(program);
    harness_free(a);
    harness_free(p);
}

/* What the trace callback has received. */
struct told {
    char lines[512];
    size_t used, lanes;
    bool wrong;
};

static void note(void *user, const pto_program_step *step) {
    struct told *told = user;
    for (size_t i = 0; i < step->lanes; i++) {
        const size_t lane = step->first + i;
        uint32_t word = 0;
        if (step->type == PTO_B8)
            told->wrong |= ((const uint8_t *)step->data)[i] != (lane % 3 == 0);
        else
            memcpy(&word, (const uint8_t *)step->data + 4 * i, 4);
        if (step->type == PTO_S32 && step->line == 1) told->wrong |= word != lane + 5;
        if (step->type == PTO_S32 && step->line == 4)
            told->wrong |= word != (lane % 3 == 0 ? lane + 6 : lane + 5);
    }
    told->lanes += step->lanes;
    if (step->first == 0)
        told->used += (size_t)snprintf(told->lines + told->used, sizeof told->lines - told->used, "%zu:%s ",
                                       step->line, step->name);
}

/* The trace callback is called for each instruction and each block of lanes. Internal steps that implement
 * jumps are not traced. */
void interface_trace(void **state) {
    enum { LANES = 4099 };
    struct told told = {.used = 0};
    const pto_program_options options = {.language = PTO_PROGRAM_PTX, .trace = note, .user = &told};
    pto_program *program = pto_program_new(
        "add.s32 j, i, 5;\nsetp.eq.u32 p, r, 0;\n@!p bra L;\nadd.s32 j, j, 1;\nL: ret;", options, NULL);
    uint32_t *i = harness_allocate(LANES * sizeof *i), *r = harness_allocate(LANES * sizeof *r);
    (void)state;
    assert_non_null(program);
    for (uint32_t k = 0; k < LANES; k++) i[k] = k, r[k] = k % 3;
    bind(program, "i", PTO_S32, i, LANES);
    bind(program, "r", PTO_U32, r, LANES);
    OK(pto_program_run(program, LANES));
    assert_string_equal(told.lines, "1:j 2:p 4:j ");
    assert_int_equal(told.lanes, 3 * LANES);
    assert_false(told.wrong);
    pto_program_free(program);
    harness_free(i);
    harness_free(r);
}

static bool stop_at_third_call(void *user) {
    size_t *calls = user;
    return ++*calls == 3;
}

/* A run that the `stop` callback ends leaves no values. The next run of the same program is complete. */
void interface_stop(void **state) {
    enum { LANES = 100000 };
    size_t calls = 0, n;
    const void *data;
    pto_dtype type;
    const pto_program_options options = {
        .language = PTO_PROGRAM_PTX, .stop = stop_at_third_call, .user = &calls};
    pto_program *program = pto_program_new("add.u32 j, i, 5;", options, NULL);
    uint32_t *i = harness_allocate(LANES * sizeof *i), *expected = harness_allocate(LANES * sizeof *i);
    (void)state;
    assert_non_null(program);
    for (uint32_t k = 0; k < LANES; k++) i[k] = k, expected[k] = k + 5;
    bind(program, "i", PTO_U32, i, LANES);
    assert_status(pto_program_run(program, LANES), PTO_ERR_STOPPED);
    assert_int_equal(calls, 3);
    assert_string_equal(pto_program_problem(program)->text, pto_strerror(PTO_ERR_STOPPED));
    assert_status(pto_program_value(program, "j", &type, &data, &n), PTO_ERR_SIZE);
    OK(pto_program_run(program, LANES));
    OK(pto_program_value(program, "j", &type, &data, &n));
    assert_int_equal(n, LANES);
    assert_memory_equal(data, expected, LANES * sizeof *expected);
    pto_program_free(program);
    harness_free(i);
    harness_free(expected);
}

/* Arrays may end at the end of a page, or start at an odd address near the start of a page. No memory outside
 * of them is accessed. */
void interface_places(void **state) {
    static const size_t lengths[] = {1, 2047, 2048, 2049, 5000};
    pto_program *program =
        example_program("setp.gt.f32 q, f, 0f00000000; and.pred q, q, p; @q add.f64 d, d, e;\n"
                        "cvt.rn.f16x2.e5m2x2 w, h; selp.f32 g, f, 0.0, q;");
    struct guarded page[4];
    (void)state;
    for (size_t i = 0; i < 4; i++) guarded_open(&page[i], (size_t)5000 * 8 + 8);
    for (size_t turn = 0; turn < 2 * sizeof lengths / sizeof lengths[0]; turn++) {
        const size_t n = lengths[turn / 2], odd = turn % 2;
        const enum place place = turn % 2 ? AT_BEGIN : AT_END;
        unsigned char *f = guarded_place(&page[0], 4 * n + odd, place) + odd;
        unsigned char *h = guarded_place(&page[1], 2 * n + odd, place) + odd;
        unsigned char *d = guarded_place(&page[2], 8 * n + odd, place) + odd;
        unsigned char *p = guarded_place(&page[3], n + odd, place) + odd;
        static const double two = 2;
        const unsigned char *sum, *wide, *chosen;
        for (size_t i = 0; i < n; i++) {
            const float x = i % 5 ? (float)i : -1.0F;
            const double y = (double)i;
            memcpy(f + 4 * i, &x, 4);
            memcpy(d + 8 * i, &y, 8);
            h[2 * i] = 0x3c, h[2 * i + 1] = 0x7b;
            p[i] = i % 2;
        }
        bind(program, "f", PTO_F32, f, n);
        bind(program, "h", PTO_E5M2, h, 2 * n);
        bind(program, "d", PTO_F64, d, n);
        bind(program, "e", PTO_F64, &two, 1);
        bind(program, "p", PTO_B8, p, n);
        OK(pto_program_run(program, n));
        sum = value(program, "d", PTO_F64, n);
        wide = value(program, "w", PTO_F16X2, n);
        chosen = value(program, "g", PTO_F32, n);
        for (size_t i = 0; i < n; i++) {
            const bool on = i % 5 && i % 2;
            const double x = (double)i + (on ? 2 : 0);
            const float y = on ? (float)i : 0;
            assert_memory_equal(sum + 8 * i, &x, 8);
            assert_memory_equal(wide + 4 * i, "\x00\x3c\x00\x7b", 4);
            assert_memory_equal(chosen + 4 * i, &y, 4);
        }
    }
    pto_program_free(program);
    for (size_t i = 0; i < 4; i++) guarded_close(&page[i]);
}

/* The rounding mode, flush modes and exception flags of the caller do not affect the results and are not
 * changed. */
void interface_fp_state(void **state) {
    static const char text[] =
        "add.f32 s, a, b; mul.f32 m, a, b; fma.rn.f64 d, x, x, y; add.f16 h, g, g;\n"
        "mul.ftz.f32 z, a, b; cvt.rn.f16.f32 c, a; add.f32 t, a, 1.1; max.f32 v, a, b;";
    static const float a[4] = {0x1p-149F, 1.0F, 0x1.fffffep-127F, -0x1p-149F};
    static const float b[4] = {0x1p-149F, 0x1p-24F, 0x1p-1F, 0x1p-100F};
    static const double x[4] = {0x1p-537, 1 + 0x1p-52, 0x1p-1074, 3},
                        y[4] = {0x1p-1074, 0x1p-106, 0, 0x1p-60};
    static const uint16_t g[4] = {1, 0x3c01, 0x03ff, 0x7bff};
    static const char *const names[] = {"s", "m", "d", "h", "z", "c", "t", "v"};
    enum { NAMES = sizeof names / sizeof names[0] };
    static unsigned char expected[NAMES][32];
    const struct fp_state before = fp_state_get();
    struct fp_states *states = harness_allocate(sizeof *states);
    fp_states_collect(states, harness_quick());
    (void)state;
    for (size_t i = 0; i <= states->count; i++) {
        struct fp_state set, after;
        pto_program *program;
        pto_status statuses[6];
        if (i > 0) fp_state_set(&states->state[i - 1]);
        set = fp_state_get();
        program = pto_program_new(text, (pto_program_options){.language = PTO_PROGRAM_PTX}, NULL);
        statuses[0] = pto_program_bind(program, "a", PTO_F32, a, 4);
        statuses[1] = pto_program_bind(program, "b", PTO_F32, b, 4);
        statuses[2] = pto_program_bind(program, "x", PTO_F64, x, 4);
        statuses[3] = pto_program_bind(program, "y", PTO_F64, y, 4);
        statuses[4] = pto_program_bind(program, "g", PTO_F16, g, 4);
        statuses[5] = pto_program_run(program, 4);
        after = fp_state_get();
        fp_state_set(&before);
        for (size_t k = 0; k < 6; k++) OK(statuses[k]);
        if (!fp_state_same(&set, &after)) fail_msg("%s: the state is not what it was", states->title[i - 1]);
        for (size_t k = 0; k < NAMES; k++) {
            pto_dtype type;
            const void *data;
            size_t n;
            OK(pto_program_value(program, names[k], &type, &data, &n));
            if (i == 0)
                memcpy(expected[k], data, n * pto_dtype_bits(type) / 8);
            else if (memcmp(expected[k], data, n * pto_dtype_bits(type) / 8) != 0)
                fail_msg("%s: %s differs", states->title[i - 1], names[k]);
        }
        pto_program_free(program);
    }
    assert_int_equal(((uint32_t *)(void *)expected[0])[1], 0x3f800000); /* ties go to even in any FP state */
    assert_int_equal(((uint32_t *)(void *)expected[0])[0], 2);
    harness_free(states);
}

enum { STATE_RUN_LANES = 2048 * 40 };

/* The FP states that callbacks set during a run, one after the other. */
struct state_changes {
    const struct fp_states *states;
    struct fp_state current; /* the state that the next callback must find */
    size_t calls;
    bool wrong;
};

static void change_state(struct state_changes *changes) {
    const struct fp_state found = fp_state_get();
    changes->wrong |= !fp_state_same(&found, &changes->current);
    fp_state_set(&changes->states->state[changes->calls++ % changes->states->count]);
    changes->current = fp_state_get();
}

static void change_in_trace(void *user, const pto_program_step *step) {
    (void)step;
    change_state(user);
}

static bool change_in_stop(void *user) {
    change_state(user);
    return false;
}

/* Runs a program with these callbacks in the current FP state, and returns the program, or NULL after an
 * error. Its results would be different if the FP state had an effect. */
static pto_program *run_with_callbacks(const pto_program_options *options) {
    static const float tiny = 1e-40F, one = 1, half_ulp = 0x1p-25F;
    pto_program *program =
        pto_program_new("add.f32 a, t, t; max.f32 a, a, t; add.f32 s, i, h;", *options, NULL);
    const pto_status statuses[] = {
        pto_program_bind(program, "t", PTO_F32, &tiny, 1), pto_program_bind(program, "i", PTO_F32, &one, 1),
        pto_program_bind(program, "h", PTO_F32, &half_ulp, 1), pto_program_run(program, STATE_RUN_LANES)};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        if (statuses[i] != PTO_OK) {
            pto_program_free(program);
            return NULL;
        }
    return program;
}

/* Callbacks run in the caller's FP state. If they change this state, the change does not affect the results,
 * and remains after the run. */
void interface_callback_state(void **state) {
    const struct fp_state before = fp_state_get();
    struct fp_states *states = harness_allocate(sizeof *states);
    (void)state;
    fp_states_collect(states, harness_quick());
    for (int callbacks = 1; callbacks < 4; callbacks++) { /* trace, stop, or both */
        struct state_changes changes = {.states = states, .current = states->state[states->count - 1]};
        const pto_program_options options = {.language = PTO_PROGRAM_PTX,
                                             .trace = callbacks & 1 ? change_in_trace : NULL,
                                             .stop = callbacks & 2 ? change_in_stop : NULL,
                                             .user = &changes};
        pto_program *program;
        struct fp_state after;
        const uint32_t *a, *s;
        fp_state_set(&changes.current);
        changes.current = fp_state_get();
        program = run_with_callbacks(&options);
        after = fp_state_get();
        fp_state_set(&before);
        assert_non_null(program);
        assert_true(changes.calls > 30);
        if (changes.wrong) fail_msg("callbacks %d: one does not see the caller's state", callbacks);
        if (!fp_state_same(&after, &changes.current))
            fail_msg("callbacks %d: the last change is lost", callbacks);
        a = value(program, "a", PTO_F32, STATE_RUN_LANES);
        s = value(program, "s", PTO_F32, STATE_RUN_LANES);
        for (size_t i = 0; i < STATE_RUN_LANES; i++)
            if (a[i] != 2 * 0x000116c2 || s[i] != 0x3f800000)
                fail_msg("callbacks %d, lane %zu: 0x%08x, 0x%08x", callbacks, i, (unsigned)a[i],
                         (unsigned)s[i]);
        pto_program_free(program);
    }
    harness_free(states);
}

/* %tid.x and %laneid give the lane number, through mov and cvt, over several blocks. */
void interface_lane_numbers(void **state) {
    enum { LANES = 4500 };
    pto_program *program = example_program(
        "mov.u32 t, %tid.x; mov.b16 l, %tid.x; cvt.u64.u32 w, %tid.x;\n"
        "mov.u32 s, %laneid; cvt.rn.f32.u32 f, s; setp.lt.u32 p, t, 2; @p mov.u32 t, %laneid;");
    const uint32_t *t;
    const uint16_t *l;
    const uint64_t *w;
    const float *f;
    (void)state;
    OK(pto_program_run(program, LANES));
    t = value(program, "t", PTO_U32, LANES);
    l = value(program, "l", PTO_B16, LANES);
    w = value(program, "w", PTO_U64, LANES);
    f = value(program, "f", PTO_F32, LANES);
    for (uint32_t i = 0; i < LANES; i++)
        if (t[i] != i || l[i] != (uint16_t)i || w[i] != i || f[i] != (float)i)
            fail_msg("lane %u", (unsigned)i);
    pto_program_free(program);
}
