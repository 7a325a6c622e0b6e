/* SPDX-License-Identifier: MIT */
/* Tests launches of PTX modules: memory, geometry, branches, loops, barriers, arguments, callbacks. */
#include "program/module_texts.h"
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <pto/module.h>

#include <string.h>

static pto_module *module_of(const char *text, pto_program_options options) {
    pto_program_error error;
    pto_module *m = pto_module_new(text, options, &error);
    if (!m) fail_msg("%zu:%zu '%s': %s\n%s", error.line, error.column, error.word, error.text, text);
    return m;
}

static void launch(pto_module *m, const char *kernel, pto_dim3 grid, pto_dim3 block,
                   const pto_argument *arguments, size_t n) {
    if (pto_module_launch(m, kernel, grid, block, arguments, n) != PTO_OK)
        fail_msg("%s: %zu: %s", kernel ? kernel : "the kernel", pto_module_problem(m)->line,
                 pto_module_problem(m)->text);
}

/* ---- memory ---- */

static const char relu_text[] =
    HEADER ".visible .entry relu(.param .u64 x, .param .u64 y, .param .u32 n) {\n" INDEX
           "ld.param.u32 %r5, [n]; setp.ge.u32 %p1, %r1, %r5; @%p1 bra $done;\n" X_AND_Y
           "ld.global.f32 %f1, [%rd2]; max.f32 %f2, %f1, 0f00000000;\n"
           "st.global.f32 [%rd3], %f2;\n"
           "$done: ret;\n}\n";

/** Tests several lengths and sizes of blocks: all elements are computed, and no memory outside the arrays is
 * accessed. */
void module_lengths(void **state) {
    static const size_t lengths[] = {0, 1, 31, 128, 1000, 2047, 2048, 2049, 5000};
    static const uint32_t blocks[] = {1, 32, 100, 1024};
    struct guarded source, result;
    pto_module *m = module_of(relu_text, (pto_program_options){0});
    (void)state;
    guarded_open(&source, 5000 * sizeof(float));
    guarded_open(&result, 5000 * sizeof(float));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++)
            for (int end = 0; end < 2; end++) {
                const uint32_t n = (uint32_t)lengths[i];
                float *x = (void *)guarded_place(&source, n * sizeof *x, end ? AT_END : AT_BEGIN);
                float *y = (void *)guarded_place(&result, n * sizeof *y, end ? AT_END : AT_BEGIN);
                const pto_argument arguments[] = {{.input = x, .bytes = n * sizeof *x},
                                                  {.memory = y, .bytes = n * sizeof *y},
                                                  {.scalar = &n, .bytes = sizeof n}};
                for (uint32_t e = 0; e < n; e++) x[e] = (float)((int)(e * 37 % 101) - 50);
                memset(y, 0x5a, n * sizeof *y);
                launch(m, "relu", (pto_dim3){n / blocks[k] + 1, 1, 1}, (pto_dim3){blocks[k], 1, 1}, arguments,
                       3);
                for (uint32_t e = 0; e < n; e++)
                    if (y[e] != (x[e] > 0 ? x[e] : 0)) fail_msg("n %u, element %u", (unsigned)n, (unsigned)e);
            }
    guarded_close(&source);
    guarded_close(&result);
    pto_module_free(m);
}

/** A value that a thread has loaded does not change if the kernel then stores to the same memory. */
void module_in_place(void **state) {
    static const char text[] = HEADER ".entry swap(.param .u64 x, .param .u64 y) {\n" INDEX X_AND_Y
                                      "ld.global.u32 %r4, [%rd2]; ld.global.u32 %r5, [%rd3];\n"
                                      "st.global.u32 [%rd2], %r5; st.global.u32 [%rd3], %r4; ret; }\n";
    enum { N = 3000 };
    static uint32_t x[N], y[N];
    const pto_argument both[] = {{.memory = x, .bytes = sizeof x}, {.memory = y, .bytes = sizeof y}};
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    for (uint32_t i = 0; i < N; i++) x[i] = i, y[i] = ~i;
    launch(m, NULL, (pto_dim3){N / 100, 1, 1}, (pto_dim3){100, 1, 1}, both, 2);
    for (uint32_t i = 0; i < N; i++)
        if (x[i] != ~i || y[i] != i) fail_msg("element %u", (unsigned)i);
    pto_module_free(m);
}

/** An input overlaps memory that the kernel writes: loads before the store return old elements, later loads
 * new ones. */
void module_overlap(void **state) {
    static const char text[] =
        HEADER ".entry k(.param .u64 x, .param .u64 y, .param .u64 z) {\n" INDEX X_AND_Y
               "ld.param.u64 %rd4, [z]; add.s64 %rd4, %rd4, %rd1;\n"
               "ld.global.u32 %r4, [%rd2]; st.global.u32 [%rd3], 7;\n"
               "ld.global.u32 %r5, [%rd2]; sub.s32 %r6, %r4, %r5; st.global.u32 [%rd4], %r6; ret; }\n";
    enum { N = 256 };
    uint32_t x[N], z[N];
    const pto_argument arguments[] = {
        {.input = x, .bytes = sizeof x}, {.memory = x, .bytes = sizeof x}, {.memory = z, .bytes = sizeof z}};
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    for (uint32_t i = 0; i < N; i++) x[i] = 7 + i;
    launch(m, NULL, (pto_dim3){2, 1, 1}, (pto_dim3){128, 1, 1}, arguments, 3);
    for (uint32_t i = 0; i < N; i++)
        if (x[i] != 7 || z[i] != i) fail_msg("element %u is %u", (unsigned)i, (unsigned)z[i]);
    pto_module_free(m);
}

/** Two arguments are the same array, and the address goes from one to the other, from block to block. */
void module_same_array(void **state) {
    static const char text[] =
        HEADER ".entry k(.param .u64 x, .param .u64 y, .param .u64 z) {\n" INDEX X_AND_Y
               "sub.s64 %rd4, %rd3, %rd2; mov.u32 %r3, %ctaid.x; cvt.u64.u32 %rd5, %r3;\n"
               "mul.lo.s64 %rd4, %rd4, %rd5; add.s64 %rd4, %rd4, %rd2; ld.global.u32 %r4, [%rd4];\n"
               "ld.param.u64 %rd6, [z]; add.s64 %rd6, %rd6, %rd1; st.global.u32 [%rd6], %r4; ret; }\n";
    enum { N = 256 };
    uint32_t x[N], z[N];
    const pto_argument arguments[] = {
        {.input = x, .bytes = sizeof x}, {.input = x, .bytes = sizeof x}, {.memory = z, .bytes = sizeof z}};
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    for (uint32_t i = 0; i < N; i++) x[i] = 7 * i;
    launch(m, NULL, (pto_dim3){2, 1, 1}, (pto_dim3){128, 1, 1}, arguments, 3);
    assert_memory_equal(z, x, sizeof x);
    pto_module_free(m);
}

/** Tests loads and stores of all widths, loads that extend elements to wider registers, and vectors of two and
 * four. */
void module_widths(void **state) {
    static const char text[] = HEADER
        ".entry k(.param .u64 x, .param .u64 y) {\n" INDEX
        "ld.param.u64 %rd2, [x]; ld.param.u64 %rd3, [y]; shl.b64 %rd4, %rd1, 2; add.s64 %rd2, %rd2, %rd4;\n"
        "shl.b64 %rd5, %rd1, 3; add.s64 %rd3, %rd3, %rd5;\n"
        "ld.global.u8 %h1, [%rd2]; ld.global.s8 %h2, [%rd2]; ld.global.s8 %r4, [%rd2+1]; ld.global.u16 %r5, "
        "[%rd2+2];\n"
        "ld.global.s16 %r6, [%rd2+2]; ld.global.s16 %rd6, [%rd2+2]; ld.global.s32 %rd7, [%rd2+4];\n"
        "ld.global.v2.u16 {%h3, %h4}, [%rd2+8]; ld.global.v4.u8 {%r7, _, %r8, %r9}, [%rd2+12];\n"
        "st.global.v2.u16 [%rd3], {%h1, %h2}; st.global.v2.b32 [%rd3+8], {%r4, %r5}; st.global.b32 [%rd3+4], "
        "%r6;\n"
        "st.global.b64 [%rd3+16], %rd6; st.global.b8 [%rd3+24], %h3; st.global.b8 [%rd3+25], %r7;\n"
        "st.global.b16 [%rd3+26], %r8; st.global.b32 [%rd3+28], %rd7; ret; }\n";
    enum { N = 200, FROM = 16, TO = 32 };
    static uint8_t x[N * FROM], y[N * TO];
    const pto_argument arguments[] = {{.input = x, .bytes = sizeof x}, {.memory = y, .bytes = sizeof y}};
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    for (size_t i = 0; i < sizeof x; i++) x[i] = (uint8_t)(i * 151 >> 3);
    launch(m, "k", (pto_dim3){5, 1, 1}, (pto_dim3){40, 1, 1}, arguments, 2);
    for (size_t i = 0; i < N; i++) {
        const uint8_t *from = x + i * FROM, *to = y + i * TO;
        const int16_t half = (int16_t)(from[2] | from[3] << 8);
        const struct {
            size_t at, bytes;
            int64_t value;
        } wanted[] = {{0, 2, from[0]},         {2, 2, (int8_t)from[0]}, {4, 4, half},
                      {8, 4, (int8_t)from[1]}, {12, 4, (uint16_t)half}, {16, 8, half},
                      {24, 1, from[8]},        {25, 1, from[12]},       {26, 2, from[14]}};
        for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++)
            if (memcmp(to + wanted[k].at, &wanted[k].value, wanted[k].bytes) != 0)
                fail_msg("thread %zu, byte %zu", i, wanted[k].at);
        assert_memory_equal(to + 28, from + 4, 4);
    }
    pto_module_free(m);
}

/** Vectors of 256 bits, at addresses that are multiples of 32. */
void module_wide_vectors(void **state) {
    static const char text[] =
        HEADER ".entry k(.param .u64 x, .param .u64 y, .param .u64 at) {\n" INDEX
               ".reg .f64 %d<4>; ld.param.u64 %rd2, [x]; ld.param.u64 %rd3, [y]; ld.param.u64 %rd4, [at];\n"
               "shl.b64 %rd5, %rd1, 4; add.s64 %rd2, %rd2, %rd5; add.s64 %rd3, %rd3, %rd5; add.s64 %rd2, "
               "%rd2, %rd4;\n"
               "ld.global.nc.L1::no_allocate.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd2];\n"
               "ld.global.v4.f64 {%d0, %d1, _, %d3}, [%rd2+32];\n"
               "st.global.L2::evict_last.v8.b32 [%rd3+32], {%r8, %r7, %r6, %r5, %r4, %r3, %r2, 9};\n"
               "st.v4.f64 [%rd3], {%d3, %d1, %d0, 1.0}; ret; }\n";
    enum { N = 70 };
    static uint64_t x[N][8], y[N][8];
    static const double one = 1;
    uint64_t at = 0;
    const pto_argument arguments[] = {{.input = x, .bytes = sizeof x},
                                      {.memory = y, .bytes = sizeof y},
                                      {.scalar = &at, .bytes = sizeof at}};
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    for (uint64_t i = 0; i < N; i++)
        for (uint64_t k = 0; k < 8; k++) x[i][k] = (8 * i + k) * 0x9e3779b97f4a7c15;
    launch(m, "k", (pto_dim3){2, 1, 1}, (pto_dim3){35, 1, 1}, arguments, 3);
    for (size_t i = 0; i < N; i++) {
        uint32_t words[8], reversed[8];
        assert_true(y[i][0] == x[i][7] && y[i][1] == x[i][5] && y[i][2] == x[i][4]);
        assert_memory_equal(&y[i][3], &one, sizeof one);
        memcpy(words, x[i], sizeof words);
        for (size_t k = 0; k < 7; k++) reversed[k] = words[7 - k];
        reversed[7] = 9;
        assert_memory_equal(&y[i][4], reversed, sizeof reversed);
    }
    at = 16;
    assert_status(pto_module_launch(m, "k", (pto_dim3){1, 1, 1}, (pto_dim3){1, 1, 1}, arguments, 3),
                  PTO_ERR_SIZE);
    assert_non_null(strstr(pto_module_problem(m)->text, "not a multiple of 32"));
    pto_module_free(m);
}

/** Declared vectors are groups of registers; .loc, .pragma and .file may share a line with what follows. */
void module_vectors(void **state) {
    static const char text[] =
        ".version 8.0 .target sm_90, debug .address_size 64 .file 1 \"a.cu\", 5, 6 .pragma \"nounroll\";\n"
        ".entry k(.param .u64 x, .param .u64 y) {\n" INDEX
        ".reg .align 16 .v4 .b32 q; .reg .v2 .b32 h<2>; .pragma \"a\", \"b\"; .loc 1 2 3 shl.b64 %rd1, %rd1, "
        "2;\n"
        ".loc 1 5 3, function_name $f+5, inlined_at 1 2 3\n" X_AND_Y
        "ld.global.v4.b32 q, [%rd2]; mov.v2.b32 h0, {q.x, q.y}; mov.v2.b32 {q.x, q.g}, {q.y, h0.r};\n"
        "mov.b64 %rd4, h0; shl.b64 %rd4, %rd4, 1; mov.b64 h1, %rd4; mov.v2.b32 {q.b, q.a}, h1;\n"
        "st.global.v4.b32 [%rd3], q; ret; }\n";
    enum { N = 40 };
    uint32_t x[N][4], y[N][4];
    const pto_argument arguments[] = {{.input = x, .bytes = sizeof x}, {.memory = y, .bytes = sizeof y}};
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = 0; k < 4; k++) x[i][k] = 0x9e3779b9U * (4 * i + k + 1);
    launch(m, NULL, (pto_dim3){N / 20, 1, 1}, (pto_dim3){20, 1, 1}, arguments, 2);
    for (size_t i = 0; i < N; i++) {
        const uint64_t twice = (x[i][0] | (uint64_t)x[i][1] << 32) << 1;
        const uint32_t wanted[4] = {x[i][1], x[i][0], (uint32_t)twice, (uint32_t)(twice >> 32)};
        assert_memory_equal(y[i], wanted, sizeof wanted);
    }
    pto_module_free(m);
}

/** Variables of the module keep their values between launches. Local and shared memory are zero when a block
 * starts. */
void module_variables(void **state) {
    static const char text[] = HEADER
        ".const .align 4 .u32 table[4] = {10, 20, 30, 40};\n.global .u32 total = 5;\n.global .align 8 .b8 "
        "room[8];\n"
        ".entry k(.param .u64 y) {\n" INDEX ".local .align 4 .b8 own[16]; .shared .u32 one;\n"
        "and.b32 %r3, %r1, 3; cvt.u64.u32 %rd4, %r3; shl.b64 %rd4, %rd4, 2; mov.u64 %rd5, table;\n"
        "add.s64 %rd5, %rd5, %rd4; ld.const.u32 %r4, [%rd5]; mov.u64 %rd6, own; cvta.local.u64 %rd6, %rd6;\n"
        "add.s64 %rd6, %rd6, %rd4; ld.u32 %r5, [%rd6]; add.s32 %r4, %r4, %r5; st.u32 [%rd6], %r1;\n"
        "ld.local.u32 %r6, [own]; ld.u32 %r7, [%rd6]; ld.shared.u32 %r8, [one]; ld.global.u32 %r9, [total];\n"
        "add.s32 %r4, %r4, %r9; add.s32 %r4, %r4, %r8; sub.s32 %r7, %r7, %r1; add.s32 %r4, %r4, %r7;\n"
        "setp.ne.s32 %p1, %r1, 0; @!%p1 st.global.u32 [total], 6; st.shared.u32 [one], 9;\n"
        "ld.param.u64 %rd3, [y]; add.s64 %rd3, %rd3, %rd1; st.global.u32 [%rd3], %r4; ret; }\n";
    enum { N = 512 };
    uint32_t y[N];
    const pto_argument argument = {.memory = y, .bytes = sizeof y};
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    for (uint32_t round = 0; round < 2; round++) {
        launch(m, "k", (pto_dim3){4, 1, 1}, (pto_dim3){128, 1, 1}, &argument, 1);
        for (uint32_t i = 0; i < N; i++)
            if (y[i] != 10 * (i % 4 + 1) + 5 + round)
                fail_msg("round %u, thread %u: %u", round, i, (unsigned)y[i]);
    }
    pto_module_free(m);
}

/* ---- geometry ---- */

/** Tests the special registers in blocks and grids of up to three dimensions. */
void module_geometry(void **state) {
    static const char text[] = HEADER
        ".entry k(.param .u64 y) {\n.reg .b32 %r<20>; .reg .b64 %rd<5>;\n"
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, "
        "%ntid.y;\n"
        "mov.u32 %r6, %ctaid.x; mov.u32 %r7, %ctaid.y; mov.u32 %r8, %ctaid.z; mov.u32 %r9, %nctaid.x;\n"
        "mov.u32 %r10, %nctaid.y; mov.u32 %r11, %laneid; mov.u32 %r12, %warpid; mov.u32 %r17, %ntid.z;\n"
        "mul.lo.s32 %r13, %r3, %r5; add.s32 %r13, %r13, %r2; mul.lo.s32 %r13, %r13, %r4; add.s32 %r13, %r13, "
        "%r1;\n"
        "mul.lo.s32 %r14, %r8, %r10; add.s32 %r14, %r14, %r7; mul.lo.s32 %r14, %r14, %r9; add.s32 %r14, "
        "%r14, %r6;\n"
        "mul.lo.s32 %r15, %r4, %r5; mul.lo.s32 %r15, %r15, %r17; mul.lo.s32 %r16, %r14, %r15;\n"
        "add.s32 %r16, %r16, %r13; shl.b32 %r18, %r12, 5; add.s32 %r18, %r18, %r11; sub.s32 %r18, %r18, "
        "%r13;\n"
        "cvt.u64.u32 %rd1, %r16; shl.b64 %rd1, %rd1, 3; ld.param.u64 %rd2, [y]; add.s64 %rd2, %rd2, %rd1;\n"
        "st.global.v2.u32 [%rd2], {%r16, %r18}; ret; }\n";
    static const pto_dim3 grids[] = {{1, 1, 1}, {7, 1, 1}, {1, 9, 1}, {3, 5, 2}, {40, 3, 1}},
                          blocks[] = {{1, 1, 1}, {128, 1, 1}, {8, 8, 1}, {4, 4, 4}, {1, 33, 1}, {16, 64, 1}};
    enum { MOST = 120 * 1024 };
    uint32_t *y = harness_allocate(MOST * sizeof(uint64_t));
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    for (size_t g = 0; g < sizeof grids / sizeof grids[0]; g++)
        for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
            const size_t n =
                (size_t)grids[g].x * grids[g].y * grids[g].z * blocks[b].x * blocks[b].y * blocks[b].z;
            const pto_argument argument = {.memory = y, .bytes = n * 8};
            memset(y, 0xff, n * 8);
            launch(m, "k", grids[g], blocks[b], &argument, 1);
            for (size_t i = 0; i < n; i++)
                if (y[2 * i] != i || y[2 * i + 1] != 0) fail_msg("grid %zu, block %zu, thread %zu", g, b, i);
        }
    harness_free(y);
    pto_module_free(m);
}

/** pto_module_launch_blocks() runs the blocks of the given part of a grid, and no others. */
void module_parts(void **state) {
    enum { N = 1000, BLOCK = 10 };
    float x[N], y[N];
    const uint32_t n = N;
    const pto_argument arguments[] = {
        {.input = x, .bytes = sizeof x}, {.memory = y, .bytes = sizeof y}, {.scalar = &n, .bytes = sizeof n}};
    static const size_t parts[][2] = {{0, 100}, {0, 0}, {100, 0}, {3, 1}, {17, 60}};
    pto_module *m = module_of(relu_text, (pto_program_options){0});
    (void)state;
    for (size_t i = 0; i < N; i++) x[i] = (float)i + 1;
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        const size_t first = parts[k][0] * BLOCK, end = first + parts[k][1] * BLOCK;
        memset(y, 0, sizeof y);
        assert_status(pto_module_launch_blocks(m, "relu", (pto_dim3){N / BLOCK, 1, 1},
                                               (pto_dim3){BLOCK, 1, 1}, arguments, 3, parts[k][0],
                                               parts[k][1]),
                      PTO_OK);
        for (size_t i = 0; i < N; i++)
            if (y[i] != (i >= first && i < end ? x[i] : 0)) fail_msg("part %zu, element %zu", k, i);
    }
    assert_status(pto_module_launch_blocks(m, "relu", (pto_dim3){N / BLOCK, 1, 1}, (pto_dim3){BLOCK, 1, 1},
                                           arguments, 3, 99, 2),
                  PTO_ERR_SIZE);
    /* a part that succeeds does not erase the failure of another part */
    assert_non_null(strstr(pto_module_problem(m)->text, "only 100 blocks"));
    assert_status(pto_module_launch_blocks(m, "relu", (pto_dim3){N / BLOCK, 1, 1}, (pto_dim3){BLOCK, 1, 1},
                                           arguments, 3, 0, 1),
                  PTO_OK);
    assert_non_null(strstr(pto_module_problem(m)->text, "only 100 blocks"));
    pto_module_free(m);
}

/* ---- control ---- */

/** Computes the lengths of Collatz sequences. The threads leave the loop after different numbers of
 * iterations, and take one of two paths in each iteration. */
void module_divergence(void **state) {
    static const char text[] = HEADER
        ".entry k(.param .u64 y) {\n" INDEX "add.s32 %r4, %r1, 1; mov.u32 %r5, 0;\n"
        "top: setp.eq.s32 %p1, %r4, 1; @%p1 bra out; add.s32 %r5, %r5, 1; and.b32 %r6, %r4, 1;\n"
        "setp.eq.s32 %p2, %r6, 0; @%p2 bra even; mul.lo.s32 %r4, %r4, 3; add.s32 %r4, %r4, 1; bra.uni top;\n"
        "even: shr.u32 %r4, %r4, 1; bra top;\n"
        "out: ld.param.u64 %rd3, [y]; add.s64 %rd3, %rd3, %rd1; st.global.u32 [%rd3], %r5; ret; }\n";
    enum { N = 6000 };
    static uint32_t y[N];
    const pto_argument argument = {.memory = y, .bytes = sizeof y};
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    launch(m, "k", (pto_dim3){N / 100, 1, 1}, (pto_dim3){100, 1, 1}, &argument, 1);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t steps = 0;
        for (uint32_t x = i + 1; x != 1; x = x % 2 == 0 ? x / 2 : 3 * x + 1) steps++;
        if (y[i] != steps) fail_msg("thread %u: %u, not %u", (unsigned)i, (unsigned)y[i], (unsigned)steps);
    }
    pto_module_free(m);
}

/** Computes the sum of each block in shared memory, in a loop with barriers that no thread may pass early. In
 * the second launch, some threads of each block end before the loop. */
void module_barriers(void **state) {
    static const char text[] = HEADER
        ".entry sum(.param .u64 x, .param .u64 y) {\n" INDEX X_AND_Y
        ".shared .align 4 .u32 buffer[128]; mov.u32 %r3, %tid.x; setp.ge.u32 %p3, %r3, 128; @%p3 exit;\n"
        "ld.global.u32 %r4, [%rd2]; shl.b32 %r5, %r3, 2; mov.u32 %r6, buffer; add.s32 %r6, %r6, %r5;\n"
        "st.shared.u32 [%r6], %r4; mov.u32 %r7, 64;\n"
        "loop: bar.sync 0; setp.ge.u32 %p1, %r3, %r7; @%p1 bra skip; shl.b32 %r5, %r7, 2; add.s32 %r5, %r6, "
        "%r5;\n"
        "ld.shared.u32 %r8, [%r5]; ld.shared.u32 %r9, [%r6]; add.s32 %r9, %r9, %r8; st.shared.u32 [%r6], "
        "%r9;\n"
        "skip: shr.u32 %r7, %r7, 1; setp.ne.s32 %p2, %r7, 0; @%p2 bra loop;\n"
        "setp.ne.s32 %p1, %r3, 0; @%p1 ret; ld.shared.u32 %r9, [buffer]; mov.u32 %r10, %ctaid.x;\n"
        "cvt.u64.u32 %rd4, %r10; shl.b64 %rd4, %rd4, 2; ld.param.u64 %rd5, [y]; add.s64 %rd5, %rd5, %rd4;\n"
        "st.global.u32 [%rd5], %r9; ret; }\n";
    enum { BLOCKS = 21 };
    for (uint32_t threads = 128; threads <= 160; threads += 32) {
        static uint32_t x[BLOCKS * 160], y[BLOCKS];
        const pto_argument arguments[] = {{.input = x, .bytes = sizeof x}, {.memory = y, .bytes = sizeof y}};
        pto_module *m = module_of(text, (pto_program_options){0});
        for (uint32_t i = 0; i < BLOCKS * threads; i++) x[i] = i * i;
        launch(m, "sum", (pto_dim3){BLOCKS, 1, 1}, (pto_dim3){threads, 1, 1}, arguments, 2);
        for (uint32_t b = 0; b < BLOCKS; b++) {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < 128; i++) sum += x[b * threads + i];
            if (y[b] != sum)
                fail_msg("block %u of %u threads: %u, not %u", b, threads, (unsigned)y[b], (unsigned)sum);
        }
        pto_module_free(m);
    }
    (void)state;
}

/** Dynamic shared memory comes after the static arrays, and has the size that pto_module_share() set. */
void module_dynamic_shared(void **state) {
    static const char text[] = HEADER
        ".extern .shared .align 16 .b8 room[];\n.entry k(.param .u64 y) {\n" INDEX ".shared .u32 fixed;\n"
        "mov.u32 %r3, %tid.x; shl.b32 %r4, %r3, 2; mov.u32 %r5, room; add.s32 %r5, %r5, %r4; st.shared.u32 "
        "[fixed], 77;\n"
        "st.shared.u32 [%r5], %r1; bar.sync 0; xor.b32 %r4, %r4, 124; mov.u32 %r6, room; add.s32 %r6, %r6, "
        "%r4;\n"
        "ld.shared.u32 %r7, [%r6]; ld.param.u64 %rd3, [y]; add.s64 %rd3, %rd3, %rd1; st.global.u32 [%rd3], "
        "%r7; ret; }\n";
    enum { N = 320 };
    uint32_t y[N];
    const pto_argument argument = {.memory = y, .bytes = sizeof y};
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    assert_status(pto_module_launch(m, "k", (pto_dim3){10, 1, 1}, (pto_dim3){32, 1, 1}, &argument, 1),
                  PTO_ERR_SIZE);
    assert_status(pto_module_share(m, 128), PTO_OK);
    launch(m, "k", (pto_dim3){10, 1, 1}, (pto_dim3){32, 1, 1}, &argument, 1);
    for (uint32_t i = 0; i < N; i++)
        if (y[i] != (i ^ 31)) fail_msg("thread %u: %u", (unsigned)i, (unsigned)y[i]);
    assert_status(pto_module_share(m, 127), PTO_OK);
    assert_status(pto_module_launch(m, "k", (pto_dim3){10, 1, 1}, (pto_dim3){32, 1, 1}, &argument, 1),
                  PTO_ERR_SIZE);
    assert_status(pto_module_share(m, ((size_t)1 << 20) + 1), PTO_ERR_SIZE);
    pto_module_free(m);
}

/* ---- interface ---- */

void module_kernels(void **state) {
    static const char text[] = HEADER
        ".visible .entry a(.param .u64 .ptr .global .align 4 a_0, .param .align 8 .b8 a_1[24], .param .f32 "
        "a_2)\n"
        ".reqntid 16, 2\n{ .reg .b64 %rd<3>; .reg .b32 %r1; .shared .b8 s[100]; ld.param.u64 %rd1, [a_1+8];\n"
        "ld.global.u32 %r1, [%rd1]; ld.param.u64 %rd2, [a_0]; ret; }\n"
        ".entry b(.param .u64 p, .param .u64 q, .param .u64 n) { .reg .b64 %rd<6>; .reg .b32 %r1;\n"
        "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.u64 %rd3, [n]; cvta.to.global.u64 %rd1, "
        "%rd1;\n"
        "shl.b64 %rd5, %rd3, 2; add.s64 %rd1, %rd1, %rd5; add.s64 %rd4, %rd5, %rd2; ld.global.u32 %r1, "
        "[%rd1];\n"
        "st.global.u32 [%rd4+4], %r1; }\n.func f(.param .b32 x) { call (r), g, (x); }\n";
    pto_module *m = module_of(text, (pto_program_options){0});
    pto_kernel k;
    (void)state;
    assert_int_equal(pto_module_kernel_count(m), 2);
    assert_int_equal(pto_module_kernel_count(NULL), 0);
    assert_status(pto_module_kernel_at(m, 2, &k), PTO_ERR_SIZE);
    assert_status(pto_module_kernel_at(NULL, 0, &k), PTO_ERR_NULL);
    assert_status(pto_module_kernel_at(m, 0, NULL), PTO_ERR_NULL);
    assert_status(pto_module_kernel_at(m, 0, &k), PTO_OK);
    assert_string_equal(k.name, "a");
    assert_int_equal(k.parameter_count, 3);
    assert_string_equal(k.parameters[1].name, "a_1");
    assert_int_equal(k.parameters[1].bytes, 24);
    assert_true(k.parameters[0].pointer && !k.parameters[0].written && !k.parameters[1].pointer);
    assert_true(k.parameters[2].type == PTO_F32 && k.parameters[2].bytes == 4);
    assert_true(k.block.x == 16 && k.block.y == 2 && k.block.z == 1);
    assert_int_equal(k.shared_bytes, 128);
    assert_status(pto_module_kernel_at(m, 1, &k), PTO_OK);
    assert_true(k.parameters[0].pointer && !k.parameters[0].written);
    assert_true(k.parameters[1].pointer && k.parameters[1].written);
    assert_true(!k.parameters[2].pointer && k.block.x == 0);
    pto_module_free(m);
    pto_module_free(NULL);
    assert_null(pto_module_problem(NULL));
}

/** Tests a struct that is passed by value, arguments that are left out, and arguments that are not legal. */
void module_arguments(void **state) {
    static const char text[] =
        HEADER ".entry k(.param .align 8 .b8 s[16], .param .u32 n, .param .u64 none) { .reg .b64 %rd<6>; "
               ".reg .b32 %r<3>;\n"
               ".reg .f32 %f1; .reg .pred %p1; ld.param.u64 %rd1, [s]; ld.param.f32 %f1, [s+8]; ld.param.u32 "
               "%r1, [n];\n"
               "ld.param.u64 %rd2, [none]; setp.ne.s64 %p1, %rd2, 0; @%p1 ret; st.global.f32 [%rd1], %f1;\n"
               "st.global.u32 [%rd1+4], %r1; ret; }\n";
    static const uint32_t by_value[4] = {0, 0, 0x40200000, 0}; /* a null pointer, the float 2.5, padding */
    const uint32_t n = 9;
    const pto_argument arguments[] = {{.scalar = by_value, .bytes = sizeof by_value},
                                      {.scalar = &n, .bytes = sizeof n}};
    const pto_argument narrow = {.scalar = &n, .bytes = sizeof n},
                       two = {.scalar = &n, .input = &n, .bytes = 4};
    const pto_argument memory[] = {{.scalar = by_value, .bytes = sizeof by_value},
                                   {.input = &n, .bytes = sizeof n}};
    const pto_dim3 one = {1, 1, 1};
    pto_module *m = module_of(text, (pto_program_options){0});
    (void)state;
    /* the pointer in the struct is null */
    assert_status(pto_module_launch(m, "k", one, one, arguments, 2), PTO_ERR_SIZE);
    assert_non_null(strstr(pto_module_problem(m)->text, "null pointer"));
    assert_status(pto_module_launch(m, "k", one, one, &narrow, 1), PTO_ERR_TYPE);
    assert_status(pto_module_launch(m, "k", one, one, &two, 1), PTO_ERR_TYPE);
    assert_status(pto_module_launch(m, "k", one, one, memory, 2), PTO_ERR_TYPE);
    assert_status(pto_module_launch(m, "k", one, one, arguments, 4), PTO_ERR_TYPE);
    assert_status(pto_module_launch(m, "j", one, one, arguments, 2), PTO_ERR_PARSE);
    assert_status(pto_module_launch(m, "k", (pto_dim3){0, 1, 1}, one, arguments, 2), PTO_ERR_SIZE);
    assert_status(pto_module_launch(m, "k", one, (pto_dim3){32, 33, 1}, arguments, 2), PTO_ERR_SIZE);
    assert_status(pto_module_launch(m, "k", one, one, NULL, 2), PTO_ERR_NULL);
    assert_status(pto_module_launch(NULL, "k", one, one, arguments, 2), PTO_ERR_NULL);
    pto_module_free(m);
}

/* What the trace callback has counted. */
struct seen {
    size_t calls, active;
    uint64_t sum;
};

static void see(void *user, const pto_program_step *step) {
    struct seen *seen = user;
    if (strcmp(step->name, "%r9") != 0) return;
    seen->calls++;
    for (size_t i = 0; i < step->lanes; i++) {
        if (!pto_mask_get(pto_packed_in(step->active), i)) continue;
        seen->active++;
        seen->sum += ((const uint32_t *)step->data)[i];
    }
}

/** The trace callback gets the mask of the threads that executed a line. */
void module_trace(void **state) {
    static const char text[] =
        HEADER ".entry k() {\n" INDEX "setp.lt.u32 %p1, %r1, 10; @%p1 add.s32 %r9, %r1, 1;\n"
               "@%p1 ret; setp.lt.u32 %p1, %r1, 20; @!%p1 bra end; add.s32 %r9, %r1, 1000; end: ret; }\n";
    struct seen seen = {0, 0, 0};
    pto_module *m = module_of(text, (pto_program_options){.trace = see, .user = &seen});
    (void)state;
    launch(m, "k", (pto_dim3){4, 1, 1}, (pto_dim3){16, 1, 1}, NULL, 0);
    assert_int_equal(seen.calls, 2);
    assert_int_equal(seen.active, 20);
    assert_int_equal(seen.sum, 55 + 10 * 1000 + 145);
    pto_module_free(m);
}

static bool stop_at_third(void *user) {
    return ++*(int *)user == 3;
}

void module_stop(void **state) {
    static const char text[] =
        HEADER ".entry k(.param .u64 y) {\n" INDEX "ld.param.u64 %rd3, [y]; add.s64 %rd3, %rd3, %rd1;\n"
               "st.global.u32 [%rd3], 1; ret; }\n";
    enum { N = 10000 };
    static uint32_t y[N];
    const pto_argument argument = {.memory = y, .bytes = sizeof y};
    int calls = 0;
    pto_module *m = module_of(text, (pto_program_options){.stop = stop_at_third, .user = &calls});
    (void)state;
    assert_status(pto_module_launch(m, "k", (pto_dim3){10, 1, 1}, (pto_dim3){1000, 1, 1}, &argument, 1),
                  PTO_ERR_STOPPED);
    for (size_t i = 0; i < N; i++)
        if (y[i] != (i < 6000)) fail_msg("element %zu", i);
    launch(m, "k", (pto_dim3){10, 1, 1}, (pto_dim3){1000, 1, 1}, &argument, 1);
    assert_string_equal(pto_module_problem(m)->text, "");
    pto_module_free(m);
}
