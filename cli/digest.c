/* SPDX-License-Identifier: MIT */
/* pto digest: for each form a digest over its results, the same on every machine, instruction set and split. */
#include "digest_leaf.h"

#include <inttypes.h>
#include <stdlib.h>

struct wish {
    bool list, merge;
    bool has_isa;
    pto_isa isa;
    uint64_t range[2];
};

/* ---- computing ---- */

static int digest_forms(const struct wish *wish, const struct form_list *forms) {
    struct block *const block = malloc(sizeof *block);
    int status = ALL_WELL;
    if (block == NULL) out_of_memory();
    for (size_t i = 0; status == ALL_WELL && i < forms->count; ++i) {
        uint64_t range[2] = {wish->range[0], wish->range[1]};
        if (narrow_range(&forms->items[i], range))
            status = write_digest(&command_digest, &forms->items[i], range, block_run,
                                  pto_isa_name(pto_isa_active()), block);
    }
    free(block);
    return status;
}

static int print_list(const struct form_list *forms) {
    for (size_t i = 0; i < forms->count; ++i)
        printf("%-55s %-8s %10" PRIu64 " inputs %5" PRIu64 " shares\n", forms->items[i].name,
               coverage_name(forms->items[i].coverage), forms->items[i].count,
               share_count(forms->items[i].count));
    return ALL_WELL;
}

static int list_or_compute(const struct wish *wish, int argc, char **argv) {
    struct form_list forms;
    int status;
    if (!wish->list && !has_leaves())
        return bad_use(&command_digest,
                       "not in this build, which was made without xxHash (Debian: libxxhash-dev)");
    list_forms(&forms);
    status = choose_forms(&command_digest, argv + optind, argc - optind, &forms);
    if (status == ALL_WELL && wish->has_isa && pto_isa_use(wish->isa) != PTO_OK) status = BAD_USE;
    if (status == ALL_WELL) status = wish->list ? print_list(&forms) : digest_forms(wish, &forms);
    free(forms.items);
    return status;
}

/* ---- merging ---- */

static int merge(int argc, char **argv) {
    struct line_list lines = {NULL, 0, 0};
    int status = optind < argc ? ALL_WELL : bad_use(&command_digest, "--merge: expected files");
    for (int i = optind; status == ALL_WELL && i < argc; ++i)
        status = read_lines(&command_digest, argv[i], &lines);
    if (status == ALL_WELL) status = merge_lines(&command_digest, &lines);
    for (size_t i = 0; status == ALL_WELL && i < lines.count; ++i) write_line(&lines.items[i]);
    free(lines.items);
    return status;
}

/* ---- the command ---- */

static int run(int argc, char **argv) {
    static const struct option options[] = {{"range", required_argument, NULL, 'r'},
                                            {"isa", required_argument, NULL, 'i'},
                                            {"list", no_argument, NULL, 'l'},
                                            {"merge", no_argument, NULL, 'm'},
                                            {NULL, 0, NULL, 0}};
    struct wish wish = {.range = {0, UINT64_MAX}};
    int option;
    while ((option = next_option(&command_digest, argc, argv, options)) != -1) {
        if (option == '?') return BAD_USE;
        if (option == 'r' && read_range(&command_digest, optarg, wish.range) != ALL_WELL) return BAD_USE;
        if (option == 'i' && !isa_named(&command_digest, optarg, &wish.isa)) return BAD_USE;
        wish.has_isa = wish.has_isa || option == 'i';
        wish.list = wish.list || option == 'l';
        wish.merge = wish.merge || option == 'm';
    }
    return wish.merge ? merge(argc, argv) : list_or_compute(&wish, argc, argv);
}

const struct command command_digest = {
    .name = "digest",
    .arguments = "[--range BEGIN:END] [--isa ISA] [--list] [FORM]... | --merge FILE...",
    .line = "for each form a digest over the results of all its inputs, as lines of JSON",
    .options =
        "  FORM               a form's name, or a pattern of names such as 'cvt.*.f16'; without any all "
        "forms\n"
        "  --range BEGIN:END  of each form only these shares, of 2^20 inputs each\n"
        "  --isa ISA          by this instruction set\n"
        "  --list             the forms, and how many inputs and shares they have\n"
        "  --merge FILE...    joins the lines of runs over parts\n"
        "The digest is the same on every machine, instruction set and split; docs/digests.md defines it.\n",
    .example = "pto digest 'cvt.rn.satfinite.e4m3x2.f16x2' 'vcmp.lt.u8'",
    .run = run,
};
