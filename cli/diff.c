/* SPDX-License-Identifier: MIT */
/* pto diff: compares two outputs of pto digest, or two instruction sets, and finds the first input that differs. */
#include "digest_input.h"
#include "digest_line.h"
#include "safe_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    bool find, common, sample;
    pto_isa isas[2];
    int isa_count;
    uint64_t range[2];
};

/* ---- the first input that differs, between two instruction sets of this machine ---- */

/* One block for each of two instruction sets, with the same inputs. */
struct block_pair {
    struct block left, right;
};

static pto_status compute(const struct form *form, pto_isa isa, struct block *block, uint64_t first,
                          size_t n) {
    pto_status status = pto_isa_use(isa);
    if (status != PTO_OK) return status;
    block_fill(form, block, first, n);
    return block_run(form, block);
}

static bool same_result(const struct form *form, const struct block_pair *pair, size_t i) {
    const size_t bits = result_bits(form), at = i * bits;
    if (bits >= 8)
        return memcmp(pair->left.result.bytes + at / 8, pair->right.result.bytes + at / 8, bits / 8) == 0;
    return ((pair->left.result.bytes[at / 8] ^ pair->right.result.bytes[at / 8]) >> at % 8 &
            ((1 << bits) - 1)) == 0;
}

static void show_difference(const struct form *form, const pto_isa isas[2], const struct block_pair *pair) {
    char input[320], left[64], right[64];
    size_t i = 0;
    while (i + 1 < pair->left.n && same_result(form, pair, i)) ++i;
    describe_input(form, &pair->left, i, input, sizeof input);
    describe_result(form, &pair->left.result, i, left, sizeof left);
    describe_result(form, &pair->right.result, i, right, sizeof right);
    printf("%s: input %" PRIu64 ": %s -> %s %s, %s %s\n", form->name, pair->left.first + i, input,
           pto_isa_name(isas[0]), left, pto_isa_name(isas[1]), right);
}

/* Compares the results of two instruction sets for the shares of a range, and prints the first difference. */
static int find_in(const struct form *form, const pto_isa isas[2], const uint64_t range[2],
                   struct block_pair *pair) {
    uint64_t end = range[1] * SHARE_INPUTS;
    if (end > form->count) end = form->count;
    for (uint64_t first = range[0] * SHARE_INPUTS; first < end; first += BLOCK_INPUTS) {
        const size_t n = end - first < BLOCK_INPUTS ? (size_t)(end - first) : BLOCK_INPUTS;
        if (compute(form, isas[0], &pair->left, first, n) != PTO_OK ||
            compute(form, isas[1], &pair->right, first, n) != PTO_OK)
            return report_error(&command_diff, "%s: cannot be computed", form->name);
        if (memcmp(&pair->left.result, &pair->right.result, result_bytes(form, n)) == 0) continue;
        show_difference(form, isas, pair);
        return STATUS_DIFFERENT;
    }
    return STATUS_OK;
}

static int find(const struct form *form, const pto_isa isas[2], const uint64_t range[2]) {
    struct block_pair *const pair = malloc(sizeof *pair);
    int status;
    if (pair == NULL) out_of_memory();
    status = find_in(form, isas, range, pair);
    free(pair);
    return status;
}

/* Returns the worse of two exit statuses. */
static int worse_status(int a, int b) {
    return a > b ? a : b;
}

static int find_forms(const struct settings *settings, int argc, char **argv) {
    struct form_list forms;
    size_t differ = 0;
    int status;
    list_forms(&forms);
    status = choose_forms(&command_diff, argv + optind, argc - optind, &forms);
    for (size_t i = 0; status != STATUS_ERROR && i < forms.count; ++i) {
        uint64_t range[2] = {settings->range[0], settings->range[1]};
        int found;
        if (settings->sample) use_sample(&forms.items[i]);
        if (!narrow_range(&forms.items[i], range)) continue;
        found = find(&forms.items[i], settings->isas, range);
        differ += found == STATUS_DIFFERENT;
        status = worse_status(status, found);
    }
    if (status != STATUS_ERROR) printf("%zu of %zu forms differ\n", differ, forms.count);
    free(forms.items);
    return status;
}

/* ---- two files ---- */

struct side {
    char *path; /* for messages; a copy by safe_copy() */
    struct line_list lines;
};

static bool find_available_isa(const char *name, pto_isa *isa) {
    for (pto_isa i = PTO_ISA_SCALAR; *pto_isa_name(i) != '?'; ++i)
        if (strcmp(pto_isa_name(i), name) == 0 && pto_isa_available(i)) {
            *isa = i;
            return true;
        }
    return false;
}

/* Finds the first input for which two lines differ, if this machine has the instruction sets that they name. */
static void find_between(const struct line *a, const struct line *b) {
    const uint64_t range[2] = {a->begin, a->end};
    struct form_list forms;
    struct form form;
    pto_isa isas[2];
    if (!find_available_isa(a->isa, &isas[0]) || !find_available_isa(b->isa, &isas[1]) ||
        isas[0] == isas[1]) {
        printf("  the first input cannot be found here: the lines are by %s and %s\n", a->isa, b->isa);
        return;
    }
    list_forms(&forms);
    if (!form_of_line(&forms, a, &form))
        printf("  the first input cannot be found here: no form has these inputs\n");
    else if (find(&form, isas, range) == STATUS_OK)
        puts("  computed here, the two agree");
    free(forms.items);
}

static void show_side(const char *path, const struct line *line) {
    printf("  %016" PRIx64 "%016" PRIx64 " %s (%s, %s)\n", line->digest.high, line->digest.low, path,
           line->version, line->isa);
}

static bool same_shares(const struct line *a, const struct line *b) {
    return a->begin == b->begin && a->end == b->end && a->count == b->count;
}

static bool same_digest(const struct line *a, const struct line *b) {
    return a->digest.high == b->digest.high && a->digest.low == b->digest.low;
}

struct tally {
    size_t same, differ, unmatched;
};

/* Compares two lines with the same form, inputs and first share. */
static void compare_pair(const struct settings *settings, const struct side sides[2], const struct line *a,
                         const struct line *b, struct tally *tally) {
    if (!same_shares(a, b)) {
        printf("%s: not the same shares: %" PRIu64 ":%" PRIu64 " of %s, %" PRIu64 ":%" PRIu64 " of %s\n",
               a->form, a->begin, a->end, sides[0].path, b->begin, b->end, sides[1].path);
        ++tally->unmatched;
    } else if (same_digest(a, b)) {
        ++tally->same;
    } else {
        ++tally->differ;
        printf("%s: shares %" PRIu64 ":%" PRIu64 " differ\n", a->form, a->begin, a->end);
        show_side(sides[0].path, a);
        show_side(sides[1].path, b);
        if (settings->find) find_between(a, b);
    }
}

static void show_unmatched(const struct settings *settings, const struct line *line, const char *path,
                           struct tally *tally) {
    if (settings->common) return;
    printf("%s: shares %" PRIu64 ":%" PRIu64 " are only in %s\n", line->form, line->begin, line->end, path);
    ++tally->unmatched;
}

static struct tally compare_sides(const struct settings *settings, const struct side sides[2]) {
    const struct line_list *const a = &sides[0].lines, *const b = &sides[1].lines;
    struct tally tally = {0, 0, 0};
    size_t i = 0, j = 0;
    while (i < a->count || j < b->count) {
        const int which = i == a->count ? 1 : j == b->count ? -1 : compare_lines(&a->items[i], &b->items[j]);
        if (which == 0)
            compare_pair(settings, sides, &a->items[i++], &b->items[j++], &tally);
        else if (which < 0)
            show_unmatched(settings, &a->items[i++], sides[0].path, &tally);
        else
            show_unmatched(settings, &b->items[j++], sides[1].path, &tally);
    }
    return tally;
}

static int compare_files(const struct settings *settings, int argc, char **argv) {
    struct side sides[2] = {{.path = NULL}, {.path = NULL}};
    struct tally tally;
    int status = STATUS_OK;
    if (argc - optind != 2)
        return report_error(&command_diff, "expected two files, or --find with --isa twice and forms");
    for (int i = 0; status == STATUS_OK && i < 2; ++i) {
        sides[i].path = safe_copy(argv[optind + i]);
        status = read_lines(&command_diff, argv[optind + i], &sides[i].lines);
        if (status == STATUS_OK) status = merge_lines(&command_diff, &sides[i].lines);
    }
    if (status == STATUS_OK) {
        tally = compare_sides(settings, sides);
        printf("%zu differ, %zu are the same, %zu cannot be compared\n", tally.differ, tally.same,
               tally.unmatched);
        status = tally.differ + tally.unmatched != 0 ? STATUS_DIFFERENT : STATUS_OK;
        if (status == STATUS_OK && tally.same == 0)
            status = report_error(&command_diff, "the files have no form in common");
    }
    for (int i = 0; i < 2; ++i) {
        free(sides[i].lines.items);
        free(sides[i].path);
    }
    return status;
}

/* ---- the command ---- */

static int take_isa(struct settings *settings, const char *name) {
    if (settings->isa_count == 2)
        return report_error(&command_diff, "%s: expected --isa twice, not more", name);
    return find_isa(&command_diff, name, &settings->isas[settings->isa_count++]) ? STATUS_OK : STATUS_ERROR;
}

static int run(int argc, char **argv) {
    static const struct option options[] = {
        {"find", no_argument, NULL, 'f'},      {"common", no_argument, NULL, 'c'},
        {"isa", required_argument, NULL, 'i'}, {"range", required_argument, NULL, 'r'},
        {"sample", no_argument, NULL, 's'},    {NULL, 0, NULL, 0}};
    struct settings settings = {.range = {0, UINT64_MAX}};
    bool has_range = false;
    int option;
    while ((option = next_option(&command_diff, argc, argv, options)) != -1) {
        if (option == '?') return STATUS_ERROR;
        if (option == 'i' && take_isa(&settings, optarg) != STATUS_OK) return STATUS_ERROR;
        if (option == 'r' && read_range(&command_diff, optarg, settings.range) != STATUS_OK)
            return STATUS_ERROR;
        has_range = has_range || option == 'r';
        settings.find = settings.find || option == 'f';
        settings.common = settings.common || option == 'c';
        settings.sample = settings.sample || option == 's';
    }
    if (settings.isa_count == 2 && settings.find) return find_forms(&settings, argc, argv);
    if (settings.isa_count != 0) return report_error(&command_diff, "--isa: expected it twice, with --find");
    if (has_range) return report_error(&command_diff, "--range: expected --isa twice, with --find");
    if (settings.sample) return report_error(&command_diff, "--sample: expected --isa twice, with --find");
    return compare_files(&settings, argc, argv);
}

const struct command command_diff = {
    .name = "diff",
    .arguments =
        "[--common] [--find] A.jsonl B.jsonl | --find --isa ISA --isa ISA [--sample] [--range BEGIN:END] "
        "[FORM]...",
    .summary = "lists the forms that differ between two runs of pto digest, or between two instruction sets",
    .options =
        "  A.jsonl B.jsonl    two outputs of pto digest; - is standard input\n"
        "  --common           ignore forms that only one file contains\n"
        "  --find             print the first input that differs, if both sides can be computed here\n"
        "  --isa ISA          given twice, without files: compare two instruction sets of this machine\n"
        "  --sample           use the sample of pto digest for forms with more than 2^24 inputs\n"
        "  --range BEGIN:END  compare only these shares of each form\n"
        "  FORM               a form, or a pattern of forms, as for pto digest\n"
        "Exit status 1 if forms differ, or only one file contains them.\n",
    .example = "pto diff --find --isa scalar --isa scalar 'cvt.rn.satfinite.e4m3x2.f16x2'",
    .run = run,
};
