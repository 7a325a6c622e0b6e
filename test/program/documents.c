/* SPDX-License-Identifier: MIT */
/* Runs the PTX examples of the documents that libpto follows, unchanged. Inputs are chosen to show what the
 * documents say about the examples. */
#include "program/example.h"
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 256 };

/* ---- "Half Precision Comparison Instructions: setp" ---- */

/* The first instruction sets p and q from the lower and upper halves of a and b, which have six lanes:
 *   0  both halves of a are less
 *   1  a NaN in the lower half
 *   2  r is false
 *   3  a subnormal value is less than another one
 *   4  -0 is not less than +0, and is less than a subnormal value
 *   5  infinities
 * The second instruction compares +0 with -0, a NaN, and equal subnormal values in lanes 0, 1 and 4, where q is
 * true.
 * The other two instructions do the same with bf16 and .or. */
void document_setp_halves(void **state) {
    static const struct example example = {
        .title = "setp of halves",
        .file = "setp_halves.ptx",
        .lanes = 6,
        .in = {{"a",
                PTO_F16,
                12,
                {0x3c00, 0x4000, 0x7e00, 0x3c00, 0x3c00, 0x4000, 0x0001, 0x4200, 0x8000, 0x8000, 0xfc00,
                 0x7c00}},
               {"b",
                PTO_F16,
                12,
                {0x4000, 0x4200, 0x3c00, 0x4000, 0x4000, 0x4200, 0x0002, 0x4000, 0x0000, 0x0001, 0x7c00,
                 0x7c00}},
               {"r", PTO_B8, 6, {1, 1, 0, 1, 1, 1}},
               {"i", PTO_F16, 6, {0x0000, 0x7e00, 0x3c00, 0x3c00, 0x0001, 0x3c00}},
               {"n", PTO_F16, 6, {0x8000, 0x7e00, 0x3c00, 0x4000, 0x0001, 0x4000}},
               {"c",
                PTO_B16,
                12,
                {0x3f80, 0x4000, 0x7fc0, 0x7fc0, 0x7fc0, 0x3f80, 0x0002, 0x0001, 0x3f80, 0x4000, 0xff80,
                 0x7f80}},
               {"d",
                PTO_B16,
                12,
                {0x4000, 0x3f80, 0x3f80, 0x3f80, 0x3f80, 0x4000, 0x0001, 0x0001, 0x4000, 0x3f80, 0x7f80,
                 0xff80}},
               {"s", PTO_B8, 6, {0, 0, 1, 0, 0, 0}},
               {"j", PTO_B16, 6, {0x8000, 0x7fc0, 0x3f80, 0x3f80, 0x0001, 0x3f80}},
               {"m", PTO_B16, 6, {0x0000, 0x7fc0, 0x4000, 0x4000, 0x0001, 0x3f80}}},
        .out = {{"p", PTO_B8, 6, {1, 0, 0, 1, 1, 1}},
                {"q", PTO_B8, 6, {1, 1, 0, 0, 1, 0}},
                {"u", PTO_B8, 6, {1, 0, 1, 1, 1, 0}},
                {"v", PTO_B8, 6, {1, 0, 1, 0, 1, 1}}}};
    (void)state;
    example_check(&example);
}

/* ---- "Predicated Execution" ---- */

void document_declaration(void **state) {
    static const struct example example = {.title = "predicates", .file = "declaration.ptx", .lanes = 3};
    pto_program *program = example_program(".reg .pred p, q, r;\n");
    pto_program_register reg;
    (void)state;
    example_check(&example);
    assert_int_equal(pto_program_register_count(program), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_status(pto_program_register_at(program, i, &reg), PTO_OK);
        assert_true(reg.predicate && reg.type == PTO_B8 && reg.name[0] == "pqr"[i] && !reg.input &&
                    !reg.result);
    }
    pto_program_free(program);
}

/* if (i < n) j = j + 1, with a guard and with a branch. The comparison is signed, and j wraps. */
void document_if_i_lt_n(void **state) {
    static const char *const ways[] = {"guard.ptx", "branch.ptx"};
    struct example example = {
        .title = "if (i < n) j = j + 1",
        .lanes = 6,
        .in = {{"i", PTO_S32, 6, {0xffffffff, 0, 5, 0x80000000, 0x7fffffff, 5}},
               {"n", PTO_S32, 6, {0, 0, 6, 0x7fffffff, 0x80000000, 5}},
               {"j", PTO_S32, 6, {10, 11, 0x7fffffff, 0xffffffff, 5, 6}}},
        .out = {{"j", PTO_S32, 6, {11, 11, 0x80000000, 0, 5, 6}}, {"p", PTO_B8, 6, {1, 0, 1, 1, 0, 0}}}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        example.file = ways[i];
        example_check(&example);
    }
}

void document_selp(void **state) {
    static const struct example example = {.title = "selp",
                                           .file = "selp.ptx",
                                           .lanes = 5,
                                           .in = {{"%p", PTO_U8, 5, {1, 0, 0xff, 2, 0}}},
                                           .out = {{"%r1", PTO_U32, 5, {1, 0, 1, 1, 0}}}};
    (void)state;
    example_check(&example);
}

/* Section 9.3.2: and, or, xor, not and mov of predicates, for the four pairs of inputs. */
void document_predicates(void **state) {
    static const struct example examples[] = {
        {.title = "predicate logic",
         .text = "and.pred a, p, q; or.pred o, p, q; xor.pred x, p, q; not.pred n, p; mov.pred m, q;\n"
                 "and.pred b, p, !q; or.pred c, !p, q; mov.pred t, 2; mov.pred f, 0;",
         .lanes = 4,
         .in = {{"p", PTO_B8, 4, {0, 0, 1, 1}}, {"q", PTO_B8, 4, {0, 1, 0, 1}}},
         .out = {{"a", PTO_B8, 4, {0, 0, 0, 1}},
                 {"o", PTO_B8, 4, {0, 1, 1, 1}},
                 {"x", PTO_B8, 4, {0, 1, 1, 0}},
                 {"n", PTO_B8, 4, {1, 1, 0, 0}},
                 {"b", PTO_B8, 4, {0, 0, 1, 0}},
                 {"c", PTO_B8, 4, {1, 1, 0, 1}},
                 {"t", PTO_B8, 4, {1, 1, 1, 1}},
                 {"f", PTO_B8, 4, {0, 0, 0, 0}}}},
        {.title = "logic in its own place, under guards",
         .text = "@p not.pred p, p; @!q xor.pred q, q, 1; mov.pred m, p; @m mov.pred m, 0;",
         .lanes = 4,
         .in = {{"p", PTO_B8, 4, {0, 0, 1, 1}}, {"q", PTO_B8, 4, {0, 1, 0, 1}}},
         .out = {{"p", PTO_B8, 4, {0, 0, 0, 0}},
                 {"q", PTO_B8, 4, {1, 1, 1, 1}},
                 {"m", PTO_B8, 4, {0, 0, 0, 0}}}}};
    (void)state;
    examples_check(examples, sizeof examples / sizeof examples[0]);
}

/* An instruction reads its guard predicate and the operand c before it writes p and q, even if these are the
 * same registers. */
void document_guard_of_itself(void **state) {
    static const struct example examples[] = {
        {.title = "@p setp p|q", /* where p was true, p becomes a == b and q becomes a != b */
         .text = "@p setp.eq.s32 p|q, a, b;",
         .lanes = 4,
         .in = {{"p", PTO_B8, 4, {1, 1, 0, 0}},
                {"q", PTO_B8, 4, {0, 1, 0, 1}},
                {"a", PTO_S32, 4, {1, 1, 1, 1}},
                {"b", PTO_S32, 4, {2, 1, 2, 1}}},
         .out = {{"p", PTO_B8, 4, {0, 1, 0, 0}}, {"q", PTO_B8, 4, {1, 0, 0, 1}}}},
        {.title = "@!q setp p|q",
         .text = "@!q setp.eq.s32 p|q, a, b;",
         .lanes = 4,
         .in = {{"p", PTO_B8, 4, {1, 1, 0, 0}},
                {"q", PTO_B8, 4, {0, 1, 0, 0}},
                {"a", PTO_S32, 4, {1, 1, 1, 1}},
                {"b", PTO_S32, 4, {2, 1, 2, 1}}},
         .out = {{"p", PTO_B8, 4, {0, 1, 0, 1}}, {"q", PTO_B8, 4, {1, 1, 1, 0}}}},
        {.title = "c is p",
         .text = "setp.eq.and.u32 p|q, a, b, p; setp.eq.or.u32 u|p, a, b, !p;",
         .lanes = 4,
         .in = {{"p", PTO_B8, 4, {1, 1, 0, 0}}, {"a", PTO_U32, 1, {1}}, {"b", PTO_U32, 4, {2, 1, 2, 1}}},
         /* the first setp gives p = 0 1 0 0 and q = 1 0 0 0; the second one (a == b, which is 0 1 0 1) or
          * !p */
         .out = {{"q", PTO_B8, 4, {1, 0, 0, 0}},
                 {"u", PTO_B8, 4, {1, 1, 1, 1}},
                 {"p", PTO_B8, 4, {1, 0, 1, 1}}}},
        {.title = "nothing is written where the guard is off", /* as ptxas folds it */
         .text = "@p mov.b32 w, 7; @!p mov.b32 v, 7; @!p setp.eq.u32 r|s, 1, 2;",
         .lanes = 2,
         .in = {{"p", PTO_B8, 2, {0, 1}},
                {"w", PTO_B32, 1, {5}},
                {"v", PTO_B32, 1, {5}},
                {"r", PTO_B8, 1, {1}},
                {"s", PTO_B8, 1, {1}}},
         .out = {{"w", PTO_B32, 2, {5, 7}},
                 {"v", PTO_B32, 2, {7, 5}},
                 {"r", PTO_B8, 2, {0, 1}},
                 {"s", PTO_B8, 2, {1, 1}}}}};
    (void)state;
    examples_check(examples, sizeof examples / sizeof examples[0]);
}

/* ---- tables 22 to 25: each operator on operands that are less, equal, greater and unordered ---- */

struct operators {
    const char *type;
    pto_dtype dtype;
    uint64_t a[4], b[4]; /* the fourth pair has a NaN, if the type has NaNs */
    struct {
        const char *op;
        uint64_t answer[4];
    } row[14];
};

#define ORDERED_ROWS                                                                                         \
    {"eq", {0, 1, 0, 0}}, {"ne", {1, 0, 1, 0}}, {"lt", {1, 0, 0, 0}}, {"le", {1, 1, 0, 0}},                  \
        {"gt", {0, 0, 1, 0}}, {                                                                              \
        "ge", {                                                                                              \
            0, 1, 1, 0                                                                                       \
        }                                                                                                    \
    }
#define FLOAT_ROWS                                                                                           \
    ORDERED_ROWS, {"equ", {0, 1, 0, 1}}, {"neu", {1, 0, 1, 1}}, {"ltu", {1, 0, 0, 1}},                       \
        {"leu", {1, 1, 0, 1}}, {"gtu", {0, 0, 1, 1}}, {"geu", {0, 1, 1, 1}}, {"num", {1, 1, 1, 0}}, {        \
        "nan", {                                                                                             \
            0, 0, 0, 1                                                                                       \
        }                                                                                                    \
    }

/* Integers have no NaN, so their fourth pair has the same relation as one of the first three. */
static const struct operators tables[] = {
    {"s32",
     PTO_S32,
     {0xffffffff, 3, 0, 0},
     {0, 3, 0xffffffff, 0},
     {{"eq", {0, 1, 0, 1}},
      {"ne", {1, 0, 1, 0}},
      {"lt", {1, 0, 0, 0}},
      {"le", {1, 1, 0, 1}},
      {"gt", {0, 0, 1, 0}},
      {"ge", {0, 1, 1, 1}}}},
    {"u16",
     PTO_U16,
     {0, 3, 0xffff, 7},
     {0xffff, 3, 0, 8},
     {{"eq", {0, 1, 0, 0}},
      {"ne", {1, 0, 1, 1}},
      {"lo", {1, 0, 0, 1}},
      {"ls", {1, 1, 0, 1}},
      {"hi", {0, 0, 1, 0}},
      {"hs", {0, 1, 1, 0}}}},
    {"b64",
     PTO_B64,
     {1, 1ULL << 63, 5, 0},
     {1ULL << 32, 1ULL << 63, 4, 1ULL << 63},
     {{"eq", {0, 1, 0, 0}}, {"ne", {1, 0, 1, 1}}}},
    {"f32",
     PTO_F32,
     {0x80000001, 0x80000000, 0x7f800000, 0x7f800001},
     {0x00000001, 0x00000000, 0x7f7fffff, 0x7f800001},
     {FLOAT_ROWS}},
    {"f64",
     PTO_F64,
     {0xfff0000000000000, 0x0, 0x1, 0x3ff0000000000000},
     {0xffefffffffffffff, 0x8000000000000000, 0x0, 0xfff8000000000000},
     {FLOAT_ROWS}},
    {"f16", PTO_F16, {0x8001, 0x8000, 0x7c00, 0xfc01}, {0x0001, 0x0000, 0x7bff, 0xfc01}, {FLOAT_ROWS}},
    {"bf16", PTO_B16, {0x8001, 0x8000, 0x7f80, 0xff81}, {0x0001, 0x0000, 0x7f7f, 0x3f80}, {FLOAT_ROWS}},
};

void document_tables_22_to_25(void **state) {
    (void)state;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        for (size_t i = 0; i < 14 && tables[t].row[i].op; i++) {
            char text[TEXT], title[TEXT];
            struct example example = {.title = title, .text = text, .lanes = 4};
            struct example_array *in = example.in, *out = example.out;
            snprintf(text, sizeof text, "setp.%s.%s p, a, b;", tables[t].row[i].op, tables[t].type);
            snprintf(title, sizeof title, "%s", text);
            in[0] = (struct example_array){"a", tables[t].dtype, 4, {0}};
            in[1] = (struct example_array){"b", tables[t].dtype, 4, {0}};
            out[0] = (struct example_array){"p", PTO_B8, 4, {0}};
            memcpy(in[0].bits, tables[t].a, sizeof tables[t].a);
            memcpy(in[1].bits, tables[t].b, sizeof tables[t].b);
            memcpy(out[0].bits, tables[t].row[i].answer, sizeof tables[t].row[i].answer);
            example_check(&example);
        }
    }
}

/* ---- "Type Conversion" ---- */

/* The document says "the u16 is zero-extended to s32" and "first chops to 16-bit, then sign-extends to
 * 32-bit". */
void document_conversions(void **state) {
    static const struct example examples[] = {
        {.title = "cvt.s32.u16, cvt.s16.u32",
         .file = "conversions.ptx",
         .lanes = 4,
         .in = {{"a", PTO_U16, 4, {0, 1, 0x8000, 0xffff}},
                {"wide", PTO_U32, 4, {0x18080, 0xffff7fff, 5, 0xffff}}},
         .out = {{"d", PTO_S32, 4, {0, 1, 0x8000, 0xffff}},
                 {"e", PTO_B32, 4, {0xffff8080, 0x7fff, 5, 0xffffffff}}}},
        {.title = "table 15: sext, zext, chop",
         .text = ".reg .s64 sext; .reg .u64 zext; .reg .u32 chop; .reg .s16 a; .reg .u32 b;\n"
                 "cvt.s64.s16 sext, a; cvt.u64.u32 zext, b; cvt.u8.u32 chop, b;",
         .lanes = 3,
         .in = {{"a", PTO_S16, 3, {0x8000, 0x7fff, 0xffff}},
                {"b", PTO_U32, 3, {0x80000180, 0xff, 0xffffffff}}},
         .out = {{"sext", PTO_S64, 3, {0xffffffffffff8000, 0x7fff, 0xffffffffffffffff}},
                 {"zext", PTO_U64, 3, {0x80000180, 0xff, 0xffffffff}},
                 {"chop", PTO_U32, 3, {0x80, 0xff, 0xff}}}},
        {.title =
             "table 15: s2f, u2f, f2s, f2u", /* 2^24 + 1 is a tie; infinities are clamped; a NaN gives 0 */
         .text = "cvt.rn.f32.s32 x, s; cvt.rn.f32.u32 y, u; cvt.rzi.s32.f32 i, f; cvt.rzi.u32.f32 n, f;",
         .lanes = 4,
         .in = {{"s", PTO_S32, 4, {0x01000001, 0x80000000, 0xffffffff, 0}},
                {"u", PTO_U32, 4, {0x01000003, 0x80000000, 0xffffffff, 0}},
                {"f", PTO_F32, 4, {0xbfffffff, 0x7f800000, 0x7fc00000, 0x40200000}}},
         .out = {{"x", PTO_F32, 4, {0x4b800000, 0xcf000000, 0xbf800000, 0}},
                 {"y", PTO_F32, 4, {0x4b800002, 0x4f000000, 0x4f800000, 0}},
                 {"i", PTO_S32, 4, {0xffffffff, 0x7fffffff, 0, 2}},
                 {"n", PTO_U32, 4, {0, 0xffffffff, 0, 2}}}},
        {.title = "beyond the range: infinities",
         .text = "cvt.rn.f32.f64 f, d; cvt.rn.f16.f32 h, f; cvt.rn.bf16.f32 b, f;",
         .lanes = 3,
         .in = {{"d", PTO_F64, 3, {0x7e37e43c8800759c, 0xfe37e43c8800759c, 0x40f0000000000000}}},
         .out = {{"f", PTO_F32, 3, {0x7f800000, 0xff800000, 0x47800000}},
                 {"h", PTO_F16, 3, {0x7c00, 0xfc00, 0x7c00}},
                 {"b", PTO_BF16, 3, {0x7f80, 0xff80, 0x4780}}}},
        {.title = "table 16: small formats", /* 1.0, 0.5; and the largest values */
         .text = "cvt.rn.satfinite.e4m3x2.f32 a, x, y; cvt.rn.satfinite.e5m2x2.f32 b, x, y;\n"
                 "cvt.rn.satfinite.e2m3x2.f32 c, x, y; cvt.rn.satfinite.e3m2x2.f32 d, x, y;\n"
                 "cvt.rn.satfinite.e2m1x2.f32 e, x, y; cvt.rp.satfinite.ue8m0x2.f32 u, x, y;",
         .lanes = 2,
         .in = {{"x", PTO_F32, 2, {0x3f800000, 0x7f800000}}, {"y", PTO_F32, 2, {0x3f000000, 0xff800000}}},
         .out = {{"a", PTO_B16, 2, {0x3830, 0x7efe}},
                 {"b", PTO_B16, 2, {0x3c38, 0x7bfb}},
                 {"c", PTO_B16, 2, {0x0804, 0x1f3f}},
                 {"d", PTO_B16, 2, {0x0c08, 0x1f3f}},
                 {"e", PTO_B8, 2, {0x21, 0x7f}},
                 {"u", PTO_B16, 2, {0x7f7e, 0xfefe}}}}};
    (void)state;
    examples_check(examples, sizeof examples / sizeof examples[0]);
}

/* Tables 17 and 18: conversions of 1 + 2^-11, a tie between two f16 values, and of its negative; of 2.5, -2.5
 * and 3.5 to integers. */
void document_rounding(void **state) {
    static const struct example examples[] = {
        {.title = "rn rz rm rp",
         .text = "cvt.rn.f16.f32 n, f; cvt.rz.f16.f32 z, f; cvt.rm.f16.f32 m, f; cvt.rp.f16.f32 p, f;",
         .lanes = 2,
         .in = {{"f", PTO_F32, 2, {0x3f801000, 0xbf801000}}},
         .out = {{"n", PTO_F16, 2, {0x3c00, 0xbc00}},
                 {"z", PTO_F16, 2, {0x3c00, 0xbc00}},
                 {"m", PTO_F16, 2, {0x3c00, 0xbc01}},
                 {"p", PTO_F16, 2, {0x3c01, 0xbc00}}}},
        {.title = "rna rs",
         .text = "cvt.rna.tf32.f32 a, f; cvt.rn.tf32.f32 n, f; cvt.rs.f16x2.f32 s, f, f, bits;",
         .lanes = 1,
         .in = {{"f", PTO_F32, 1, {0x3f801000}}, {"bits", PTO_B32, 1, {0x0fff1000}}},
         .out = {{"a", PTO_B32, 1, {0x3f802000}},
                 {"n", PTO_B32, 1, {0x3f800000}},
                 {"s", PTO_B32, 1, {0x3c003c01}}}},
        {.title = "rni rzi rmi rpi",
         .text = "cvt.rni.s32.f32 n, f; cvt.rzi.s32.f32 z, f; cvt.rmi.s32.f32 m, f; cvt.rpi.s32.f32 p, f;",
         .lanes = 3,
         .in = {{"f", PTO_F32, 3, {0x40200000, 0xc0200000, 0x40600000}}},
         .out = {{"n", PTO_S32, 3, {2, 0xfffffffe, 4}},
                 {"z", PTO_S32, 3, {2, 0xfffffffe, 3}},
                 {"m", PTO_S32, 3, {2, 0xfffffffd, 3}},
                 {"p", PTO_S32, 3, {3, 0xfffffffe, 4}}}}};
    (void)state;
    examples_check(examples, sizeof examples / sizeof examples[0]);
}
