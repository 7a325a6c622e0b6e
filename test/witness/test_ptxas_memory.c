/* SPDX-License-Identifier: MIT */
/* test_ptxas_memory PTXAS [all]: mutates the instructions that only kernels have, accesses to memory and exchanges in a
 * warp, and compares which lines the library takes with which ptxas, NVIDIA's assembler, takes. Tests 2,000 lines, or
 * 20,000 with `all`. */
#include "support/cmocka_all.h"
#include "witness/legality.h"

#include <pto/module.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool all_lines;
static struct judges judges;

/* Legal lines. The registers are those of listing_open(). */
static const char *const legal[] = {
    "ld.global.u32 w0, [d1]",
    "ld.f32 f0, [d1+4]",
    "ld.global.ca.s32 w0, [d1]",
    "ld.weak.global.b64 d0, [d1+-8]",
    "ld.volatile.shared.u16 h0, [w1]",
    "ld.relaxed.gpu.global.u32 w0, [d1]",
    "ld.acquire.sys.global.L2::128B.u32 w0, [d1]",
    "ld.mmio.relaxed.sys.global.u32 w0, [d1]",
    "ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {w0, w1, w2, w3}, [d1]",
    "ld.global.nc.cs.f64 e0, [d1]",
    "ld.global.L2::cache_hint.v2.b64 {d0, d1}, [d2], d3",
    "ld.global.L1::evict_last.L2::evict_last.v8.b32 {w0, w1, w2, w3, w4, w5, w1, w2}, [d1]",
    "ld.global.v4.b64 {d0, d1, d2, d3}, [d1]",
    "ld.const.b8 b0, [d1]",
    "ld.local.s8 h0, [w1]",
    "ld.shared::cta.v2.f32 {f0, _}, [w1+(2 * 4)]",
    "ldu.global.v4.f32 {f0, f1, f2, f3}, [d1]",
    "st.global.u32 [d1], w0",
    "st.global.wb.f32 [d1], 1.0",
    "st.relaxed.cta.shared.b16 [w1], h0",
    "st.release.gpu.global.v2.u32 [d1], {w0, 7}",
    "st.volatile.local.u8 [w1], w0",
    "st.global.L1::evict_first.L2::cache_hint.b64 [d1], d0, d2",
    "st.global.cs.v4.f32 [d1+16], {f0, f1, f2, f3}",
    "st.mmio.release.sys.b32 [d1], f0",
    "atom.global.add.u32 w0, [d1], w2",
    "atom.relaxed.gpu.global.add.f32 f0, [d1], f2",
    "atom.acq_rel.gpu.global.cas.b64 d0, [d1], d2, d3",
    "atom.shared.cas.b16 h0, [w1], h2, h3",
    "atom.exch.b32 w0, [d1+4], 5",
    "atom.global.L2::cache_hint.min.s64 d0, [d1], d2, d3",
    "atom.shared.inc.u32 _, [w1], w2",
    "red.global.add.f64 [d1], e2",
    "red.release.sys.global.or.b32 [d1], w2",
    "red.shared.max.s32 [w1], 7",
    "shfl.sync.up.b32 w0, w1, w2, w3, w4",
    "shfl.sync.bfly.b32 w0|p, w1, 16, 31, -1",
    "shfl.sync.idx.b32 f0, f1, w2, w3, w4",
    "vote.sync.all.pred p, !q, w1",
    "vote.sync.ballot.b32 w0, q, -1",
    "activemask.b32 w0",
    "match.any.sync.b32 w0, w1, w2",
    "match.all.sync.b64 w0|p, d1, -1",
    "elect.sync w0|p, w1",
    "redux.sync.add.s32 w0, w1, w2",
    "redux.sync.and.b32 w0, w1, -1",
    "bar.sync 3",
    "barrier.sync.aligned 0",
    "bar.warp.sync w1",
    "membar.gl",
    "fence.acq_rel.gpu",
    "prefetch.global.L2 [d1]",
    "cvta.to.global.u64 d0, d1",
    "cvta.shared.u64 d0, d1",
};

static const char *const names[] = {"ld", "ldu", "st", "atom", "red", "shfl", "vote", "match", "redux"};

static const char *const modifiers[] = {"global",
                                        "shared",
                                        "shared::cta",
                                        "shared::cluster",
                                        "local",
                                        "const",
                                        "weak",
                                        "volatile",
                                        "relaxed",
                                        "acquire",
                                        "release",
                                        "acq_rel",
                                        "mmio",
                                        "cta",
                                        "cluster",
                                        "gpu",
                                        "sys",
                                        "ca",
                                        "cg",
                                        "cs",
                                        "lu",
                                        "cv",
                                        "wb",
                                        "wt",
                                        "nc",
                                        "L1::evict_normal",
                                        "L1::evict_unchanged",
                                        "L1::evict_last",
                                        "L1::no_allocate",
                                        "L1::evict_any",
                                        "L2::evict_first",
                                        "L2::cache_hint",
                                        "L2::64B",
                                        "L2::256B",
                                        "L2::32B",
                                        "v2",
                                        "v4",
                                        "v8",
                                        "add",
                                        "min",
                                        "and",
                                        "or",
                                        "exch",
                                        "cas",
                                        "inc",
                                        "dec",
                                        "sync",
                                        "up",
                                        "down",
                                        "any",
                                        "uni",
                                        "all",
                                        "ballot",
                                        "to",
                                        "sat"};

static const char *const types[] = {"u8",  "u16", "u32", "u64", "s8",  "s16", "s32",   "s64",  "b8",
                                    "b16", "b32", "b64", "f16", "f32", "f64", "f16x2", "bf16", "pred"};

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
    "300",
    "WARP_SZ",
    "16 + 4",
    "p",
    "!q",
    "_",
    "w1|p",
    "{w1, w2}",
    "{w1}",
    "{h1, h2}",
    "{f1, w2}",
    "{w1, _}",
    "{_, _}",
    "{w1, 3}",
    "{d1, d2}",
    "{w1, w1}",
    "{w1, d2}",
    "{w1, w2, w3}",
    "{w1, w2, w3, w4}",
    "{b1, b2, b3, b4}",
    "[d1]",
    "[w1]",
    "[s1]",
    "[l1]",
    "[h1]",
    "[f1]",
    "[x1]",
    "[d1+8]",
    "[d1+-8]",
    "[d1+4+4]",
    "[64]",
    "[-4]",
    "[d1+0x10]",
    "[d1+1.5]",
    "%tid.x",
    "%laneid",
};

static const struct vocabulary vocabulary = {WORDS(legal), WORDS(names), WORDS(modifiers), WORDS(types),
                                             WORDS(operands)};

/* Returns whether the library refuses on purpose what ptxas takes: addresses of 32 bits as generic ones, bar with
 * threads or a register, vectors and halves in atom and red, a second .sync, registers of .f16x2 as predicates, and in
 * the vectors of st registers of several types or integers beside floats. */
static bool is_exception(const char *opcode, const char *rest) {
    const char *sync = strstr(opcode, ".sync");
    const bool is_atomic = strncmp(opcode, "atom", 4) == 0 || strncmp(opcode, "red", 3) == 0;
    if (strncmp(opcode, "cvta", 4) == 0) return strstr(opcode, "u32") != NULL;
    if (strncmp(opcode, "bar", 3) == 0)
        return strcspn(rest, ",whsulj") != strlen(rest) || legality_has_word(opcode, "any") ||
               legality_has_word(opcode, "all") || (sync && strstr(sync + 1, ".sync"));
    if (strncmp(opcode, "st", 2) == 0) return strchr(rest, '{') != NULL;
    if (strstr(rest, "{f1, w2}")) return true;
    if (strstr(rest, "x1") && legality_has_word(opcode, "pred")) return true;
    if (sync && strstr(sync + 1, ".sync")) return true;
    return is_atomic && (legality_has_word(opcode, "v2") || legality_has_word(opcode, "f16") ||
                         legality_has_word(opcode, "f16x2") || legality_has_word(opcode, "bf16"));
}

static bool is_taken_here(const char *opcode, const char *rest) {
    static const char head[] =
        ".version 9.0\n.target sm_100a\n.address_size 64\n.entry k() {\n" LISTING_REGISTERS;
    char text[sizeof head + (size_t)3 * LEGALITY_TEXT];
    pto_module *module;
    snprintf(text, sizeof text, "%s\n%s %s; ret; }\n", head, opcode, rest);
    module = pto_module_new(text, (pto_program_options){0}, NULL);
    pto_module_free(module);
    return module != NULL;
}

static void sources(void **state) {
    (void)state;
    legality_sources(&judges, vocabulary.legal);
}

/* Returns whether a line certainly breaks the grammar of ptxas, which then says nothing about all other lines. */
static bool is_no_statement(const char *opcode, const char *rest) {
    const char *pair = strchr(rest, '|'), *comma = strchr(rest, ',');
    const bool has_sink = rest[0] == '_' || strstr(rest, ", _,") != NULL;
    return has_sink || (pair && (!comma || pair > comma)) || strstr(opcode, "..") != NULL;
}

static void legality(void **state) {
    struct lines *lines = harness_allocate(sizeof *lines);
    struct rng rng;
    (void)state;
    rng_start(&rng, "memory");
    for (size_t batch = 0; batch < (all_lines ? 10 : 1); batch++) {
        for (lines->n = 0; lines->n < LEGALITY_BATCH;) {
            char *opcode = lines->opcode[lines->n], *rest = lines->rest[lines->n];
            legality_mutate(&rng, &vocabulary, opcode, rest);
            if (!is_no_statement(opcode, rest)) lines->n++;
        }
        legality_judge(&judges, lines);
    }
    harness_free(lines);
    printf("%zu lines, ptxas takes %zu of them; the syntax of %zu stops it; %zu exceptions\n", judges.lines,
           judges.taken, judges.stopped, judges.exceptions);
    assert_int_equal(judges.differ, 0);
    assert_true(judges.taken > judges.lines / 10 && judges.taken < judges.lines / 10 * 9);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sources), cmocka_unit_test(legality)};
    int status;
    if (argc < 2 || harness_start(1, argv) != 0) return 1;
    all_lines = argc > 2 && strcmp(argv[2], "all") == 0;
    judges.library = is_taken_here;
    judges.exception = is_exception;
    if (!ptxas_start(&judges.ptxas, argv[1])) return HARNESS_SKIPPED;
    status = cmocka_run_group_tests_name("ptxas, memory and warps", tests, NULL, NULL);
    ptxas_stop(&judges.ptxas);
    return harness_end(status);
}
