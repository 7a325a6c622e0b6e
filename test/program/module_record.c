/* SPDX-License-Identifier: MIT */
/*
 * Compares random kernels as a record and the engine run them (module_pair.h): integers, floats and predicates, guards,
 * loads and stores of arrays that may overlap, loops, and threads that end early.
 */
#include "program/module_pair.h"
#include "program/program_tests.h"
#include "program/text_writer.h"

#include "support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

enum { REGISTERS = 6, PREDICATES = 4, MOST_SCALE = 16 };

/* How a kernel accesses an array: an element of thread i is at `scale` times a multiple or another function of i. */
struct layout {
    unsigned scale, multiple;
};

struct kernel {
    struct text_writer w;
    struct pair_setup setup;
    struct layout layouts[PAIR_ARRAYS];
    unsigned shared; /* the first arrays, which all instructions access; each other array is stored once */
    unsigned labels;
};

/* ---- instructions ---- */

/* `$` and a letter stand for: a register f, q, h, d or p; b: two predicates, p|q; c: a
 * constant; g: a guard predicate or nothing; s: a special
 * register or a function of the thread. */
static const char *const templates[] = {
    "$gadd.f32 $f, $f, $f;",
    "$gsub.f32 $f, $f, $f;",
    "$gmul.rz.f32 $f, $f, $f;",
    "$gfma.rn.f32 $f, $f, $f, $f;",
    "$gfma.rn.f32 $f, $f, 0f3f000000, $f;",
    "$gmax.f32 $f, $f, $f;",
    "$gmin.NaN.f32 $f, $f, $f;",
    "$gabs.f32 $f, $f;",
    "$gdiv.rn.f32 $f, $f, $f;",
    "$gsqrt.rn.f32 $f, $f;",
    "$gex2.approx.f32 $f, $f;",
    "$gfma.rn.f64 $d, $d, $d, $d;",
    "$gadd.f16x2 $q, $q, $q;",
    "$gadd.s32 $q, $q, $q;",
    "$gsub.s32 $q, $q, $c;",
    "$gmul.lo.s32 $q, $q, $q;",
    "$gmul.lo.s32 $q, $q, $c;",
    "$gand.b32 $q, $q, $c;",
    "$gor.b32 $q, $q, $q;",
    "$gxor.b32 $q, $q, $q;",
    "$gnot.b32 $q, $q;",
    "$gshl.b32 $q, $q, 3;",
    "$gshr.s32 $q, $q, 5;",
    "$gmad.lo.s32 $q, $q, $q, $q;",
    "$gmad.wide.u32 $d, $q, $q, $d;",
    "$gmul.wide.s32 $d, $q, $c;",
    "$gadd.s64 $d, $d, $d;",
    "$gshr.u64 $d, $d, 7;",
    "$gadd.s16 $h, $h, $h;",
    "$gpopc.b32 $q, $q;",
    "$glop3.b32 $q, $q, $q, $q, 0x96;",
    "$glop3.or.b32 $q|$p, $q, $q, $q, 0xe8, $p;",
    "$gbfi.b32 $q, $q, $q, 3, 9;",
    "$gprmt.b32 $q, $q, $q, $q;",
    "$gadd.cc.u32 $q, $q, $q; $gaddc.u32 $q, $q, $q;",
    "$gmov.b64 {$q, $q}, $d;",
    "$gmov.b64 $d, {$q, $q};",
    "$gmov.b64 {_, $q}, $d;",
    "$gmov.b32 {$h, $h}, $q;",
    "$gmov.b32 $f, $q;",
    "$gmov.b32 $q, $f;",
    "$gmov.f32 $f, $f;",
    "$gmov.u32 $q, $q;",
    "$gmov.u32 $q, $c;",
    "$gmov.u32 $q, $s;",
    "mov.u32 $q, $s;",
    "mov.u32 $q, %r1; mul.lo.s32 $q, $q, $c;",
    "mov.f32 $f, 0f40490fdb;",
    "$gcvt.rn.f32.s32 $f, $q;",
    "$gcvt.rzi.s32.f32 $q, $f;",
    "$gcvt.rn.f16.f32 $h, $f;",
    "$gcvt.f32.f16 $f, $h;",
    "$gcvt.u32.u16 $q, $h;",
    "$gcvt.s32.s8 $q, $q;",
    "$gcvt.s64.s32 $d, $q;",
    "$gcvt.u32.u64 $q, $d;",
    "$gselp.b32 $q, $q, $q, $p;",
    "$gselp.f32 $f, $f, $f, $p;",
    "$gslct.f32.s32 $f, $f, $f, $q;",
    "$gset.lt.u32.f32 $q, $f, $f;",
    "$gsetp.lt.f32 $p, $f, $f;",
    "$gsetp.gt.u32 $b, $q, $q;",
    "$gsetp.ne.and.s32 $p, $q, $c, $p;",
    "$gsetp.ge.or.f32 $b, $f, $f, !$p;",
    "$gsetp.lt.u32 $p, %r2, $c;",
    "setp.ge.u32 $p, %r1, 0;",
    "$gand.pred $p, $p, $p;",
    "$gxor.pred $p, $p, $p;",
    "$gnot.pred $p, $p;",
    "$gmov.pred $p, $p;",
};

static unsigned below(struct kernel *k, unsigned bound) {
    return (unsigned)rng_below(&k->w.rng, bound);
}

static void put_guard(struct kernel *k, unsigned one_in) {
    if (below(k, one_in) == 0)
        text_put(&k->w, "@%s%%p%u ", below(k, 3) == 0 ? "!" : "", below(k, PREDICATES));
}

static void put_operand(struct kernel *k, char letter) {
    static const char *const specials[] = {"%tid.x", "%ctaid.x", "%ntid.x", "%nctaid.x",
                                           "%r1",    "%r2",      "%r3",     "%r5"};
    const unsigned predicate = below(k, PREDICATES);
    switch (letter) {
    case 'b':
        text_put(&k->w, "%%p%u|%%p%u", predicate, (predicate + 1 + below(k, PREDICATES - 1)) % PREDICATES);
        break;
    case 'c':
        text_put(&k->w, "%u", below(k, 3) == 0 ? (unsigned)rng_next(&k->w.rng) >> below(k, 32) : below(k, 9));
        break;
    case 'g': put_guard(k, 2); break;
    case 's': text_put(&k->w, "%s", specials[below(k, 8)]); break;
    default: text_put(&k->w, "%%%c%u", letter, below(k, letter == 'p' ? PREDICATES : REGISTERS));
    }
}

static void put_template(struct kernel *k, const char *template) {
    for (; *template; template ++)
        if (*template == '$')
            put_operand(k, *++template);
        else
            text_put(&k->w, "%c", *template);
    text_put(&k->w, "\n");
}

/* ---- loads and stores ---- */

/* Types of accesses, the letter of their registers, and the sizes of one element. */
static const struct access {
    const char *type;
    char letter;
    unsigned count, bytes;
} accesses[] = {{"u8", 'q', 1, 1},     {"s8", 'q', 1, 1},    {"u8", 'h', 1, 1},     {"u16", 'q', 1, 2},
                {"s16", 'q', 1, 2},    {"b16", 'h', 1, 2},   {"v2.s8", 'q', 2, 1},  {"f32", 'f', 1, 4},
                {"f32", 'f', 1, 4},    {"f32", 'f', 1, 4},   {"b32", 'q', 1, 4},    {"u32", 'q', 1, 4},
                {"s32", 'd', 1, 4},    {"u32", 'd', 1, 4},   {"v2.u16", 'h', 2, 2}, {"v4.u8", 'q', 4, 1},
                {"b64", 'd', 1, 8},    {"f64", 'd', 1, 8},   {"v2.f32", 'f', 2, 4}, {"v2.b32", 'q', 2, 4},
                {"v4.f32", 'f', 4, 4}, {"v2.b64", 'd', 2, 8}};

/* Returns a type that the layouts of the array are aligned for, nearly always as wide as their scale. */
static const struct access *access_of(struct kernel *k, unsigned scale) {
    const struct access *a;
    const bool exact = below(k, 20) != 0;
    do a = &accesses[below(k, sizeof accesses / sizeof accesses[0])];
    while (exact ? a->count * a->bytes != scale : a->count * a->bytes > scale);
    return a;
}

static void put_elements(struct kernel *k, const struct access *a, bool is_load) {
    text_put(&k->w, "%s", a->count > 1 ? "{" : "");
    for (unsigned i = 0; i < a->count; i++) {
        if (i != 0) text_put(&k->w, ", ");
        if (is_load && a->count > 1 && i != 0 && below(k, 8) == 0)
            text_put(&k->w, "_");
        else
            put_operand(k, a->letter);
    }
    text_put(&k->w, "%s", a->count > 1 ? "}" : "");
}

static void put_store(struct kernel *k, const struct access *a, unsigned array, unsigned offset) {
    text_put(&k->w, "st%s.%s [%%rd%u+%u], ", below(k, 4) == 0 ? "" : ".global", a->type, 4 + array, offset);
    put_elements(k, a, false);
    text_put(&k->w, ";\n");
}

static void put_access(struct kernel *k, bool is_load) {
    const unsigned array = below(k, k->shared);
    const struct access *a = access_of(k, k->layouts[array].scale);
    const unsigned offset = below(k, 3) == 0 ? k->layouts[array].scale * below(k, 4) : 0;
    if (!is_load && k->setup.arrays[array].is_input && below(k, 50) != 0) return;
    put_guard(k, 50);
    if (is_load) {
        text_put(&k->w, "ld%s.%s ", below(k, 4) == 0 ? "" : ".global", a->type);
        put_elements(k, a, true);
        text_put(&k->w, ", [%%rd%u+%u];\n", 4 + array, offset);
    } else {
        put_store(k, a, array, offset);
    }
}

/* Stores to an array that no other instruction accesses. */
static void put_result(struct kernel *k, unsigned array) {
    if (array >= k->shared) put_store(k, access_of(k, k->layouts[array].scale), array, 0);
}

/* ---- control ---- */

static void put_instruction(struct kernel *k) {
    const unsigned kind = below(k, 10);
    if (kind < 4)
        put_access(k, kind < 2);
    else if (kind == 4)
        put_template(k, "setp.lt.s32 $p, $q, $q;");
    else
        put_template(k, templates[below(k, sizeof templates / sizeof templates[0])]);
}

static void put_instructions(struct kernel *k, unsigned n) {
    for (unsigned i = 0; i < n; i++) put_instruction(k);
}

/* Writes a loop with the same number of iterations in all threads. It may advance the addresses. */
static void put_loop(struct kernel *k) {
    const unsigned label = k->labels++, array = below(k, k->shared);
    text_put(&k->w, "mov.u32 %%r9, 0;\nL%u:\n", label);
    put_instructions(k, 2 + below(k, 5));
    if (below(k, 2) == 0)
        text_put(&k->w, "add.s64 %%rd%u, %%rd%u, %u;\n", 4 + array, 4 + array, k->layouts[array].scale);
    text_put(&k->w, "add.u32 %%r9, %%r9, 1; setp.lt.u32 %%pp, %%r9, %u; @%%pp bra L%u;\n", 1 + below(k, 5),
             label);
}

/* Writes a branch over some instructions. In 3 of 4 cases its condition is equal in all threads, so that blocks can be
 * recorded. */
static void put_branch(struct kernel *k) {
    const unsigned label = k->labels++;
    if (below(k, 4) == 0)
        text_put(&k->w, "@%%p%u bra L%u;\n", below(k, PREDICATES), label);
    else
        text_put(&k->w, "setp.gt.u32 %%pp, %%r5, %u; @%%pp bra L%u;\n", below(k, PAIR_THREADS), label);
    put_instructions(k, 1 + below(k, 4));
    text_put(&k->w, "L%u:\n", label);
}

/* ---- kernels ---- */

/* Sets the address of an array. Most are linear in the number of the thread. */
static void put_address(struct kernel *k, unsigned array) {
    const struct layout *p = &k->layouts[array];
    const unsigned kind = below(k, 24);
    const char *index = "%r1";
    if (kind == 0) index = "%r2";
    if (kind == 1) index = "%r3";
    if (kind == 2) index = "0";
    if (kind == 3) index = "%r6", text_put(&k->w, "and.b32 %%r6, %%r1, 63;\n");
    if (kind == 4 || kind == 5)
        index = "%r6", text_put(&k->w, "sub.s32 %%r6, %u, %%r1;\n", (unsigned)PAIR_THREADS - 1);
    text_put(&k->w, "mov.u32 %%r7, %s; mul.wide.u32 %%rd8, %%r7, %u; add.s64 %%rd%u, %%rd%u, %%rd8;\n", index,
             p->scale * p->multiple, 4 + array, 4 + array);
}

static void write_kernel(struct kernel *k) {
    k->w.length = 0;
    k->labels = 0;
    text_put(&k->w, "%s", pair_prologue);
    for (unsigned i = 0; i < PAIR_ARRAYS; i++) put_address(k, i);
    if (below(k, 2) == 0) text_put(&k->w, "setp.ge.u32 %%pp, %%r1, %%r5; @%%pp bra done;\n");
    text_put(&k->w, "ld.global.u32 %%q0, [%%rd4]; ld.global.f32 %%f0, [%%rd4+4];\n"
                    "setp.gt.s32 %%p0, %%q0, 100; setp.gt.f32 %%p1, %%f0, 0f00000000;\n");
    put_instructions(k, 2 + below(k, 10));
    put_result(k, 3);
    if (below(k, 3) == 0) put_loop(k);
    if (below(k, 6) == 0) put_branch(k);
    put_instructions(k, 2 + below(k, 6));
    put_result(k, 2);
    put_instructions(k, below(k, 4));
    text_put(&k->w, "done: ret;\n}\n");
}

/* Makes an array that often overlaps an earlier one. */
static struct pair_array random_array(struct kernel *k, unsigned number) {
    const struct layout *p = &k->layouts[number];
    struct pair_array a = {.offset = (size_t)number * PAIR_REGION, .is_input = below(k, 3) == 0};
    a.bytes = (size_t)PAIR_THREADS * p->scale * p->multiple + (size_t)p->scale * below(k, 12);
    if (below(k, 4) == 0) a.offset += below(k, 64);
    if (number >= k->shared) a.is_input = false;
    if (number > 0 && number < k->shared && below(k, 4) == 0)
        a.offset = k->setup.arrays[below(k, number)].offset + (size_t)p->scale * below(k, 9);
    if (a.bytes > PAIR_REGION - 1024) a.bytes = PAIR_REGION - 1024;
    return a;
}

static void choose_arrays(struct kernel *k) {
    k->shared = 2 + below(k, 3);
    for (unsigned i = 0; i < PAIR_ARRAYS; i++) {
        const unsigned scale = i == 0 || below(k, 2) == 0 ? 4 : 1U << below(k, 5);
        k->layouts[i] = (struct layout){scale, scale <= 4 && below(k, 8) == 0 ? 2 + below(k, 2) : 1};
        k->setup.arrays[i] = random_array(k, i);
    }
}

static void choose_blocks(struct kernel *k) {
    static const pto_dim3 blocks[] = {{1, 1, 1},   {30, 1, 1},  {32, 1, 1},   {64, 1, 1},
                                      {96, 1, 1},  {100, 1, 1}, {128, 1, 1},  {256, 1, 1},
                                      {400, 1, 1}, {512, 1, 1}, {1000, 1, 1}, {1024, 1, 1},
                                      {1, 64, 1},  {1, 1, 128}, {16, 4, 1},   {8, 2, 2}};
    struct pair_setup *s = &k->setup;
    uint32_t threads, count;
    s->block = blocks[below(k, 16)];
    threads = s->block.x * s->block.y * s->block.z;
    count = (PAIR_THREADS - below(k, 2) * below(k, 2000)) / threads;
    s->grid = (pto_dim3){count, 1, 1};
    if (below(k, 8) == 0) s->grid = (pto_dim3){1, count, 1};
    if (below(k, 8) == 0) s->grid = (pto_dim3){(count + 3) / 4, 2, 2};
    count = s->grid.x * s->grid.y * s->grid.z;
    while (count * threads > PAIR_THREADS) count--;
    s->first = below(k, 4) == 0 ? below(k, count) : 0;
    s->count = count - s->first;
    if (below(k, 4) == 0) s->count = below(k, (unsigned)s->count + 1);
    s->n = below(k, 3) == 0 ? PAIR_THREADS : PAIR_THREADS - below(k, 3000);
    s->max_steps = below(k, 30) == 0 ? 20 + below(k, 100) : 0;
}

/** Compares random kernels. Most of them must succeed, and records must run a good part of the threads. */
void module_record(void **state) {
    static struct kernel k;
    const size_t rounds = harness_emulated() ? 60 : harness_quick() ? 300 : 5000;
    size_t good = 0, threads = 0, recorded = 0;
    (void)state;
    rng_start(&k.w.rng, "module_record");
    for (size_t round = 0; round < rounds; round++) {
        choose_arrays(&k);
        choose_blocks(&k);
        write_kernel(&k);
        pair_run(k.w.text, &k.setup);
        good += pair_result(0)->status == PTO_OK;
        threads += k.setup.count * k.setup.block.x * k.setup.block.y * k.setup.block.z;
        recorded += pair_recorded();
    }
    printf("%zu of %zu kernels succeeded; records ran at least %zu of %zu threads\n", good, rounds, recorded,
           threads);
    assert_true(good > rounds / 2);
    assert_true(recorded > threads / 8);
}
