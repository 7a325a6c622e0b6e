/* SPDX-License-Identifier: MIT */
/*
 * Changes tokens of kernel programs at random. Whatever the text, parsing and running must end without a crash, an
 * error must have a place in the text and a reason, and a survey must find a problem exactly if the text is no program.
 *
 *   test_pto_kernel_mutations [COUNT [FILE...]]   COUNT texts, made from the files instead of the texts below
 */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include <pto/module.h>
#include <pto/pto.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS = 1 << 14, FILES = 1024 };

#define V32  "!pto.vreg<64xf32>"
#define I32  "!pto.vreg<64xi32>"
#define V16  "!pto.vreg<128xf16>"
#define B32  "!pto.mask<b32>"
#define UB   "!pto.ptr<f32, ub>"
#define GM   "!pto.ptr<f32, gm>"
#define BODY "func.func @k(%x: " GM ", %y: " GM ", %n: i32) attributes {pto.kernel} {\n"
#define CONSTANTS                                                                                            \
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c4 = arith.constant 4 : index\n" \
    "  %c64 = arith.constant 64 : index\n  %0 = arith.constant 0 : i64\n  %1 = arith.constant 1 : i64\n"     \
    "  %32 = arith.constant 32 : i64\n  %256 = arith.constant 256 : i64\n  %1024 = arith.constant 1024 : "   \
    "i64\n"                                                                                                  \
    "  %f = arith.constant 1.5 : f32\n  %h = arith.constant 3 : i16\n  %w = arith.constant 7 : i32\n"        \
    "  %p = pto.castptr %0 : i64 -> " UB "\n  %q = pto.castptr %1024 : i64 -> " UB "\n"                      \
    "  pto.mte_gm_ub %x, %p, %0, %1024 nburst(%1, %0, %0)\n"                                                 \
    "  %m = pto.pset_b32 \"PAT_ALL\" : " B32 "\n"                                                            \
    "  %a = pto.vlds %p[%c0] : " UB " -> " V32 "\n  %b = pto.vlds %p[%c64] : " UB " -> " V32 "\n"
#define END "  pto.mte_ub_gm %q, %y, %256 nburst(%1, %0, %0)\n  return\n}\n"

static const char *const texts[] = {
    /* control flow, scalars, calls, regions */
    "module attributes {pto.target_arch = \"a5\"} {\nfunc.func private @twice(%v: " V32 ", %m: " B32
    ") -> " V32 " {\n  %r = pto.vadd %v, %v, %m : " V32 ", " V32 ", " B32 " -> " V32 "\n  return %r : " V32
    "\n}\n" BODY CONSTANTS "  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %a, %k = %n) -> (" V32
    ", i32) {\n"
    "    %t, %left = pto.plt_b32 %k : i32 -> " B32 ", i32\n    %z = func.call @twice(%s, %t) : (" V32 ", " B32
    ") -> " V32 "\n    %odd = arith.cmpi slt, %k, %w : i32\n    %e = scf.if %odd -> (i32) {\n      scf.yield "
    "%left : i32\n"
    "    } else {\n      %d = arith.divsi %left, %w : i32\n      scf.yield %d : i32\n    }\n"
    "    scf.yield %z, %e : " V32 ", i32\n  }\n"
    "  %true = arith.constant true\n  %g = arith.mulf %f, %f : f32\n  %u = arith.select %true, %g, %f : f32\n"
    "  pto.vecscope {\n    pto.strict_vecscope(%r#0) {\n    ^bb0(%v: " V32 "):\n"
    "      \"pto.vsts\"(%v, %q, %c0) {dist = \"NORM_B32\"} : (" V32 ", " UB ", index) -> ()\n    } : (" V32
    ") -> ()\n  }\n" END "}\n",
    /* copies and addresses */
    BODY CONSTANTS
    "  pto.mte_gm_ub %x, %q, %0, %32 nburst(%1, %32, %256) loop(%1, %256, %32) pad(%f, %1, %1)\n"
    "  pto.set_loop_size_outtoub %1, %1 : i64, i64\n  pto.set_loop1_stride_outtoub %32, %32 : i64, i64\n"
    "  %false = arith.constant false\n"
    "  pto.copy_gm_to_ubuf %x, %q, %0, %1, %32, %0, %0, %false, %0, %32, %32\n"
    "    : " GM ", " UB ", i64, i64, i64, i64, i64, i1, i64, i64, i64\n"
    "  pto.mte_ub_ub %p, %q, %1 nburst(%1, %1, %1)\n  pto.set_flag[\"PIPE_V\", \"PIPE_MTE3\", "
    "\"EVENT_ID0\"]\n"
    "  pto.wait_flag[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n  pto.barrier <PIPE_ALL>\n"
    "  %bi = pto.get_block_idx\n  %i = arith.index_cast %bi : i64 to index\n"
    "  %p2 = pto.addptr %q, %i : " UB " -> " UB "\n  %v = pto.load_scalar %p2[%c4] : " UB " -> f32\n"
    "  pto.store_scalar %v, %q[%c1] : " UB ", f32\n  %ad = pto.castptr %p2 : " UB " -> i64\n" END,
    /* loads and stores in patterns, and of registers at computed addresses */
    BODY CONSTANTS "  %v, %p3 = pto.vlds %p[%c64] {dist = \"UNPK_B16\"} : " UB ", index -> " V32 ", " UB "\n"
                   "  %lo, %hi = pto.vldsx2 %p3[%c0], \"DINTLV_B32\" : " UB ", index -> " V32 ", " V32 "\n"
                   "  pto.vstsx2 %lo, %hi, %q[%c0], \"INTLV_B32\", %m : " V32 ", " V32 ", " UB ", index, " B32
                   "\n"
                   "  pto.vsts %v, %q[%c4], %m {dist = \"PK_B32\"} : " V32 ", " UB ", " B32 "\n"
                   "  %bl = pto.vsldb %p, %h, %h, %m : " UB ", i16, i16, " B32 " -> " V32 "\n"
                   "  pto.vsstb %bl, %q, %h, %h, %m : " V32 ", " UB ", i16, i16, " B32 "\n"
                   "  %id = pto.vci %w {order = \"DESC\"} : i32 -> " I32 "\n"
                   "  %ga = pto.vgather2 %p, %id, %m : " UB ", " I32 ", " B32 " -> " V32 "\n"
                   "  pto.vscatter %ga, %q, %id, %m : " V32 ", " UB ", " I32 ", " B32 "\n"
                   "  %al = pto.vldas %p : " UB " -> !pto.align\n"
                   "  %un, %al2 = pto.vldus %p, %al : " UB ", !pto.align -> " V32 ", !pto.align\n" END,
    /* masks */
    BODY CONSTANTS "  %t = pto.pge_b32 \"PAT_VL8\" : " B32 "\n  %o = pto.por %t, %m, %m : " B32 ", " B32
                   ", " B32 " -> " B32 "\n"
                   "  %no = pto.pnot %t, %m : " B32 ", " B32 " -> " B32
                   "\n  %pk = pto.ppack %no, \"LOWER\" : " B32 " -> !pto.mask<b16>\n"
                   "  %up = pto.punpack %pk, \"HIGHER\" : !pto.mask<b16> -> " B32 "\n"
                   "  %i0, %i1 = pto.pintlv_b32 %up, %o : " B32 ", " B32 " -> " B32 ", " B32 "\n"
                   "  %c = pto.vcmp %a, %b, %i0, \"lt\" : " V32 ", " V32 ", " B32 " -> " B32 "\n"
                   "  %cs = pto.vcmps %a, %f, %c, \"ne\" : " V32 ", f32, " B32 " -> " B32 "\n"
                   "  %se = pto.vsel %a, %b, %cs : " V32 ", " V32 ", " B32 " -> " V32 "\n"
                   "  pto.psts %cs, %q[%c0], \"NORM\" : " B32 ", " UB ", index\n"
                   "  %l = pto.plds %q[%c0], \"US\" : " UB ", index -> " B32 "\n" END,
    /* arithmetic, conversions, reductions, rearrangement */
    BODY CONSTANTS
    "  %s = pto.vmuls %a, %f, %m : " V32 ", f32, " B32 " -> " V32 "\n"
    "  %d = pto.vaxpy %s, %b, %f, %m : " V32 ", " V32 ", f32, " B32 " -> " V32 "\n"
    "  %r = pto.vrelu %d, %m : " V32 ", " B32 " -> " V32 "\n"
    "  %k = pto.vcvt %r, %m {rnd = \"R\", sat = \"SAT\", part = \"EVEN\"} : " V32 ", " B32 " -> " V16 "\n"
    "  %i = pto.vtrc %r, %m, \"Z\" : " V32 ", " B32 " -> " V32 "\n"
    "  %z = pto.vcvt %i {rnd = \"Z\", sat = \"SAT\"} : " V32 " -> " I32 "\n"
    "  %sh = pto.vshrs %z, %h, %m : " I32 ", i16, " B32 " -> " I32 "\n"
    "  %lo, %hi = pto.vmull %z, %sh, %m : " I32 ", " I32 ", " B32 " -> " I32 ", " I32 "\n"
    "  %ad, %ca = pto.vaddc %z, %z, %m : " I32 ", " I32 ", " B32 " -> " I32 ", " B32 "\n"
    "  %su = pto.vcadd %r, %m : " V32 ", " B32 " -> " V32 "\n  %ma = pto.vcgmax %r, %m : " V32 ", " B32
    " -> " V32 "\n"
    "  %va, %vb = pto.vintlv %a, %b : " V32 ", " V32 " -> " V32 ", " V32 "\n"
    "  %sq = pto.vsqz %va, %ca : " V32 ", " B32 " -> " V32
    "\n  %du = pto.vdup %sq, %m {position = \"HIGHEST\"} : " V32 ", " B32 " -> " V32
    "\n  %se = pto.vselr %du, %z : " V32 ", " I32 " -> " V32 "\n"
    "  %bc = pto.vbitcast %se : " V32 " -> " V16 "\n  pto.vsts %se, %q[%c0], %m : " V32 ", " UB ", " B32
    "\n" END,
    /* VMI */
    BODY CONSTANTS "  %v = pto.vmi.vload %p[%c0], %c4 {group = 2} : " UB ", index -> !pto.vmi.vreg<8xf32>\n"
                   "  %k = pto.vmi.create_mask %c4 : index -> !pto.vmi.mask<8>\n"
                   "  %e = pto.vmi.vmul %v, %v, %k {pmode = \"zero\"} : !pto.vmi.vreg<8xf32>, "
                   "!pto.vmi.vreg<8xf32>, !pto.vmi.mask<8> -> "
                   "!pto.vmi.vreg<8xf32>\n"
                   "  %s = pto.vmi.vcadd %e, %k {group = 2, reassoc} : !pto.vmi.vreg<8xf32>, "
                   "!pto.vmi.mask<8> -> !pto.vmi.vreg<2xf32>\n"
                   "  %g = pto.vmi.vbrc %s {group = 2} : !pto.vmi.vreg<2xf32> -> !pto.vmi.vreg<8xf32>\n"
                   "  %c = pto.vmi.vcmp %g, %v, %k {cmp = \"olt\"} : !pto.vmi.vreg<8xf32>, "
                   "!pto.vmi.vreg<8xf32>, !pto.vmi.mask<8> -> "
                   "!pto.vmi.mask<8>\n"
                   "  %h8 = pto.vmi.vcvt %g {saturate = \"SAT\", rounding = \"R\"} : !pto.vmi.vreg<8xf32> -> "
                   "!pto.vmi.vreg<8xf16>\n"
                   "  %no = pto.vmi.vnot %c : !pto.vmi.mask<8> -> !pto.vmi.mask<8>\n"
                   "  pto.vmi.vstore %g, %q[%c0], %c : !pto.vmi.vreg<8xf32>, " UB ", !pto.vmi.mask<8>\n" END,
};

/* ---- texts from files ---- */

struct sources {
    char *file[FILES];
    size_t count;
};

static struct sources sources;
static size_t wanted; /* number of mutated texts */

static const char *source(size_t i) {
    return sources.count ? sources.file[i] : texts[i];
}

static size_t source_count(void) {
    return sources.count ? sources.count : sizeof texts / sizeof texts[0];
}

static bool read_source(const char *path) {
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size;
    if (!f || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    text = calloc(1, (size_t)size + 1);
    if (text && fread(text, 1, (size_t)size, f) == (size_t)size) sources.file[sources.count++] = text;
    fclose(f);
    return text != NULL;
}

/* ---- mutations ---- */

struct piece {
    const char *at;
    size_t length;
};

/* Splits a text into words and single signs. Returns their number. */
static size_t split(const char *text, struct piece *pieces) {
    static const char word[] = "%abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.#\"";
    size_t count = 0;
    while (*text && count < TOKENS) {
        const size_t blanks = strspn(text, " \t\r\n"), length = strspn(text + blanks, word);
        if (!text[blanks]) break;
        pieces[count++] = (struct piece){text + blanks, length ? length : 1};
        text += blanks + (length ? length : 1);
    }
    return count;
}

static struct piece any_piece(struct rng *rng) {
    static const char *const words[] = {"0",      "-1",    "1",       "4294967295", "9223372036854775807",
                                        "65536",  "i8",    "f16",     "b8",         "f8E4M3FN",
                                        "ui64",   "1xf32", "{",       "}",          "(",
                                        ")",      "->",    "pto.mad", "%_:",        "\"R\"",
                                        "4097xi8"};
    const size_t i = rng_below(rng, sizeof words / sizeof words[0]);
    return (struct piece){words[i], strlen(words[i])};
}

static int kind_of(const struct piece *p) {
    const char c = p->at[0];
    return c >= '0' && c <= '9' ? '0' : c >= 'a' && c <= 'z' ? 'a' : c;
}

/* Returns another name if the piece is a name, another number if it is a number, and so on. Texts with such a
 * change are more often programs than others. */
static struct piece similar(struct rng *rng, const struct piece *pieces, size_t count, size_t i) {
    enum { TRIES = 100 };
    for (size_t k = 0; k < TRIES; k++) {
        const struct piece *other = &pieces[rng_below(rng, count)];
        if (kind_of(other) == kind_of(&pieces[i])) return *other;
    }
    return pieces[i];
}

/* Returns what stands in the mutated text in place of piece i: up to two pieces. */
static size_t mutate(struct rng *rng, const struct piece *pieces, size_t count, size_t i, struct piece to[2],
                     char *changed) {
    to[0] = to[1] = pieces[i];
    switch (rng_below(rng, 10)) {
    case 0: return 0;
    case 1: return 2;
    case 2: to[0] = pieces[rng_below(rng, count)]; return 1;
    case 3: to[0] = any_piece(rng); return 1;
    case 4:
        if (to[0].length > 63) return 1;
        memcpy(changed, to[0].at, to[0].length);
        changed[rng_below(rng, to[0].length)] = (char)(33 + rng_below(rng, 94));
        to[0].at = changed;
        return 1;
    default: to[0] = similar(rng, pieces, count, i); return 1;
    }
}

/* Returns a text in which one to three pieces are changed, in exactly as much memory as it needs. */
static char *mutated(struct rng *rng) {
    static struct piece pieces[TOKENS];
    const char *from = source(rng_below(rng, source_count()));
    const size_t count = split(from, pieces), changes = 1 + rng_below(rng, 3);
    size_t at[3] = {0};
    char *buffer = harness_allocate(2 * strlen(from) + 1024), *text, *end = buffer;
    for (size_t c = 0; c < changes; c++) at[c] = rng_below(rng, count);
    for (size_t i = 0; i < count; i++) {
        struct piece to[2] = {pieces[i], pieces[i]};
        char changed[64];
        size_t n = 1;
        for (size_t c = 0; c < changes; c++)
            if (at[c] == i) n = mutate(rng, pieces, count, i, to, changed);
        for (const char *c = i ? pieces[i - 1].at + pieces[i - 1].length : from; c < pieces[i].at; c++)
            *end++ = *c;
        for (size_t k = 0; k < n; k++) {
            memcpy(end, to[k].at, to[k].length);
            end += to[k].length;
            if (n == 2 && k == 0) *end++ = ' ';
        }
    }
    text = malloc((size_t)(end - buffer) + 1);
    if (!text) abort();
    memcpy(text, buffer, (size_t)(end - buffer));
    text[end - buffer] = 0;
    harness_free(buffer);
    return text;
}

/* ---- checks ---- */

/* The word of an error may be %r#0 where the text has %r:2. */
static void check_error(const char *text, const pto_program_error *error) {
    const char *line = text;
    for (size_t i = 1; i < error->line && line; i++) {
        line = strchr(line, '\n');
        if (line) line++;
    }
    if (error->text[0] == 0 || error->line == 0 || error->column == 0 || !line ||
        error->column - 1 > strlen(line) ||
        strncmp(line + error->column - 1, error->word, strcspn(error->word, "#")) != 0)
        fail_msg("%zu:%zu '%s': %s\n%s", error->line, error->column, error->word, error->text, text);
}

static void check_survey(const char *text, const pto_program_options *given, bool is_program) {
    pto_program_options options = *given;
    pto_program_error error;
    pto_module *m;
    pto_kernel kernel;
    size_t problems = 0;
    options.survey = true;
    m = pto_module_new(text, options, &error);
    if (!m) check_error(text, &error);
    for (size_t i = 0; pto_module_kernel_at(m, i, &kernel) == PTO_OK; i++) {
        pto_instruction_use use;
        problems += kernel.problem != NULL;
        for (size_t k = 0; pto_module_use_at(m, i, k, &use) == PTO_OK; k++)
            if (use.problem) check_error(text, use.problem);
    }
    if (!m && strstr(error.text, "a function with the attribute pto.kernel"))
        return; /* not a kernel program */
    if (is_program != (m && problems == 0))
        fail_msg("this is %sa program, and the survey has %zu problems; %s\n%s", is_program ? "" : "not ",
                 problems, m ? "" : error.text, text);
    pto_module_free(m);
}

/* Runs a program on arrays of a random length, with no byte after their ends. */
static void run(struct rng *rng, pto_program *p, const char *text) {
    const size_t n = rng_below(rng, 8) == 0 ? rng_below(rng, 100) : 4096;
    void *memory[64] = {NULL};
    pto_program_register r;
    pto_status status;
    for (size_t i = 0; i < 64 && pto_program_register_at(p, i, &r) == PTO_OK && r.input; i++) {
        const size_t count = r.memory ? n : 1, bytes = (count * pto_dtype_bits(r.type) + 7) / 8;
        memory[i] = malloc(bytes + (bytes == 0));
        if (!memory[i]) abort();
        memset(memory[i], (int)rng_below(rng, 4), bytes);
        (void)!pto_program_bind(p, r.name, r.type, memory[i], count);
    }
    status = pto_program_run(p, 1 + rng_below(rng, 2));
    if (status != PTO_OK && pto_program_problem(p)->text[0] == 0)
        fail_msg("%s\n%s", status_name(status), text);
    for (size_t i = 0; status == PTO_OK && pto_program_register_at(p, i, &r) == PTO_OK; i++) {
        pto_dtype type;
        const void *data;
        size_t count;
        if (pto_program_value(p, r.name, &type, &data, &count) == PTO_OK && count != 0) {
            volatile unsigned char first = *(const unsigned char *)data;
            (void)first;
        }
    }
    for (size_t i = 0; i < 64; i++) free(memory[i]);
}

/* Each text is a program before it is changed. */
static void originals(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        pto_program_error error;
        pto_program *p =
            pto_program_new(texts[i], (pto_program_options){.language = PTO_PROGRAM_PTO}, &error);
        if (!p) fail_msg("text %zu: %zu:%zu '%s': %s", i, error.line, error.column, error.word, error.text);
        pto_program_free(p);
    }
}

static void mutations(void **state) {
    struct rng rng;
    size_t programs = 0;
    (void)state;
    rng_start(&rng, "mutations of kernels");
    for (size_t i = 0; i < wanted; i++) {
        const pto_program_options options = {.language = PTO_PROGRAM_PTO,
                                             .max_steps = 3000,
                                             .strict = rng_below(&rng, 4) == 0,
                                             .recorded = rng_below(&rng, 2) == 0};
        char *text = mutated(&rng);
        pto_program_error error;
        pto_program *p = pto_program_new(text, options, &error);
        if (!p) check_error(text, &error);
        check_survey(text, &options, p != NULL);
        if (p) run(&rng, p, text);
        programs += p != NULL;
        pto_program_free(p);
        free(text);
    }
    printf("%zu texts, %zu programs\n", wanted, programs);
    assert_true(programs > wanted / 100 && programs < wanted);
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(originals), cmocka_unit_test(mutations)};
    const int status = harness_start(1, argv);
    if (status) return status;
    wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : harness_quick() ? 500 : 3000;
    for (int i = 2; i < argc && sources.count < FILES; i++)
        if (!read_source(argv[i])) return 1;
    return harness_end(cmocka_run_group_tests_name("pto_kernel_mutations", tests, NULL, NULL));
}
