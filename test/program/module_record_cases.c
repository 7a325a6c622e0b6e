/* SPDX-License-Identifier: MIT */
/* Compares kernels that are special cases of a record with the engine (module_pair.h), and tests launches of one module
 * in several threads and on several instruction sets. */
#include "program/module_pair.h"
#include "program/module_texts.h"
#include "program/program_tests.h"
#include "program/text_writer.h"

#include "support/cmocka_all.h"

#include <pthread.h>
#include <string.h>

enum { LONG = 1 << 20 }; /* max_steps of cases that take long, so that only one size of blocks is tested */

/* What follows the prologue and the addresses of element %r1 of each array, in %rd4 to %rd7. */
static const struct special_case {
    const char *name, *text;
    bool is_recorded; /* whether a record runs at least one group */
    size_t max_steps;
} cases[] = {
    {"one register in three arrays",
     "ld.global.f32 %f0, [%rd4]; add.f32 %f1, %f0, %f0; st.global.f32 [%rd5], %f1; st.global.f32 [%rd6], "
     "%f1;\n"
     "add.f32 %f2, %f1, %f0; st.global.f32 [%rd7], %f1; st.global.f32 [%rd6+4], %f2;\n",
     true, 0},
    {"a register that changes after the store",
     "ld.global.u32 %q0, [%rd4]; add.s32 %q1, %q0, 1; st.global.u32 [%rd5], %q1; add.s32 %q1, %q1, 5;\n"
     "st.global.u32 [%rd6], %q1;\n",
     true, 0},
    {"a register whose old value is read before it is stored elsewhere",
     "ld.global.u32 %q0, [%rd4]; mul.lo.s32 %q1, %q0, 3; st.global.u32 [%rd5], %q1; add.s32 %q2, %q1, %q0;\n"
     "mul.lo.s32 %q1, %q2, %q1; st.global.u32 [%rd6], %q1; st.global.u32 [%rd7], %q2;\n",
     true, 0},
    {"in place",
     "ld.global.f32 %f0, [%rd5]; fma.rn.f32 %f0, %f0, %f0, %f0; st.global.f32 [%rd5], %f0;\n"
     "ld.global.f32 %f1, [%rd5]; add.f32 %f1, %f1, %f0; st.global.f32 [%rd5], %f1;\n",
     true, 0},
    {"a neighbour's element after a store",
     "not.b32 %q0, %r1; ld.global.u32 %q1, [%rd4]; xor.b32 %q0, %q0, %q1; st.global.u32 [%rd5], %q0;\n"
     "ld.global.u32 %q2, [%rd5+4]; ld.global.u32 %q3, [%rd4+4]; add.s32 %q2, %q2, %q3; st.global.u32 [%rd6], "
     "%q2;\n",
     true, 0},
    {"all threads store to one address, and load from it",
     "ld.param.u64 %rd10, [b]; ld.global.u32 %q0, [%rd10]; st.global.u32 [%rd10], %r1; ld.global.u32 %q1, "
     "[%rd10];\n"
     "add.s32 %q0, %q0, %q1; st.global.u32 [%rd6], %q0; st.global.u16 [%rd10+6], %q0;\n",
     true, 0},
    {"constants that change",
     "mov.u32 %q0, 7; st.global.u32 [%rd5], %q0; mov.u32 %q0, 8; st.global.u32 [%rd6], %q0; mov.u32 %q0, 7;\n"
     "st.global.u32 [%rd7], %q0; mov.f32 %f0, 0f40000000; ld.global.f32 %f1, [%rd4]; mul.f32 %f0, %f0, %f1;\n"
     "st.global.f32 [%rd7+4], %f0; mov.f32 %f0, 0f40000000; st.global.f32 [%rd6+4], %f0;\n",
     true, 0},
    {"guards on constants and on numbers of threads",
     "ld.global.u32 %q0, [%rd4]; setp.gt.s32 %p0, %q0, 100; mov.u32 %q1, %r1; @%p0 add.s32 %q1, %q1, 7;\n"
     "st.global.u32 [%rd5], %q1; mov.u32 %q2, 3; @!%p0 mov.u32 %q2, %q1; st.global.u32 [%rd6], %q2;\n"
     "mov.u32 %q3, %r3; @%p0 mov.u32 %q3, %r2; @!%p0 mov.u32 %q3, %q3; st.global.u32 [%rd7], %q3;\n",
     true, 0},
    {"guards on elements of an input",
     "ld.global.u32 %q0, [%rd4]; ld.global.u32 %q1, [%rd4]; setp.gt.s32 %p0, %q0, 100; @%p0 add.s32 %q0, "
     "%q0, 1;\n"
     "@!%p0 mov.u32 %q1, %q0; st.global.u32 [%rd5], %q0; st.global.u32 [%rd6], %q1;\n",
     true, 0},
    {"predicates that are their own guards",
     "ld.global.u32 %q0, [%rd4]; setp.gt.s32 %p0, %q0, 100; @%p0 setp.lt.u32 %p0|%p1, %q0, 5000; selp.b32 "
     "%q1, 1, 2, %p1;\n"
     "@!%p1 setp.lt.s32 %p2|%p1, %q0, %r1; @%p2 not.pred %p2, %p0; selp.b32 %q2, 4, 8, %p1; selp.b32 %q3, "
     "16, 32, %p2;\n"
     "selp.b32 %q4, 64, 128, %p0; or.b32 %q1, %q1, %q2; or.b32 %q3, %q3, %q4; or.b32 %q1, %q1, %q3;\n"
     "st.global.u32 [%rd5], %q1;\n",
     true, 0},
    {"two results that are stored",
     "ld.global.u32 %q0, [%rd4]; ld.global.u32 %q1, [%rd4+4]; mov.b64 %d0, {%q0, %q1}; add.s64 %d0, %d0, "
     "%d0;\n"
     "mov.b64 {%q2, %q3}, %d0; st.global.u32 [%rd5], %q2; st.global.u32 [%rd6], %q3;\n",
     true, 0},
    {"the number of the block in its row",
     "mov.u32 %q0, %ctaid.x; ld.global.u32 %q1, [%rd4]; xor.b32 %q1, %q1, %q0; st.global.u32 [%rd5], %q1;\n"
     "mov.u32 %q2, %tid.x; sub.s32 %q2, %q1, %q2; st.global.u32 [%rd6], %q2;\n",
     true, 0},
    {"a guard that is the same in all threads",
     "setp.lt.u32 %p0, %r2, 5000; @%p0 mov.u32 %q0, %r3; @!%p0 trap; setp.eq.s32 %p1, %r5, 1; @%p1 trap;\n"
     "selp.b32 %q1, %q0, 9, %p0; @%p1 bra L1; st.global.u32 [%rd5], %q1; L1: selp.b32 %q2, 5, %q1, %p1;\n"
     "@%p0 st.global.u32 [%rd6], %q2;\n",
     true, 0},
    {"a branch that some threads take",
     "ld.global.u32 %q0, [%rd4]; setp.gt.s32 %p0, %q0, 100; mov.u32 %q1, 5; @%p0 bra L1; add.s32 %q1, %q1, "
     "%r1;\n"
     "L1: st.global.u32 [%rd5], %q1;\n",
     false, 0},
    {"a store of some threads",
     "ld.global.u32 %q0, [%rd4]; setp.gt.s32 %p0, %q0, 100; @%p0 st.global.u32 [%rd5], %q0;\n", false, 0},
    {"a load of some threads",
     "ld.global.u32 %q0, [%rd4]; setp.gt.s32 %p0, %q0, 100; @!%p0 ld.global.u32 %q0, [%rd7];\n"
     "st.global.u32 [%rd6], %q0;\n",
     false, 0},
    {"threads that end early",
     "ld.global.u32 %q0, [%rd4]; setp.gt.s32 %p0, %q0, 100; @%p0 bra done; st.global.u32 [%rd6], %q0;\n",
     false, 0},
    {"a sum in a loop",
     "mov.u32 %r9, 0; L1: ld.global.f32 %f0, [%rd4]; fma.rn.f32 %f1, %f0, %f1, %f0; add.s64 %rd4, %rd4, 4;\n"
     "mul.lo.s32 %q0, %r9, %r1; add.s32 %q1, %q1, %q0; add.s32 %r9, %r9, 1; setp.lt.u32 %p0, %r9, 6; @%p0 "
     "bra L1;\n"
     "st.global.f32 [%rd5], %f1; st.global.u32 [%rd6], %q1;\n",
     true, 0},
    {"a loop with too many entries",
     "mov.u32 %r9, 0; L1: ld.global.u32 %q0, [%rd4]; xor.b32 %q1, %q1, %q0; add.s32 %q1, %q1, %q0;\n"
     "add.s32 %r9, %r9, 1; setp.lt.u32 %p0, %r9, 2100; @%p0 bra L1; st.global.u32 [%rd5], %q1;\n",
     false, LONG},
    {"a loop with many entries",
     "mov.u32 %r9, 0; L1: ld.global.u32 %q0, [%rd4]; xor.b32 %q1, %q1, %q0; add.s32 %q1, %q1, %q0;\n"
     "add.s32 %r9, %r9, 1; setp.lt.u32 %p0, %r9, 1300; @%p0 bra L1; st.global.u32 [%rd5], %q1;\n",
     true, LONG},
    {"all steps that are allowed", "L1: add.s32 %q0, %q0, 1; setp.lt.u32 %p0, %q0, 20; @%p0 bra L1;\n", true,
     107},
    {"one step too many", "L1: add.s32 %q0, %q0, 1; setp.lt.u32 %p0, %q0, 20; @%p0 bra L1;\n", false, 96},
    {"a loop without end", "L1: add.s32 %q0, %q0, 1; bra L1;\n", false, 3000},
    {"each thread has several elements",
     "mov.u32 %q0, %ntid.x; mov.u32 %q1, %nctaid.x; mul.lo.s32 %q0, %q0, %q1; mul.wide.u32 %rd11, %q0, 4;\n"
     "mul.lo.s32 %q2, %q0, 3; mov.u32 %q3, %r1; L1: setp.ge.u32 %p0, %q3, %q2; @%p0 bra done;\n"
     "ld.global.f32 %f0, [%rd4]; mul.f32 %f0, %f0, 0f3fc00000; st.global.f32 [%rd5], %f0; add.s64 %rd4, "
     "%rd4, %rd11;\n"
     "add.s64 %rd5, %rd5, %rd11; add.s32 %q3, %q3, %q0; bra L1;\n",
     true, 0},
    {"variables",
     "ld.const.u32 %q0, [table+8]; ld.global.u32 %q1, [total]; add.s32 %q0, %q0, %q1; add.s32 %q0, %q0, "
     "%r1;\n"
     "st.global.u32 [%rd5], %q0; st.global.u32 [total], %q0; mov.u64 %rd10, table; ld.u32 %q2, [%rd10+12];\n"
     "ld.global.u32 %q3, [total]; add.s32 %q2, %q2, %q3; st.global.u32 [%rd6], %q2;\n",
     true, 0},
    {"an address that is loaded, and vectors",
     "mul.wide.u32 %rd8, %r1, 4; add.s64 %rd10, %rd4, %rd8; sub.s64 %rd10, %rd10, %rd8; ld.global.u32 %rd10, "
     "[%rd10];\n"
     "st.global.u32 [%rd5], %rd10; mul.wide.u32 %rd11, %r1, 12; add.s64 %rd11, %rd7, %rd11;\n"
     "ld.global.v2.u16 {%h0, %h1}, [%rd11]; ld.global.v2.b32 {%q0, %q0}, [%rd4+-4]; st.global.u32 [%rd6], "
     "%q0;\n",
     false, 0},
    {"an access past the end", "ld.global.u32 %q0, [%rd4+32768]; st.global.u32 [%rd5], %q0;\n", true, 0},
};

static const char addresses[] = "mul.wide.u32 %rd8, %r1, 4; add.s64 %rd4, %rd4, %rd8; add.s64 %rd5, %rd5, "
                                "%rd8; add.s64 %rd6, %rd6, %rd8;\n"
                                "add.s64 %rd7, %rd7, %rd8;\n";

/* Runs a case with arrays b and c at these offsets. */
static void run_case(const struct special_case *c, pto_dim3 grid, uint32_t threads, const size_t offsets[2]) {
    enum { BYTES = 3 * 4 * 4500 };
    static struct text_writer w;
    struct pair_setup setup = {.grid = grid,
                               .block = {threads, 1, 1},
                               .count = (size_t)grid.x * grid.y,
                               .arrays = {{1, BYTES, offsets[0] > BYTES},
                                          {offsets[0], BYTES, false},
                                          {offsets[1], BYTES, false},
                                          {(size_t)3 * PAIR_REGION, BYTES, false}},
                               .n = 7,
                               .max_steps = c->max_steps};
    if (grid.y == 2) setup.count = setup.count / 4 * 3;
    w.length = 0;
    text_put(&w, "%s%s%sdone: ret;\n}\n", pair_prologue, addresses, c->text);
    pair_run(w.text, &setup);
    if ((pair_recorded() != 0) != c->is_recorded)
        fail_msg("%s, blocks of %u threads: %srecorded", c->name, threads, c->is_recorded ? "not " : "");
}

/** Compares special cases, with arrays that are separate, the same, or a few bytes apart. In the grid of two rows, a
 * record runs the first row, and the engine half of the second. */
void module_record_cases(void **state) {
    static const size_t offsets[][2] = {{PAIR_REGION, (size_t)2 * PAIR_REGION},
                                        {5, (size_t)2 * PAIR_REGION},
                                        {PAIR_REGION, PAIR_REGION + 4},
                                        {1, 1}};
    static const struct {
        pto_dim3 grid;
        uint32_t threads;
    } shapes[] = {{{4500, 1, 1}, 1}, {{47, 1, 1}, 96}, {{8, 1, 1}, 600}, {{64, 2, 1}, 64}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
            if (cases[i].max_steps == LONG && shapes[k].threads != 96) continue;
            for (size_t o = 0; o < sizeof offsets / sizeof offsets[0]; o++)
                run_case(&cases[i], shapes[k].grid, shapes[k].threads, offsets[o]);
        }
}

/* ---- several threads, several instruction sets ---- */

enum { LAUNCH_THREADS = 64, LAUNCH_BLOCKS = 250, LAUNCHED = LAUNCH_THREADS * LAUNCH_BLOCKS };

/* One launch of the kernel below. */
struct launch {
    pthread_t thread;
    pto_module *module;
    const float *x;
    float *y, *z;
    pto_status status;
};

static const char launch_text[] = HEADER
    ".entry k(.param .u64 x, .param .u64 y, .param .u64 z) {\n" INDEX X_AND_Y
    "ld.param.u64 %rd4, [z]; add.s64 %rd4, %rd4, %rd1; ld.global.f32 %f1, [%rd2]; cvt.rn.f32.u32 %f2, %r1;\n"
    "fma.rn.f32 %f3, %f1, %f1, %f2; sqrt.rn.f32 %f4, %f3; setp.gt.f32 %p1, %f1, %f2;\n"
    "@%p1 add.f32 %f4, %f4, %f3; st.global.f32 [%rd3], %f3; st.global.f32 [%rd4], %f4; ret; }\n";

static void *run_launch(void *argument) {
    struct launch *l = argument;
    const pto_argument arguments[] = {{.input = l->x, .bytes = LAUNCHED * sizeof(float)},
                                      {.memory = l->y, .bytes = LAUNCHED * sizeof(float)},
                                      {.memory = l->z, .bytes = LAUNCHED * sizeof(float)}};
    for (size_t first = 0; first < LAUNCH_BLOCKS; first += LAUNCH_BLOCKS / 2)
        if (l->status == PTO_OK)
            l->status = pto_module_launch_blocks(l->module, "k", (pto_dim3){LAUNCH_BLOCKS, 1, 1},
                                                 (pto_dim3){LAUNCH_THREADS, 1, 1}, arguments, 3, first,
                                                 LAUNCH_BLOCKS / 2);
    return NULL;
}

static pto_module *launch_module(pto_program_options options) {
    pto_program_error error;
    pto_module *m = pto_module_new(launch_text, options, &error);
    if (!m) fail_msg("%zu: %s", error.line, error.text);
    return m;
}

/* Sets y and z to the results of the engine. */
static void run_engine(const float *x, float *y, float *z) {
    struct launch l = {.module = launch_module((pto_program_options){.trace = pair_ignore}), .x = x};
    l.y = y;
    l.z = z;
    (void)run_launch(&l);
    assert_status(l.status, PTO_OK);
    pto_module_free(l.module);
}

/** Concurrent launches give the results of single ones, also if there are more of them than the module keeps memory
 * for. */
void module_record_threads(void **state) {
    enum { THREADS = 12 };
    static float x[LAUNCHED], wanted[2][LAUNCHED], y[THREADS][LAUNCHED], z[THREADS][LAUNCHED];
    struct launch launches[THREADS];
    pto_module *m = launch_module((pto_program_options){0});
    struct rng rng;
    (void)state;
    rng_start(&rng, "module_record_threads");
    rng_fill(&rng, x, sizeof x);
    run_engine(x, wanted[0], wanted[1]);
    for (size_t i = 0; i < THREADS; i++) {
        launches[i] = (struct launch){.module = m, .x = x, .y = y[i], .z = z[i]};
        assert_int_equal(pthread_create(&launches[i].thread, NULL, run_launch, &launches[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(launches[i].thread, NULL), 0);
        assert_status(launches[i].status, PTO_OK);
        assert_memory_equal(y[i], wanted[0], sizeof wanted[0]);
        assert_memory_equal(z[i], wanted[1], sizeof wanted[1]);
    }
    pto_module_free(m);
}

/** A module can be launched on one instruction set after another. */
void module_record_isas(void **state) {
    static float x[LAUNCHED], wanted[2][LAUNCHED], y[LAUNCHED], z[LAUNCHED];
    const pto_isa active = pto_isa_active();
    struct launch l = {.module = launch_module((pto_program_options){0}), .x = x, .y = y, .z = z};
    struct rng rng;
    (void)state;
    rng_start(&rng, "module_record_isas");
    rng_fill(&rng, x, sizeof x);
    run_engine(x, wanted[0], wanted[1]);
    for (int isa = 0; isa < harness_isas(); isa++) {
        if (pto_isa_use((pto_isa)isa) != PTO_OK) continue;
        memset(y, 0, sizeof y);
        memset(z, 0, sizeof z);
        (void)run_launch(&l);
        assert_status(l.status, PTO_OK);
        assert_memory_equal(y, wanted[0], sizeof y);
        assert_memory_equal(z, wanted[1], sizeof z);
    }
    use_isa(active);
    pto_module_free(l.module);
}
