/* SPDX-License-Identifier: MIT */
/* Tests the error messages of invalid PTX texts: the position, the word and the message. */
#include "program/example.h"
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *text;
    size_t line, column;
    const char *word, *says;
} bad[] = {
    /* instructions and their words */
    {"add.s32 d, a, b;\nfoo.s32 d, a, b;", 2, 1, "foo.s32",
     "known are setp set cvt selp slct mov and or xor not"},
    {"ld.global.f32 f, [a];", 1, 1, "ld.global.f32", "known are setp set cvt"},
    {"add.sat2.s32 d, a, b;", 1, 5, "sat2.s32", "expected a type or a modifier"},
    {"  add.ftz.ftz.f32 d, a, b;", 1, 11, "ftz.f32", "twice"},
    {"setp.lt.ftz.ftz.f32 p, a, b;", 1, 13, "ftz.f32", ""},
    {"setp.lt.b32 p, a, b;", 1, 6, "lt.b32", ""},
    {"cvt.f16.f32 d, a;", 1, 5, "f16.f32", "needs a rounding"},
    {"add.u8 d, a, b;", 1, 1, "add.u8", "does not take .u8"},
    {"add.pred p, q, r;", 1, 1, "add.pred", ".pred"},
    {"setp p, a, b;", 1, 1, "setp", ""},
    {"cvt d, a;", 1, 1, "cvt", ""},
    {"add d, a, b;", 1, 1, "add", "expected 1 type"},
    {"add.s32.s32 d, a, b;", 1, 1, "add.s32.s32", "expected 1 type"},
    {"mul.s32 d, a, b;", 1, 1, "mul.s32", "mul.lo"},
    {"fma.f32 d, a, b, c;", 1, 1, "fma.f32", ".rn"},
    {"add.rz.f16 d, a, b;", 1, 1, "add.rz.f16", "a modifier"},
    {"add.rn.rz.f32 d, a, b;", 1, 1, "add.rn.rz.f32", "a modifier"},
    {"add.sat.f64 d, a, b;", 1, 1, "add.sat.f64", "a modifier"},
    {"fma.rn.sat.relu.f16 d, a, b, c;", 1, 1, "fma.rn.sat.relu.f16", "a modifier"},
    {"add.rna.f32 d, a, b;", 1, 5, "rna.f32", "expected a type or a modifier"},
    {"mul.f32.f16 d, a, b;", 1, 1, "mul.f32.f16", "expected another type"},
    {"div.f32 d, a, b;", 1, 1, "div.f32", ".rn"},
    {"ex2.f32 d, a;", 1, 1, "ex2.f32", ".approx"},
    {"ex2.approx.bf16 d, a;", 1, 1, "ex2.approx.bf16", "one is missing"},
    {"add.f32.f16 d, 1.0, b;", 1, 16, "1.0", "expected a register of type .f16"},
    {".reg .f64 d;\nadd.f32x2 d, a, b;", 2, 11, "d", "untyped bits"},
    {"testp.normal.f16 p, a;", 1, 1, "testp.normal.f16", "one class and one type"},
    {"testp.f32 p, a;", 1, 1, "testp.f32", "one class and one type"},
    {"testp.normal.f32 _, a;", 1, 18, "_", "expected a predicate"},
    {"max.f16 d, a, b, c;", 1, 1, "max.f16", "only min and max of .f32"},
    {"max.xorsign.abs.f32 d, a, b, c;", 1, 5, "xorsign.abs.f32", "expected a type or a modifier"},
    {"add.ftz.bf16 d, a, b;", 1, 1, "add.ftz.bf16", "modifier"},
    {"add.ftz.s32 d, a, b;", 1, 5, "ftz.s32", "modifier"},
    {"add.relu.s32 d, a, b;", 1, 1, "add.relu.s32", "does not exist"},
    {"bmsk.b32 d, a, b;", 1, 1, "bmsk.b32", "needs another modifier"},
    {"bmsk.wrap.wrap.b32 d, a, b;", 1, 11, "wrap.b32", "twice"},
    {"mul .lo.s32 d, a, b;", 1, 1, "mul.lo.s32", "expected one of mul.lo mul.hi mul.wide"},
    {"add .sat2.s32 d, a, b;", 1, 6, "sat2.s32", "expected a type or a modifier"},
    {"add.ftz /* . */ .ftz .f32 d, a, b;", 1, 18, "ftz.f32", "twice"},
    {"add. /* . */ .s32 d, a, b;", 1, 14, ".s32", "expected a type or a modifier"},
    {"add .rn // .\n  .ftz2\n .f32 d, a, b;", 2, 4, "ftz2.f32", "expected a type or a modifier"},
    {"mul.s32.lo d, a, b;", 1, 1, "mul.s32.lo", "expected one of"},
    {"dp4a.u32 d, a, b, c;", 1, 1, "dp4a.u32", "expected 2 types"},
    {"lop3.or.b32 d, a, b, c, 1, p;", 1, 13, "d", "d|p"},
    {"lop3.b32 d, a, b, c, e;", 1, 22, "e", "a constant integer"},
    {"bfe.u32 d, a, 256, 1;", 1, 15, "256", "0 to 255"},
    {"min.s16x2 d, a, 1;", 1, 17, "1", "no constants"},
    {".reg .u32 u;\nmin.s16x2 u, u, u;", 2, 11, "u", ".u32"},
    {".reg .f16x2 u;\nshl.b32 d, d, u;", 2, 15, "u", ".f16x2"},
    {"cvt.rs.f16x2.f32 d, a, b, 5;", 1, 27, "5", "expected a register"},
    {"cvt.pack.sat.s16.s32 d, %laneid, b;", 1, 25, "%laneid", "special registers"},
    {"max.NaN.f64 d, a, b;", 1, 1, "max.NaN.f64", "modifier"},
    {"selp.f16 d, a, b, p;", 1, 1, "selp.f16", "does not take .f16"},
    {"selp.ftz.f32 d, a, b, p;", 1, 1, "selp.ftz.f32", "modifier"},
    {"slct.f32.u32 d, a, b, c;", 1, 1, "slct.f32.u32", ".s32 or .f32"},
    {"slct.ftz.f32.s32 d, a, b, c;", 1, 1, "slct.ftz.f32.s32", ".ftz"},
    {"and.ftz.pred p, q, r;", 1, 1, "and.ftz.pred", "no more words"},
    {"not.b32.pred p, q;", 1, 9, "pred", "expected a type or a modifier"},
    /* types of registers */
    {".reg .f32 f;\nadd.s32 d, f, 1;", 2, 12, "f", "goes with .s32; this one is .f32"},
    {".reg .b16 h;\nadd.s32 d, d, h;", 2, 15, "h", "this one is .b16"},
    {".reg .s64 l;\n\n  add.s32 l, d, d;", 3, 11, "l", "this one is .s64"},
    {".reg .f16 h;\nadd.bf16 h, h, h;", 2, 10, "h", ".bf16; this one is .f16"},
    {".reg .u16 h;\ncvt.rn.f16x2.e4m3x2 d, h;", 2, 24, "h", "untyped bits"},
    {".reg .f32 s;\nshl.b32 d, a, s;", 2, 15, "s", ".u32; this one is .f32"},
    {"add.f32 d, a, b;\nadd.s32 e, d, d;", 2, 12, "d", "this one is .f32"},
    {"add.s32 d, a, b;\nadd.s64 d, e, e;", 2, 9, "d", "this one is .s32"},
    {"setp.eq.s32 p, a, b;\nadd.s32 d, p, p;", 2, 12, "p", "not a predicate"},
    {"setp.eq.s32 p, a, b;\nselp.b32 p, a, b, p;", 2, 10, "p", "not a predicate"},
    {"add.s32 d, a, b;\n@d add.s32 d, a, b;", 2, 2, "d", "expected a predicate"},
    {"add.s32 d, a, b;\nsetp.eq.s32 d, a, b;", 2, 13, "d", "expected a predicate"},
    {"setp.eq.s32 p|q, a, b; mov.b32 {p, q}, a;", 1, 33, "p", ""},
    /* operands */
    {"add.s32 d, a, b", 1, 16, "", "expected ';'"},
    {"add.s32 d, a, b\nadd.s32 d, a, b;", 2, 1, "add.s32", "expected ';'"},
    {"add.s32 d, a;", 1, 13, ";", "expected 3 operands"},
    {"add.s32 d, a, b, c;", 1, 18, "c", "expected 3 operands"},
    {"setp.eq.s32 p, a;", 1, 17, ";", "expected 3 operands"},
    {"setp.eq.and.s32 p, a, b;", 1, 24, ";", "expected 4 operands"},
    {"setp.eq.s32 p, a, b, q;", 1, 22, "q", "expected 3 operands"},
    {"selp.b32 d, a, b;", 1, 17, ";", "expected 4 operands"},
    {"cvt.f32.f16 d;", 1, 14, ";", "operands"},
    {"cvt.rn.f16x2.f32 d, a;", 1, 22, ";", "operands"},
    {"cvt.rs.f16x2.f32 d, a, b;", 1, 25, ";", "operands"},
    {"cvt.rs.satfinite.e4m3x4.f32 d, {a, b, c}, r;", 1, 32, "{", "{a, b, e, f}"},
    {"add.s32 d, a, ;", 1, 15, ";", "expected an operand"},
    {"add.s32 d, a b;", 1, 14, "b", "expected 3 operands"},
    {"add.s32 5, a, b;", 1, 9, "5", "expected a register to write"},
    {"add.s32 _, a, b;", 1, 9, "_", "expected a register to write"},
    {"add.s32 d, _, b;", 1, 12, "_", "expected a register or a number"},
    {"mov.b32 d, {_, _};", 1, 12, "{", "other than _"},
    {"mov.b32 {a, 1}, d;", 1, 13, "1", "a register to write"},
    {"mov.u16 d, %laneid;", 1, 12, "%laneid", "special registers"},
    {"mov.b32 {a, b, c}, d;", 1, 9, "{", "two or four parts"},
    {"mov.f32 {a, b}, d;", 1, 9, "{", "untyped"},
    {"mov.b32 {a, b, d;", 1, 17, ";", "expected '}'"},
    {"add.s32 d, !a, b;", 1, 13, "a", "expected a register or a number"},
    {"add.s32 d, -a, b;", 1, 13, "a", "expected an operand"},
    {"add.s32 d, a|b, c;", 1, 12, "a", "expected a register or a number"},
    {"setp.eq.s32 p|p, a, b;", 1, 15, "p", "another predicate"},
    {"setp.eq.s32 p|q|r, a, b;", 1, 13, "p", "p|q"},
    {"setp.eq.f16 p|q, a, b;", 1, 15, "q", "one predicate"},
    {"setp.eq.s32 !p, a, b;", 1, 14, "p", "p|q"},
    {"setp.eq.s32 1, a, b;", 1, 13, "1", "p|q"},
    {"setp.eq.and.s32 p, a, b, _;", 1, 26, "_", "expected a predicate"},
    {"selp.b32 d, a, b, _;", 1, 19, "_", "expected a predicate"},
    {"setp.eq.s32 %tid.x, a, b;", 1, 13, "%tid.x", "expected a predicate"},
    {"@%laneid add.s32 a, a, 1;", 1, 2, "%laneid", "expected a predicate"},
    {"mov.u32 %tid.x, a;", 1, 9, "%tid.x", "can be written"},
    {"add.u32 d, %tid.x, a;", 1, 12, "%tid.x", "only mov and cvt"},
    /* constants */
    {"add.s32 d, a, 1.5;", 1, 15, "1.5", "expected an integer"},
    {"add.s32 d, a, 0f3F800000;", 1, 15, "0f3F800000", "expected an integer"},
    {"add.f32 d, a, 1;", 1, 15, "1", "expected a number with a point"},
    {"add.f32 d, a, 0x3f800000;", 1, 15, "0x3f800000", "expected a number with a point"},
    {"add.f32 d, a, 0f3F8;", 1, 15, "0f3F8", ""},
    {"add.f16 d, a, 0x3c00;", 1, 15, "0x3c00", "no constants"},
    {"add.f16 d, a, 1.0;", 1, 15, "1.0", "no constants"},
    {"add.s32 d, a, 5u;", 1, 15, "5u", "expected an integer"},
    {"add.s32 d, a, (1 + 2;", 1, 21, ";", "expected ')'"},
    {"add.s32 d, a, 1 / 0;", 1, 17, "/", "other than zero"},
    {"add.f32 d, a, 1.0 * 2;", 1, 19, "*", "two integers or two floats"},
    {"add.f32 d, a, 0f3f800000 + 1.0;", 1, 26, "+", "expected ';'"},
    {"add.f32 d, a, -0f3f800000;", 1, 16, "0f3f800000", "part of an expression"},
    {"add.s32 d, a, (.s64)1.5;", 1, 16, ".s64", "an integer to convert"},
    {"add.s32 d, a, ~1.5;", 1, 15, "~", "an integer"},
    {"add.s32 d, a, 1.5 ? 1 : 2;", 1, 15, "1.5", "an integer as the condition"},
    {"add.s32 d, a, 1 ? 1 : 2.0;", 1, 15, "1", "two integers or two floats"},
    {"add.s32 d, a, (.s32)1;", 1, 16, ".s32", "expected an operand"},
    {"add.s32 d, a, 12x;", 1, 15, "12x", "expected an integer"},
    {"add.s32 d, a, 0b12;", 1, 15, "0b12", "expected an integer"},
    {"add.s32 d, a, 09;", 1, 15, "09", "expected an integer"},
    {"add.s32 d, a, 99999999999999999999;", 1, 15, "99999999999999999999", "64 bits"},
    {"add.f32 d, a, 1.5.2;", 1, 15, "1.5.2", "1.5 or"},
    /* jumps */
    {"@p bra DONE;\nadd.s32 d, a, 1;", 1, 8, "DONE", "label that follows"},
    {"AGAIN: add.s32 d, d, 1;\n  @p bra AGAIN;", 2, 10, "AGAIN", "backwards"},
    {"bra ;", 1, 5, ";", "expected a label"},
    {"L: add.s32 d, d, 1;\nL: ret;", 2, 1, "L", "already"},
    {"@p bra L\nL:", 2, 1, "L", "expected ';'"},
    {"ret", 1, 4, "", "expected ';'"},
    {"@ add.s32 d, a, b", 1, 11, "d", "unknown instruction"},
    {"@!!p add.s32 d, a, b;", 1, 3, "!", "expected a predicate"},
    /* declarations and scopes */
    {".reg .b32 a, a;", 1, 14, "a", "already"},
    {".reg .b32 a;\n{ .reg .b32 a; }\n.reg .f32 a;", 3, 11, "a", "already"},
    {".reg .b32 %r<4>, %r3;", 1, 18, "%r3", "already"},
    {".reg .b32 %r3, %r<4>;", 1, 16, "%r", "register %r3 is there already"},
    {".reg .b32 %r<5>; mov.b32 d, %r7;", 1, 29, "%r7", "fewer are"},
    {".reg .b32 r1<5>; { mov.b32 r15, a; }", 1, 28, "r15", "fewer are"},
    {".reg .b32 r<0>; @r0 mov.b32 d, a;", 1, 18, "r0", "fewer are"},
    {".reg .align 3 .b32 a;", 1, 13, "3", "power of two"},
    {".reg .v2 .align 8 .b32 a;", 1, 10, ".align", "type of registers"},
    {".reg .v3 .b32 a;", 1, 6, ".v3", "type of registers"},
    {".reg .v2 .pred a;", 1, 10, ".pred", "type of registers"},
    {".reg .v4 .b64 a;", 1, 10, ".b64", "at most 128 bits"},
    {".reg .v2 .f32 a; .reg .f32 a;", 1, 28, "a", "already"},
    {".reg .v2 .f32 q; add.f32 d, q, a;", 1, 29, "q", "expected a register"},
    {".reg .v2 .f32 q; mov.b64 d, {q, a};", 1, 30, "q", "not a vector"},
    {".reg .v2 .f32 q; mov.v4.f32 {a, b, c, d}, q;", 1, 43, "q", "a vector of 4 registers"},
    {".reg .v2 .f32 q; mov.f32 q, a;", 1, 26, "q", "an untyped mov"},
    {"mov.v4.b64 {a, b, c, d}, {a, b, c, d};", 1, 1, "mov.v4.b64", "at most 128 bits"},
    {"mov.v2.pred {p, q}, {q, p};", 1, 8, "pred", "a type such as"},
    {"mov.v2.b32 {1, a}, {a, b};", 1, 13, "1", "a register to write"},
    {".reg .x32 a;", 1, 6, ".x32", "type of registers"},
    {".reg .bf16 a;", 1, 6, ".bf16", "type of registers"},
    {".reg .e4m3 a;", 1, 6, ".e4m3", "type of registers"},
    {".reg b32 a;", 1, 6, "b32", "type of registers"},
    {".reg .b32 ;", 1, 11, ";", "expected a name"},
    {".reg .b32 a", 1, 12, "", "expected ';'"},
    {".reg .b32 %r<;", 1, 14, ";", "number of registers"},
    {".reg .b32 %r<9999999>;", 1, 14, "9999999", "number of registers"},
    {".reg .b32 %r<4;", 1, 15, ";", "expected '>'"},
    {".reg .u32 %tid.x;", 1, 11, "%tid.x", "expected a name"},
    {".reg .pred _;", 1, 12, "_", "expected a name"},
    {"{ add.s32 d, a, b; } }", 1, 22, "}", "no scope is open"},
    {"{ { add.s32 d, a, b; }", 1, 23, "", "expected '}'"},
    {"{ .reg .s32 x; mov.s32 x, 1; } add.f32 y, y, y;\nadd.s32 y, x, x;", 2, 9, "y", "this one is .f32"},
    /* ptxas takes neither */
    {"add.s32 d, a, b;;", 1, 17, ";", "expected an instruction"},
    {"setp.eq.s32 _|_, a, b;", 1, 15, "_", "one of both is written"},
    /* ptxas takes it, but PTX does not say which result stays */
    {"setp.eq.s32 p|p, a, b;", 1, 15, "p", "another predicate"},
    /* positions */
    {"/* no end", 1, 1, "/*", "this comment has no end"},
    {"add.s32 d, a, b;\n /* no end */ /*/", 2, 15, "/*", "this comment has no end"},
    {"oops; /*\n// no end *", 1, 7, "/*", "this comment has no end"},
    {"// one\n/* two\nthree */ add.s32 d, a, b; /* four */ oops;", 3, 38, "oops", "unknown instruction"},
    {"\tadd.s32 d,\r\n\ta,\n\t?;", 3, 2, "?", "expected an operand"},
    {"add.s32 d, a, b; \"text\"", 1, 18, "\"text\"", "expected an instruction"},
    {"an_instruction_with_a_name_of_more_bytes_than_the_word_has_room_for;", 1, 1,
     "an_instruction_with_a_name_of_more_bytes_than_t", "unknown instruction"},
};

static bool is_said(size_t i, const pto_program_error *error) {
    return error->line == bad[i].line && error->column == bad[i].column &&
           strcmp(error->word, bad[i].word) == 0 && strstr(error->text, bad[i].says) && error->text[0] != 0 &&
           !strchr(error->text, '\n');
}

void errors(void **state) {
    const pto_program_options options = {.language = PTO_PROGRAM_PTX};
    size_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        pto_program_error error;
        pto_program *program = pto_program_new(bad[i].text, options, &error);
        if (program) {
            printf("taken for a program: %s\n", bad[i].text);
            pto_program_free(program);
            wrong++;
        } else if (!is_said(i, &error)) {
            printf("%s\n  is %zu:%zu '%s' %s\n  not %zu:%zu '%s' %s\n", bad[i].text, error.line, error.column,
                   error.word, error.text, bad[i].line, bad[i].column, bad[i].word, bad[i].says);
            wrong++;
        }
        assert_null(pto_program_new(bad[i].text, options, NULL));
    }
    if (wrong != 0) fail_msg("%zu of them", wrong);
}

/* Valid texts that look like mistakes. Each also runs over 0 lanes. */
void good_texts(void **state) {
    static const char *const good[] = {
        "",
        "\n// nothing\n/* at all */\n",
        "...",
        ".reg.b32 w; .reg.align 8 .v2.f32 q; mov.b32 w, 1; mov.f32 q.x, q.y;",
        ".reg .align 4 .pred p; .reg .v4 .b8 q<2>; .reg .b32 r < 3 >, s<07>; mov.b32 r2, s6;",
        ".reg .v2 .f32 q; { .reg .f32 q; add.f32 q, q, q; } mov.v2.f32 q, q;",
        ".reg .v2 .f32 q; mov.v2.f32 q, {a, b}; mov.v2.f32 {q.g, _}, {q.r, 1.0};",
        "{ }",
        "{ { } { } }",
        "add.s32 d, a, b; /**//* an end **/",
        "setp.eq.s32 _, a, b; setp.eq.s32 _|q, a, b; setp.eq.s32 p|_, a, b;",
        "mov.b32 {_, hi}, a; mov.b32 c, {_, hi}; mov.b64 {a0, a1, a2, a3}, w;",
        "L1: L2: ret; L3:",
        "@p bra END; { bra END; } END: ...",
        ".reg .b32 a<0>, b; .reg .pred %p<3>; mov.pred %p2, %p0;",
        "{ .reg .f32 x; mov.f32 x, 1.0; } { .reg .s32 x; mov.s32 x, 1; } .reg .b16 x;",
        "add.rn.ftz.f32 d,a,b;add.ftz.rn.f32 d,a,b;",
        "add.s32 d, a, 0x7fffffff; add.s32 d, a, -0x1; add.s32 d, a, 12U;",
        "add.s32 d, a, 0b101; add.s32 d, a, 017; add.u64 l, l, 0xffffffffffffffff;",
        "mov.b32 d, 0f3f800000; mov.f32 f, 0F3F800000; mov.f64 g, 0D3ff0000000000000; mov.f64 g, 0f3f800000;",
        ".reg .b32 u; .reg .s32 s; add.u32 u, s, u; setp.lt.s32 p, u, s; selp.f32 u, u, u, p;",
        ".reg .b32 w; .reg .f32 f; mov.b32 w, f; selp.b32 w, f, w, 1; add.f16x2 w, w, w;",
        ".reg .b32 w; .reg .f32 f; setp.eq.b32 p, f, w;",
        "add.f16 h, h, h; mov.b32 w, {h, h};",
        "setp.eq.and.s32 p, a, b, 1; setp.eq.and.s32 p, a, b, !q; setp.ne.or.s32 p, a, b, 0;",
        "@p bra $L__BB0_2; $L__BB0_2: ret;",
        "and.b32 d, a, 0xffff0000; and.b32 d, d, -1; not.b64 e, e; xor.b16 h, h, h;",
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        pto_program *program = example_program(good[i]);
        assert_status(pto_program_run(program, 0), PTO_OK);
        assert_int_equal(pto_program_problem(program)->text[0], 0);
        pto_program_free(program);
    }
}
