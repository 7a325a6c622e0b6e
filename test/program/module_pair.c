/* SPDX-License-Identifier: MIT */
/* Launches one kernel with and without a record, and compares the results. */
#include "program/module_pair.h"

#include "program/module_texts.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <string.h>

const char pair_prologue[] = HEADER
    ".const .align 4 .u32 table[4] = {3, 5, 7, 11};\n.global .align 4 .u32 total = 5;\n"
    ".entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 turn, .param .u64 "
    "seen, .param .u32 n) {\n"
    ".reg .pred %p<4>; .reg .pred %pp; .reg .f32 %f<6>; .reg .b32 %q<6>; .reg .b16 %h<6>; .reg .b64 %d<6>;\n"
    ".reg .b32 %r<20>; .reg .b64 %rd<20>;\n"
    "mov.u32 %r6, %tid.z; mov.u32 %r7, %ntid.y; mov.u32 %r8, %tid.y; mad.lo.s32 %r6, %r6, %r7, %r8;\n"
    "mov.u32 %r7, %ntid.x; mov.u32 %r8, %tid.x; mad.lo.s32 %r2, %r6, %r7, %r8;\n"
    "mov.u32 %r6, %ctaid.z; mov.u32 %r7, %nctaid.y; mov.u32 %r8, %ctaid.y; mad.lo.s32 %r6, %r6, %r7, %r8;\n"
    "mov.u32 %r7, %nctaid.x; mov.u32 %r8, %ctaid.x; mad.lo.s32 %r3, %r6, %r7, %r8;\n"
    "mov.u32 %r6, %ntid.x; mov.u32 %r7, %ntid.y; mul.lo.s32 %r6, %r6, %r7; mov.u32 %r7, %ntid.z;\n"
    "mul.lo.s32 %r6, %r6, %r7; mad.lo.s32 %r1, %r3, %r6, %r2;\n"
    "ld.param.u64 %rd4, [a]; ld.param.u64 %rd5, [b]; ld.param.u64 %rd6, [c]; ld.param.u64 %rd7, [d];\n"
    "ld.param.u64 %rd8, [turn]; ld.param.u64 %rd9, [seen]; ld.param.u32 %r5, [n];\n"
    "ld.global.u32 %r4, [%rd8]; mul.wide.u32 %rd10, %r1, 4; add.s64 %rd9, %rd9, %rd10;\n"
    "st.global.u32 [%rd9], %r4;\n";

static struct pair_result results[2];

const struct pair_result *pair_result(int traced) {
    return &results[traced];
}

static bool next_turn(void *user) {
    ++*(uint32_t *)user;
    return false;
}

void pair_ignore(void *user, const pto_program_step *step) {
    (void)user;
    (void)step;
}

static size_t threads_of(const struct pair_setup *s) {
    return (size_t)s->block.x * s->block.y * s->block.z;
}

static void launch(const char *text, const struct pair_setup *s, bool traced) {
    struct pair_result *r = &results[traced];
    const pto_program_options options = {
        .trace = traced ? pair_ignore : NULL, .stop = next_turn, .user = &r->turn, .max_steps = s->max_steps};
    pto_argument arguments[PAIR_ARRAYS + 3] = {[PAIR_ARRAYS] = {.input = &r->turn, .bytes = sizeof r->turn},
                                               {.memory = r->seen, .bytes = sizeof r->seen},
                                               {.scalar = &s->n, .bytes = sizeof s->n}};
    pto_program_error error;
    pto_module *m = pto_module_new(text, options, &error);
    if (!m) fail_msg("%zu:%zu '%s': %s\n%s", error.line, error.column, error.word, error.text, text);
    for (size_t i = 0; i < PAIR_ARRAYS; i++) {
        unsigned char *memory = r->pool + s->arrays[i].offset;
        arguments[i] = s->arrays[i].is_input ? (pto_argument){.input = memory, .bytes = s->arrays[i].bytes}
                                             : (pto_argument){.memory = memory, .bytes = s->arrays[i].bytes};
    }
    r->turn = 0;
    memset(r->seen, 0xff, sizeof r->seen);
    r->status =
        pto_module_launch_blocks(m, "k", s->grid, s->block, arguments, PAIR_ARRAYS + 3, s->first, s->count);
    r->problem = *pto_module_problem(m);
    pto_module_free(m);
}

static void fail_pair(const char *text, const struct pair_setup *s, const char *what, size_t at) {
    print_error("grid %u x %u x %u, block %u x %u x %u, blocks %zu + %zu, n %u\n", s->grid.x, s->grid.y,
                s->grid.z, s->block.x, s->block.y, s->block.z, s->first, s->count, s->n);
    for (size_t i = 0; i < PAIR_ARRAYS; i++)
        print_error("%s %c: %zu + %zu\n", s->arrays[i].is_input ? "input" : "memory", (int)('a' + i),
                    s->arrays[i].offset, s->arrays[i].bytes);
    print_error("record: %s\nengine: %s\n", results[0].problem.text, results[1].problem.text);
    fail_msg("%s at %zu\n%s", what, at, text);
}

/* Checks that the launch with the trace callback loaded `turn` in each group. */
static void check_engine(const char *text, const struct pair_setup *s) {
    const size_t threads = threads_of(s), group = 2048 / threads * threads;
    const uint32_t *seen = results[1].seen + s->first * threads;
    for (size_t i = 0; i < s->count * threads; i++)
        if (seen[i] != UINT32_MAX && seen[i] != i / group)
            fail_pair(text, s, "the engine did not load an element again", i);
}

static void compare(const char *text, const struct pair_setup *s) {
    const struct pair_result *record = &results[0], *engine = &results[1];
    if (record->status != engine->status ||
        memcmp(&record->problem, &engine->problem, sizeof record->problem) != 0)
        fail_pair(text, s, "another status", 0);
    check_engine(text, s);
    if (record->status != PTO_OK) return; /* memory may be partly written */
    for (size_t i = 0; i < PAIR_POOL; i++)
        if (record->pool[i] != engine->pool[i]) fail_pair(text, s, "memory differs", i);
    for (size_t i = 0; i < PAIR_THREADS; i++)
        if ((record->seen[i] == UINT32_MAX) != (engine->seen[i] == UINT32_MAX))
            fail_pair(text, s, "one launch omits a thread", i);
}

size_t pair_recorded(void) {
    size_t count = 0;
    for (size_t i = 0; i < PAIR_THREADS; i++) count += results[0].seen[i] != results[1].seen[i];
    return count;
}

/* Fills the pool with values that are random bits or small integers. */
static void fill_pool(struct rng *rng) {
    rng_fill(rng, results[0].pool, PAIR_POOL);
    for (size_t i = 0; i < PAIR_POOL; i += 4)
        if (results[0].pool[i] % 4 == 0) memset(results[0].pool + i + 1, 0, 3);
}

void pair_run(const char *text, const struct pair_setup *setup) {
    static unsigned char start[PAIR_POOL];
    static bool is_filled;
    struct rng rng;
    if (!is_filled) {
        rng_start(&rng, "module_pair");
        fill_pool(&rng);
        memcpy(start, results[0].pool, PAIR_POOL);
        is_filled = true;
    }
    for (int traced = 0; traced < 2; traced++) {
        memcpy(results[traced].pool, start, PAIR_POOL);
        launch(text, setup, traced != 0);
    }
    compare(text, setup);
}
