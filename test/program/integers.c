/* SPDX-License-Identifier: MIT */
/* Tests the integer and bit instructions of PTX programs against the model in exact_bits.h. Also tests the
 * model against constants folded by ptxas, and against values computed by hand. */
#include "program/bits_values.h"
#include "program/example.h"
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/values.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 256 };

/* ---- the model ---- */

static const struct {
    const char *opcode;
    uint64_t in[EXACT_OPERANDS];
    uint64_t result;
} facts[] = {
    /* folded by ptxas 13.5 */
    {"div.s32", {5, 0}, 0xffffffff},
    {"rem.s32", {0xfffffffb, 0}, 0xffffffff},
    {"bfe.u32", {0x12345678, 4, 8}, 0x67},
    {"bfe.s32", {0x12345878, 4, 8}, 0xffffff87},
    {"bfe.u32", {0x12345678, 4, 264}, 0x67},
    {"bfe.s32", {0x92345678, 40, 8}, 0xffffffff},
    {"bfe.s32", {0x92345678, 28, 8}, 0xfffffff9},
    {"bfe.s32", {0x92345678, 28, 0}, 0},
    {"bfe.s64", {0x9234567812345678, 70, 8}, 0xffffffffffffffff},
    {"bfe.u64", {0x123456789abcdef1, 20, 264}, 0x123456789ab},
    {"bfe.s64", {0x823456789abcdef1, 276, 8}, 0xffffffffffffffff},
    {"bfi.b64", {0xff, 0x1234567812345678, 4, 0xffffffff}, 0xff0 | 8},
    {"bfi.b64", {0xff, 0x1234567812345678, 260, 8}, 0x1234567812345678},
    {"bfi.b32", {0xab, 0x12345678, 28, 8}, 0xb2345678},
    {"bfi.b32", {0xab, 0x12345678, 256, 8}, 0x123456ab},
    {"bfind.s32", {0xffffffff}, 0xffffffff},
    {"bfind.s32", {0xf0000000}, 0x1b},
    {"bfind.shiftamt.u32", {0x100}, 0x17},
    {"bfind.shiftamt.s64", {0xfffffffffffffffb}, 0x3d},
    {"shf.l.clamp.b32", {0x12345678, 0x9abcdef0, 40}, 0x12345678},
    {"shf.l.wrap.b32", {0x12345678, 0x9abcdef0, 40}, 0xbcdef012},
    {"shf.r.clamp.b32", {0x12345678, 0x9abcdef0, 40}, 0x9abcdef0},
    {"shf.r.wrap.b32", {0x12345678, 0x9abcdef0, 36}, 0x01234567},
    {"szext.clamp.s32", {0x80, 40}, 0x80},
    {"szext.wrap.s32", {0x80, 0}, 0},
    {"fns.b32", {0xaaaaaaaa, 3, 2}, 5},
    {"fns.b32", {0xaaaaaaaa, 3, 0xffffffff}, 3},
    {"mul24.lo.s32", {0xff800001, 3}, 0xfe800003},
    {"mul24.hi.s32", {0x7fffff, 0x7fffff}, 0x3fffff00},
    {"mul24.hi.u32", {0xffffff, 0xffffff}, 0xfffffe00},
    {"mad24.hi.sat.s32", {0x7fffff, 0x7fffff, 0x7fffffff}, 0x7fffffff},
    {"add.s8x4", {0x7f0180ff, 0x01020301}, 0x80038300},
    /* computed by hand */
    {"div.s32", {0x80000000, 0xffffffff}, 0x80000000},
    {"rem.s32", {0x80000000, 0xffffffff}, 0},
    {"rem.s16", {0xfff9, 3}, 0xffff},
    {"mul.hi.u64", {0xffffffffffffffff, 0xffffffffffffffff}, 0xfffffffffffffffe},
    {"mul.hi.s64", {0x8000000000000000, 0x7fffffffffffffff}, 0xc000000000000000},
    {"mul.wide.s16", {0xfffb, 7}, 0xffffffdd},
    {"mad.hi.sat.s32", {0x7fffffff, 0x7fffffff, 0x7fffffff}, 0x7fffffff},
    {"sad.s16", {0x8000, 0x7fff, 3}, 2},
    {"prmt.b32", {0x33221180, 0x77665544, 0x8765}, 0xff776655},
    {"dp4a.s32.s32", {0x01020380, 0xff020180, 5}, 0x400b},
    {"dp2a.lo.u32.s32", {0x00018002, 0xff020180, 5}, 0xffbfff06},
    {"cvt.pack.sat.s16.s32", {100000, 0xfffe7960}, 0x7fff8000},
    {"cvt.pack.sat.u4.s32.b32", {300, 7, 0x12345678}, 0x345678f7},
    {"bmsk.clamp.b32", {4, 40}, 0xfffffff0},
    {"bmsk.wrap.b32", {36, 8}, 0xff0},
    {"max.relu.s16x2", {0x8000ffff, 0xfff00001}, 0x00000001},
};

void integers_model(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        bool flag = false;
        const uint64_t got = exact_bits(facts[i].opcode, facts[i].in, &flag, 0);
        if (got != facts[i].result)
            fail_msg("%s: %llx, not %llx", facts[i].opcode, (unsigned long long)got,
                     (unsigned long long)facts[i].result);
    }
}

/* ---- every form ---- */

static void compare(const struct exact_form *form, const struct bits_values *v) {
    for (size_t i = 0; i < v->n; i++) {
        const uint64_t in[EXACT_OPERANDS] = {v->in[0][i], v->in[1][i], v->in[2][i], v->in[3][i]};
        bool flag = v->flag_before[i];
        const uint64_t want = exact_bits(form->opcode, in, &flag, 0);
        if (v->result[i] != want || v->flag_after[i] != flag)
            fail_msg("%s of %llx, %llx, %llx, %llx, flag %d: %llx and %d, not %llx and %d", form->opcode,
                     (unsigned long long)in[0], (unsigned long long)in[1], (unsigned long long)in[2],
                     (unsigned long long)in[3], v->flag_before[i], (unsigned long long)v->result[i],
                     v->flag_after[i], (unsigned long long)want, flag);
    }
}

/* Computes the first n lanes into a register of its own, and over each source of the same width. */
static void check_lanes(const struct exact_form *form, struct bits_values *v, size_t n) {
    v->n = n;
    bits_values_run(v, form, -1);
    compare(form, v);
    for (int k = 0; form->operands[k + 1]; k++) {
        if (form->operands[k + 1] != form->operands[0]) continue;
        bits_values_run(v, form, k);
        compare(form, v);
    }
}

/* No number of lanes is a multiple of a vector. The operands are unaligned. */
void integers_forms(void **state) {
    const size_t all = harness_quick() ? 203 : 1003;
    (void)state;
    for (size_t i = 0; i < exact_forms_count; i++) {
        const struct exact_form *form = &exact_forms[i];
        struct bits_values v;
        struct rng rng;
        rng_start(&rng, form->opcode);
        v = bits_values_of(&rng, form, all);
        check_lanes(form, &v, 1);
        check_lanes(form, &v, 7);
        check_lanes(form, &v, 51);
        check_lanes(form, &v, all);
        bits_values_free(&v);
    }
}

/* ---- lop3 ---- */

/* lop3 with all 256 tables. A program computes d and p = (d != 0) or q; and r = (d != 0) and not q, without
 * d. */
void integers_lop3(void **state) {
    const struct exact_form form = {"lop3.b32", "wwww", false};
    struct bits_values v;
    struct rng rng;
    uint8_t q[300];
    uint32_t a[300], b[300], c[300];
    (void)state;
    rng_start(&rng, "lop3");
    v = bits_values_of(&rng, &form, 300);
    for (size_t i = 0; i < 300; i++) {
        q[i] = v.flag_before[i];
        a[i] = (uint32_t)v.in[0][i];
        b[i] = (uint32_t)v.in[1][i];
        c[i] = (uint32_t)v.in[2][i];
    }
    for (unsigned table = 0; table < 256; table++) {
        char text[TEXT];
        const void *d = NULL, *p = NULL, *r = NULL;
        pto_program *program;
        pto_dtype type;
        size_t n;
        snprintf(text, sizeof text,
                 "lop3.or.b32 d|p, a, b, c, %u, q; lop3.b32.and _|r, a, b, c, %u + 256, !q;", table, table);
        program = example_program(text);
        assert_status(pto_program_bind(program, "a", PTO_B32, a, 300), PTO_OK);
        assert_status(pto_program_bind(program, "b", PTO_B32, b, 300), PTO_OK);
        assert_status(pto_program_bind(program, "c", PTO_B32, c, 300), PTO_OK);
        assert_status(pto_program_bind(program, "q", PTO_B8, q, 300), PTO_OK);
        assert_status(pto_program_run(program, 300), PTO_OK);
        assert_status(pto_program_value(program, "d", &type, &d, &n), PTO_OK);
        assert_status(pto_program_value(program, "p", &type, &p, &n), PTO_OK);
        assert_status(pto_program_value(program, "r", &type, &r, &n), PTO_OK);
        for (size_t i = 0; i < 300; i++) {
            const uint64_t in[EXACT_OPERANDS] = {a[i], b[i], c[i], 0};
            const uint64_t want = exact_bits("lop3.b32", in, NULL, table);
            if (value_load(PTO_B32, d, i) != want || ((const uint8_t *)p)[i] != (want != 0 || q[i]) ||
                ((const uint8_t *)r)[i] != (want != 0 && !q[i]))
                fail_msg("lop3 with table %u of %x, %x, %x", table, (unsigned)a[i], (unsigned)b[i],
                         (unsigned)c[i]);
        }
        pto_program_free(program);
    }
    bits_values_free(&v);
}

/* ---- programs of several instructions ---- */

void integers_examples(void **state) {
    static const struct example examples[] = {
        {.title = "the carry flag through 128 bits, under a guard",
         .text = "sub.cc.u64 lo, a, b; subc.u64 hi, c, 0; @p add.cc.u64 lo, a, b; @p addc.u64 hi, c, 0;",
         .lanes = 3,
         .in = {{"a", PTO_U64, 3, {0, 5, 0xffffffffffffffff}},
                {"b", PTO_U64, 3, {1, 5, 1}},
                {"c", PTO_U64, 3, {7, 7, 7}},
                {"p", PTO_B8, 3, {0, 0, 1}}},
         .out = {{"lo", PTO_U64, 3, {0xffffffffffffffff, 0, 0}}, {"hi", PTO_U64, 3, {6, 7, 8}}}},
        {.title = "a flag that nothing has set is 0, in every block",
         .text = "addc.u32 d, 1, 1; add.cc.u32 t, a, a;",
         .lanes = 2,
         .in = {{"a", PTO_U32, 2, {0xffffffff, 0x80000000}}},
         .out = {{"d", PTO_U32, 2, {2, 2}}}},
        {.title = "a sum with carry and a difference share one flag", /* as ptxas folds it */
         .text = "add.cc.u32 t, 1, 1; subc.u32 a, 5, 2; sub.cc.u32 t, 1, 2; addc.u32 b, 5, 2;\n"
                 "sub.cc.u32 t, 2, 1; subc.u32 c, 5, 2;",
         .lanes = 1,
         .out = {{"a", PTO_U32, 1, {2}}, {"b", PTO_U32, 1, {7}}, {"c", PTO_U32, 1, {3}}}},
        {.title = "constant expressions", /* as ptxas folds them */
         .text = "mov.u64 a, -8 >> 1; mov.u64 b, -8U >> 1; mov.u64 c, -7 / 2; mov.u64 e, -7 % 3;\n"
                 "mov.u64 f, 1 + 2 * 3 << 1; mov.u64 g, 1 | 2 ^ 3 & 1; mov.u64 h, (.u64)-8 >> 1;\n"
                 "mov.u64 i, 1 ? -1 : 2U; mov.u64 j, -1 < 1U; mov.u64 k, WARP_SZ * 2;",
         .lanes = 1,
         .out = {{"a", PTO_U64, 1, {0xfffffffffffffffc}},
                 {"b", PTO_U64, 1, {0x7ffffffffffffffc}},
                 {"c", PTO_U64, 1, {0xfffffffffffffffd}},
                 {"e", PTO_U64, 1, {0}},
                 {"f", PTO_U64, 1, {14}},
                 {"g", PTO_U64, 1, {3}},
                 {"h", PTO_U64, 1, {0x7ffffffffffffffc}},
                 {"i", PTO_U64, 1, {0xffffffffffffffff}},
                 {"j", PTO_U64, 1, {0}},
                 {"k", PTO_U64, 1, {64}}}},
        {.title = "more constant expressions",
         .text =
             "mov.u64 a, 1 << 65; mov.u64 b, ~5; mov.u64 c, !5; mov.u64 e, 5 && 2; mov.b64 f, 1.5 + 2.25;\n"
             "mov.u64 g, 1.5 < 2.0; mov.b64 h, -1.5; mov.b64 i, 1.5 * 2.0; mov.pred p, 0x100000000;",
         .lanes = 1,
         .out = {{"a", PTO_U64, 1, {2}},
                 {"b", PTO_U64, 1, {0xfffffffffffffffa}},
                 {"c", PTO_U64, 1, {0}},
                 {"e", PTO_U64, 1, {1}},
                 {"f", PTO_U64, 1, {0x400e000000000000}},
                 {"g", PTO_U64, 1, {1}},
                 {"h", PTO_U64, 1, {0xbff8000000000000}},
                 {"i", PTO_U64, 1, {0x4008000000000000}},
                 {"p", PTO_B8, 1, {1}}}},
        {.title = "parts that are constants, sinks and special registers",
         .text =
             "mov.b32 d, {h, _}; mov.b32 e, {1, 0x12345}; mov.b64 f, {w, 0.1}; mov.b64 g, {w, 0f3f801234};\n"
             "mov.b32 i, {x, -1, 0, 3}; mov.b64 {_, j}, 1.0; mov.b64 k, {%tid.x, w};",
         .lanes = 1,
         .in = {{"h", PTO_B16, 1, {3}}, {"w", PTO_B32, 1, {7}}, {"x", PTO_B8, 1, {9}}},
         .out = {{"d", PTO_B32, 1, {3}},
                 {"e", PTO_B32, 1, {0x23450001}},
                 {"f", PTO_B64, 1, {0x9999999a00000007}},
                 {"g", PTO_B64, 1, {0x3f80123400000007}},
                 {"i", PTO_B32, 1, {0x0300ff09}},
                 {"j", PTO_B32, 1, {0x3ff00000}}}},
        {.title = "cvt.pack with registers of 64 bits",
         .text = ".reg .s64 a; .reg .b64 d, c; cvt.pack.sat.s8.s32.b32 d, a, b, c;",
         .lanes = 2,
         .in = {{"a", PTO_S64, 2, {0x12345678ffffff00, 5}},
                {"b", PTO_S32, 2, {1, 200}},
                {"c", PTO_B64, 2, {0xffffffffffff1234, 0}}},
         .out = {{"d", PTO_B64, 2, {0x12348001, 0x057f}}}},
    };
    (void)state;
    examples_check(examples, sizeof examples / sizeof examples[0]);
}
