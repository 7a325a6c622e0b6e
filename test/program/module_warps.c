/* SPDX-License-Identifier: MIT */
/* Tests shuffles, votes, matches and reductions of kernels against a model of one warp, and atomic accesses
 * against known results. */
#include "program/module_texts.h"
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <pto/module.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 80, BLOCKS = 30, N = THREADS * BLOCKS, TEXT = 4096 };

/* Runs a kernel with `body`. Thread i has x[i] in %r4, and stores %r5 and %r6 to y[i]. */
static void run(const char *body, const uint32_t *x, uint32_t (*y)[2]) {
    char text[TEXT];
    pto_program_error error;
    pto_module *m;
    const pto_argument arguments[] = {{.input = x, .bytes = N * sizeof *x},
                                      {.memory = y, .bytes = N * sizeof *y}};
    snprintf(text, sizeof text,
             "%s  %s\n  add.s64 %%rd3, %%rd3, %%rd1; st.global.v2.u32 [%%rd3], {%%r5, %%r6}; ret; }\n",
             HEADER ".entry k(.param .u64 x, .param .u64 y) {\n" INDEX X_AND_Y
                    "ld.global.u32 %r4, [%rd2]; mov.u32 %r7, %laneid; mov.u32 %r5, 0; mov.u32 %r6, 0;\n",
             body);
    m = pto_module_new(text, (pto_program_options){0}, &error);
    if (!m) fail_msg("%zu:%zu '%s': %s\n%s", error.line, error.column, error.word, error.text, text);
    if (pto_module_launch(m, NULL, (pto_dim3){BLOCKS, 1, 1}, (pto_dim3){THREADS, 1, 1}, arguments, 2) !=
        PTO_OK)
        fail_msg("%s\n%s", pto_module_problem(m)->text, body);
    pto_module_free(m);
}

static void fill(uint32_t *x, uint32_t below) {
    struct rng rng;
    rng_start(&rng, "module warps");
    for (size_t i = 0; i < N; i++) x[i] = (uint32_t)rng_below(&rng, below);
}

/* ---- shuffles ---- */

enum { UP, DOWN, BUTTERFLY, INDEX_MODE, MODES };

/* Returns the lane from which lane i gets its value, as PTX's pseudocode computes it; -1 if that lane is out
 * of range. */
static int source_of(int mode, int i, int b, int c) {
    const int segment = c >> 8 & 31, clamp = c & 31, most = (i & segment) | (clamp & ~segment);
    const int j = mode == UP          ? i - b
                  : mode == DOWN      ? i + b
                  : mode == BUTTERFLY ? i ^ b
                                      : (i & segment) | (b & ~segment);
    return mode == UP ? (j >= most ? j : -1) : (j <= most ? j : -1);
}

/** Tests all modes of shfl with several widths of segments. The last warp of a block has 16 threads. */
void module_shuffles(void **state) {
    static const char *const names[MODES] = {"up", "down", "bfly", "idx"};
    static const int clamps[] = {0, 31, 0x1c03, 0x181f, 0x1f1f, 0x1007, 0x1010, 5};
    static uint32_t x[N], y[N][2];
    (void)state;
    fill(x, UINT32_MAX);
    for (int mode = 0; mode < MODES; mode++)
        for (size_t k = 0; k < sizeof clamps / sizeof clamps[0]; k++)
            for (int b = 0; b < 32; b += 1 + b / 3) {
                char body[256];
                snprintf(body, sizeof body,
                         "shfl.sync.%s.b32 %%r5|%%p1, %%r4, %d, %d, -1; selp.u32 %%r6, 1, 0, %%p1;",
                         names[mode], b, clamps[k]);
                run(body, x, y);
                for (int i = 0; i < N; i++) {
                    const int in_block = i % THREADS, lane = in_block % 32, warp = i - lane;
                    const int threads = THREADS - (in_block - lane) < 32 ? THREADS - (in_block - lane) : 32;
                    const int from = source_of(mode, lane, b, clamps[k]);
                    if (from >= threads) continue; /* the source does not exist: PTX defines no result */
                    if (y[i][0] != x[from < 0 ? i : warp + from] || y[i][1] != (from >= 0))
                        fail_msg("%s thread %d", body, i);
                }
            }
}

/* ---- votes, matches and reductions ---- */

static const struct {
    const char *body;
    int kind;
} votes[] = {
    {"setp.gt.u32 %p1, %r4, 3; vote.sync.ballot.b32 %r5, %p1, -1; vote.sync.any.pred %p2, %p1, -1; selp.u32 "
     "%r6, 1, 0, %p2;",
     0},
    {"setp.gt.u32 %p1, %r4, 0; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r6, 1, 0, %p2;\n"
     "vote.sync.ballot.b32 %r5, !%p1, 0x0ff0;",
     1},
    {"match.any.sync.b32 %r5, %r4, -1; and.b32 %r8, %r4, 0; match.all.sync.b32 %r8|%p1, %r8, -1; selp.u32 "
     "%r6, 1, 0, %p1;",
     2},
    {"redux.sync.add.u32 %r5, %r4, -1; redux.sync.max.s32 %r6, %r4, 0xf0f0;", 3},
    {"setp.lt.u32 %p1, %r4, 4; @!%p1 bra end; activemask.b32 %r5; elect.sync %r6|%p2, -1; end:", 4},
};

static uint32_t expected(int kind, const uint32_t *warp, int threads, int i, uint32_t *second) {
    uint32_t above = 0, zeros = 0, same = 0, sum = 0, most = 0, small = 0;
    for (int k = 0; k < threads; k++) {
        above |= (uint32_t)(warp[k] > 3) << k;
        zeros |= (uint32_t)(warp[k] == 0) << k;
        same |= (uint32_t)(warp[k] == warp[i]) << k;
        small |= (uint32_t)(warp[k] < 4) << k;
        sum += warp[k];
        if (0xf0f0 >> k & 1 && warp[k] > most) most = warp[k];
    }
    switch (kind) {
    case 0: *second = above != 0; return above;
    case 1: *second = zeros == 0; return zeros & 0x0ff0;
    case 2: *second = 1; return same;
    case 3: *second = most; return sum;
    default: {
        uint32_t first = 0;
        while (small != 0 && (small >> first & 1) == 0) first++;
        *second = warp[i] < 4 ? first : 0;
        return warp[i] < 4 ? small : 0;
    }
    }
}

void module_votes(void **state) {
    static uint32_t x[N], y[N][2];
    (void)state;
    fill(x, 6);
    for (size_t v = 0; v < sizeof votes / sizeof votes[0]; v++) {
        run(votes[v].body, x, y);
        for (int i = 0; i < N; i++) {
            const int in_block = i % THREADS, lane = in_block % 32, warp = i - lane;
            const int threads = THREADS - (in_block - lane) < 32 ? THREADS - (in_block - lane) : 32;
            uint32_t second = 0;
            const uint32_t first = expected(votes[v].kind, x + warp, threads, lane, &second);
            if (y[i][0] != first || y[i][1] != second)
                fail_msg("%s\nthread %d: %x, %x, not %x, %x", votes[v].body, i, (unsigned)y[i][0],
                         (unsigned)y[i][1], (unsigned)first, (unsigned)second);
        }
    }
}

/* ---- atomic accesses ---- */

static const struct {
    const char *body;
    uint64_t before, after;
} atomics[] = {
    {"red.global.add.u32 [%rd2], 3;", 5, 5 + 300},
    {"red.global.add.u64 [%rd2], 0x100000001;", 0, 0x6400000064},
    {"atom.global.or.b32 %r5, [%rd2], %r4;", 0, 127},
    {"atom.global.xor.b32 _, [%rd2], 1;", 7, 7},
    {"atom.relaxed.gpu.global.and.b32 %r5, [%rd2], 0x7fffffe0;", 0xffffffff, 0x7fffffe0},
    {"atom.global.max.s32 %r5, [%rd2], %r4;", 0xffffffff, 99},
    {"atom.global.max.u32 %r5, [%rd2], %r4;", 0xffffffff, 0xffffffff},
    {"atom.global.min.s64 %rd4, [%rd2], -1;", 5, UINT64_MAX},
    {"red.min.u64 [%rd2], 7;", UINT64_MAX, 7},
    {"atom.global.inc.u32 %r5, [%rd2], 6;", 0, 2},      /* 100 modulo 7 */
    {"atom.global.dec.u32 %r5, [%rd2], 6;", 0, 5},      /* -100 modulo 7 */
    {"atom.global.exch.b32 %r5, [%rd2], %r4;", 77, 99}, /* the value of the last thread */
    {"atom.global.cas.b32 %r5, [%rd2], %r4, %r6;", 0, 100},
    {"atom.global.add.f32 %f1, [%rd2], 0f3F000000;", 0, 0x42480000}, /* 50 */
    {"atom.global.add.f32 %f1, [%rd2], 0f00000001;", 0, 0},          /* flushed */
    {"red.global.add.f64 [%rd2], 0d0000000000000001;", 0, 100},
    {"atom.global.add.f32 %f1, [%rd2], 0fFFC00000;", 0, 0x7fffffff},
};

/** 100 threads access one word, in the order of their numbers, on which the results of exch and cas depend. */
void module_atomics(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof atomics / sizeof atomics[0]; i++) {
        char text[TEXT];
        pto_program_error error;
        pto_module *m;
        uint64_t word = atomics[i].before;
        const pto_argument argument = {.memory = &word, .bytes = sizeof word};
        snprintf(text, sizeof text, "%s%s ret; }\n",
                 HEADER ".entry k(.param .u64 x) {\n" INDEX
                        "ld.param.u64 %rd2, [x]; mov.u32 %r4, %r1; add.s32 %r6, %r1, 1;\n",
                 atomics[i].body);
        m = pto_module_new(text, (pto_program_options){0}, &error);
        if (!m) fail_msg("%zu:%zu '%s': %s\n%s", error.line, error.column, error.word, error.text, text);
        if (pto_module_launch(m, NULL, (pto_dim3){2, 1, 1}, (pto_dim3){50, 1, 1}, &argument, 1) != PTO_OK)
            fail_msg("%s\n%s", pto_module_problem(m)->text, text);
        if (word != atomics[i].after) fail_msg("%s\ngives %llx", atomics[i].body, (unsigned long long)word);
        pto_module_free(m);
    }
}
