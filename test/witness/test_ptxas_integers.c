/* SPDX-License-Identifier: MIT */
/* test_ptxas_integers PTXAS [all]: mutates instructions on integers and bits, and compares which lines the library
 * takes with which ptxas, NVIDIA's assembler, takes. A mutation changes a word of the opcode or an operand. Tests 2,000
 * lines, or 20,000 with `all`. */
#include "support/cmocka_all.h"
#include "support/harness.h"
#include "witness/legality.h"

#include <pto/program.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool all_lines;
static struct judges judges;

/* Legal lines. The registers are those of listing_open(). */
static const char *const legal[] = {
    "add.s16 h0, h1, h2",
    "add.u32 w0, w1, w2",
    "add.s64 d0, d1, 5",
    "add.sat.s32 w0, w1, w2",
    "add.cc.u32 w0, w1, w2",
    "addc.cc.u32 w0, w1, w2",
    "addc.s64 d0, d1, d2",
    "add.u16x2 w0, w1, w2",
    "sub.s32 w0, w1, w2",
    "sub.cc.s64 d0, d1, d2",
    "subc.u32 w0, w1, w2",
    "mul.lo.s32 w0, w1, w2",
    "mul.hi.u64 d0, d1, d2",
    "mul.wide.s16 w0, h1, h2",
    "mul.wide.u32 d0, w1, w2",
    "mad.lo.s32 w0, w1, w2, w3",
    "mad.lo.cc.u32 w0, w1, w2, w3",
    "mad.hi.s16 h0, h1, h2, h3",
    "mad.hi.sat.s32 w0, w1, w2, w3",
    "mad.wide.u32 d0, w1, w2, d3",
    "madc.lo.cc.u32 w0, w1, w2, w3",
    "madc.hi.u32 w0, w1, w2, w3",
    "mul24.lo.s32 w0, w1, w2",
    "mad24.hi.u32 w0, w1, w2, w3",
    "mad24.hi.sat.s32 w0, w1, w2, w3",
    "div.s32 w0, w1, w2",
    "rem.u64 d0, d1, d2",
    "sad.s32 w0, w1, w2, w3",
    "neg.s32 w0, w1",
    "abs.s64 d0, d1",
    "min.s32 w0, w1, w2",
    "max.u16x2 w0, w1, w2",
    "max.relu.s32 w0, w1, w2",
    "min.relu.s16x2 w0, w1, w2",
    "and.b32 w0, w1, w2",
    "or.b16 h0, h1, h2",
    "xor.pred p, q, c",
    "not.b64 d0, d1",
    "cnot.b32 w0, w1",
    "shl.b32 w0, w1, w2",
    "shr.s64 d0, d1, w2",
    "popc.b64 w0, d1",
    "clz.b32 w0, w1",
    "bfind.u32 w0, w1",
    "bfind.shiftamt.s64 w0, d1",
    "brev.b32 w0, w1",
    "bfe.u32 w0, w1, w2, w3",
    "bfe.s64 d0, d1, 4, 8",
    "bfi.b32 w0, w1, w2, w3, w4",
    "bmsk.clamp.b32 w0, w1, w2",
    "szext.wrap.s32 w0, w1, w2",
    "fns.b32 w0, w1, w2, w3",
    "lop3.b32 w0, w1, w2, w3, 0x96",
    "lop3.or.b32 w0|p, w1, w2, w3, 0x96, q",
    "prmt.b32 w0, w1, w2, w3",
    "prmt.b32.rc16 w0, w1, w2, w3",
    "shf.l.wrap.b32 w0, w1, w2, w3",
    "shf.r.clamp.b32 w0, w1, w2, w3",
    "dp4a.u32.s32 w0, w1, w2, w3",
    "dp2a.lo.s32.u32 w0, w1, w2, w3",
    "cvt.pack.sat.u16.s32 w0, w1, w2",
    "cvt.pack.sat.s8.s32.b32 w0, w1, w2, w3",
    "selp.b32 w0, w1, w2, p",
    "selp.s64 d0, d1, d2, !q",
    "slct.u32.s32 w0, w1, w2, w3",
    "mov.b32 w0, w1",
    "mov.u16 h0, 5",
    "mov.b32 w0, {h1, h2}",
    "mov.b64 {w0, w1}, d2",
    "mov.pred p, q",
};

static const char *const names[] = {
    "add",     "addc",    "sub",  "subc",  "mul.lo",   "mul.hi",   "mul.wide", "mad.lo", "mad.hi", "mad.wide",
    "madc.lo", "madc.hi", "div",  "rem",   "sad",      "neg",      "abs",      "min",    "max",    "and",
    "or",      "xor",     "not",  "cnot",  "shl",      "shr",      "popc",     "clz",    "bfind",  "brev",
    "bfe",     "bfi",     "bmsk", "szext", "fns",      "lop3",     "prmt",     "shf.l",  "shf.r",  "dp4a",
    "dp2a.lo", "selp",    "slct", "mov",   "mul24.lo", "mad24.hi", "cvt.pack", "mul",    "mad",
};

static const char *const modifiers[] = {"sat",  "cc",  "relu", "shiftamt", "clamp", "wrap", "and",  "or",
                                        "f4e",  "b4e", "rc8",  "ecl",      "ecr",   "rc16", "lo",   "hi",
                                        "wide", "rn",  "ftz",  "NaN",      "pred",  "xor",  "full", "popc"};

static const char *const types[] = {"u16",  "u32",   "u64",   "s16",  "s32",  "s64", "b16", "b32",
                                    "b64",  "u8",    "s8",    "b8",   "f16",  "f32", "f64", "f16x2",
                                    "bf16", "u16x2", "s16x2", "u8x4", "s8x4", "u4",  "s2"};

static const char *const operands[] = {
    "b1",
    "h1",
    "w1",
    "d1",
    "f1",
    "e1",
    "s1",
    "u1",
    "g1",
    "x1",
    "j1",
    "l1",
    "5",
    "-5",
    "1.5",
    "0f3f800000",
    "0d3ff0000000000000",
    "WARP_SZ",
    "(1 + 2) * 4",
    "255",
    "256",
    "70000",
    "1 << 40",
    "0xffffffffffffffff",

    "p",
    "!q",
    "{h1, h2}",
    "{h1, 1}",
    "{w1, _}",
    "{b1, b2, b3, 0}",
    "{f1, w2}",
    "w1|p",
    "%tid.x",
    "%laneid",
    "!0",
    "~7 & 0xff",
    "1 ? 2 : 3",
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct vocabulary vocabulary = {WORDS(legal), WORDS(names), WORDS(modifiers), WORDS(types),
                                             WORDS(operands)};

/* ---- verdicts ---- */

/* Returns whether a line is left out: instructions on floats have tests of their own. */
static bool is_on_floats(const char *opcode) {
    static const char *const shared[] = {"add.", "sub.", "mul.", "min.", "max.", "neg.", "abs.", "div."};
    static const char *const floats[] = {"f16", "f32", "f64", "f16x2", "bf16"};
    for (size_t i = 0; i < COUNT(shared); i++)
        for (size_t k = 0; k < COUNT(floats); k++)
            if (strncmp(opcode, shared[i], strlen(shared[i])) == 0 && legality_has_word(opcode, floats[k]))
                return true;
    return false;
}

/* Returns whether the library refuses the line on purpose, though ptxas takes it. With .pred, ptxas ignores the word in
 * instructions that have other types. As a predicate it takes a register of .f16x2. As parts of 8 bits mov can read the
 * low half of a special register. The two sources of cvt.f16x2.f32 can be 64 bits wide.
 * ptxas 13.0 takes anything as bf16. */
static bool is_exception(const char *opcode, const char *rest) {
    const bool wide_pair = strstr(opcode, "f16x2.f32") && (strstr(rest, ", d1") != NULL);
    const bool has_pred = legality_has_word(opcode, "pred"), has_f16x2 = strstr(rest, "x1") != NULL;
    if (wide_pair || (has_pred && has_f16x2)) return true;
    if (judges.ptxas.isa < 95 && strstr(opcode, "bf16")) return true;
    for (size_t i = 0; i < COUNT(types); i++)
        if (has_pred && legality_has_word(opcode, types[i])) return true;
    return strncmp(opcode, "mov.b16", 7) == 0 && strstr(rest, "{b") && strchr(rest, '%');
}

/* Returns whether ptxas 13.5 takes the line and earlier ones do not. */
static bool is_new(const char *opcode) {
    if (judges.ptxas.isa >= 95) return false;
    return legality_has_word(opcode, "u8x4") || legality_has_word(opcode, "s8x4") ||
           (legality_has_word(opcode, "sat") && (legality_has_word(opcode, "u32") || strstr(opcode, "16x2")));
}

static bool is_taken_here(const char *opcode, const char *rest) {
    char text[4 * LEGALITY_TEXT];
    pto_program *program;
    snprintf(text, sizeof text, LISTING_REGISTERS "\n%s %s;", opcode, rest);
    program = pto_program_new(text, (pto_program_options){.language = PTO_PROGRAM_PTX}, NULL);
    pto_program_free(program);
    return program != NULL;
}

/* Returns whether a line certainly breaks the grammar of ptxas, which then says nothing about all other lines. */
static bool is_no_statement(const char *opcode, const char *rest) {
    static const char *const parts[] = {"shf", "mul24", "mad24", "madc"};
    const char *pair = strchr(rest, '|'), *comma = strchr(rest, ',');
    for (size_t i = 0; i < COUNT(parts); i++) {
        const size_t length = strlen(parts[i]);
        const char *after = opcode + length;
        if (strncmp(opcode, parts[i], length) == 0 && strncmp(after, ".lo", 3) != 0 &&
            strncmp(after, ".hi", 3) != 0 && strncmp(after, ".l.", 3) != 0 && strncmp(after, ".r.", 3) != 0)
            return true;
    }
    return pair && comma && pair > comma;
}

static void legality(void **state) {
    struct lines *lines = harness_allocate(sizeof *lines);
    struct rng rng;
    (void)state;
    rng_start(&rng, "integers");
    for (size_t batch = 0; batch < (all_lines ? 10 : 1); batch++) {
        for (lines->n = 0; lines->n < LEGALITY_BATCH;) {
            char *opcode = lines->opcode[lines->n], *rest = lines->rest[lines->n];
            legality_mutate(&rng, &vocabulary, opcode, rest);
            if (!is_on_floats(opcode) && !is_new(opcode) && !is_no_statement(opcode, rest)) lines->n++;
        }
        legality_judge(&judges, lines);
    }
    harness_free(lines);
    printf("%zu lines, ptxas takes %zu of them; the syntax of %zu stops it; %zu exceptions\n", judges.lines,
           judges.taken, judges.stopped, judges.exceptions);
    assert_int_equal(judges.differ, 0);
    assert_true(judges.taken > judges.lines / 10 && judges.taken < judges.lines / 10 * 9);
}

/* The legal lines themselves, so that the mutations start from lines that both take. */
static void sources(void **state) {
    (void)state;
    legality_sources(&judges, vocabulary.legal);
}

/* ---- operands of comparisons and conversions ---- */

/* Each operand of each line is replaced by each of `operands`. */
static void registers(void **state) {
    static const char *const lines[] = {
        "setp.eq.s32 p, w1, w2",
        "setp.eq.b32 p, w1, w2",
        "setp.lt.f32 p, f1, f2",
        "setp.eq.s16 p, h1, h2",
        "setp.lt.f16 p, h1, h2",
        "setp.lt.bf16x2 p|q, w1, w2",
        "setp.lt.f64 p, d1, d2",
        "set.lt.u32.f32 w0, f1, f2",
        "set.lt.f32.s32 w0, w1, w2",
        "set.lt.f16x2.f16x2 w0, w1, w2",
        "set.lt.u16.f16 h0, h1, h2",
        "cvt.u64.u32 d0, w1",
        "cvt.s16.s32 h0, w1",
        "cvt.u8.u32 w0, w1",
        "cvt.rn.f16.f32 h0, f1",
        "cvt.f32.f16 f0, h1",
        "cvt.rn.f32.s32 f0, w1",
        "cvt.rzi.s32.f32 w0, f1",
        "cvt.rn.f16x2.f32 w0, f1, f2",
        "cvt.rn.bf16x2.f32 w0, f1, f2",
        "cvt.rn.satfinite.e4m3x2.f32 h0, f1, f2",
        "cvt.rn.f16x2.e4m3x2 w0, h1",
        "cvt.rna.tf32.f32 w0, f1",
        "cvt.f64.f32 d0, f1",
        "cvt.rn.f32.f64 f0, d1",
        "cvt.f32.bf16 f0, h1",
        "cvt.rs.f16x2.f32 w0, f1, f2, w5",
        "cvt.rn.satfinite.e2m1x2.f32 b0, f1, f2",
    };
    struct lines *all = harness_allocate(sizeof *all);
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        const struct pieces old = pieces_split(lines[i] + strcspn(lines[i], " ") + 1, ',');
        for (size_t k = 0; k < old.count; k++)
            for (size_t o = 0; o < COUNT(operands); o++) {
                struct pieces l = old;
                pieces_put(&l, k, operands[o]);
                snprintf(all->opcode[all->n], LEGALITY_TEXT, "%.*s", (int)strcspn(lines[i], " "), lines[i]);
                pieces_join(&l, ", ", all->rest[all->n]);
                if (!is_no_statement(all->opcode[all->n], all->rest[all->n])) all->n++;
                if (all->n == LEGALITY_BATCH) legality_judge(&judges, all);
                if (all->n == LEGALITY_BATCH) all->n = 0;
            }
    }
    legality_judge(&judges, all);
    harness_free(all);
    assert_int_equal(judges.differ, 0);
}

/* ---- single lines, whose syntax would stop ptxas in a listing ---- */

static void texts(void **state) {
    static const char *const lines[] = {
        "add.s32 w0, w1, 5U",
        "add.s32 w0, w1, 5u",
        "add.s32 w0, w1, 0X1F",
        "add.s32 w0, w1, 0b101U",
        "add.s32 w0, w1, 0b12",
        "add.s32 w0, w1, 017",
        "add.s32 w0, w1, 09",
        "add.s32 w0, w1, 12x",
        "add.s32 w0, w1, --5",
        "add.s32 w0, w1, +5",
        "add.s32 w0, w1, -WARP_SZ",
        "add.s32 w0, w1, 7 % 3",
        "add.s32 w0, w1, 7 %3",
        "add.s32 w0, w1, 7 / 0",
        "add.s32 w0, w1, 1 ? 2 : 3",
        "add.s32 w0, w1, 1 == 1 && 2 || 3",
        "add.s32 w0, w1, (.s64)5",
        "add.s32 w0, w1, (.u64)-5 >> 1",
        "add.s32 w0, w1, (.s32)5",
        "add.s32 w0, w1, (1 + 2",
        "add.s32 w0, w1, 1 +",
        "add.s32 w0, w1, 0xffffffffffffffff",
        "add.s32 w0, w1, 'a'",
        "add.s32 w0, w1, 1.5 < 2.5",
        "add.s32 w0, w1, ~1.5",
        "add.s32 w0, w1, -w2",
        "add.s32 w0, w1, !w2",
        "mov.f32 f0, .5",
        "mov.f32 f0, -.5",
        "mov.f32 f0, +1.0",
        "mov.f32 f0, 1.",
        "mov.f32 f0, 1e5",
        "mov.f32 f0, 1.0f",
        "mov.f32 f0, 1.0 + 2.0",
        "mov.f32 f0, 1.0 * 2",
        "mov.f32 f0, -(1.0)",
        "mov.f32 f0, -0f3f800000",
        "mov.f32 f0, 0f3f800000 + 1.0",
        "mov.f32 f0, 0f3f8",
        "mov.f32 f0, 0F3F800000",
        "add.s32 _, w1, w2",
        "lop3.b32 _, w1, w2, w3, 5",
        "lop3.or.b32 _|p, w1, w2, w3, 5, q",
        "lop3.or.b32 w0|_, w1, w2, w3, 5, q",
        "add.s32 w0, _, w2",
        "mov.b32 w0, {_, h1}",
        "mov.b32 w0, {_, _}",
        "mov.b32 {_, h1}, w0",
        "mov.b32 {_, _}, w0",
        "mov.b32 {h1, 1}, w0",
        "mul .lo.s32 w0, w1, w2",
        "mul.lo .s32 w0, w1, w2",
        "mul. lo.s32 w0, w1, w2",
        "mul.lo. s32 w0, w1, w2",
        "add/* a */.s32 w0, w1, w2",
        "add .sat .s32 w0, w1, w2",
        "cvt .rn.f16.f32 h0, f1",
        "cvt.pack .sat.s16.s32 w0, w1, w2",
        "shf .l.wrap.b32 w0, w1, w2, w3",
        "shf.l.wrap w0, w1, w2, w3",
        "selp.b32 w0, 1, 2, 1",
        "selp.b32 w0, 1, 2, -1",
        "selp.b32 w0, 1, 2, !1",
        "selp.b32 w0, 1, 2, 1.0",
    };
    size_t taken = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct listing l;
        bool good;
        listing_open(&l, &judges.ptxas);
        listing_add(&l, lines[i], "");
        good = listing_judge(&l);
        listing_close(&l);
        taken += good;
        if (good != is_taken_here(lines[i], "")) {
            printf("%s;  ptxas %s it\n", lines[i], good ? "takes" : "refuses");
            judges.differ++;
        }
    }
    printf("%zu single lines, ptxas takes %zu of them\n", COUNT(lines), taken);
    assert_int_equal(judges.differ, 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sources), cmocka_unit_test(texts),
                                       cmocka_unit_test(legality), cmocka_unit_test(registers)};
    int status;
    if (argc < 2 || harness_start(1, argv) != 0) return 1;
    all_lines = argc > 2 && strcmp(argv[2], "all") == 0;
    judges.library = is_taken_here;
    judges.exception = is_exception;
    if (!ptxas_start(&judges.ptxas, argv[1])) return HARNESS_SKIPPED;
    status = cmocka_run_group_tests_name("ptxas, integers of programs", tests, NULL, NULL);
    ptxas_stop(&judges.ptxas);
    return harness_end(status);
}
