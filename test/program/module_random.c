/* SPDX-License-Identifier: MIT */
/*
 * If the values of a register are linear in the numbers of thread and block, the engine computes with a ramp
 * (ramp.h) instead of the values of all lanes. This test runs random integer instructions twice in one kernel: on
 * registers that are ramps at first, and on registers with the same values loaded from memory, which are not ramps.
 * The results must be the same.
 */
#include "program/module_texts.h"
#include "program/program_tests.h"
#include "program/text_writer.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <pto/module.h>

#include <string.h>

enum { REGISTERS = 6, INSTRUCTIONS = 12, N = 1200 };

/* Returns a random constant of a kind that index arithmetic may have: a small number, a power of two, a power
 * of two minus 1, or a negated power of two. */
static uint32_t constant(struct text_writer *w) {
    const uint32_t power = (uint32_t)1 << rng_below(&w->rng, 32);
    switch (rng_below(&w->rng, 4)) {
    case 0: return (uint32_t)rng_below(&w->rng, 10);
    case 1: return power;
    case 2: return power - 1;
    default: return 0 - power;
    }
}

/* Writes a random instruction on 32-bit registers (%ar, %br) and 64-bit registers (%ad, %bd) twice: once with
 * the registers whose names begin with "a", and once with those that begin with "b". */
static void put_instruction(struct text_writer *w) {
    static const char *const two[] = {"add.s32", "sub.s32", "mul.lo.s32", "and.b32", "or.b32", "xor.b32"};
    static const char *const wide[] = {"add.s64", "sub.s64", "mul.lo.s64", "and.b64", "or.b64", "xor.b64"};
    static const char *const compared[] = {"lt.s32", "ge.s32", "gt.u32", "le.u32",
                                           "eq.b32", "ne.s32", "lo.u32", "hs.u32"};
    const unsigned kind = (unsigned)rng_below(&w->rng, 10), op = (unsigned)rng_below(&w->rng, 6);
    const unsigned d = (unsigned)rng_below(&w->rng, REGISTERS), a = (unsigned)rng_below(&w->rng, REGISTERS),
                   b = (unsigned)rng_below(&w->rng, REGISTERS), shift = (unsigned)rng_below(&w->rng, 34);
    const uint32_t c = constant(w);
    for (const char *v = "ab"; *v; v++) switch (kind) {
        case 0: text_put(w, "%s %%%cr%u, %%%cr%u, %%%cr%u;", two[op], *v, d, *v, a, *v, b); break;
        case 1:
        case 2: text_put(w, "%s %%%cr%u, %%%cr%u, 0x%x;", two[op], *v, d, *v, a, (unsigned)c); break;
        case 3: text_put(w, "shl.b32 %%%cr%u, %%%cr%u, %u;", *v, d, *v, a, shift); break;
        case 4: text_put(w, "shr.%s32 %%%cr%u, %%%cr%u, %u;", op & 1 ? "u" : "s", *v, d, *v, a, shift); break;
        case 5: text_put(w, "%s %%%cd%u, %%%cd%u, %%%cd%u;", wide[op], *v, d, *v, a, *v, b); break;
        case 6:
            text_put(w, "cvt.%c64.%s32 %%%cd%u, %%%cr%u;", op & 1 ? 'u' : 's', op & 2 ? "u" : "s", *v, d, *v,
                     a);
            break;
        case 7: text_put(w, "cvt.u32.u64 %%%cr%u, %%%cd%u;", *v, d, *v, a); break;
        case 8:
            text_put(w, "setp.%s %%%cp, %%%cr%u, 0x%x; selp.b32 %%%cr%u, %%%cr%u, %%%cr%u, %%%cp;",
                     compared[c % 8], *v, *v, a, (unsigned)(c >> op), *v, d, *v, a, *v, b, *v);
            break;
        default:
            text_put(w, "setp.%s %%%cp, %%%cr%u, %%%cr%u; @%s%%%cp add.s32 %%%cr%u, %%%cr%u, 0x%x;",
                     compared[op], *v, *v, a, *v, b, op & 1 ? "!" : "", *v, *v, d, *v, a, (unsigned)c);
        }
    text_put(w, "\n");
}

static void write_kernel(struct text_writer *w) {
    w->length = 0;
    text_put(w, "%s",
             HEADER ".entry k(.param .u64 x, .param .u64 y) {\n" INDEX X_AND_Y
                    ".reg .b32 %ar<9>; .reg .b32 %br<9>; .reg .b64 %ad<9>; .reg .b64 %bd<9>; .reg .pred "
                    "%ap; .reg .pred %bp;\n"
                    "shl.b64 %rd5, %rd1, 1; ld.param.u64 %rd4, [x]; add.s64 %rd4, %rd4, %rd5;\n"
                    "mov.u32 %ar0, %tid.x; mov.u32 %ar1, %ctaid.x; mov.u32 %ar2, %ntid.x;\n"
                    "ld.global.u32 %br0, [%rd4]; ld.global.u32 %br1, [%rd4+4]; mov.u32 %br2, %ntid.x;\n");
    for (size_t i = 0; i < INSTRUCTIONS; i++) put_instruction(w);
    text_put(w, "shl.b64 %%rd6, %%rd1, 4; ld.param.u64 %%rd7, [y]; add.s64 %%rd7, %%rd7, %%rd6;\n");
    for (unsigned i = 0; i < REGISTERS; i++)
        text_put(
            w,
            "cvt.u32.u64 %%r4, %%ad%u; xor.b32 %%r4, %%r4, %%ar%u; cvt.u32.u64 %%r5, %%bd%u; xor.b32 %%r5, "
            "%%r5, %%br%u;\n"
            "shr.u64 %%rd8, %%ad%u, 32; cvt.u32.u64 %%r6, %%rd8; xor.b32 %%r4, %%r4, %%r6; shr.u64 %%rd8, "
            "%%bd%u, 32;\n"
            "cvt.u32.u64 %%r6, %%rd8; xor.b32 %%r5, %%r5, %%r6; st.global.v2.u32 [%%rd7+%u], {%%r4, %%r5};\n",
            i, i, i, i, i, i, i * 8);
    text_put(w, "ret; }\n");
}

void module_random(void **state) {
    static const uint32_t blocks[] = {1, 30, 100, 400};
    static uint32_t x[N][2], y[N][16];
    static struct text_writer w;
    const size_t rounds = harness_quick() ? 300 : 5000;
    (void)state;
    rng_start(&w.rng, "module_random");
    for (size_t round = 0; round < rounds; round++) {
        const uint32_t threads = blocks[round % 4];
        const pto_argument arguments[] = {{.input = x, .bytes = sizeof x}, {.memory = y, .bytes = sizeof y}};
        pto_program_error error;
        pto_module *m;
        write_kernel(&w);
        m = pto_module_new(w.text, (pto_program_options){0}, &error);
        if (!m) fail_msg("%zu:%zu '%s': %s\n%s", error.line, error.column, error.word, error.text, w.text);
        for (uint32_t i = 0; i < N; i++) x[i][0] = i % threads, x[i][1] = i / threads;
        if (pto_module_launch(m, "k", (pto_dim3){N / threads, 1, 1}, (pto_dim3){threads, 1, 1}, arguments,
                              2) != PTO_OK)
            fail_msg("%s\n%s", pto_module_problem(m)->text, w.text);
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t k = 0; k < REGISTERS; k++)
                if (y[i][(size_t)2 * k] != y[i][(size_t)2 * k + 1])
                    fail_msg("blocks of %u threads, thread %u, register %u\n%s", threads, i, k, w.text);
        pto_module_free(m);
    }
}
