/* SPDX-License-Identifier: MIT */
/* pto explain: explains an instruction, a pattern, a type, an operator or a file of kernels, or shows where a text is
 * wrong. */
#include "explain.h"

#include "cast_text.h"
#include "element.h"
#ifdef PTO_HAS_PROGRAM
#    include "instruction.h"
#endif
#include "words.h"

#include <math.h>
#include <string.h>

/* ---- patterns and types ---- */

static void show_lanes(pto_mask mask, unsigned lanes) {
    enum { COLUMNS = 64 };
    unsigned on = 0;
    for (unsigned i = 0; i < lanes; ++i) on += pto_mask_get(mask, i);
    printf("%u of %u\n", on, lanes);
    for (unsigned i = 0; i < lanes; ++i)
        printf("%s%d%s", i % COLUMNS == 0 ? "  " : "", pto_mask_get(mask, i),
               i % COLUMNS == COLUMNS - 1 ? "\n" : "");
}

static int explain_pattern(const char *text) {
    pto_parse_error error;
    pto_pattern pattern;
    if (pto_parse_pattern(text, &pattern, &error) != PTO_OK) return show_error(text, &error);
    printf("%s: active lanes of a 256-bit predicate register, the lowest first\n", text);
    for (unsigned width = 8; width <= 32; width *= 2) {
        const unsigned lanes = 256 / (width / 8);
        const pto_mask_kind kind = width == 8 ? PTO_MASK_B8 : width == 16 ? PTO_MASK_B16 : PTO_MASK_B32;
        pto_preg p;
        printf("\nb%u: ", width);
        if (pto_pset(width, pattern, &p) != PTO_OK) {
            printf("illegal: the register has only %u lanes\n", lanes);
            continue;
        }
        show_lanes(pto_mask_in(p.w, kind), lanes);
    }
    return STATUS_OK;
}

static size_t count_vcvts(pto_dtype type, bool as_source) {
    size_t count = 0;
    for (size_t i = 0; i < pto_vcvt_form_count(); ++i) {
        pto_vcvt_op op;
        if (pto_vcvt_form(i, &op) == PTO_OK) count += (as_source ? op.src : op.dst) == type;
    }
    return count;
}

static size_t count_cvts(pto_dtype type, bool as_source) {
    size_t count = 0;
    for (size_t i = 0; i < pto_cvt_form_count(); ++i) {
        pto_cvt_op op;
        if (pto_cvt_form(i, &op) == PTO_OK) count += (as_source ? op.src : op.dst) == type;
    }
    return count;
}

/* Prints the range of values and the counts of NaNs and infinities. This takes time in proportion to the
 * number of codes. */
static void show_range(pto_dtype type) {
    const unsigned codes = 1U << (type == PTO_E2M3 || type == PTO_E3M2 ? 6 : pto_dtype_bits(type));
    double least = INFINITY, lowest = INFINITY, largest = -INFINITY;
    unsigned nans = 0, infinities = 0;
    char texts[3][VALUE_TEXT_SIZE];
    for (unsigned code = 0; code < codes; ++code) {
        uint64_t element;
        double value;
        element_from_bits(type, code, &element);
        if (!element_value(type, &element, &value)) return;
        nans += isnan(value) != 0;
        infinities += isinf(value) != 0;
        if (!isfinite(value)) continue;
        if (value > largest) largest = value;
        if (value < lowest) lowest = value;
        if (value > 0 && value < least) least = value;
    }
    double_text(lowest, texts[0]);
    double_text(largest, texts[1]);
    double_text(least, texts[2]);
    printf("finite values: %s to %s, the smallest above zero is %s\ncodes: %u, infinities: %u, NaNs: %u\n",
           texts[0], texts[1], texts[2], codes, infinities, nans);
}

static int explain_type(const char *text, pto_dtype type) {
    const char *const name = pto_dtype_name(type);
    if (strcmp(text, name) != 0) printf("%s: several elements of type %s\n", text, name);
    printf("%s: a type of %zu bits\n", name, pto_dtype_bits(type));
    if (pto_dtype_bits(type) <= 16) show_range(type);
    printf("forms of cvt: %zu to it, %zu from it\n", count_cvts(type, false), count_cvts(type, true));
    printf("forms of PTO's vcvt: %zu to it, %zu from it\n", count_vcvts(type, false),
           count_vcvts(type, true));
    return STATUS_OK;
}

/* ---- recognising the kind of text ---- */

/* Returns whether the text is this word, or begins with the word and a dot. */
static bool begins(const char *text, const char *word) {
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && (text[length] == '\0' || text[length] == '.');
}

static bool is_setcc(const char *text) {
    static const char set[] = "set";
    for (int i = 0; i < 3; ++i)
        if ((text[i] | 0x20) != set[i]) return false;
    return true;
}

#ifdef PTO_HAS_PROGRAM
static bool has_operands(const char *text) {
    return strpbrk(text, " \t\n,;") != NULL;
}

static bool is_instruction(const char *text) {
    return strchr(text, '.') != NULL || instruction_is_known(text);
}
#else
static bool explain_is_file(const char *text) {
    (void)text;
    return false;
}

static int explain_file(const struct command *command, const char *path) {
    (void)command;
    (void)path;
    return STATUS_ERROR;
}

static bool has_operands(const char *text) {
    (void)text;
    return false;
}

static bool is_instruction(const char *text) {
    (void)text;
    return false;
}

static int explain_instruction(const struct command *command, const char *text) {
    (void)command;
    (void)text;
    return STATUS_ERROR;
}
#endif

static int explain(const char *text) {
    pto_parse_error error;
    pto_dtype type;
    pto_cmp cmp;
    if (explain_is_file(text)) return explain_file(&command_explain, text);
    if (has_operands(text)) return explain_instruction(&command_explain, text);
    if (begins(text, "cvt")) return explain_cvt(text);
    if (is_cast_text(text)) return explain_cast(text);
    if (begins(text, "setp")) return explain_setp(text);
    if (begins(text, "set")) return explain_set(text);
    if (is_setcc(text)) return explain_setcc(text);
    if (strncmp(text, "PAT_", 4) == 0) return explain_pattern(text);
    if (find_element_type(text, &type)) return explain_type(text, type);
    if (pto_parse_cmp(text, &cmp, &error) == PTO_OK) return explain_operator(text);
    if (is_instruction(text)) return explain_instruction(&command_explain, text);
    return report_error(
        &command_explain,
        "%s: expected an instruction, a SETcc mnemonic, a pattern PAT_..., a type or an operator", text);
}

static int run(int argc, char **argv) {
    static const struct option options[] = {{NULL, 0, NULL, 0}};
    if (next_option(&command_explain, argc, argv, options) != -1) return STATUS_ERROR;
    if (optind == argc) return report_error(&command_explain, "expected a text such as cvt.rn.f16.f32");
    if (optind + 1 < argc)
        return report_error(&command_explain, "%s: expected only one text", argv[optind + 1]);
    return explain(argv[optind]);
}

const struct command command_explain = {
    .name = "explain",
    .arguments = "TEXT|FILE",
    .summary =
        "describes an instruction step by step; or prints where its text is illegal, and what would be legal",
    .options =
        "  FILE  a file with kernels of PTX or PTO, or - for standard input: lists its kernels, their\n"
        "        parameters, and the number of instructions of each kind; and all that is not supported,\n"
        "        with its first line. Exit status 1 if something is not\n"
        "  TEXT  one of:\n"
        "          an instruction as for pto eval: cvt.rn.f16.f32 or 'add.f32 d, a, b'\n"
        "          a SETcc mnemonic such as setnbe\n"
        "          a pattern such as PAT_VL16\n"
        "          a cast: cast.ROUND[.saturate|.saturate_finite].DST.SRC\n"
        "          a type\n"
        "          an operator such as ltu\n"
        "Exit status 1 if it is illegal.\n",
    .example = "pto explain cvt.rn.e4m3x2.f32",
    .run = run,
};
