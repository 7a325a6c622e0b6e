/* SPDX-License-Identifier: MIT */
/* Tests the error messages of invalid PTO texts: the position and what was expected. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include "pto/program.h"

#include <stdio.h>
#include <string.h>

struct wrong {
    const char *text;
    size_t line, column;
    const char *word, *expected; /* `expected` is a part of the message */
};

#define VF32 "!pto.vreg<64xf32>"
#define B32  "!pto.mask<b32>"

static const struct wrong wrongs[] = {
    {"/* pto.vcmp", 1, 1, "/*", "this comment has no end"},
    {"%m = pto.vcmpp %a, %b\n // */\n /* no end", 3, 2, "/*", "this comment has no end"},
    {"%m = pto.vcmpp %a, %b", 1, 6, "pto.vcmpp", "perhaps pto.vcmp"},
    {"%m = pto.pset_b64 \"PAT_ALL\"", 1, 6, "pto.pset_b64", "pto.pset_b8, _b16 or _b32"},
    {"%m = pto.pest_b32 \"PAT_ALL\"", 1, 6, "pto.pest_b32", "perhaps pto.pset_b8, _b16 or _b32"},
    {"%m = pto.vesl %a", 1, 6, "pto.vesl", "perhaps pto.vsel"},
    {"%m = pto.vdintvl %a", 1, 6, "pto.vdintvl", "perhaps pto.vdintlv"},
    {"%m = pto.vfoo %a", 1, 6, "pto.vfoo", "unknown operation"},
    /* operations of PTO that no program, or only kernels, can have; no similar name is suggested */
    {"%m = pto.tmatmul %a", 1, 6, "pto.tmatmul", "programs here do not"},
    {"%m = pto.vdiv %a, %b", 1, 6, "pto.vdiv", "only kernels can have it"},
    {"%m = pto.vcadd %a", 1, 6, "pto.vcadd", "only kernels can have it"},
    {"%m = pto.vmula %a", 1, 6, "pto.vmula", "only kernels can have it"},
    {"%m = pto.vcmax %a", 1, 6, "pto.vcmax", "only kernels can have it"},
    {"%m = pto.vldsx2 %a", 1, 6, "pto.vldsx2", "only kernels can have it"},
    {"%m = pto.vshls %a", 1, 6, "pto.vshls", "only kernels can have it"},
    {"%m = \"pto.vcmp\"(%a)", 1, 6, "\"pto.vcmp\"", "without quotes"},
    {"pto.vcmp", 1, 1, "pto.vcmp", "expected 3 operands; 0 stand here"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\"", 1, 6, "pto.vcmp", "expected types after the operands"},
    {"%m = pto.vcmp %a, %b, %s : " VF32 ", " VF32 ", " B32, 1, 6, "pto.vcmp", "a word in quotes"},
    {"%m = pto.vcmp %a, %b, %s, \"lo\" : " VF32 ", " VF32 ", " B32 " -> " B32, 1, 27, "\"lo\"", "eq, ne, lt"},
    {"%m = pto.vcmp %a, %b, %s, %t, \"lt\"", 1, 27, "%t", "expected 3 operands of pto.vcmp"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\" :\n  " VF32 ", !pto.vreg<64xi32>, " B32 " -> " B32, 2, 22,
     "!pto.vreg<64xi32>", "elements of f32, as %a has them; these are of i32"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\" : " VF32 ", " VF32 ", !pto.mask<b16> -> !pto.mask<b16>", 1, 72,
     "!pto.mask<b16>", "expected !pto.mask<b32> here; this is !pto.mask<b16>"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\" : " VF32 ", " VF32 ", " B32 " -> !pto.mask<b8>", 1, 90,
     "!pto.mask<b8>", "expected !pto.mask<b32> here; this is !pto.mask<b8>"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\" : " VF32 ", " VF32, 1, 53, VF32, "expected 3 types"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\" : " VF32 ", " VF32 ", " B32 ", f32", 1, 88, "f32", "expected 3 types"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\" : !pto.vreg<32xf32>, " VF32, 1, 44, "32xf32", "256 bytes"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\" : !pto.vreg<64xf33>, " VF32, 1, 47, "f33", "a type of elements"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\" : !pto.vreg<f32>, " VF32, 1, 44, "f32", "the shape of a register"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\" : !pto.mask<b64>", 1, 44, "b64", "b8, b16 or b32"},
    {"%m = pto.vcmp %a, %b, %s, \"lt\" : !pto.tile<3>", 1, 35, "pto.tile", "expected a type"},
    {"%m = pto.vcmp %a %b", 1, 18, "%b", "expected ','"},
    {"%m = pto.vcmp %a, b", 1, 19, "b", "an operand, such as %a"},
    {"%x = pto.vexp %a : !pto.vreg<128xbf16> -> !pto.vreg<128xbf16>", 1, 6, "pto.vexp",
#ifdef PTO_NO_VMATH
     "SLEEF"
#else
     "pto.vexp does not take bf16"
#endif
    },
    {"%x = pto.vmul %a, %b, %m : !pto.vreg<256xi8>, !pto.vreg<256xi8>, !pto.mask<b8> -> !pto.vreg<256xi8>", 1,
     6, "pto.vmul", "pto.vmul does not take i8"},
    {"%a = pto.vbr %s : f32 -> " VF32 "\n%a = pto.vbr %s : f32 -> " VF32, 2, 1, "%a", "made in line 1"},
    {"%b = pto.vneg %a, %m : " VF32 ", " B32 "\n%a = pto.vbr %s : f32 -> " VF32, 2, 1, "%a",
     "read in line 1"},
    {"%b = pto.vneg %a, %m : " VF32 ", " B32 "\n%c = pto.vneg %m, %a", 2, 6, "pto.vneg", "expected types"},
    {"%b = pto.vneg %a, %m : " VF32 ", " B32 "\n%c = pto.vneg %a, %b", 2, 19, "%b",
     "expected !pto.mask<b32>; this is"},
    {"%r = pto.vselr %a, %b : " VF32 ", " VF32, 1, 6, "pto.vselr",
     "a third operand, or one that an operation above"},
    {"%p = pto.pset_b8 \"PAT_ALL\"\n%r = pto.vselr %a, %b : " VF32 ", " VF32, 2, 6, "pto.vselr",
     "the mask made last, %p, is !pto.mask<b8>"},
    {"%r = pto.vselr %a, %b : !pto.vreg<64xi32>, !pto.vreg<64xi32>", 1, 6, "pto.vselr", "another sign"},
    {"%r = pto.vselr %a, %b : " VF32 ", !pto.vreg<128xi16>", 1, 20, "%b", "numbers of lanes"},
    {"%p = pto.pset_b32 \"PAT_VL128\"", 1, 19, "\"PAT_VL128\"", "at most 64 lanes"},
    {"%p = pto.pset_b32 \"PAT_VL5\"", 1, 19, "\"PAT_VL5\"", "PAT_ALL, PAT_ALLF"},
    {"%p = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b16>", 1, 31, "!pto.mask<b16>",
     "expected !pto.mask<b32> here"},
    {"%p = pto.pset_b32 \"PAT_ALL", 1, 19, "\"PAT_ALL", "at the end of the word"},
    {"%p = pto.plt_b32 %n : i32 -> " B32 ", i32", 1, 6, "pto.plt_b32",
     "expected 2 results of it; 1 stand here"},
    {"%p = pto.ppack %m, \"UPPER\" : " B32, 1, 20, "\"UPPER\"", "LOWER or HIGHER"},
    {"%p = pto.pbitcast %m : " B32, 1, 6, "pto.pbitcast", "the lanes of the result"},
    {"%p = pto.pand %a, %b, %c", 1, 6, "pto.pand", "such as : !pto.mask<b32>"},
    {"%y = pto.vcvt %x, %m {rnd = \"R\"} : " VF32 ", " B32, 1, 6, "pto.vcvt", "the type of the result"},
    {"%y = pto.vcvt %x, %m : " VF32 ", " B32 " -> !pto.vreg<128xf16>", 1, 6, "pto.vcvt", "{part = \"EVEN\"}"},
    {"%y = pto.vcvt %x, %m {part = \"P0\"} : " VF32 ", " B32 " -> !pto.vreg<128xf16>", 1, 30, "\"P0\"",
     "EVEN or ODD"},
    {"%y = pto.vcvt %x, %m {part = \"EVEN\"} : " VF32 ", " B32 " -> !pto.vreg<64xi32>", 1, 23, "part",
     "no part"},
    {"%y = pto.vcvt %x, %m {rnd = \"N\"} : " VF32 ", " B32 " -> !pto.vreg<64xi32>", 1, 29, "\"N\"",
     "R, A, F, C, Z or O"},
    {"%y = pto.vcvt %x, %m {rnd = \"F\"} : !pto.vreg<128xf16>, !pto.mask<b16> -> " VF32, 1, 29, "\"F\"",
     "another rnd"},
    {"%y = pto.vcvt %x, %m {sat = \"SAT\"} : !pto.vreg<64xi32>, " B32 " -> " VF32, 1, 29, "\"SAT\"",
     "no SAT"},
    {"%y = pto.vcvt %x, %m {round = \"R\"} : " VF32 ", " B32 " -> " VF32, 1, 23, "round",
     "expected rnd, sat, part"},
    {"%y = pto.vcvt %x, %m {rnd = \"R\", rnd = \"R\"} : " VF32 ", " B32 " -> " VF32, 1, 34, "rnd", "once"},
    {"%y = pto.vcvt %x, %m : " VF32 ", " B32 " -> !pto.vreg<64xui32>", 1, 61, "!pto.vreg<64xui32>",
     "no vcvt from f32 to ui32"},
    {"%v = pto.vlds %x : !pto.ptr<f32, ub> -> " VF32, 1, 15, "%x", "an offset after the array"},
    {"%v = pto.vlds %x[%c64] : !pto.ptr<f32, ub> -> " VF32, 1, 18, "%c64", "expected the offset 0"},
    {"%v = pto.vlds %x[%i] {dist = \"DS_B8\"} : !pto.ptr<f32, ub> -> " VF32, 1, 30, "\"DS_B8\"",
     "NORM, UNPK_B8"},
    {"%v = pto.vlds %x[%i] {dist = \"UNPK_B16\"} : !pto.ptr<f32, ub> -> " VF32, 1, 6, "pto.vlds",
     "elements of 16 bits"},
    {"scf.for %i = %c0 to %c256 step %c32 {\n  %v = pto.vlds %x[%i] : !pto.ptr<f32, ub> -> " VF32 "\n}", 2,
     20, "%i", "goes on by 64, a register; this one does by 32"},
    {"scf.for %i = %c0 to %c256 step %s {\n}", 1, 32, "%s", "a step that is a constant"},
    {"scf.for %i = %c0 to %c256 step %c64 {\n  %v = pto.vlds %x[%j] : !pto.ptr<f32, ub> -> " VF32 "\n}", 2,
     20, "%j", "made of the loop's variable"},
    {"scf.for %i = %c0 to %c4 step %c1 {\n scf.for %j = %c0 to %c4 step %c1 {\n } }", 2, 2, "scf.for",
     "one loop"},
    {"scf.for %i = %c0 to %c4 step %c1 iter_args(%r = %n) -> (i32) {\n scf.yield %n : i32\n}", 2, 12, "%n",
     "what pto.plt leaves of %r"},
    {"scf.for %i = %c0 to %c4 step %c1 iter_args(%r = %n) -> (i32) {\n}", 2, 1, "}",
     "scf.yield with 1 values"},
    {"%v = pto.vlds %x[%i] : !pto.ptr<f16, ub> -> !pto.vreg<128xf16>\n"
     "%w = pto.vlds %x[%i] {dist = \"UNPK_B16\"} : !pto.ptr<f16, ub> -> !pto.vreg<128xf16>",
     2, 15, "%x", "as many elements for a register as above, 128"},
    {"scf.for %i = %c64 to %c256 step %c64 {\n  %v = pto.vlds %x[%i] : !pto.ptr<f32, ub> -> " VF32 "\n}", 2,
     20, "%i", "begins at 0, not at 64"},
    {"scf.for %i = %c0 to %c4 step %c1 iter_args(%r = %n) -> (i32) {\n"
     " %v = pto.vadds %x, %r, %m : !pto.vreg<64xi32>, i32, " B32,
     2, 21, "%r", "the same in each register"},
    {"%v = pto.vneg %x[%i] : " VF32, 1, 18, "%i", "no offset"},
    {"func.func @f() {\n}\nfunc.func @g() {\n}", 3, 11, "@", "one function"},
    {"%v = pto.vlds %x[%i] : !pto.ptr<f32, ub> -> " VF32 "\nscf.for %i = %c0 to %c4 step %c1 {\n}", 1, 15,
     "%x", "only in the loop"},
    {"scf.for %i = %c0 to %c4 step %c1 {\n}\n%v = pto.vlds %x[%c0] : !pto.ptr<f32, ub> -> " VF32, 3, 15, "%x",
     "only in the loop"},
    {"%r = scf.for %i = %c0 to %c4 step %c1 {\n}\n%v = pto.vbr %r : f32 -> " VF32, 3, 14, "%r",
     "this is index"},
    {"%x = arith.index_cast %y : index to i32", 1, 23, "%y", "a scalar of the same width"},
    {"%p = pto.ppack %m, \"LOWER\" : " B32 " -> " VF32, 1, 48, VF32, "expected a mask"},
    {"%d = pto.vdup %x {position = \"FIRST\"} : " VF32 " -> " VF32, 1, 30, "\"FIRST\"", "LOWEST or HIGHEST"},
    {"%z = pto.vadd %x, %y : !pto.vreg<64xi32>, !pto.vreg<64xi32> -> !pto.vreg<64xui32>", 1, 64,
     "!pto.vreg<64xui32>", "expected !pto.vreg<64xi32> here"},
    {"scf.yield %n : i32", 1, 1, "scf.yield", "a loop around"},
    {"func.func @f(%a: !pto.ptr<f32, ub>) {\n", 2, 1, "", "expected '}'"},
    {"}", 1, 1, "}", "no scope is open"},
    {"%x = arith.constant 1.5 : i32", 1, 21, "1.5", "an integer"},
    {"%x = arith.divui %a, %b : index", 1, 6, "arith.divui", "arith.constant, addi"},
    {"%x = linalg.add %a, %b", 1, 6, "linalg.add", "an operation of pto"},
    {"%a, %b, %c = pto.vintlv %d, %e", 1, 9, "%c", "at most 2 results"},
};

static void wrong_texts(void **state) {
    size_t failures = 0;
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        const struct wrong *w = &wrongs[i];
        const pto_program_options options = {.language = PTO_PROGRAM_PTO};
        pto_program_error error;
        pto_program *p = pto_program_new(w->text, options, &error);
        if (p || error.line != w->line || error.column != w->column || strcmp(error.word, w->word) != 0 ||
            !strstr(error.text, w->expected)) {
            print_error("%s\n  gives %zu:%zu '%s': %s\n", w->text, error.line, error.column, error.word,
                        error.text);
            failures++;
        }
        pto_program_free(p);
    }
    assert_int_equal(failures, 0);
}

/* Parsing must not crash if the text ends at any byte. */
static void cut_off(void **state) {
    static const char program[] =
        "func.func @f(%x: !pto.ptr<f32, ub>, %n: i32) attributes {pto.kernel} {\n"
        "  %c = arith.constant 1.000000e+00 : f32\n"
        "  scf.for %i = %c0 to %c256 step %c64 iter_args(%r = %n) -> (i32) {\n"
        "    %m, %next = pto.plt_b32 %r : i32 -> !pto.mask<b32>, i32\n"
        "    %v = pto.vlds %x[%i] {dist = \"NORM\"} : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
        "    %w = pto.vcvt %v, %m {rnd = \"R\", part = \"ODD\"} : !pto.vreg<NxT>, !pto.mask<G> -> "
        "!pto.vreg<128xf16>\n"
        "    scf.yield %next : i32\n"
        "  }\n"
        "}\n";
    static char text[sizeof program];
    (void)state;
    for (size_t length = 0; length < sizeof program; length++) {
        memcpy(text, program, length);
        text[length] = 0;
        pto_program_free(pto_program_new(text, (pto_program_options){.language = PTO_PROGRAM_PTO}, NULL));
    }
}

static void unbound(void **state) {
    pto_program *p =
        pto_program_new("%b = pto.vneg %a, %m : " VF32 ", " B32 "\n", (pto_program_options){0}, NULL);
    (void)state;
    assert_non_null(p);
    assert_status(pto_program_run(p, 4), PTO_ERR_PARSE);
    assert_string_equal(pto_program_problem(p)->word, "%a");
    assert_int_equal(pto_program_problem(p)->line, 1);
    pto_program_free(p);
}

/* The number of lanes of a run must match the constant bounds of a loop. */
static void loop_bounds(void **state) {
    static const struct {
        const char *before, *bounds;
        size_t registers;
    } loops[] = {
        {"", "%c0 to %c0 step %c64", 0},
        {"", "%c64 to %c0 step %c64", 0},
        {"", "%c64 to %c64 step %c1", 0},
        {"", "%c0 to %c1 step %c64", 1},
        {"", "%c0 to %c64 step %c64", 1},
        {"", "%c0 to %c65 step %c64", 2},
        {"%n = arith.constant -64 : index\n", "%c0 to %n step %c64", 0},
        {"%n = arith.subi %c0, %c1 : index\n", "%c0 to %n step %c1", 0},
        {"%n = arith.subi %c2, %c1 : index\n", "%c0 to %n step %c1", 1},
        {"%n = arith.constant -9223372036854775808 : i64\n", "%c0 to %n step %c64", 0},
        /* the largest index plus one is the smallest index, and a multiple of 2^64 is 0 */
        {"%m = arith.constant 9223372036854775807 : index\n%n = arith.addi %m, %c1 : index\n",
         "%c0 to %n step %c64", 0},
        {"%m = arith.constant 4294967296 : index\n%n = arith.muli %m, %m : index\n", "%c0 to %n step %c64",
         0},
        {"%m = arith.constant 4611686018427387904 : index\n%k = arith.muli %m, %c4 : index\n"
         "%n = arith.addi %k, %c192 : index\n",
         "%c0 to %n step %c64", 3},
        {"%m = arith.constant -9223372036854775808 : index\n%n = arith.muli %m, %m : index\n",
         "%c0 to %n step %c64", 0},
        {"%m = arith.constant -9223372036854775808 : index\n%n = arith.subi %m, %c1 : index\n"
         "%k = arith.addi %n, %m : index\n",
         "%k to %c63 step %c64", 1},
    };
    static const float x[256];
    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        char text[600];
        pto_program *p;
        (void)snprintf(text, sizeof text,
                       "%s%%all = pto.pset_b32 \"PAT_ALL\" : " B32 "\nscf.for %%i = %s {\n"
                       "  %%v = pto.vadds %%x, %%one, %%all : " VF32 ", f32, " B32 " -> " VF32 "\n}\n",
                       loops[i].before, loops[i].bounds);
        p = pto_program_new(text, (pto_program_options){0}, NULL);
        assert_non_null(p);
        assert_status(pto_program_bind(p, "%one", PTO_F32, x, 1), PTO_OK);
        for (size_t registers = 0; registers <= 4; registers++) {
            const size_t lanes = 64 * registers;
            const pto_status wanted = registers == loops[i].registers ? PTO_OK : PTO_ERR_SIZE;
            assert_status(pto_program_bind(p, "%x", PTO_F32, x, lanes), PTO_OK);
            if (pto_program_run(p, lanes) != wanted)
                fail_msg("%s%s over %zu registers: %s", loops[i].before, loops[i].bounds, registers,
                         pto_program_problem(p)->text);
        }
        pto_program_free(p);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_texts),
        cmocka_unit_test(cut_off),
        cmocka_unit_test(unbound),
        cmocka_unit_test(loop_bounds),
    };
    return harness_end(cmocka_run_group_tests_name("pto_errors", tests, NULL, NULL));
}
