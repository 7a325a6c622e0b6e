/* SPDX-License-Identifier: MIT */
/*
 * Generates docs/forms.md from the library's lists of forms: the number of forms of each kind, the PTX ISA version and
 * target that introduced them, and how their results are known.
 *
 *   forms_table       prints the page
 *   forms_table FILE  compares the page with FILE, byte for byte
 */
#include <pto/pto.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define T(type)  ((uint32_t)1 << PTO_##type)
#define R(round) ((uint32_t)1 << (round))

enum { PZO = 1, N1 = 2, N2 = 4, RELU = 8, SATFINITE = 16, FTZ = 32, SAT = 64 };
enum {
    INTS_8 = T(U8) | T(S8),
    INTS_64 = T(U64) | T(S64),
    INTS = INTS_8 | INTS_64 | T(U16) | T(S16) | T(U32) | T(S32),
    FP8 = T(E4M3) | T(E5M2),
    FP6_4 = T(E2M3) | T(E3M2) | T(E2M1),
    SMALL = FP8 | FP6_4,
    HALVES = T(F16) | T(BF16),
    WIDE = T(F32) | HALVES,
    NEAREST = R(PTO_RN) | R(PTO_ROUND_NONE),
    ANY = 0x7fffffff
};

/* A group of forms, and how their results are known: the strongest source first. PTX's documents cover all of them. */
struct group {
    uint32_t dst, src, rounds;
    unsigned with, without; /* a form of the group has all modifiers of `with` and none of `without` */
    const char *known;
};

/* A form belongs to the first group that matches it. */
static const struct group cvt_groups[] = {
    {INTS, INTS, ANY, 0, 0, "assembler, every pair"},
    {T(F16), INTS, ANY, 0, 0, "headers"},
    {T(BF16), INTS, R(PTO_RN), 0, 0, "headers"},
    {T(BF16), INTS, ANY, 0, 0, "PTX"},
    {T(F32), INTS & ~INTS_64, ANY, 0, 0, "assembler; from 16 and 32 bits: public tests"},
    {T(F32), INTS_64, ANY, 0, 0, "PTX, CPU"},
    {T(F64), INTS, ANY, 0, 0, "PTX, CPU"},
    {INTS, HALVES, R(PTO_RZI), 0, 0, "headers"},
    {INTS, T(F16), ANY, 0, 0, "PTX; to 16, 32 and 64 bits: public tests, except NaNs"},
    {INTS, T(BF16), ANY, 0, 0, "PTX"},
    {INTS_8, T(F32) | T(F64), ANY, 0, 0, "PTX, CPU"},
    {T(S16), T(F32) | T(F64), ANY, 0, 0, "CPU, and from f32 public tests; both except NaNs"},
    {INTS, T(F32) | T(F64), R(PTO_RNI) | R(PTO_RZI), 0, 0, "assembler, except NaNs"},
    {INTS, T(F32) | T(F64), ANY, 0, 0, "CPU, and from f32 public tests; both except NaNs"},
    {T(F32), T(F32), ANY, 0, 0, "assembler, public tests"},
    {T(F64), T(F64), ANY, 0, 0, "assembler"},
    {T(F16), T(F16), ANY, 0, 0, "public tests"},
    {HALVES, HALVES, ANY, 0, 0, "PTX, code"},
    {T(F32), HALVES, NEAREST, 0, 0, "assembler, headers"},
    {T(F64), HALVES | T(F32), NEAREST, 0, 0, "assembler"},
    {T(F32) | T(F64), HALVES, ANY, 0, 0, "PTX; exact in every rounding"},
    {HALVES | T(TF32), T(F32), ANY, PZO, 0, "software, code (one bit)"},
    {HALVES, T(F32), R(PTO_RS), 0, 0, "PTX"},
    {HALVES, T(F32), ANY, RELU, 0, "PTX"},
    {HALVES, T(F32), ANY, SATFINITE, 0, "PTX, probes"},
    {T(F16), T(F32), ANY, 0, 0, "headers, public tests; .rn: also assembler"},
    {T(BF16), T(F32), ANY, 0, 0, "headers; .rn: also assembler"},
    {HALVES, T(F64), R(PTO_RN), 0, 0, "headers, assembler"},
    {HALVES, T(F64), ANY, 0, 0, "PTX"},
    {T(F32), T(F64), R(PTO_RN), 0, 0, "assembler"},
    {T(F32), T(F64), ANY, 0, 0, "PTX, code, CPU"},
    {T(TF32), T(F32), R(PTO_RNA), 0, 0, "assembler, code"},
    {T(TF32), T(F32), ANY, 0, 0, "PTX, code"},
    {FP8 | T(E2M1), T(F32), R(PTO_RS), 0, 0, "probes"},
    {SMALL, T(F32), R(PTO_RS), 0, 0, "PTX; assumed equal to e4m3"},
    {FP8, T(F32), R(PTO_RN), N1, PZO | RELU, "chip bytes"},
    {SMALL, WIDE, ANY, N1, 0, "model"},
    {SMALL, WIDE, ANY, PZO, 0, "software, code (one bit)"},
    {FP8, WIDE, R(PTO_RZ), 0, 0, "model"},
    {FP6_4, WIDE, R(PTO_RZ), 0, 0, "headers; .relu: PTX"},
    {FP8, T(F32), R(PTO_RN), 0, 0, "headers, public tests; .relu: PTX"},
    {SMALL, WIDE, R(PTO_RN), 0, 0, "headers; .relu: PTX"},
    {T(S2F6), WIDE, ANY, 0, 0, "PTX, software; no tool, no chip"},
    {T(UE5M3), WIDE, ANY, N1, 0, "model"},
    {T(UE5M3), WIDE, ANY, 0, 0, "headers"},
    {T(UE8M0), WIDE, ANY, 0, 0, "headers"},
    {T(F16), FP8, R(PTO_RN), 0, 0, "headers, public tests; .relu: PTX"},
    {T(F16), FP6_4, R(PTO_RN), 0, 0, "headers; .relu: PTX"},
    {T(F16), T(UE5M3), R(PTO_RN), 0, 0, "headers"},
    {T(BF16), T(S2F6), R(PTO_RN), 0, N2, "PTX, use in NVIDIA's public kernels"},
    {T(BF16), SMALL | T(UE5M3), R(PTO_RN), 0, N2 | RELU | SATFINITE, "headers"},
    {T(BF16), SMALL | T(UE5M3), R(PTO_RN), 0, N2, "PTX, software"},
    {T(BF16), SMALL | T(UE5M3) | T(S2F6), R(PTO_RN), N2, 0, "software; no tool, no chip"},
    {T(BF16), T(UE8M0), R(PTO_RN), 0, 0, "headers"},
};
enum { CVT_GROUPS = sizeof cvt_groups / sizeof *cvt_groups };

/* ---- the page ---- */

static char page[1 << 16];
static size_t page_length;

static void say(const char *format, ...) {
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(page + page_length, sizeof page - page_length, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof page - page_length) abort();
    page_length += (size_t)length;
}

static void say_types(uint32_t types) {
    const char *gap = "";
    if ((types & INTS) == INTS) {
        say("u8..u64 s8..s64");
        types &= ~(uint32_t)INTS;
        gap = " ";
    }
    for (int type = 0; type < 32; type++) {
        if ((types >> type & 1) == 0) continue;
        say("%s%s", gap, pto_dtype_name((pto_dtype)type));
        gap = " ";
    }
}

/* ---- cvt ---- */

static unsigned flags_of(pto_cvt_op op) {
    return (op.pzo ? PZO : 0U) | (op.scale == PTO_SCALE_N1 ? N1 : 0U) | (op.scale == PTO_SCALE_N2 ? N2 : 0U) |
           (op.relu ? RELU : 0U) | (op.satfinite ? SATFINITE : 0U) | (op.ftz ? FTZ : 0U) |
           (op.sat ? SAT : 0U);
}

static bool fits(const struct group *g, pto_cvt_op op) {
    const unsigned flags = flags_of(op);
    return (g->dst >> op.dst & 1) != 0 && (g->src >> op.src & 1) != 0 && (g->rounds >> op.round & 1) != 0 &&
           (flags & g->with) == g->with && (flags & g->without) == 0;
}

/* Returns the group of a form. Pairs that are composed of two conversions get CVT_GROUPS, after all groups. */
static size_t group_of(pto_cvt_op op) {
    if (!pto_cvt_is_ptx(op)) return CVT_GROUPS;
    for (size_t i = 0; i < CVT_GROUPS; i++)
        if (fits(&cvt_groups[i], op)) return i;
    fprintf(stderr, "no group for %s <- %s\n", pto_dtype_name(op.dst), pto_dtype_name(op.src));
    exit(1);
}

/* A line of the table: the forms of one group with the same PTX ISA version and target. `all` are the modifiers that
 * all of its forms have, `some` those that at least one has. */
struct line {
    size_t group, forms;
    const char *target;
    int isa;
    uint32_t dst, src, rounds;
    unsigned all, some;
};

static struct line lines[256];
static size_t line_count;

static struct line *line_of(pto_cvt_op op) {
    const size_t group = group_of(op);
    const char *target;
    int isa;
    struct line *line;
    if (pto_cvt_since(op, &isa) != PTO_OK || pto_cvt_target(op, &target) != PTO_OK) abort();
    for (line = lines; line < lines + line_count; line++)
        if (line->group == group && line->isa == isa && strcmp(line->target, target) == 0) return line;
    if (line_count == sizeof lines / sizeof *lines) abort();
    line_count++;
    *line = (struct line){.group = group, .isa = isa, .target = target, .all = ~0U};
    return line;
}

static int by_group_and_age(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    if (x->isa != y->isa) return x->isa < y->isa ? -1 : 1;
    return strcmp(x->target, y->target);
}

static void say_modifiers(const struct line *line) {
    static const struct {
        unsigned flag;
        const char *text;
    } flags[] = {{FTZ, ".ftz"},
                 {RELU, ".relu"},
                 {SATFINITE, ".satfinite"},
                 {SAT, ".sat"},
                 {PZO, ".pzo"},
                 {N1, ".scaled::n1::ue8m0"},
                 {N2, ".scaled::n2::ue8m0"}};
    static const char *const rounds[] = {"none", ".rn",  ".rna", ".rz",  ".rm", ".rp",
                                         ".rs",  ".rni", ".rzi", ".rmi", ".rpi"};
    const char *gap = "";
    for (unsigned round = 0; round < sizeof rounds / sizeof *rounds; round++) {
        if ((line->rounds >> round & 1) == 0) continue;
        say("%s%s", gap, rounds[round]);
        gap = " ";
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if ((line->all & flags[i].flag) != 0)
            say(" %s", flags[i].text);
        else if ((line->some & flags[i].flag) != 0)
            say(" [%s]", flags[i].text);
    }
}

/* Returns whether an H100 with CUDA 13.0 has the forms; docs/digests.md describes how it was tested. Targets from
 * sm_100 on have longer names, and sm_90a does not occur. */
static bool is_on_sm_90(const struct line *line) {
    return line->isa <= 90 && strlen(line->target) == strlen("sm_90");
}

static void say_line(const struct line *line) {
    const bool composed = line->group == CVT_GROUPS;
    const char *known = composed ? "composed of two PTX conversions" : cvt_groups[line->group].known;
    say("| ");
    say_types(line->dst);
    say(" | ");
    say_types(line->src);
    say(" | ");
    say_modifiers(line);
    say(" | %zu | %d.%d | %s | %s%s |\n", line->forms, line->isa / 10, line->isa % 10, line->target,
        !composed && is_on_sm_90(line) ? "H100; " : "", known);
}

/* Returns how many of the scalar, x2 and x4 spellings of op PTX has. */
static size_t spellings(pto_cvt_op op) {
    static const char *const lanes[] = {"", "x2", "x4"};
    char first[128], text[160];
    size_t found = 0;
    char *types;
    if (pto_format_cvt(op, first, sizeof first) != PTO_OK) return 0;
    types = strrchr(first, '.');
    *types = 0;
    *strrchr(first, '.') = 0;
    for (int i = 0; i < 9; i++) {
        pto_cvt_op read;
        snprintf(text, sizeof text, "%s.%s%s.%s%s", first, pto_dtype_name(op.dst), lanes[i / 3],
                 pto_dtype_name(op.src), lanes[i % 3]);
        found += pto_parse_cvt(text, &read, NULL) == PTO_OK;
    }
    return found;
}

static void say_cvt(void) {
    const size_t count = pto_cvt_form_count();
    size_t ptx = 0, spelled = 0;
    for (size_t i = 0; i < count; i++) {
        pto_cvt_op op;
        struct line *line;
        if (pto_cvt_form(i, &op) != PTO_OK) abort();
        line = line_of(op);
        line->forms++;
        line->dst |= (uint32_t)1 << op.dst;
        line->src |= (uint32_t)1 << op.src;
        line->rounds |= (uint32_t)1 << op.round;
        line->all &= flags_of(op);
        line->some |= flags_of(op);
        ptx += pto_cvt_is_ptx(op);
        spelled += spellings(op);
    }
    qsort(lines, line_count, sizeof *lines, by_group_and_age);
    say("## cvt\n\n"
        "PTX has %zu forms. `pto_cvt_op` has %zu, because it does not distinguish the scalar, x2 and x4\n"
        "spellings of a conversion. With %zu forms of composed pairs, `pto_cvt` supports %zu.\n\n"
        "Modifiers in brackets are optional, but not every combination is legal with every rounding.\n"
        "6.3 means PTX ISA 6.3 or earlier.\n\n",
        spelled, ptx, count - ptx, count);
    say("| to | from | rounding and modifiers | forms | since | first target | sources |\n"
        "| --- | --- | --- | --: | --- | --- | --- |\n");
    for (size_t i = 0; i < line_count; i++) say_line(&lines[i]);
}

/* ---- setp and set ---- */

static const struct {
    uint32_t types;
    const char *known;
} compare_groups[] = {
    {T(B16) | T(B32) | T(B64) | INTS, "H100; assembler"},
    {T(F32) | T(F64), "H100; assembler"},
    {HALVES | T(F16X2) | T(BF16X2), "H100; PTX, headers; in part: assembler"},
    {T(U8X4) | T(S8X4) | T(U16X2) | T(S16X2), "PTX, code"},
};
enum { COMPARE_GROUPS = sizeof compare_groups / sizeof *compare_groups };

struct comparisons {
    size_t forms;
    uint32_t dst, src;
};

static void add_comparison(struct comparisons groups[COMPARE_GROUPS], pto_dtype dst, pto_dtype src) {
    size_t i = 0;
    while ((compare_groups[i].types >> src & 1) == 0)
        if (++i == COMPARE_GROUPS) abort();
    groups[i].forms++;
    groups[i].dst |= (uint32_t)1 << dst;
    groups[i].src |= (uint32_t)1 << src;
}

static void say_setp(void) {
    struct comparisons groups[COMPARE_GROUPS] = {{0, 0, 0}};
    for (size_t i = 0; i < pto_setp_form_count(); i++) {
        pto_setp_op op;
        if (pto_setp_form(i, &op) != PTO_OK) abort();
        add_comparison(groups, op.type, op.type);
    }
    say("\n## setp\n\n%zu forms: every operator, with and without `.ftz`, without and with each BoolOp.\n\n"
        "| type | forms | sources |\n| --- | --: | --- |\n",
        pto_setp_form_count());
    for (size_t i = 0; i < COMPARE_GROUPS; i++) {
        if (groups[i].forms == 0) continue;
        say("| ");
        say_types(groups[i].src);
        say(" | %zu | %s |\n", groups[i].forms, compare_groups[i].known);
    }
}

static void say_set(void) {
    struct comparisons groups[COMPARE_GROUPS] = {{0, 0, 0}};
    for (size_t i = 0; i < pto_set_form_count(); i++) {
        pto_set_op op;
        if (pto_set_form(i, &op) != PTO_OK) abort();
        add_comparison(groups, op.dtype, op.stype);
    }
    say("\n## set\n\n%zu forms, counted in the same way. Those of packed integers need PTX ISA 9.4 and "
        "sm_107f.\n\n"
        "| to | from | forms | sources |\n| --- | --- | --: | --- |\n",
        pto_set_form_count());
    for (size_t i = 0; i < COMPARE_GROUPS; i++) {
        if (groups[i].forms == 0) continue;
        say("| ");
        say_types(groups[i].dst);
        say(" | ");
        say_types(groups[i].src);
        say(" | %zu | %s |\n", groups[i].forms, compare_groups[i].known);
    }
}

/* ---- */

static int compare_with(const char *path) {
    static char there[sizeof page + 1];
    FILE *file = fopen(path, "rb");
    size_t length, same = 0, line = 1;
    if (!file) {
        perror(path);
        return 1;
    }
    length = fread(there, 1, sizeof there, file);
    fclose(file);
    if (length == page_length && memcmp(there, page, length) == 0) return 0;
    for (; same < length && same < page_length && there[same] == page[same]; same++)
        line += page[same] == '\n';
    fprintf(stderr,
            "%s differs from the library's forms in line %zu; `forms_table` prints what belongs there\n",
            path, line);
    return 1;
}

int main(int argc, char **argv) {
    say("# Every kind of form\n\n"
        "`tools/forms_table.c` prints this page from the lists of `forms.h`, and the test `forms_table`\n"
        "checks it. The last column names the sources of the results, in the words of\n"
        "[Semantics](semantics.md), which has the details:\n\n"
        "| source | meaning |\n"
        "| --- | --- |\n"
        "| H100 | an NVIDIA H100 gave the same results; [Digests](digests.md) has the extent |\n"
        "| assembler | `ptxas` computes the same results for constant operands |\n"
        "| code | the machine instructions that `ptxas` emits |\n"
        "| headers | NVIDIA's host emulation in the CUDA headers |\n"
        "| public tests | tests by others, whose reference model was checked against NVIDIA GPUs |\n"
        "| probes | published measurements on GPUs |\n"
        "| chip bytes | results that NVIDIA's public tests expect from a GPU |\n"
        "| CPU | the CPU's own conversion instructions |\n"
        "| software | a public software model of PTX 9.4, which was not compared with a GPU |\n"
        "| PTX | the text of the PTX ISA, which is also a source of all other rows |\n"
        "| model | only the text of the PTX ISA, as libpto reads it |\n"
        "| no tool, no chip | no NVIDIA tool and no GPU has confirmed the results |\n\n");
    say_cvt();
    say_setp();
    say_set();
    if (argc > 1) return compare_with(argv[1]);
    return fwrite(page, 1, page_length, stdout) == page_length ? 0 : 1;
}
